/** Formats a certificate as lines for a terminal; the complete form is JSON. */

import { say, textOf } from '#words/say.ts';
import type { Certificate, Numbers } from './certificate.ts';
import type { Comparison } from './comparison/comparer.ts';
import { sentencesOf } from './comparison/sentences.ts';
import type { GoneEntry } from './prune.ts';

const shown = 10;
/** Display names of the counts. */
const numberLabels: [keyof Numbers, string][] = [
  ['pages', 'Pages'],
  ['revisions', 'Revisions'],
  ['authors', 'Authors'],
  ['files', 'Files'],
  ['redirects', 'Redirects'],
  ['links', 'Links'],
];

/** One line for each outcome. Names may contain control characters, so the caller must make them printable. */
export function linesOf(certificate: Certificate): string[] {
  const { numbers, pages, links, edited, approximated, leftOut, collisions, gone, isDryRun } = certificate;
  const lines = numberLabels.map(([key, label]) => {
    const result = isDryRun ? '' : `, ${numbers.result[key]} here`;
    return `${`${label}:`.padEnd(12)}${numbers.source[key]} in the source${result}`;
  });
  if (certificate.recognisedBy !== undefined)
    lines.unshift(
      `${'Read as:'.padEnd(12)}${certificate.kind}, because ${certificate.recognisedBy}; --from reads it as another kind`,
    );
  if (isDryRun) lines.splice(certificate.recognisedBy === undefined ? 2 : 3);
  else
    lines.push(
      `            ${newPages(pages)} new, ${pages.changed} changed, ${pages.unchanged} unchanged`,
      `            ${links.resolved} links lead to pages, ${links.dead} lead nowhere as in the source, ${links.lost} are lost`,
    );
  for (const [construct, count] of Object.entries(approximated.byConstruct))
    lines.push(`Adapted:    ${construct} (${count})`);
  if (certificate.comparison) lines.push(...comparisonLines(certificate.comparison));
  for (const { path, outcome } of edited) lines.push(`Edited:     ${path}: ${editedOutcomes[outcome]}`);
  if (certificate.unclear)
    lines.push(
      `Unclear:    pages here come from ${certificate.unclear.map((name) => `“${name}”`).join(', ')}; --source with that name continues that import, another name makes a separate import`,
    );
  for (const entry of gone.list.slice(0, shown))
    lines.push(`Gone:       ${entry.source}: ${goneWords(entry)}`);
  if (gone.total > shown) lines.push(`            and ${gone.total - shown} more, which --json names`);
  for (const { title, wanted, path } of collisions.slice(0, shown))
    lines.push(`Elsewhere:  ${title}: ${wanted} is already used, so the page is at ${path}`);
  for (const { source, why, isRefusal } of leftOut.list.slice(0, shown))
    lines.push(`${isRefusal ? 'Refused: ' : 'Left out:'}   ${source}: ${why}`);
  const more = leftOut.total - Math.min(shown, leftOut.list.length);
  if (more > 0) lines.push(`            and ${more} more, which --json names`);
  if (isDryRun)
    lines.push(
      'Nothing was changed: this was a dry run. Pages are compared with their sources after an import, not in a dry run.',
    );
  return lines;
}

/** Pages above those of the source are named apart, so that the first number is that of the source. */
function newPages({ created, parents = 0 }: Certificate['pages']): string {
  const pages = textOf(say('count.pages', { count: created - parents }), 'en');
  return parents === 0 ? pages : `${pages} and ${parents} parent ${parents === 1 ? 'page' : 'pages'}`;
}

/** Outcome of a page that the source does not have any more, or has elsewhere, as the end of a sentence. */
export function goneWords({ path, movedTo, outcome, why }: GoneEntry): string {
  const moved = movedTo && `it is now ${movedTo.source} in the source`;
  switch (outcome) {
    case 'deleted':
      return `its page ${path} was moved to the trash`;
    case 'moved':
      return `${moved}, and its page was moved from ${path} to ${movedTo?.path}`;
    case 'edited':
      return `the source no longer has it; its page ${path} was changed here and stays`;
    case 'refused':
      return `its page ${path} stays: ${why}`;
    case 'stays':
      return moved
        ? `${moved}; its page stays at ${path} (pruning moves it to ${movedTo?.path})`
        : `the source no longer has it; its page ${path} stays (pruning deletes it)`;
  }
}

export function comparisonLines({ pages, differing, byKind, list, failed }: Comparison): string[] {
  if (failed !== undefined) return [`Compared:   ${failed}`];
  if (pages === 0) return [];
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} (${count})`);
  const lines = [
    `Compared:   ${pages} pages with their sources, as readers see both: ${pages - differing} equal, ${differing} differ${differing === 0 ? '' : ` in ${kinds.join(', ')}`}`,
  ];
  for (const one of list.slice(0, shown))
    lines.push(
      `Differs:    ${one.page}: ${sentencesOf(one)
        .map((words) => textOf(words, 'en'))
        .join('; ')}`,
    );
  if (differing > shown) lines.push(`            and ${differing - shown} more, which --json names`);
  return lines;
}

const editedOutcomes = {
  merged: 'edits in the wiki were merged with the source',
  kept: 'it was edited in the wiki and in the source; use --force to take the source',
  overwritten: 'edits in the wiki were replaced by the source',
} satisfies Record<Certificate['edited'][number]['outcome'], string>;
