/**
 * Permissions and group of a page and its subtree, in two steps: first a preview of who gains and loses access, then the
 * change.
 */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { namesOfGroups } from '#core/members/groups.ts';
import { allMembers } from '#core/model/group-name.ts';
import { shownGroup } from '#core/model/page-group.ts';
import {
  type AccessChange,
  type AccessInput,
  type AccessPlan,
  changeAccess,
} from '#core/pages/change-access.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { urlOf } from '#http/page-paths.ts';
import { accessMeans, chosenAccess } from '../chosen-access.ts';
import { pageLink, pageUrl } from '../components.ts';
import { checkbox, errorSummary, selectField } from '../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { count, permissionCode } from '../format.ts';
import { type Form, formFrom } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { followMove, pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';
import { groupField, permissionChoices, permissionCodeField } from './permission-fields.ts';

export function accessRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/access/*', { preHandler: followMove }, async (request, reply) => {
    const { visit, reader } = request;
    const { path, permissions, group } = await getReadable(reader, pathOf(request));
    // Refuses actors who may not change the access.
    await changeAccess(store, visit.actor, path, { permissions }, true, visit.now);
    const form = formFrom([
      ['permissions', permissionCode(permissions)],
      ['group', shownGroup(group)],
    ]);
    return sendAccess(site, reply, { form });
  });

  const onForm = formRoutes(server, site, sendAccess, { codes: ['invalid'] });
  onForm('/access/*', ['permissions-changed'], async (form, request, reply) => {
    const { actor, now } = request.visit;
    const { path } = await getReadable(request.reader, pathOf(request));
    const isDry = form.text('intent') !== 'save';
    const plan = await changeAccess(store, actor, path, inputOf(form), isDry, now);
    if (isDry) return sendAccess(site, reply, { form, plan });
    return redirectWithNotice(reply, pageUrl(path), 'access-saved');
  });
}

function inputOf(form: Form): AccessInput {
  return {
    permissions: form.text('permissions-code').trim() || form.text('permissions'),
    ...(form.has('group') ? { group: form.text('group') } : {}),
    ...(form.has('history') ? { history: 'from now' } : {}),
  };
}

interface Shown extends RefusedForm {
  form: Form;
  plan?: AccessPlan;
}

async function sendAccess(
  site: Site,
  reply: FastifyReply,
  { form, plan, message, errors = [], status }: Shown,
): Promise<FastifyReply> {
  const { visit, reader } = reply.request;
  const page = await getReadable(reader, pathOf(reply.request));
  const groups = await namesOfGroups(site.service.store, visit.actor);
  const [code, permissions] = [form.text('permissions-code'), form.text('permissions')];
  const fields = { code, permissions, group: form.has('group') ? form.text('group') : undefined };
  const access = chosenAccess(fields, page, false);
  const chosen = Number(permissions);
  const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>Access to this page and the pages beneath</h1>
<p class="lede">All these pages change at once. Pages beneath that belong to others stay as they are, unless you are an administrator.</p>
${errorSummary(message)}
<form method="post" action="${urlOf('/access', page.path)}" class="narrow-form" data-path="${page.path}" data-permissions="${permissionCode(page.permissions)}" data-group="${shownGroup(page.group)}"${visit.isPrivate && html` data-private-wiki`}>
${selectField('permissions', 'Permissions', permissionChoices(chosen, access.group, visit), { id: 'permissions-choice', errors })}
${permissionCodeField(html`value="${code}"`)}
${(groups.length > 0 || page.group) && groupField(groups, html`value="${form.text('group')}" placeholder="${allMembers}"`, { errors })}
${checkbox('history', 'from now', form.has('history'), 'Hide earlier versions of the pages from other readers')}
<p class="hint" id="access-means">${accessMeans(access, visit)}</p>
${plan && consequences(plan)}
<div class="buttons"><button type="submit" name="intent" value="preview"${!plan && html` class="button"`}>Show who gains and loses</button>
${plan && plan.pages > 0 && html`<button type="submit" name="intent" value="save" class="button">Change ${count(plan.pages, 'page')}</button>`}
<a href="${pageUrl(page.path)}">Cancel</a></div>
</form></div>`;
  return sendLayout(site, reply, {
    title: `Access: ${page.title}`,
    kind: 'access',
    main,
    scripts: ['access'],
    status,
  });
}

function consequences({ pages, kept, gains, loses }: AccessPlan): Html {
  const list = (title: string, changes: readonly AccessChange[], verb: string) =>
    changes.length > 0 &&
    html`<h2>${title}</h2><ul>${changes.map((one) => html`<li>${partyWords(one)} ${verb} ${one.action === 'read' ? 'read' : 'edit'} ${count(one.pages, 'page')}.</li>`)}</ul>`;
  return html`<section role="status">
<p>${pages === 0 ? 'Nothing changes.' : `${count(pages, 'page changes', 'pages change')}.`}${kept > 0 && ` ${count(kept, 'page belongs', 'pages belong')} to others and ${kept === 1 ? 'stays as it is' : 'stay as they are'}.`}</p>
${list('Who gains access', gains, 'can')}
${list('Who loses access', loses, 'can no longer')}
${pages > 0 && gains.length + loses.length === 0 && html`<p>Nobody gains or loses access.</p>`}
</section>`;
}

function partyWords({ who, group }: AccessChange): Html {
  if (who === 'group') return html`The group <strong dir="auto">${group ?? ''}</strong>`;
  return html`${{ everyone: 'Everyone', members: 'All members', owners: 'Owners' }[who]}`;
}
