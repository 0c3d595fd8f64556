/** Groups: administrators manage them; members see their own groups. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  createGroup,
  deleteGroup,
  listGroups,
  putInGroup,
  renameGroup,
  takeFromGroup,
} from '#core/members/groups.ts';
import { getByEmail } from '#core/members/manage-members.ts';
import { maxGroupNameLength } from '#core/model/group-name.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid } from '#core/model/problem.ts';
import type { Group } from '#core/ports/group-store.ts';
import { actionsHeading, paging, readRange, table } from '../components.ts';
import { errorSummary, field } from '../form-fields.ts';
import { chosenId, formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { count } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const shownGroups = 50;
const groupName = html`required maxlength="${maxGroupNameLength}" autocomplete="off" dir="auto"`;

export function groupRoutes(server: FastifyInstance, site: Site): void {
  server.get('/members/groups', async (_request, reply) => sendGroups(site, reply));
  const onForm = formRoutes(server, site, sendGroups, { codes: ['invalid', 'not-found', 'group-in-use'] });
  onForm(
    '/members/groups',
    ['group-made', 'group-renamed', 'group-deleted', 'group-joined', 'group-left'],
    async (form, { visit }, reply) => {
      await change(site, visit.actor, form, visit.now);
      return redirectWithNotice(reply, '/members/groups', 'groups-saved');
    },
  );
}

async function change({ service: { store } }: Site, actor: Actor, form: Form, now: number): Promise<void> {
  const what = form.text('what');
  if (what === 'make') {
    await createGroup(store, actor, form.text('name'), now);
    return;
  }
  const id = chosenId(form, 'id');
  if (what === 'rename') await renameGroup(store, actor, id, form.text('name'));
  else if (what === 'delete') await deleteGroup(store, actor, id);
  else if (what === 'leave') await takeFromGroup(store, actor, id, chosenId(form, 'member'));
  else if (what === 'join') {
    // Only administrators learn which member has an address.
    const memberId = actor?.isAdmin ? (await getByEmail(store, form.text('email'))).id : 0;
    await putInGroup(store, actor, id, memberId, now);
  } else throw invalid('/what', 'Choose what to change.');
}

async function sendGroups(
  site: Site,
  reply: FastifyReply,
  { message, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shownGroups);
  const { groups, total } = await listGroups(site.service.store, visit.actor, range);
  const isAdmin = visit.actor?.isAdmin ?? false;
  const main = html`<div class="plain members">
${isAdmin && html`<p class="above"><a href="/members">Members</a></p>`}
<h1>Groups</h1>
<p class="lede">${isAdmin ? 'A page can be of a group: then the second digit of its permissions is for those in it.' : 'The groups that you are in.'}</p>
${errorSummary(message)}
${isAdmin && html`<form method="post" action="/members/groups" class="invite-form"><input type="hidden" name="what" value="make">${field('name', 'New group', groupName, { id: 'new-group' })} <button type="submit" class="button">Make a group</button></form>`}
${total === 0 && html`<p class="quiet">${isAdmin ? 'There are no groups yet.' : 'You are in no group.'}</p>`}
${groups.map((group) => section(group, isAdmin))}
${paging(url, range, total)}
</div>`;
  return sendLayout(site, reply, { title: 'Groups', kind: 'members', main, status });
}

function section({ id, name, members, memberCount }: Group, isAdmin: boolean): Html {
  const place = `group-${id}`;
  const opening = html`<form method="post" action="/members/groups" class="invite-form"><input type="hidden" name="id" value="${id}">`;
  const row = (member: Group['members'][number]) =>
    html`<tr><th scope="row" dir="auto">${member.name}</th>${isAdmin && html`<td class="row-actions">${opening}<input type="hidden" name="member" value="${member.id}"><button type="submit" name="what" value="leave" aria-label="Take ${member.name} out of ${name}">Take out</button></form></td>`}</tr>`;
  return html`<section id="${place}"><h2 dir="auto">${name} <span class="count">${memberCount}</span></h2>
${members.length > 0 && table('rows member-table group-table', ['Name', isAdmin && actionsHeading], members.map(row))}
${memberCount > members.length && html`<p class="quiet">And ${count(memberCount - members.length, 'more member', 'more members')}.</p>`}
${
  isAdmin &&
  html`${opening}${field('email', 'E-mail of a member', html`type="email" required autocomplete="off"`, { id: `${place}-email` })} <button type="submit" name="what" value="join">Put in</button></form>
<details><summary>Rename or delete</summary>${opening}${field('name', 'Name', html`value="${name}" ${groupName}`, { id: `${place}-name` })} <button type="submit" name="what" value="rename">Rename</button> <button type="submit" name="what" value="delete" formnovalidate>Delete</button></form></details>`
}</section>`;
}
