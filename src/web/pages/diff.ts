/** Comparison of two changes of a page: fields in words, the text by lines and words, side by side or in one column. */

import type { FastifyInstance } from 'fastify';
import type { DiffLine, FieldChange, Hunk } from '#core/content/diff.ts';
import { leftOutWords } from '#core/content/diff-html.ts';
import { parseId } from '#core/model/id.ts';
import type { Change, Content } from '#core/model/page.ts';
import type { Wiki } from '#core/model/permission.ts';
import { diffShown, type PageDiff } from '#core/pages/diff-page.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { pageDiff } from '#core/pages/reading-operations.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { fileLines, pageLink, pageUrl, table, urlOfVisit } from '../components.ts';
import { momentOf } from '../format.ts';
import { type Html, type HtmlValue, html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { readable } from '../markup.ts';
import { carryFor } from '../operation-pages.ts';
import { followMove, pathOf } from '../page-address.ts';
import { type Site, shared } from '../site.ts';
import { fieldName, fieldValue, type ValueContext } from './edit/edit-fields.ts';
import { membersIn } from './responsible-field.ts';

export function diffRoutes(server: FastifyInstance, site: Site): void {
  const config = { ...shared, operations: [pageDiff], strangersMs: 2 };
  server.get('/diff/*', { config, preHandler: followMove }, async (request, reply) => {
    const { visit } = request;
    const query = urlOfVisit(visit).searchParams;
    const [from, to] = [parseId(query.get('from')), parseId(query.get('to'))];
    const renderer = site.costs.rendererFor(request, visit.actor, true);
    const diff = await carryFor(
      site,
      request,
      renderer,
    )(pageDiff, {
      path: pathOf(request),
      between: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    });
    const view = query.get('view');
    const isInline = view === 'inline';
    const { page } = diff;
    const mayRestore = (await editableAmong(request.reader, [page.id], visit.now)).has(page.id);
    const main = html`<div class="plain diff-page">
<p class="above">${pageLink(page)} · <a href="${urlOf('/history', page.path)}">${say('diff.history')}</a></p>
<h1>${say('diff.whatChanged')}</h1>
<div class="diff-heads">${
      diff.from
        ? side(say('diff.before'), page.path, diff.from)
        : html`<section class="diff-head"><h2>${say('diff.before')}</h2><p>${say('diff.nothingBecauseThisIsTheFirst')}</p></section>`
    }${side(say('diff.after'), page.path, diff.to)}</div>
<p class="diff-views">${viewLinks(diff, view)} ${
      diff.from &&
      html`<a href="${urlOf('/diff', page.path)}?to=${diff.from.id}${view && views.some(([name]) => name === view) && `&view=${view}`}">${say('diff.previousChange')}</a>`
    } ${
      mayRestore &&
      diff.from &&
      html`<button type="submit" form="restore" class="quiet-button">${say('diff.restoreThePreviousVersion')}</button>`
    }</p>
${mayRestore && diff.from && html`<form id="restore" method="post" action="${urlOf('/history', page.path)}"><input type="hidden" name="to" value="${diff.from.id}"></form>`}
${view === 'shown' ? shownDifference(await diffShown(request.reader, renderer, diff, visit.now), visit.now) : await comparedPage(site, diff, isInline, visit)}
</div>`;
    return sendLayout(site, reply, {
      title: say('diff.whatChangedIn', { title: page.title }),
      kind: 'diff',
      main,
    });
  });
}

async function comparedPage({ service }: Site, diff: PageDiff, isInline: boolean, wiki: Wiki): Promise<Html> {
  const [before, after] = [diff.from?.content, diff.to.content];
  const members = await membersIn(service.store, before ? [before, after] : []);
  return comparedContents({ ...diff, before, after }, isInline, { wiki, members });
}

interface Sides extends Pick<PageDiff, 'fields' | 'body'> {
  /** Without what was before, only the texts are compared. */
  before: Content | undefined;
  after: Content;
  files?: PageDiff['files'];
}

/** Comparison of two contents: fields in words, files, and the text. */
export function comparedContents(
  { before, after, fields, body, files }: Sides,
  isInline: boolean,
  context: ValueContext,
): Html {
  const rows = before ? fields : [];
  const lines = files ? fileLines(files) : [];
  if (rows.length + body.hunks.length + body.linesLeftOut + lines.length === 0) return noDifferences();
  return html`${before && fieldTable(rows, before, after, context)}${lines.map(
    (line) => html`<p class="diff-files">${line}</p>`,
  )}${differences(body, isInline)}`;
}

/** Comparison of two texts. */
export function compared(body: PageDiff['body'], isInline: boolean): Html {
  return body.hunks.length + body.linesLeftOut === 0 ? noDifferences() : differences(body, isInline);
}

function noDifferences(): Html {
  return html`<p class="empty">${say('diff.thereAreNoDifferences')}</p>`;
}

function differences({ hunks, linesLeftOut }: PageDiff['body'], isInline: boolean): Html {
  return html`${isInline ? inline(hunks) : sideBySide(hunks)}${
    linesLeftOut > 0 && html`<p class="diff-left-out">${leftOutWords(linesLeftOut)}</p>`
  }`;
}

function side(words: Words, path: string, change: Change): Html {
  return html`<section class="diff-head"><h2>${words}</h2><p><a href="${pageUrl(path)}?version=${change.id}">${momentOf(change.at)}</a> ${say(
    'common.by',
    { name: html`<span dir="auto">${change.editor.name}</span>` },
  )}${change.content.msg !== '' && html`<br><q dir="auto">${change.content.msg}</q>`}</p></section>`;
}

function shownDifference(markup: string, now: number): Html {
  const isSame = !/ class="shown-(?:added|removed)"/.test(markup);
  return html`${isSame && html`<p class="empty">${say('diff.bothVersionsLookAlike')}</p>`}<div class="markup shown-diff">${readable(markup, now)}</div>`;
}

const views = [
  ['', say('diff.sideBySide')],
  ['inline', say('diff.inOneColumn')],
  ['shown', say('diff.asItLooks')],
] as const;

/** Links have both change IDs, so that they are permanent. */
function viewLinks({ page, from, to }: PageDiff, view: string | null): Html {
  const at = `${urlOf('/diff', page.path)}?${from ? `from=${from.id}&` : ''}to=${to.id}`;
  const known = views.some(([name]) => name === view) ? view : '';
  return html`${views.map(([name, words]) =>
    name === known
      ? html`<span aria-current="true">${words}</span> `
      : html`<a href="${at}${name !== '' && `&view=${name}`}">${words}</a> `,
  )}`;
}

function fieldTable(fields: FieldChange[], from: Content, to: Content, context: ValueContext): Html {
  if (fields.length === 0) return html``;
  const rows = fields.map(
    ({ field }) =>
      html`<tr><th scope="row">${fieldName(field)}</th><td><del>${fieldValue(field, from, context)}</del></td><td><ins>${fieldValue(field, to, context)}</ins></td></tr>`,
  );
  return table('diff diff-fields', [say('diff.field'), say('diff.before'), say('diff.after')], rows);
}

const signs: Record<DiffLine['kind'], string> = { same: '', removed: '−', added: '+' };
const signWords: Record<DiffLine['kind'], HtmlValue> = {
  same: '',
  removed: html`${say('diff.removed')} `,
  added: html`${say('diff.added')} `,
};

function inline(hunks: Hunk[]): Html {
  if (hunks.length === 0) return html``;
  return html`<table class="diff diff-inline"><colgroup><col class="number-column"><col class="number-column"><col></colgroup><thead class="unseen"><tr><th scope="col">${say(
    'diff.lineBefore',
  )}</th><th scope="col">${say('diff.lineAfter')}</th><th scope="col">${say('diff.text')}</th></tr></thead>${hunks.map(
    ({ lines }) =>
      html`<tbody>${lines.map((line) => html`<tr class="${line.kind}"><td class="number">${line.fromLine ?? ''}</td><td class="number">${line.toLine ?? ''}</td>${textCell(line)}</tr>`)}</tbody>`,
  )}</table>`;
}

/** Removed lines are opposite the added lines that follow them. */
function sideBySide(hunks: Hunk[]): Html {
  if (hunks.length === 0) return html``;
  const blank = html`<td class="number"></td><td class="blank"></td>`;
  const cells = (line: DiffLine | undefined, number: 'fromLine' | 'toLine') =>
    line ? html`<td class="number">${line[number] ?? ''}</td>${textCell(line)}` : blank;
  return html`<table class="diff diff-sides"><colgroup><col class="number-column"><col><col class="number-column"><col></colgroup><thead class="unseen"><tr><th
scope="col">${say('diff.line')}</th><th scope="col">${say('diff.before')}</th><th scope="col">${say('diff.line')}</th><th scope="col">${say('diff.after')}</th></tr></thead>${hunks.map(
    ({ lines }) =>
      html`<tbody>${pairsOf(lines).map(([before, after]) => html`<tr>${cells(before, 'fromLine')}${cells(after, 'toLine')}</tr>`)}</tbody>`,
  )}</table>`;
}

function pairsOf(lines: DiffLine[]): [DiffLine | undefined, DiffLine | undefined][] {
  const pairs: [DiffLine | undefined, DiffLine | undefined][] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) pairs.push([removed[i], added[i]]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      flush();
      pairs.push([line, line]);
    }
  }
  flush();
  return pairs;
}

function textCell(line: DiffLine): Html {
  const parts = line.words ?? [{ kind: line.kind, text: line.text }];
  return html`<td class="text ${line.kind}" dir="auto"><span class="sign" aria-hidden="true">${signs[line.kind]}</span><bdi class="unseen">${signWords[line.kind]}</bdi>${parts.map(
    ({ kind, text }) =>
      kind === 'removed' ? html`<del>${text}</del>` : kind === 'added' ? html`<ins>${text}</ins>` : text,
  )}</td>`;
}
