/** History of a page: list of changes, comparison of any two, and restoring an older one. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { listFileChanges } from '#core/files/file-changes.ts';
import { parseId } from '#core/model/id.ts';
import type { Change, FileChanges, Page } from '#core/model/page.ts';
import { isPublicPage } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { findChanges } from '#core/pages/list-history.ts';
import { pageRollback } from '#core/pages/operations.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { pageHistory } from '#core/pages/reading-operations.ts';
import type { Range } from '#core/ports/list-reads.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import {
  actionsHeading,
  fileLines,
  pageLink,
  pageUrl,
  pagingLinks,
  rangeWords,
  readOffset,
  urlOfVisit,
} from '../components.ts';
import { formRoutes, redirectWithNotice } from '../form-routes.ts';
import { plainNumber, sizeWords, timeAgo } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor } from '../operation-pages.ts';
import { followMove, pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

const shown = 50;
/** Maximum number of files shown for a change; the comparison lists all. */
const shownFiles = 3;

export function historyRoutes(server: FastifyInstance, site: Site): void {
  const config = { operations: [pageHistory], strangersMs: 2 };
  server.get('/history/*', { config, preHandler: followMove }, async (request, reply) => {
    const { visit } = request;
    const url = urlOfVisit(visit);
    const range = { limit: shown, offset: readOffset(url) };
    // One extra change, to compute the size difference of the last one.
    const { page, changes, total } = await carryFor(site, request)(pageHistory, {
      path: pathOf(request),
      ...range,
      limit: shown + 1,
    });
    const rows = changes.slice(0, shown);
    // The list may be shorter than requested.
    const next = range.offset + rows.length;
    const isFirst = range.offset === 0;
    const from = parseId(url.searchParams.get('from')) ?? (isFirst ? rows[1]?.id : undefined);
    const to = parseId(url.searchParams.get('to')) ?? (isFirst ? rows[0]?.id : undefined);
    // Changes selected on another part of the list stay visible, so that any two can be compared.
    const elsewhere = await findChanges(
      request.reader,
      page,
      [from, to].filter((id) => id !== undefined).filter((id) => rows.every((change) => change.id !== id)),
    );
    const beforeOf = (index: number) => changes[index + 1] ?? (next < total ? undefined : null);
    const filesOf = await listFileChanges(
      request.reader,
      rows.map((change, index) => ({ change, before: beforeOf(index) })),
      shownFiles,
    );
    const mayRestore = (await editableAmong(request.reader, [page.id], visit.now)).has(page.id);
    const shownAs = { page, from, to, total, filesOf, mayRestore, now: visit.now };
    const main = html`<div class="plain history">
<p class="above">${pageLink(page)}</p>
<h1>${say('history.history')}</h1>
<p class="lede">${say('count.changes', { count: total })}.${total > 1 && html` ${say('history.selectTwo')}`}</p>
<form action="${urlOf('/diff', page.path)}" method="get">
${total > 1 && html`<p class="compare-bar"><button type="submit" class="button">${say('history.compareSelectedVersions')}</button></p>`}
<div class="wide-box"><table class="rows changes${total > 1 && ' comparing'}"><thead><tr>${
      total > 1 && html`<th scope="col">${say('history.from')}</th><th scope="col">${say('history.to')}</th>`
    }<th scope="col">${say('history.change')}</th><th scope="col">${say('history.size')}</th><th scope="col">${actionsHeading}</th></tr></thead>
${elsewhere.length > 0 && html`<tbody class="picked-elsewhere">${elsewhere.map((change) => row(shownAs, change, undefined))}</tbody>`}
<tbody>${rows.map((change, index) => row(shownAs, change, beforeOf(index)))}</tbody></table></div>
${historyPaging(page.path, { ...range, limit: rows.length || shown }, total)}
</form>
${[...elsewhere, ...rows].map(
  (change) =>
    mayRestore &&
    change.id !== page.changeId &&
    html`<form id="restore-${change.id}" method="post" action="${urlOf('/history', page.path)}"><input type="hidden" name="to" value="${change.id}"></form>`,
)}
${visit.actor?.isAdmin && html`<p class="quiet"><a href="${urlOf('/erase', page.path)}">${say('history.eraseVersionsOrFiles')}</a></p>`}
${isPublicPage(page, visit) && html`<p class="quiet"><a href="${urlOf('/atom/history', page.path)}">${say('history.followByFeedAtom')}</a></p>`}
</div>`;
    const head =
      isPublicPage(page, visit) &&
      html`<link rel="alternate" type="application/atom+xml" title="${say('history.historyOfThisPage')}" href="${urlOf('/atom/history', page.path)}">`;
    const title = say('history.historyOf', { title: page.title });
    return sendLayout(site, reply, { title, kind: 'history', main, head, scripts: ['page'] });
  });

  const onForm = formRoutes(server, site);
  const restore = async (form: Form, request: FastifyRequest, reply: FastifyReply) => {
    const to = parseId(form.text('to'));
    if (to === undefined) throw invalid('/to', say('history.chooseTheVersionToRestoreIn'));
    if (!request.visit.actor) throw new Problem('unauthenticated', say('history.signInToRestoreAnOlder'));
    const input = { path: pathOf(request), change: { to } };
    const { page, outcome } = await carryFor(site, request)(pageRollback, input);
    return redirectWithNotice(reply, pageUrl(page.path), outcome === 'unchanged' ? outcome : 'restored');
  };
  onForm('/history/*', [pageRollback], restore);
}

