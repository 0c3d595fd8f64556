/** How far translations are behind their originals, as one reader may know it. */
import type { Language } from '../content/language.ts';
import type { ParagraphChange, Untranslated } from '../content/paragraphs.ts';
import type { Content } from '../model/page.ts';
import type { PageRow, Reader } from '../ports/reader.ts';

export interface Behind {
  /** Changes of the original since the one that the translation renders, at most 1,000. */
  changes: number;
  /** Its paragraphs that are new, gone or different since, without those that are translated already. */
  paragraphs: number;
}

export interface Translation {
  page: PageRow;
  isOriginal: boolean;
  /** Null for the original, for a translation of its latest change, and if the reader cannot read the original. */
  behind: Behind | null;
}

/** Pairs of contents that are in memory together; each may have 4 MB. */
const comparedAtOnce = 10;
/** No stored content is longer. */
const maxBytes = 30_000_000;

/**
 * The translations, in their order. `originals`: those that the reader may read. Where the change that a translation renders is hidden
 * from most readers, the first change that is not counts instead. Two statements for each ten changes that translations render,
 * and one for all.
 */
export async function compared(
  reader: Reader,
  language: Language,
  translations: readonly PageRow[],
  originals: readonly PageRow[],
): Promise<Translation[]> {
  const byId = new Map(originals.map((page) => [page.id, page]));
  const late = translations.flatMap((page) => {
    const original = byId.get(page.originalId ?? 0);
    const from = original && renderedOf(page, original);
    return original && from !== undefined && from < original.changeId
      ? [{ id: page.id, original, from, rendered: page.renderedParagraphs }]
      : [];
  });
  const counts = await reader.changes.countSince(
    late.map(({ original, from }) => ({ page: original, changeId: from })),
  );
  // Many translations render the same change.
  const pairs = [...new Map(late.map((pair) => [keyOf(pair), pair])).values()];
  const paragraphs = new Map<string, ParagraphChange[]>();
  for (let i = 0; i < pairs.length; i += comparedAtOnce) {
    const some = pairs.slice(i, i + comparedAtOnce);
    const contents = await reader.changes.listBefore(
      some.flatMap(({ original, from }) => [
        { page: original, changeId: from + 1 },
        { page: original, changeId: original.changeId + 1 },
      ]),
      maxBytes,
    );
    for (const [n, pair] of some.entries()) {
      const texts = { before: bodyOf(contents[2 * n]), after: bodyOf(contents[2 * n + 1]) };
      paragraphs.set(keyOf(pair), await language.compareParagraphs(texts));
      // Others get their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const behind = new Map(
    late.map((one, n): [number, Behind] => [
      one.id,
      {
        changes: counts[n] ?? 0,
        paragraphs: without(one.rendered, paragraphs.get(keyOf(one)) ?? []).length,
      },
    ]),
  );
  return translations.map((page) => ({ page, isOriginal: false, behind: behind.get(page.id) ?? null }));
}

function bodyOf(change: { content: Content } | undefined): string {
  return change?.content.body ?? '';
}

/** Changes of paragraphs that a translation does not render yet. */
function without<T extends ParagraphChange>(rendered: readonly string[], changes: readonly T[]): T[] {
  const keys = new Set(rendered);
  return changes.filter(({ key }) => !keys.has(key));
}

/** Changed paragraphs that the translation does not render yet, in their order. */
export async function untranslated(...given: Parameters<typeof changedParagraphs>): Promise<Untranslated[]> {
  const [, , { renderedParagraphs }] = given;
  return without(renderedParagraphs, await changedParagraphs(...given));
}

/**
 * Paragraphs of the original that changed since the change that the translation renders, each beside its translation, in their order.
 * Two statements.
 */
export async function changedParagraphs(
  reader: Reader,
  language: Language,
  page: PageRow & { content: Content },
  original: PageRow,
): Promise<Untranslated[]> {
  const from = renderedOf(page, original) ?? original.changeId;
  const [before, after] = await reader.changes.listBefore(
    [from, original.changeId].map((changeId) => ({ page: original, changeId: changeId + 1 })),
    maxBytes,
  );
  return language.compareParagraphs({
    before: bodyOf(before),
    after: bodyOf(after),
    translation: page.content.body,
  });
}

function keyOf({ original, from }: { original: PageRow; from: number }): string {
  return `${original.id} ${from}`;
}

/** The change of the original with which a translation is compared. */
export function renderedOf({ renderedId }: PageRow, { historyFrom }: PageRow): number | undefined {
  return renderedId === null ? undefined : Math.max(renderedId, historyFrom);
}

/**
 * The translations of a page. Those of a translation are its original, the page itself and the others. By language, then by ID;
 * the original first. `of`: whether to say how far each is behind, or only the page.
 */
export async function translationsOf(
  reader: Reader,
  language: Language,
  page: Pick<PageRow, 'id' | 'originalId'>,
  of: 'each' | 'page' = 'each',
): Promise<Translation[]> {
  const set = await reader.pages.inSet(page.originalId ?? page.id);
  const originals = set.filter(({ originalId }) => originalId === null);
  const translations = set.filter(({ originalId }) => originalId !== null);
  const shown = page.originalId === null ? [] : originals;
  const [wanted, others] = [[] as PageRow[], [] as PageRow[]];
  for (const one of translations) (of === 'each' || one.id === page.id ? wanted : others).push(one);
  const states = await compared(reader, language, wanted, originals);
  for (const page of others) states.push({ page, isOriginal: false, behind: null });
  return [
    ...shown.map((page) => ({ page, isOriginal: true, behind: null })),
    ...states.sort((a, b) => compareTags(a.page.language, b.page.language) || a.page.id - b.page.id),
  ];
}

function compareTags(a: string | null, b: string | null): number {
  const [first, second] = [a ?? '', b ?? ''];
  return first < second ? -1 : first > second ? 1 : 0;
}
