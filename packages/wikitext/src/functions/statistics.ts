/**
 * Statistics of the wiki, limited to pages that the reader may read.
 *
 *   {{NUMBEROFPAGES}} {{NUMBEROFARTICLES}}      pages; without separators: {{NUMBEROFPAGES:R}}
 *   {{PAGESINCATEGORY:Trees}}                   pages with the tag `[[Category:Trees]]`
 *   {{PAGESIZE:Oak}} {{REVISIONSIZE}}           bytes of a page's source, 0 if there is none
 *   {{PAGEID:Oak}}                              its ID, 0 if there is none
 *
 * Numbers of members, edits and files are not public, and changes of other pages are not available to a page: those words are
 * shown as their name.
 */
import type { Call, Functions } from './call.ts';
import { formatNumber } from './string.ts';

export const statistics: Functions = {
  numberofpages: (call) => counted(call, { of: 'pages' }, 0),
  numberofarticles: (call) => counted(call, { of: 'pages' }, 0),
  pagesincategory: ofCategory,
  pagesincat: ofCategory,
  revisionsize: (call) => counted(call, { of: 'size', page: call.text(0) || call.expander.path() || '' }, 1),
  pageid: (call) => counted(call, { of: 'id', page: call.text(0) }, 0, true),
  pagesize: (call) => counted(call, { of: 'size', page: call.text(0) }, 1),
  ...Object.fromEntries(
    'REVISIONID REVISIONUSER REVISIONYEAR REVISIONMONTH REVISIONMONTH1 REVISIONDAY REVISIONDAY2 REVISIONTIMESTAMP NUMBEROFFILES NUMBEROFEDITS NUMBEROFVIEWS NUMBEROFUSERS NUMBEROFACTIVEUSERS NUMBEROFADMINS NUMBERINGROUP NUMINGROUP PAGESINNAMESPACE PAGESINNS'
      .split(' ')
      .map((name) => [name.toLowerCase(), (call: Call) => call.expander.missing(name)]),
  ),
};

/** Only `pages` can be counted separately, which equals the total: unlike in MediaWiki, files and categories are not pages. */
function ofCategory(call: Call): string | undefined {
  const others = call.arguments.slice(1).map((_, index) => call.text(index + 1).toLowerCase());
  if (others.includes('files') || others.includes('subcats')) return '0';
  const raw = Math.max(1, others.indexOf('r') + 1);
  return counted(call, { of: 'tag', key: 'category', value: call.text(0) }, raw);
}

/** `rawAt`: position of the argument that is `R` if the number is wanted without separators. */
function counted(
  call: Call,
  values: Record<string, string>,
  rawAt: number,
  isRaw = call.text(rawAt).toUpperCase() === 'R',
): string | undefined {
  const { expander } = call;
  if (!expander.rules.listings) return undefined;
  const number = String(expander.context.listings.get(expander.data.listing('Count', values))?.more ?? 0);
  return isRaw ? number : formatNumber(number, '', expander.rules.language);
}
