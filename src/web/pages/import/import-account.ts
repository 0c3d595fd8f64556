/** The report of an import: numbers, and lists of everything that was changed or left out. */
import type { FastifyReply } from 'fastify';
import { Problem } from '#core/model/problem.ts';
import { sentencesOf } from '#import/comparison/sentences.ts';
import type { JobCertificate } from '#import/job.ts';
import { goneWords } from '#import/summary.ts';
import { inLanguage, say, textOf } from '#words/say.ts';
import { stored } from '#words/stored.ts';
import { pageUrl, paging, readRange, table } from '../../components.ts';
import { plainNumber } from '../../format.ts';
import { type Html, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import type { Site } from '../../site.ts';

const shown = 10;
const numbersShown = [
  ['pages', say('importAccount.pages')],
  ['revisions', say('importAccount.revisions')],
  ['authors', say('importAccount.authors')],
  ['files', say('importAccount.files')],
  ['redirects', say('importAccount.redirects')],
  ['links', say('importAccount.linksThatLeadSomewhere')],
] as const;
const listed = 100;

interface List {
  title: Words;
  words: Words;
  columns: Words[];
  rows(certificate: JobCertificate): Html[][];
  /** Number of entries beyond those in a truncated certificate. */
  more?(certificate: JobCertificate): number;
}

const outcomes = {
  merged: say('importAccount.editsMadeHereWereMergedWith'),
  kept: say('importAccount.editedHereAndInTheSourceThe'),
  overwritten: say('importAccount.replacedByTheSource'),
};

const allLists = {
  refused: {
    title: say('importAccount.refused'),
    words: say('importAccount.partsOfTheSourceThatCouldNot'),
    columns: [say('importAccount.inTheSource'), say('importAccount.why')],
    rows: ({ leftOut }) =>
      leftOut.list
        .filter(({ isRefusal }) => isRefusal)
        .map(({ source, why }) => [text(source), text(stored(why))]),
  },
  edited: {
    title: say('importAccount.editedHereMeanwhile'),
    words: say('importAccount.pagesThatWereEditedInThis'),
    columns: [say('importAccount.page'), say('importAccount.result')],
    rows: ({ edited }) => edited.map(({ path, outcome }) => [link(path), text(outcomes[outcome])]),
  },
  collisions: {
    title: say('importAccount.elsewhere'),
    words: say('importAccount.pagesWhoseAddressBelongsTo'),
    columns: [say('importAccount.page'), say('importAccount.wanted'), say('importAccount.isAt')],
    rows: ({ collisions }) =>
      collisions.map(({ title, wanted, path }) => [text(title), code(wanted), code(path)]),
  },
  gone: {
    title: say('importAccount.missingInTheSource'),
    words: say('importAccount.pagesOfAnEarlierImportThat'),
    columns: [say('importAccount.inTheSource'), say('importAccount.page'), say('importAccount.result')],
    rows: ({ gone }) =>
      gone.list.map((entry) => [
        text(entry.source),
        link(entry.path),
        text(capital(stored(goneWords(entry)))),
      ]),
    more: ({ gone }) => gone.more,
  },
  lost: {
    title: say('importAccount.lostLinks'),
    words: say('importAccount.linksThatWorkInTheSourceAnd'),
    columns: [say('importAccount.inTheSource'), say('importAccount.leadsTo'), say('importAccount.times')],
    rows: ({ links }) => links.list.filter(({ isLost }) => isLost).map(linkRow),
  },
  adapted: {
    title: say('importAccount.adapted'),
    words: say('importAccount.markupThatThisWikiWrites'),
    columns: [
      say('importAccount.page'),
      say('common.what'),
      say('importAccount.before'),
      say('importAccount.after'),
    ],
    rows: ({ approximated }) =>
      approximated.list.map(({ page, construct, before, after }) => [
        link(page),
        text(stored(construct, 'construct')),
        code(before),
        code(after),
      ]),
    more: ({ approximated }) => approximated.more,
  },
  differing: {
    title: say('importAccount.differsFromTheSource'),
    words: say('importAccount.pagesOnWhichReadersSee'),
    columns: [say('importAccount.page'), say('importAccount.whatDiffers')],
    rows: ({ comparison }) =>
      comparison?.list.map((one) => [
        link(one.page),
        html`<ul class="import-kinds">${sentencesOf(one).map((words) => html`<li>${text(words)}</li>`)}</ul>`,
      ]) ?? [],
    more: ({ comparison }) => comparison?.more ?? 0,
  },
  'left-out': {
    title: say('importAccount.leftOut'),
    words: say('importAccount.partsOfTheSourceThatThisWiki'),
    columns: [say('importAccount.inTheSource'), say('importAccount.why')],
    rows: ({ leftOut }) =>
      leftOut.list
        .filter(({ isRefusal }) => !isRefusal)
        .map(({ source, why }) => [text(source), text(stored(why))]),
    more: ({ leftOut }) => leftOut.more,
  },
  dead: {
    title: say('importAccount.deadLinksOfTheSource'),
    words: say('importAccount.linksThatLeadNowhereInThe'),
    columns: [say('importAccount.inTheSource'), say('importAccount.times')],
    rows: ({ links }) =>
      links.list.filter((one) => one.new === null).map((one) => [code(one.old), text(String(one.count))]),
  },
  links: {
    title: say('importAccount.allLinks'),
    words: say('importAccount.whereEveryLinkLeads'),
    columns: [say('importAccount.inTheSource'), say('importAccount.leadsTo'), say('importAccount.times')],
    rows: ({ links }) => links.list.map(linkRow),
    more: ({ links }) => links.more,
  },
} satisfies Record<string, List>;

export type ListName = keyof typeof allLists;

function capital(words: Words): Words {
  return inLanguage((locale, language) => {
    const text = textOf(words, language);
    return `${text.slice(0, 1).toLocaleUpperCase(locale)}${text.slice(1)}.`;
  });
}

function text(words: Words): Html {
  return html`<span dir="auto">${words}</span>`;
}

function code(words: Words): Html {
  return html`<code dir="auto">${words}</code>`;
}

function link(path: string): Html {
  return html`<a href="${pageUrl(path)}" dir="auto">${path}</a>`;
}

function linkRow(one: JobCertificate['links']['list'][number]): Html[] {
  return [
    code(one.old),
    one.new === null ? text(say('importAccount.nowhere')) : code(one.new),
    text(String(one.count)),
  ];
}

/** `certificate`: of a finished import that was no dry run. */
export function accountOf(id: number, certificate: JobCertificate): Html {
  const { numbers, pages, links, approximated, leftOut, comparison, parent } = certificate;
  const rows = numbersShown.map(
    ([key, label]) =>
      html`<tr><th scope="row">${label}</th><td>${plainNumber(key === 'links' ? numbers.source.links - links.dead : numbers.source[key])}</td><td>${plainNumber(numbers.result[key])}</td></tr>`,
  );
  const remarks = approximated.total + leftOut.total + links.lost + (comparison?.differing ?? 0);
  return html`<p class="lede">${madeBy(pages)} ${
    remarks === 0
      ? say('importAccount.everythingWasImported')
      : say('importAccount.everythingThatWasAdaptedOr')
  } ${
    parent === '/'
      ? html`<a href="/tree">${say('common.allPages')}</a>`
      : html`<a href="${pageUrl(parent)}">${say('importAccount.openParent', { parent })}</a>`
  }</p>
${table('rows import-numbers', [html`<span class="unseen">${say('common.what')}</span>`, say('importAccount.inTheSource'), say('importAccount.here')], rows)}
${comparison?.failed && html`<p>${stored(comparison.failed)}</p>`}
${comparison && comparison.pages > 0 && html`<p>${say('importAccount.pageComparedWithTheSourceAs', { pages: comparison.pages, number: plainNumber(comparison.pages - comparison.differing) })}</p>`}
${lists(id, certificate, ['refused', 'edited', 'gone', 'lost', 'collisions', 'differing', 'adapted', 'left-out', 'dead'])}
<p><a href="/import/${id}/links">${say('importAccount.whereEveryLinkLeads2')}</a> · <a href="/v1/imports/${id}">${say('importAccount.downloadEverythingAsJson')}</a></p>`;
}

function madeBy({ created, parents = 0, changed, unchanged }: JobCertificate['pages']): Words {
  return parents === 0
    ? say('importAccount.pagesOfTheImport', { created, changed, unchanged })
    : say('importAccount.pagesAndParents', { created: created - parents, parents, changed, unchanged });
}

/** First entries of all non-empty lists. */
export function lists(id: number, certificate: JobCertificate, names: ListName[]): Html {
  return html`${names.map((name) => {
    const list: List = allLists[name];
    const rows = list.rows(certificate);
    if (rows.length === 0) return undefined;
    const total = rows.length + (list.more?.(certificate) ?? 0);
    return html`<section id="${name}"><h2>${list.title} <span class="count">${plainNumber(total)}</span></h2>
<p class="quiet">${list.words}</p>
${name === 'adapted' && kinds(certificate)}
${listTable(list, rows.slice(0, shown))}
${rows.length > shown && html`<p><a href="/import/${id}/${name}">${say('importAccount.allNumber', { number: plainNumber(total) })}</a></p>`}</section>`;
  })}`;
}

function kinds({ approximated }: JobCertificate): Html {
  const all = Object.entries(approximated.byConstruct).toSorted(([, a], [, b]) => b - a);
  return html`<ul class="import-kinds">${all.map(([construct, number]) => html`<li>${stored(construct, 'construct')} <span class="count">${plainNumber(number)}</span></li>`)}</ul>`;
}

function listTable({ columns }: List, rows: Html[][]): Html {
  const row = (cells: Html[]) =>
    html`<tr>${cells.map((cell, column) => html`<td data-label="${columns[column] ?? ''}">${cell}</td>`)}</tr>`;
  return table('rows import-list', columns, rows.map(row));
}

/** One list, paged. `certificate`: undefined until there is one. */
export async function sendList(
  { site, reply }: { site: Site; reply: FastifyReply },
  id: number,
  name: string,
  certificate: JobCertificate | undefined,
): Promise<FastifyReply> {
  const { visit } = reply.request;
  if (!certificate || !Object.hasOwn(allLists, name))
    throw new Problem('not-found', say('importAccount.thisImportHasNoSuchList'));
  const list: List = allLists[name as ListName];
  const { url, range } = readRange(visit, listed);
  const rows = list.rows(certificate);
  const more = list.more?.(certificate) ?? 0;
  const main = html`<div class="plain">
<p class="above"><a href="/import/${id}">${say('importAccount.importId', { id })}</a></p>
<h1>${list.title} <span class="count">${plainNumber(rows.length + more)}</span></h1>
<p class="lede">${list.words}</p>
${listTable(list, rows.slice(range.offset, range.offset + range.limit))}
${more > 0 && html`<p class="quiet">${say('importAccount.numberMoreAreCountedButNot', { number: plainNumber(more) })}</p>`}
${paging(url, range, rows.length)}
</div>`;
  return sendLayout(site, reply, { title: list.title, kind: 'import', main });
}
