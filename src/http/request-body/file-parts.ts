/** Finds files in a body, and decodes text as strict UTF-8. */

export const maxFilesPerRequest = 100;

/** Objects that contain a file, in the form of a body's `files`: one or a list, each with an optional thumbnail. */
export function givenFiles(fields: unknown): Record<string, unknown>[] {
  const { files } = (fields ?? {}) as { files?: unknown };
  const list = Array.isArray(files) ? files.slice(0, maxFilesPerRequest) : [files];
  return list.filter(isObject).flatMap(({ file, thumbnail }) => [file, thumbnail].filter(isObject));
}

/** Text of all pieces without a byte order mark; undefined if it is not UTF-8 (RFC 8259 §8.1). */
export function textOf(pieces: Uint8Array[]): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (const piece of pieces) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
