/** The trash: deleted pages, by whom, and restoring them; and the page shown at the address of a deleted page. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseId } from '#core/model/id.ts';
import type { DeletedPage, Deletion } from '#core/ports/trash-store.ts';
import { listTrash } from '#core/trash/list-trash.ts';
import { purgeDeletion } from '#core/trash/purge-trash.ts';
import { restorePage } from '#core/trash/restore-page.ts';
import { pageUrl, paging, readRange } from '../components.ts';
import { errorSummary } from '../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { count, timeAgo } from '../format.ts';
import type { Form } from '../forms.ts';
import { freePathButton, pickedFreePath } from '../free-path.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site, Visit } from '../site.ts';
import { writeUrl } from './not-found.ts';

const listed = 50;

export function trashRoutes(server: FastifyInstance, site: Site): void {
  const { store, files } = site.service;

  server.get('/trash', async (_request, reply) => sendTrash(site, reply));

  const onForm = formRoutes(server, site, sendTrash);
  onForm('/trash', ['page-restored', 'page-purged'], async (form, { visit: { actor, now } }, reply) => {
    const id = parseId(form.text('id')) ?? 0;
    const path = pickedFreePath(form) ?? form.text('path').trim();
    if (form.text('intent') === 'purge') {
      await purgeDeletion(store, files.store, actor, id, now);
      return redirectWithNotice(reply, '/trash', 'purged');
    }
    const page = await restorePage(store, actor, id, path === '' ? {} : { path }, now);
    return redirectWithNotice(reply, pageUrl(page.path), 'undeleted');
  });
}

async function sendTrash(
  site: Site,
  reply: FastifyReply,
  { form, message, status, freePath }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, listed);
  const { deletions, total } = await listTrash(reply.request.reader, range);
  const { trashDays } = site.settings;
  const main = html`<div class="plain">
<h1>Trash</h1>
<p class="lede">${total === 0 ? 'Nothing was deleted that could be restored.' : html`Deleted pages, the latest first. ${trashDays > 0 && html`After ${count(trashDays, 'day')} they are removed for good.`}`}</p>
${errorSummary(message)}
${
  freePath !== undefined &&
  html`<form method="post" action="/trash"><input type="hidden" name="id" value="${form?.text('id')}">${freePathButton(freePath, 'Restore to')}</form>`
}
<ul class="trash">${deletions.map((deletion) => entry(visit, deletion, form))}</ul>
${paging(url, range, total)}
</div>`;
  return sendLayout(site, reply, { title: 'Trash', kind: 'trash', main, status });
}

function entry({ actor, now }: Visit, deletion: Deletion, refused: Form | undefined): Html {
  const { id, path, title, pages, deletedAt, deletedBy } = deletion;
  const isRefused = refused?.text('id') === String(id);
  return html`<li>
<p><strong dir="auto">${title}</strong> <code dir="auto">${path}</code></p>
<p class="quiet">Deleted by <bdi>${deletedBy.name}</bdi> ${timeAgo(deletedAt, now)}${pages > 1 && html` with ${count(pages - 1, 'page')} beneath it`}</p>
<form method="post" action="/trash"><input type="hidden" name="id" value="${id}">
<button type="submit" name="intent" value="restore">Restore</button>
<details${isRefused && html` open`}><summary>To another address</summary>
<p class="field"><label for="path-${id}">New address</label><input id="path-${id}" name="path" value="${isRefused && refused?.text('path').trim()}" placeholder="${path}" autocomplete="off"></p>
<button type="submit" name="intent" value="restore">Restore there</button></details>
${actor?.isAdmin && html`<details><summary>Delete for good</summary><p>History, files and likes go with it. Only a backup brings them back.</p><button type="submit" name="intent" value="purge" class="button grave">Delete ${count(pages, 'page')} for good</button></details>`}
</form></li>`;
}

/** At the address of a deleted page, for those who could read it. */
export function sendGone(
  site: Site,
  visit: Visit,
  reply: FastifyReply,
  path: string,
  { title, trashId, deletedAt, deletedBy }: DeletedPage,
  isPossible: boolean,
): FastifyReply {
  const main = html`<div class="plain">
<h1>This page was deleted</h1>
<p class="lede">“<bdi>${title}</bdi>” was at <code dir="auto">${path}</code> until <bdi>${deletedBy.name}</bdi> deleted it ${timeAgo(deletedAt, visit.now)}.</p>
${
  isPossible &&
  html`<form method="post" action="/trash"><input type="hidden" name="id" value="${trashId}">
<div class="buttons"><button type="submit" class="button" name="intent" value="restore">Undo: restore the page</button> <a href="/trash">Open the trash</a></div></form>`
}
${
  visit.actor
    ? html`<p><a href="${writeUrl(path)}">Create a new page here</a></p>`
    : html`<p>Members can restore it: <a href="/login?next=${encodeURIComponent(visit.url)}">sign in</a>.</p>`
}
</div>`;
  return sendLayout(site, reply, { title: 'This page was deleted', kind: 'missing', main, status: 410 });
}
