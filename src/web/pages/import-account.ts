/** The report of an import: numbers, and lists of everything that was changed or left out. */
import type { FastifyReply } from 'fastify';
import { Problem } from '#core/model/problem.ts';
import { sentencesOf } from '#import/comparison/sentences.ts';
import type { JobCertificate } from '#import/job.ts';
import { goneWords, numberLabels } from '#import/summary.ts';
import { pageUrl, paging, readRange, table } from '../components.ts';
import { count, plainNumber } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const shown = 10;
const listed = 100;

interface List {
  title: string;
  words: string;
  columns: string[];
  rows(certificate: JobCertificate): Html[][];
  /** Number of entries beyond those in a truncated certificate. */
  more?(certificate: JobCertificate): number;
}

const outcomes = {
  merged: 'Edits made here were merged with the source.',
  kept: 'Edited here and in the source; the page here was kept.',
  overwritten: 'Replaced by the source.',
};

const allLists = {
  refused: {
    title: 'Refused',
    words: 'Parts of the source that could not be imported.',
    columns: ['In the source', 'Why'],
    rows: ({ leftOut }) =>
      leftOut.list.filter(({ isRefusal }) => isRefusal).map(({ source, why }) => [text(source), text(why)]),
  },
  edited: {
    title: 'Edited here meanwhile',
    words: 'Pages that were edited in this wiki since they were imported.',
    columns: ['Page', 'Result'],
    rows: ({ edited }) => edited.map(({ path, outcome }) => [link(path), text(outcomes[outcome])]),
  },
  collisions: {
    title: 'Elsewhere',
    words: 'Pages whose address belongs to another page.',
    columns: ['Page', 'Wanted', 'Is at'],
    rows: ({ collisions }) =>
      collisions.map(({ title, wanted, path }) => [text(title), code(wanted), code(path)]),
  },
  gone: {
    title: 'Missing in the source',
    words: 'Pages of an earlier import that the source no longer has, or has elsewhere.',
    columns: ['In the source', 'Page', 'Result'],
    rows: ({ gone }) =>
      gone.list.map((entry) => [text(entry.source), link(entry.path), text(capital(goneWords(entry)))]),
    more: ({ gone }) => gone.more,
  },
  lost: {
    title: 'Lost links',
    words: 'Links that work in the source and lead nowhere here.',
    columns: ['In the source', 'Leads to', 'Times'],
    rows: ({ links }) => links.list.filter(({ isLost }) => isLost).map(linkRow),
  },
  adapted: {
    title: 'Adapted',
    words: 'Markup that this wiki writes differently or supports only partly.',
    columns: ['Page', 'What', 'Before', 'After'],
    rows: ({ approximated }) =>
      approximated.list.map(({ page, construct, before, after }) => [
        link(page),
        text(construct),
        code(before),
        code(after),
      ]),
    more: ({ approximated }) => approximated.more,
  },
  differing: {
    title: 'Differs from the source',
    words:
      'Pages on which readers see something different than in the source: words, headings, tables, pictures, links.',
    columns: ['Page', 'What differs'],
    rows: ({ comparison }) =>
      comparison?.list.map((one) => [
        link(one.page),
        html`<ul class="import-kinds">${sentencesOf(one).map((words) => html`<li>${text(words)}</li>`)}</ul>`,
      ]) ?? [],
    more: ({ comparison }) => comparison?.more ?? 0,
  },
  'left-out': {
    title: 'Left out',
    words: 'Parts of the source that this wiki cannot store.',
    columns: ['In the source', 'Why'],
    rows: ({ leftOut }) =>
      leftOut.list.filter(({ isRefusal }) => !isRefusal).map(({ source, why }) => [text(source), text(why)]),
    more: ({ leftOut }) => leftOut.more,
  },
  dead: {
    title: 'Dead links of the source',
    words: 'Links that lead nowhere in the source, either. They work as soon as somebody writes the page.',
    columns: ['In the source', 'Times'],
    rows: ({ links }) =>
      links.list.filter((one) => one.new === null).map((one) => [code(one.old), text(String(one.count))]),
  },
  links: {
    title: 'All links',
    words: 'Where every link leads.',
    columns: ['In the source', 'Leads to', 'Times'],
    rows: ({ links }) => links.list.map(linkRow),
    more: ({ links }) => links.more,
  },
} satisfies Record<string, List>;

