/** Reading JSON and the files within it: for the thread that answers, and for the one that lifts files out. */

export const maxFilesPerRequest = 100;

/** Objects that hold a file, as `files` of a body has them: one, or a list, each perhaps with a thumbnail. */
export function givenFiles(fields: unknown): Record<string, unknown>[] {
  const { files } = (fields ?? {}) as { files?: unknown };
  const list = Array.isArray(files) ? files.slice(0, maxFilesPerRequest) : [files];
  return list.filter(isObject).flatMap(({ file, thumbnail }) => [file, thumbnail].filter(isObject));
}

/** Of all pieces together, without a byte order mark; undefined for what is not UTF-8 (RFC 8259 §8.1). */
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

/** Undefined for what is neither base64 nor `{"type":"Buffer","data":[…]}`. */
export function bytesOf(data: unknown): Buffer | undefined {
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (typeof data === 'string') {
    const text = data.replace(/\s+/g, '').replace(/=+$/, '');
    const bytes = Buffer.from(text, 'base64');
    // Buffer skips or stops at what is no base64; then the length is not what the text promises.
    return text.length % 4 !== 1 && bytes.length === Math.floor((text.length * 3) / 4) ? bytes : undefined;
  }
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, data: numbers } = data as Record<string, unknown>;
  if (type !== 'Buffer' || !Array.isArray(numbers)) return undefined;
  return numbers.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
    ? Buffer.from(numbers)
    : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
