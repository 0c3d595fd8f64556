/** Permanent erasure of versions and files of a page, or of a member's identity, for administrators. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Erased } from '#core/erasure/erase.ts';
import { erasableContent, erasure } from '#core/erasure/operations.ts';
import { parseId } from '#core/model/id.ts';
import type { AttachedFile, Change } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { urlOf } from '#http/page-paths.ts';
import { listOf, say } from '#words/say.ts';
import { pageLink, pageUrl, paging, readRange } from '../components.ts';
import { errorSummary, field } from '../form-fields.ts';
import { type ById, formRoutes, idOf, type RefusedForm } from '../form-routes.ts';
import { momentOf, sizeWords, timeAgo } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import { pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

const shown = 100;

export function eraseRoutes(server: FastifyInstance, site: Site): void {
  server.get('/erase/*', reads(erasableContent), async (_request, reply) => sendChoice(site, reply));

  const onPageForm = formRoutes(server, site, sendChoice, { codes: ['invalid'] });
  onPageForm('/erase/*', [erasure], async (form, request, reply) => {
    refuseUnlessSure(form);
    const input = {
      path: pathOf(request),
      changes: form.all('change').flatMap((id) => parseId(id) ?? []),
      files: form.all('file-name'),
      reason: form.text('reason'),
    };
    return sendDone(site, reply, await carryFor(site, request)(erasure, input));
  });

  const onForm = formRoutes<ById>(server, site);
  onForm('/members/:id/erase', [erasure], async (form, request, reply) => {
    refuseUnlessSure(form);
    const input = { member: idOf(request), reason: form.text('reason') };
    return sendDone(site, reply, await carryFor(site, request)(erasure, input));
  });
}

function refuseUnlessSure(form: Form): void {
  if (!form.has('sure')) throw invalid('/sure', say('erase.confirmThatThisCannotBe'));
}

async function sendChoice(
  site: Site,
  reply: FastifyReply,
  { form, message, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shown);
  const given = { path: pathOf(reply.request), ...range };
  const { page, changes, total, files } = await carryFor(site, reply.request)(erasableContent, given);
  const isPicked = (name: string, value: string) => form?.all(name).includes(value) ?? false;
  const main = html`<div class="plain erase">
<p class="above">${pageLink(page)}</p>
<h1>${say('erase.erasePermanently')}</h1>
<p class="lede">${say('erase.forContentThatMustNotBeKept')}</p>
${errorSummary(message)}
<form method="post" action="${urlOf('/erase', page.path)}">
<fieldset><legend>${say('erase.versions')}</legend>
<p class="quiet">${say('erase.ifYouEraseTheCurrentVersion')}</p>
<ul class="erase-list">${changes.map((change) => changeChoice(change, page.path, visit.now, isPicked('change', String(change.id))))}</ul>
${paging(url, range, total)}</fieldset>
${
  files.length > 0 &&
  html`<fieldset><legend>${say('erase.files')}</legend><ul class="erase-list">${files.map((file) => fileChoice(file, visit.now, isPicked('file-name', file.name)))}</ul></fieldset>`
}
${reasonAndButton(form?.text('reason') ?? '')}
</form></div>`;
  return sendLayout(site, reply, {
    title: say('erase.eraseTitle', { title: page.title }),
    kind: 'history',
    main,
    status,
  });
}

/** Ends the form of every erasure. */
export function reasonAndButton(reason: string): Html {
  return html`${field('reason', html`${say('erase.reasonForTheAuditLogWhich', { span: (words) => html`<span class="quiet">${words}</span>` })}`, html`required maxlength="500" value="${reason}"`)}
<label class="choice"><input type="checkbox" name="sure" value="yes" required> ${say('erase.thisCannotBeUndoneAndIWantTo')}</label>
<div class="buttons"><button type="submit" class="button grave">${say('erase.erasePermanently')}</button></div>`;
}

function changeChoice(
  { id, at, editor, content }: Change,
  path: string,
  now: number,
  isPicked: boolean,
): Html {
  if (content.erasedAt !== undefined)
    return html`<li class="quiet">${say('erase.erasedVersion', { time: timeAgo(at, now), name: html`<bdi>${editor.name}</bdi>` })}</li>`;
  return html`<li><label><input type="checkbox" name="change" value="${id}"${isPicked && html` checked`}> ${say('erase.version', { time: timeAgo(at, now), name: html`<bdi>${editor.name}</bdi>` })}${
    content.msg !== '' && html`: <bdi>${content.msg}</bdi>`
  }</label> <a href="${pageUrl(path)}?version=${id}">${say('erase.lookAtVersionId', { id, span: (words) => html`<span class="unseen">${words}</span>` })}</a></li>`;
}

function fileChoice(
  { name, filename, sizeBytes, uploadedAt }: AttachedFile,
  now: number,
  isPicked: boolean,
): Html {
  return html`<li><label><input type="checkbox" name="file-name" value="${name}"${
    isPicked && html` checked`
  }> <bdi>${filename}</bdi> <span class="quiet">${sizeWords(sizeBytes)}, ${timeAgo(uploadedAt, now)}</span></label> <a href="${fileUrl(name)}">${say(
    'erase.openFilename',
    { filename, span: (words) => html`<span class="unseen">${words}</span>` },
  )}</a></li>`;
}

function sendDone(
  site: Site,
  reply: FastifyReply,
  { erased, page, backups, left, pending }: Erased,
): FastifyReply {
  const words = [
    erased.changes.length > 0 && say('count.versions', { count: erased.changes.length }),
    erased.files.length > 0 && say('count.files', { count: erased.files.length }),
    erased.member !== null && say('erase.aMembersNameAddressAnd'),
  ].filter((one) => one !== false);
  const main = html`<div class="plain"><h1>${say('erase.erased')}</h1>
<p class="lede">${listOf(words)}.</p>
${pending && html`<p>${say('erase.nobodyCanSeeItAnyMoreButThe', { value: say('auditKind.erasure-finished'), link: (words) => html`<a href="/audit">${words}</a>` })}</p>`}
${
  backups.length > 0 &&
  html`<section><h2>${say('erase.theseBackupsStillContainIt')}</h2><p>${say('erase.deleteThemAndMakeANewBackup')}</p><ul>${backups.map(
    ({ at, place }) => html`<li><code>${place || say('erase.aBackup')}</code>, ${momentOf(at)}</li>`,
  )}</ul></section>`
}
${left.length > 0 && html`<section><h2>${say('erase.placesThatMayStillContain')}</h2><ul>${left.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`}
<p><a href="${page ? pageUrl(page.path) : '/members'}">${say('erase.goOn')}</a></p></div>`;
  return sendLayout(site, reply, { title: say('erase.erased'), kind: 'history', main });
}
