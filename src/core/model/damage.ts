/** Corrupt stored data. Functions that read everything report it and continue. */
import { fieldNames, pageFields } from './page-fields.ts';

/** Thrown for corrupt data; the message is a sentence that describes it. */
export class Damage extends Error {}

export class DamagedChange extends Damage {
  readonly change: { pageId: number; id: number };

  /** `defect`: the end of the sentence. */
  constructor(change: { pageId: number; id: number }, defect: string) {
    super(`Change ${change.id} of page ${change.pageId} is damaged: ${defect}.`);
    this.change = change;
  }
}

/** Defect in the stored content of a change, as the end of a sentence; undefined if it is sound. */
export function damageInContent(stored: unknown): string | undefined {
  let content: unknown;
  try {
    content = JSON.parse(String(stored));
  } catch {
    return 'its content is not valid JSON';
  }
  if (typeof content !== 'object' || content === null) return 'its content is not a page';
  const fields = content as Record<string, unknown>;
  const wrong =
    fieldNames.find((name) => !pageFields[name].isUsable(fields[name])) ??
    (areNames(fields.files) ? undefined : 'files');
  return wrong && `its content has an invalid ${wrong}`;
}

function areNames(files: unknown): boolean {
  return files === undefined || (Array.isArray(files) && files.every((name) => typeof name === 'string'));
}
