/** Lists in which a page and its translations appear once, in the reader's language. */

interface Translatable {
  id: number;
  originalId: number | null;
  language: string | null;
}

/**
 * Keeps one page of each set of translations: the one nearest to the language `wanted`, at the place of the set's first page. Of
 * equally near pages the original is kept, else the first. Give only pages that the reader may read.
 */
export function onePerTranslationSet<P extends Translatable>(
  pages: readonly P[],
  wanted: string,
  wiki: string,
): P[] {
  const nearest = new Map<number, P>();
  const far = ({ language, originalId }: P) =>
    distance(language ?? wiki, wanted) + (originalId === null ? 0 : 0.5);
  for (const page of pages) {
    const set = page.originalId ?? page.id;
    const known = nearest.get(set);
    if (!known || far(page) < far(known)) nearest.set(set, page);
  }
  return [...nearest.values()];
}

/** How far a tag is from the wanted one, as links go to translations: `de-AT` takes `de-AT`, then `de`, then `de-CH`. */
function distance(tag: string, wanted: string): number {
  if (tag === wanted) return 0;
  if (wanted.startsWith(`${tag}-`)) return 50 - tag.length;
  return tag.split('-', 1)[0] === wanted.split('-', 1)[0] ? 60 : 100;
}
