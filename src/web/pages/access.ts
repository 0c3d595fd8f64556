/** Permissions and group of a page and everything beneath it, in two steps: first who gains and who loses access, then the change. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { allMembers, groupKey, maxGroupNameLength } from '#domain/members/group-name.ts';
import { namesOfGroups } from '#domain/members/groups.ts';
import {
  type AccessChange,
  type AccessInput,
  type AccessPlan,
  changeAccess,
} from '#domain/pages/change-access.ts';
import { getReadable } from '#domain/pages/find-page.ts';
import type { Page } from '#domain/pages/page.ts';
import { shownGroup } from '#domain/pages/page-group.ts';
import { tailOf, urlOf } from '#http/page-paths.ts';
import { described, errorSummary, mistake, pageLink, pageUrl } from '../components.ts';
import { count, permissionWords, usualPermissions } from '../format.ts';
import { type Form, formFrom, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { type RefusedForm, refusalOf } from '../refusal.ts';
import type { Site } from '../site.ts';
import { leaveNotice } from '../visitor.ts';
import { movedUrl } from './view.ts';

export function accessRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/access/*', async (request, reply) => {
    const path = `/${tailOf(request.url, '/access/*')}`;
    const moved = await movedUrl(request.reader, '/access', path);
    if (moved) return reply.redirect(moved, 308);
    const page = await getReadable(request.reader, path);
    // Refuses actors who may not change the access.
    await changeAccess(
      store,
      request.visit.actor,
      path,
      { permissions: page.permissions },
      true,
      request.visit.now,
    );
    const form = formFrom([
      ['permissions', String(page.permissions).padStart(3, '0')],
      ['group', shownGroup(page.group)],
    ]);
    return sendAccess(site, reply, { page, form });
  });

  server.post('/access/*', { config: { audit: ['permissions-changed'] } }, async (request, reply) => {
    const { actor, now } = request.visit;
    const path = `/${tailOf(request.url, '/access/*')}`;
    const form = await readForm(site, request);
    const page = await getReadable(request.reader, path);
    const isDry = form.text('intent') !== 'save';
    try {
      const plan = await changeAccess(store, actor, path, inputOf(form), isDry, now);
      if (isDry) return sendAccess(site, reply, { page, form, plan });
    } catch (error) {
      return sendAccess(site, reply, { page, form, ...refusalOf(error, ['invalid']) });
    }
    leaveNotice(request, reply, 'access-saved');
    return reply.redirect(pageUrl(path), 303);
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
  page: Page;
  form: Form;
  plan?: AccessPlan;
}

async function sendAccess(
  site: Site,
  reply: FastifyReply,
  { page, form, plan, message, errors = [], status }: Shown,
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const groups = await namesOfGroups(site.service.store, visit.actor);
  const named = form.text('group').trim();
  // The words name the chosen group, which may not exist yet.
  const group = ['', allMembers].includes(groupKey(named)) ? null : { id: 1, name: named };
  const chosen = Number(form.text('permissions'));
  const codes = usualPermissions.includes(chosen) ? usualPermissions : [chosen, ...usualPermissions];
  const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>Access to this page and those beneath</h1>
<p class="lede">All of them change at once. Pages beneath that belong to others stay as they are, unless you are an administrator.</p>
${errorSummary(message)}
<form method="post" action="${urlOf('/access', page.path)}" class="narrow-form">
<div class="field"><label for="permissions-choice">Permissions</label><select id="permissions-choice" name="permissions"${described(errors, 'permissions')}>${codes.map(
    (code) =>
      html`<option value="${String(code).padStart(3, '0')}"${code === chosen && html` selected`}>${permissionWords(code, group)}</option>`,
  )}</select>${mistake(errors, 'permissions')}</div>
<div class="field"><label for="permissions-code">Or as a code</label><input id="permissions-code" name="permissions-code" inputmode="numeric" size="4" maxlength="3" value="${form.text('permissions-code')}" aria-describedby="permissions-hint"><p class="hint" id="permissions-hint">Three digits for owner, group and the world: 4 reads, 6 reads and edits.</p></div>
${
  (groups.length > 0 || page.group) &&
  html`<div class="field"><label for="group">Group</label><input id="group" name="group" list="groups" maxlength="${maxGroupNameLength}" value="${form.text('group')}" placeholder="${allMembers}" autocomplete="off" dir="auto"${described(errors, 'group')}><datalist id="groups">${[allMembers, ...groups].map((name) => html`<option value="${name}"></option>`)}</datalist>${mistake(errors, 'group')}</div>`
}
<label class="choice"><input type="checkbox" name="history" value="from now"${form.has('history') && html` checked`}> Hide what the pages said before from other readers</label>
${plan && consequences(plan)}
<div class="buttons"><button type="submit" name="intent" value="preview"${!plan && html` class="button"`}>Show who gains and loses</button>
${plan && plan.pages > 0 && html`<button type="submit" name="intent" value="save" class="button">Change ${count(plan.pages, 'page')}</button>`}
<a href="${pageUrl(page.path)}">Cancel</a></div>
</form></div>`;
  return sendLayout(site, reply, { title: `Access: ${page.title}`, kind: 'access', main, status });
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
