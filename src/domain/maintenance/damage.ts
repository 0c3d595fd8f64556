/** Stored data that is not what was stored: found by whatever goes through everything, which names it and goes on. */
import { fieldNames, pageFields } from '../pages/page-fields.ts';

/** The message is a sentence that says what is damaged. */
export class Damage extends Error {}

/** Defect in the stored content of a change, as the end of a sentence; undefined: none. */
export function damageInContent(stored: unknown): string | undefined {
  let content: unknown;
  try {
    content = JSON.parse(String(stored));
  } catch {
    return 'its content is no JSON';
  }
  if (typeof content !== 'object' || content === null) return 'its content is no page';
  const fields = content as Record<string, unknown>;
  const wrong =
    fieldNames.find((name) => !pageFields[name].isUsable(fields[name])) ??
    (areNames(fields.files) ? undefined : 'files');
  return wrong && `its content has no usable ${wrong}`;
}

function areNames(files: unknown): boolean {
  return files === undefined || (Array.isArray(files) && files.every((name) => typeof name === 'string'));
}
