/** Finds a page by path, ID or title. */

import { say } from '#words/say.ts';
import type { Page } from '../model/page.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

/** Maximum number of pages with the same title that are told apart. */
const maxAlike = 50;

/**
 * A text that begins with a slash is a current or former path; any other text is a title, in any case. Refuses `not-found` and
 * `gone` as `getReadable` does, and `invalid` for a title that several pages have, naming their IDs.
 */
export async function getNamed(reader: Reader, name: string | number): Promise<Page> {
  if (typeof name === 'number') {
    const page = await reader.pages.findById(name);
    if (!page) throw new Problem('not-found', say('problem.thereIsNoPage', { name }));
    return page;
  }
  if (name.startsWith('/')) return getAtPath(reader, name);
  const wanted = name.trim().toLowerCase();
  const alike = wanted === '' ? [] : await reader.pages.complete(name.trim(), maxAlike);
  const found = alike.filter(({ title }) => title.toLowerCase() === wanted);
  const [first] = found;
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw invalid('/page', say('problem.pagesHaveThisTitleGiveTheId', { length: found.length, ids }));
  }
  if (!first) throw new Problem('not-found', say('problem.noPageHasThisTitleSearchFor'));
  return getAtPath(reader, first.path);
}

async function getAtPath(reader: Reader, path: string): Promise<Page> {
  try {
    return await getReadable(reader, path);
  } catch (error) {
    const movedTo = error instanceof Problem && error.details?.movedTo;
    if (typeof movedTo !== 'string') throw error;
    return getReadable(reader, movedTo);
  }
}
