/** The closing words of an import. */
import { printable } from '../command/printable.ts';
import type { ImportResult } from './run.ts';

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
  // Names of files may hold anything.
  return `${lines.map(printable).join('\n')}\n`;
}