export type ListName = keyof typeof allLists;

function capital(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

function text(words: string): Html {
  return html`<span dir="auto">${words}</span>`;
}

function code(words: string): Html {
  return html`<code dir="auto">${words}</code>`;
}

function link(path: string): Html {
  return html`<a href="${pageUrl(path)}" dir="auto">${path}</a>`;
}

function linkRow(one: JobCertificate['links']['list'][number]): Html[] {
  return [code(one.old), one.new === null ? text('nowhere') : code(one.new), text(String(one.count))];
}

/** `certificate`: of a finished import that was no dry run. */
export function accountOf(id: number, certificate: JobCertificate): Html {
  const { numbers, pages, links, approximated, leftOut, comparison, parent } = certificate;
  const rows = numberLabels.map(
    ([key, label]) =>
      html`<tr><th scope="row">${key === 'links' ? 'Links that lead somewhere' : label}</th><td>${plainNumber(key === 'links' ? numbers.source.links - links.dead : numbers.source[key])}</td><td>${plainNumber(numbers.result[key])}</td></tr>`,
  );
  const remarks = approximated.total + leftOut.total + links.lost + (comparison?.differing ?? 0);
  return html`<p class="lede">${count(pages.created, 'page')} new, ${plainNumber(pages.changed)} changed, ${plainNumber(pages.unchanged)} unchanged. ${remarks === 0 ? 'Everything was imported unchanged.' : 'Everything that was adapted or left out is listed below.'} ${parent === '/' ? html`<a href="/tree">All pages</a>` : html`<a href="${pageUrl(parent)}">Open ${parent}</a>`}</p>
${table('rows import-numbers', [html`<span class="unseen">What</span>`, 'In the source', 'Here'], rows)}
${comparison?.failed && html`<p>${comparison.failed}</p>`}
${comparison && comparison.pages > 0 && html`<p>${count(comparison.pages, 'page')} compared with the source as readers see both: ${plainNumber(comparison.pages - comparison.differing)} equal.</p>`}
${lists(id, certificate, ['refused', 'edited', 'gone', 'lost', 'collisions', 'differing', 'adapted', 'left-out', 'dead'])}
<p><a href="/import/${id}/links">Where every link leads</a> · <a href="/v1/imports/${id}">Download everything as JSON</a></p>`;
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
${rows.length > shown && html`<p><a href="/import/${id}/${name}">All ${plainNumber(total)}</a></p>`}</section>`;
  })}`;
}

function kinds({ approximated }: JobCertificate): Html {
  const all = Object.entries(approximated.byConstruct).toSorted(([, a], [, b]) => b - a);
  return html`<ul class="import-kinds">${all.map(([construct, number]) => html`<li>${construct} <span class="count">${plainNumber(number)}</span></li>`)}</ul>`;
}

function listTable({ columns }: List, rows: Html[][]): Html {
  const row = (cells: Html[]) =>
    html`<tr>${cells.map((cell, column) => html`<td data-label="${columns[column] ?? ''}">${cell}</td>`)}</tr>`;
  return table('rows import-list', columns, rows.map(row));
}

/** One list, paged. `certificate`: undefined until there is one. */
export async function sendList(
  site: Site,
  reply: FastifyReply,
  id: number,
  name: string,
  certificate: JobCertificate | undefined,
): Promise<FastifyReply> {
  const { visit } = reply.request;
  if (!certificate || !Object.hasOwn(allLists, name))
    throw new Problem('not-found', 'This import has no such list.');
  const list: List = allLists[name as ListName];
  const { url, range } = readRange(visit, listed);
  const rows = list.rows(certificate);
  const more = list.more?.(certificate) ?? 0;
  const main = html`<div class="plain">
<p class="above"><a href="/import/${id}">Import ${id}</a></p>
<h1>${list.title} <span class="count">${plainNumber(rows.length + more)}</span></h1>
<p class="lede">${list.words}</p>
${listTable(list, rows.slice(range.offset, range.offset + range.limit))}
${more > 0 && html`<p class="quiet">${plainNumber(more)} more are counted but not listed.</p>`}
${paging(url, range, rows.length)}
</div>`;
  return sendLayout(site, reply, { title: list.title, kind: 'import', main });
}
