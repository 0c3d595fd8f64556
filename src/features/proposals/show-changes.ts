/** Differences that a proposal makes, by fields and by words, each from its base. */
import { type Comparison, diffFields, type FieldChange } from '#core/content/diff.ts';
import type { Language } from '#core/content/language.ts';
import type { Content } from '#core/model/page.ts';
import { initialContent } from '#core/model/page-fields.ts';
import { checkInput } from '#core/model/page-input.ts';
import type { Wiki } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { Reader } from '#core/ports/reader.ts';
import { inputOf, type JudgedChange } from './judge-changes.ts';

/** Changes that are compared; the others are only named. */
const mostCompared = 30;
const maxComparedBytes = 4_000_000;

export interface ShownChange {
  change: JudgedChange;
  /** Undefined for deletions, and where there are too many or too long texts. */
  difference?: { before: Content; after: Content; fields: FieldChange[]; body: Comparison };
}

/** Runs one statement. `wiki` decides what a new page has of which the proposal says nothing. */
export async function compareChanges(
  wiki: Wiki,
  reader: Reader,
  language: Pick<Language, 'compare'>,
  changes: readonly JudgedChange[],
): Promise<ShownChange[]> {
  const compared = changes.slice(0, mostCompared);
  const marks = compared.flatMap(({ page, base }) =>
    page && base !== null ? [{ page, changeId: base + 1 }] : [],
  );
  const found = await reader.changes.listBefore(
    marks,
    Math.floor(maxComparedBytes / Math.max(1, marks.length)),
  );
  const bases = new Map(found.flatMap((change) => (change ? [[change.id, change.content] as const] : [])));
  const shown: ShownChange[] = [];
  for (const change of changes) {
    const before = change.action === 'create' ? initialContent(wiki) : bases.get(change.base ?? 0);
    const isCompared = compared.includes(change) && change.action !== 'delete' && before && change.fields;
    if (!isCompared) {
      shown.push({ change });
      continue;
    }
    await new Promise((resolve) => setImmediate(resolve));
    const { given } = checkInput(inputOf(change.fields ?? {}));
    const { msg: _, ...fields } = given;
    const after = { ...before, ...fields } as Content;
    const body = await compare(language, before.body, after.body);
    shown.push(
      body ? { change, difference: { before, after, fields: diffFields(before, after), body } } : { change },
    );
  }
  return shown;
}

async function compare(
  language: Pick<Language, 'compare'>,
  before: string,
  after: string,
): Promise<Comparison | undefined> {
  try {
    return await language.compare(before, after);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