/** Paging by buttons of the form, so that the selection is sent along. */
function historyPaging(path: string, range: Range, total: number): Html {
  const { limit, offset } = range;
  const at = (offset: number, words: Words) =>
    html`<button type="submit" class="quiet-button" formaction="${urlOf('/history', path)}" name="offset" value="${offset}">${words}</button>`;
  return pagingLinks(
    offset > 0 && at(Math.max(0, offset - limit), '← Newer'),
    offset + limit < total && at(offset + limit, say('common.older')),
    rangeWords(range, total),
  );
}

interface History {
  page: Page;
  /** Selected changes. */
  from: number | undefined;
  to: number | undefined;
  total: number;
  filesOf: Map<number, FileChanges & { count: number }>;
  mayRestore: boolean;
  now: number;
}

/** `before`: the previous change, for the size difference; null for the first change, undefined if not loaded. */
function row(
  { page: { path, changeId }, from, to, total, filesOf, mayRestore, now }: History,
  change: Change,
  before: Change | null | undefined,
): Html {
  const isCurrent = change.id === changeId;
  const files = filesOf.get(change.id);
  const { content, editor } = change;
  const size = Buffer.byteLength(content.body);
  const pick = (name: 'from' | 'to', picked: number | undefined) =>
    html`<input type="radio" name="${name}" value="${change.id}" aria-label="${say(name === 'from' ? 'history.compareFromChange' : 'history.compareToChange', { id: String(change.id) })}"${
      picked === change.id && html` checked`
    }>`;
  return html`<tr id="change-${change.id}">
${total > 1 && html`<td class="pick">${pick('from', from)}</td><td class="pick">${pick('to', to)}</td>`}
<td><span class="change-msg" dir="auto">${
    content.erasedAt !== undefined
      ? html`<span class="quiet">${say('history.erasedTime', { time: timeAgo(content.erasedAt, now) })}</span>`
      : content.msg === ''
        ? html`<span class="quiet">${say('history.noMessage')}</span>`
        : content.msg
  }${content.erasedFiles !== undefined && html` <span class="quiet">${say('history.filesErased', { count: content.erasedFiles })}</span>`}</span>
<span class="quiet"><a href="${pageUrl(path)}?version=${change.id}">${timeAgo(change.at, now)}</a> ${say('common.by', { name: html`<span dir="auto">${editor.name}</span>` })}${
    isCurrent && html` · ${say('history.nowShown')}`
  }${files && fileLines(files).map((line) => html`<br>${line}`)}${
    files &&
    files.count > shownFiles &&
    html` ${say('history.andMoreFiles', { count: files.count - shownFiles })}`
  }</span></td>
<td class="size">${before !== undefined && html`${sizeChange(size - Buffer.byteLength(before?.content.body ?? ''))}<br>`}<span class="quiet">${sizeWords(size)}</span></td>
<td class="row-actions"><a href="${urlOf('/diff', path)}?to=${change.id}">${say('history.whatChanged')}</a>${
    mayRestore &&
    !isCurrent &&
    content.erasedAt === undefined &&
    html` <button type="submit" form="restore-${change.id}">${say('history.restore')}</button>`
  }</td>
</tr>`;
}

function sizeChange(difference: number): Html {
  const sign = difference === 0 ? '±' : difference > 0 ? '+' : '−';
  return html`<span dir="ltr" class="${difference < 0 ? 'less' : 'more'}">${sign}${plainNumber(Math.abs(difference))}</span>`;
}
