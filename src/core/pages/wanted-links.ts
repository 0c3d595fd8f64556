/** Wanted links: links to missing pages that the caller can see, most wanted first. */

import type { PageName } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';

/**
 * Maximum number of pages for one target, and in total: a thousand targets with a thousand pages each would take hundreds of
 * megabytes.
 */
const maxLinks = 1000;
const maxLinksTogether = 100_000;

/**
 * Most wanted targets without a page, each with some of the pages that link to it: fewer of them if many targets are asked for.
 */
export async function wantedLinks(
  reader: Reader,
  limit: number,
  linksLimit = maxLinks,
): Promise<{ title: string; count: number; links: PageName[] }[]> {
  const each = Math.min(linksLimit, Math.floor(maxLinksTogether / limit));
  return reader.links.wanted(limit, each);
}
