/** Links that lead nowhere yet, most asked for first: what this wiki is still missing, as far as the caller can see. */

import type { Reader } from '../reader.ts';
import type { PageName } from './page.ts';

/**
 * Maximum pages for one target, and for all together: a thousand targets with a thousand pages each would be hundreds of
 * megabytes.
 */
const maxLinks = 1000;
const maxLinksTogether = 100_000;

export async function wantedLinks(
  reader: Reader,
  limit: number,
  linksLimit = maxLinks,
): Promise<{ title: string; count: number; links: PageName[] }[]> {
  const each = Math.min(linksLimit, Math.floor(maxLinksTogether / limit));
  return reader.links.wanted(limit, each);
}
