/** The final report of an import, and its certificate. */
import type { Certificate, Numbers } from '#import/certificate.ts';
import { printable } from '../command/printable.ts';
import type { ImportResult } from './run.ts';

/** Certificate in the common form: rewritten links are counted, broken ones are listed. */
export function certificateOf(
  result: ImportResult,
  head: Pick<
    Certificate,
    'source' | 'origin' | 'unclear' | 'parent' | 'isDryRun' | 'startedAt' | 'finishedAt'
  >,
): Certificate {
  const { created, changed, unchanged, edited, leftOut, linksResolved: resolved, linksWanted: dead } = result;
  const pages = created + changed + unchanged + edited.length;
  const refused = leftOut.filter(({ isRefusal }) => isRefusal).length;
  const files = result.filesAttached;
  const numbersOf = (pages: number, links: number): Numbers => ({
    ...{ pages, revisions: pages, authors: 0, files, links, redirects: 0 },
  });
  const total = result.linksRewritten;
  return {
    ...{ ...head, kind: 'wikitext', collisions: [], gone: { total: 0, list: [], more: 0 } },
    numbers: { source: numbersOf(pages + refused, resolved + dead), result: numbersOf(pages, resolved) },
    pages: { created, changed, unchanged: unchanged + edited.length },
    edited: edited.map((path) => ({ path, outcome: 'kept' })),
    links: {
      ...{ resolved, dead, lost: 0, more: 0 },
      list: result.wanted.map(({ target, count }) => ({ old: target, new: null, count })),
    },
    approximated: { total, byConstruct: total > 0 ? { link: total } : {}, list: [], more: total },
    leftOut: {
      ...{ total: leftOut.length, more: 0 },
      list: leftOut.map(({ source, why, isRefusal }) => ({
        source,
        why,
        ...(isRefusal ? { isRefusal } : {}),
      })),
    },
  };
}

const shownWanted = 10;

export function summaryOf(result: ImportResult, isDry: boolean): string {
  const { created, changed, unchanged, edited, filesAttached, leftOut, wanted } = result;
  const pages = created + changed + unchanged + edited.length;
  const lines = [
    `Pages:  ${pages} (${created} new, ${changed} changed, ${unchanged} as they were)`,
    `Files:  ${filesAttached} attached`,
    `Links:  ${result.linksRewritten} led to imported pages, sections and files`,
  ];
  if (!isDry) {
    lines.push(
      `        ${result.linksResolved} lead to pages, ${result.linksWanted} are wanted (${wanted.length} pages that do not exist)`,
    );
    const shown = wanted.slice(0, shownWanted).map(({ target, count }) => `${target} (${count})`);
    if (shown.length > 0)
      lines.push(`Wanted: ${shown.join(', ')}${wanted.length > shownWanted ? ', …' : ''}`);
  }
  for (const path of edited) {
    lines.push(`Kept:   ${path} was edited in the wiki and in the folder; --force takes the folder's text`);
  }
  for (const { source, why, isRefusal } of leftOut) {
    lines.push(`${isRefusal ? 'Refused' : 'Left out'}: ${source}: ${why}`);
  }
  if (isDry) lines.push('Nothing was changed: this was a dry run.');
  // File names may contain control characters.
  return `${lines.map(printable).join('\n')}\n`;
}
