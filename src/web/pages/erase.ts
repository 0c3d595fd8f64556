/** Permanent erasure of versions and files of a page, or of a member's identity, for administrators. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Erased, erase } from '#core/erasure/erase.ts';
import { listPageFiles } from '#core/files/list-page-files.ts';
import { getAdministrator } from '#core/members/get-administrator.ts';
import { auditKinds } from '#core/model/audit-kinds.ts';
import { parseId } from '#core/model/id.ts';
import type { AttachedFile, Change } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import { listHistory } from '#core/pages/list-history.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { readableSize } from '#http/page-json.ts';
import { urlOf } from '#http/page-paths.ts';
import { erasingOf } from '#http/routes/erasures.ts';
import { pageLink, pageUrl, paging, readRange } from '../components.ts';
import { errorSummary, field } from '../form-fields.ts';
import { type ById, formRoutes, idOf, type RefusedForm } from '../form-routes.ts';
import { count, momentOf, timeAgo } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

const shown = 100;

export function eraseRoutes(server: FastifyInstance, site: Site): void {
  const erasing = erasingOf(site.service);

  server.get('/erase/*', async (_request, reply) => sendChoice(site, reply));

  const onPageForm = formRoutes(server, site, sendChoice, { codes: ['invalid'] });
  onPageForm('/erase/*', ['content-erased'], async (form, request, reply) => {
    const { actor, now } = request.visit;
    refuseUnlessSure(form);
    const page = pathOf(request);
    const input = {
      page,
      changes: form.all('change').flatMap((id) => parseId(id) ?? []),
      files: form.all('file-name'),
      reason: form.text('reason'),
    };
    return sendDone(site, reply, await erase(erasing, actor, input, now));
  });

  const onForm = formRoutes<ById>(server, site);
  onForm('/members/:id/erase', ['member-erased'], async (form, request, reply) => {
    const { actor, now } = request.visit;
    refuseUnlessSure(form);
    const input = { member: idOf(request), reason: form.text('reason') };
    return sendDone(site, reply, await erase(erasing, actor, input, now));
  });
}

function refuseUnlessSure(form: Form): void {
  if (!form.has('sure')) throw invalid('/sure', 'Confirm that this cannot be undone.');
}

async function sendChoice(
  site: Site,
  reply: FastifyReply,
  { form, message, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit, reader } = reply.request;
  await getAdministrator(site.service.store, visit.actor);
  const { url, range } = readRange(visit, shown);
  const { page, changes, total } = await listHistory(reader, pathOf(reply.request), range);
  const files = await listPageFiles(reader, page.id);
  const isPicked = (name: string, value: string) => form?.all(name).includes(value) ?? false;
  const main = html`<div class="plain erase">
<p class="above">${pageLink(page)}</p>
<h1>Erase permanently</h1>
<p class="lede">For content that must not be kept, such as personal data or illegal content. The history still says who changed the page and when, and that it was erased. This cannot be undone.</p>
${errorSummary(message)}
<form method="post" action="${urlOf('/erase', page.path)}">
<fieldset><legend>Versions</legend>
<p class="quiet">If you erase the current version, the page shows the latest remaining one. Files that only erased versions had are erased as well.</p>
<ul class="erase-list">${changes.map((change) => changeChoice(change, page.path, visit.now, isPicked('change', String(change.id))))}</ul>
${paging(url, range, total)}</fieldset>
${files.length > 0 && html`<fieldset><legend>Files</legend><ul class="erase-list">${files.map((file) => fileChoice(file, visit.now, isPicked('file-name', file.name)))}</ul></fieldset>`}
${reasonAndButton(form?.text('reason') ?? '')}
</form></div>`;
  return sendLayout(site, reply, { title: `Erase: ${page.title}`, kind: 'history', main, status });
}

/** Ends the form of every erasure. */
export function reasonAndButton(reason: string): Html {
  return html`${field('reason', html`Reason <span class="quiet">(for the audit log, which administrators can read)</span>`, html`required maxlength="500" value="${reason}"`)}
<label class="choice"><input type="checkbox" name="sure" value="yes" required> This cannot be undone, and I want to do it</label>
<div class="buttons"><button type="submit" class="button grave">Erase permanently</button></div>`;
}

function changeChoice(
  { id, at, editor, content }: Change,
  path: string,
  now: number,
  isPicked: boolean,
): Html {
  if (content.erasedAt !== undefined)
    return html`<li class="quiet">${timeAgo(at, now)} by <bdi>${editor.name}</bdi>: erased</li>`;
  return html`<li><label><input type="checkbox" name="change" value="${id}"${isPicked && html` checked`}> ${timeAgo(at, now)} by <bdi>${editor.name}</bdi>${content.msg !== '' && html`: <bdi>${content.msg}</bdi>`}</label> <a href="${pageUrl(path)}?version=${id}">look<span class="unseen"> at version ${id}</span></a></li>`;
}

function fileChoice(
  { name, filename, sizeBytes, uploadedAt }: AttachedFile,
  now: number,
  isPicked: boolean,
): Html {
  return html`<li><label><input type="checkbox" name="file-name" value="${name}"${isPicked && html` checked`}> <bdi>${filename}</bdi> <span class="quiet">${readableSize(sizeBytes)}, ${timeAgo(uploadedAt, now)}</span></label> <a href="${fileUrl(name)}">open<span class="unseen"> ${filename}</span></a></li>`;
}

function sendDone(
  site: Site,
  reply: FastifyReply,
  { erased, page, backups, left, pending }: Erased,
): FastifyReply {
  const words = [
    erased.changes.length > 0 && count(erased.changes.length, 'version'),
    erased.files.length > 0 && count(erased.files.length, 'file'),
    erased.member !== null && 'A member’s name, address and credentials',
  ].filter(Boolean);
  const main = html`<div class="plain"><h1>Erased</h1>
<p class="lede">${words.join(' and ')}.</p>
${pending && html`<p>Nobody can see it any more, but the database still contains some of it. The wiki removes the rest by itself as soon as it can, and then writes “${auditKinds['erasure-finished']}” to the <a href="/audit">audit log</a>.</p>`}
${backups.length > 0 && html`<section><h2>These backups still contain it</h2><p>Delete them, and make a new backup.</p><ul>${backups.map(({ at, place }) => html`<li><code>${place || 'a backup'}</code>, ${momentOf(at)}</li>`)}</ul></section>`}
${left.length > 0 && html`<section><h2>Places that may still contain some of it</h2><ul>${left.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`}
<p><a href="${page ? pageUrl(page.path) : '/members'}">Go on</a></p></div>`;
  return sendLayout(site, reply, { title: 'Erased', kind: 'history', main });
}
