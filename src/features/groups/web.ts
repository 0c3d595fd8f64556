/** Groups on the site: administrators manage them; members see their own. */

import { memberByNameOrEmail } from '#core/members/member-by-name.ts';
import { maxGroupNameLength } from '#core/model/group-name.ts';
import type { Group } from '#core/ports/group-store.ts';
import { actionsHeading, paging, readRange, table } from '#web/components.ts';
import { completesMembers, errorSummary, field } from '#web/form-fields.ts';
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
import {
  addToGroup,
  createGroup,
  deleteGroup,
  listGroups,
  removeFromGroup,
  renameGroup,
} from './operations.ts';

const shownGroups = 50;
const notice = 'groups-saved';
const groupName = html`required maxlength="${maxGroupNameLength}" autocomplete="off" dir="auto"`;

export const web: readonly OperationPage[] = [
  {
    url: '/members/groups',
    reads: [listGroups],
    forms: {
      make: formOf(createGroup, { notice: 'group-created' }),
      rename: formOf(renameGroup, { notice }),
      delete: formOf(deleteGroup, { notice: 'group-deleted' }),
      leave: formOf(removeFromGroup, { notice, fields: (form) => ({ memberId: form.text('member') }) }),
      join: formOf(addToGroup, {
        notice,
        fields: async (form, { carry }) => {
          const member = await carry(memberByNameOrEmail, { email: form.text('email') });
          return { memberId: member.id };
        },
      }),
    },
    async show({ carry, visit, refused }) {
      const { url, range } = readRange(visit, shownGroups);
      const { items, total } = await carry(listGroups, range);
      const isAdmin = visit.actor?.isAdmin ?? false;
      const main = html`<div class="plain members">
${isAdmin && html`<p class="above"><a href="/members">${say('groups.members')}</a></p>`}
<h1>${say('groups.groups')}</h1>
<p class="lede">${isAdmin ? say('groups.pagesCanBeSharedWithGroups') : say('groups.yourGroups')}</p>
${errorSummary(refused.message)}
${
  isAdmin &&
  html`<form method="post" action="/members/groups" class="invite-form"><input type="hidden" name="what" value="make">${field(
    'name',
    say('groups.newGroup'),
    groupName,
    { id: 'new-group' },
  )} <button type="submit" class="button">${say('groups.makeAGroup')}</button></form>`
}
${total === 0 && html`<p class="quiet">${isAdmin ? say('groups.thereAreNoGroupsYet') : say('groups.youAreNotInAnyGroup')}</p>`}
${items.map((group) => section(group, isAdmin))}
${paging(url, range, total)}
</div>`;
      return {
        title: say('groups.groups'),
        kind: 'members',
        main,
        ...(isAdmin ? { scripts: ['access'] } : {}),
      };
    },
  },
];

function section({ id, name, members, memberCount }: Group, isAdmin: boolean): Html {
  const place = `group-${id}`;
  const opening = html`<form method="post" action="/members/groups" class="invite-form"><input type="hidden" name="id" value="${id}">`;
  const row = (member: Group['members'][number]) =>
    html`<tr><th scope="row" dir="auto">${member.name}</th>${
      isAdmin &&
      html`<td class="row-actions">${opening}<input type="hidden" name="member" value="${member.id}"><button type="submit" name="what" value="leave"
aria-label="${say('groups.takeOut')}: ${member.name}, ${name}">${say('groups.takeOut')}</button></form></td>`
    }</tr>`;
  return html`<section id="${place}"><h2 dir="auto">${name} <span class="count">${memberCount}</span></h2>
${members.length > 0 && table('rows member-table group-table', [say('common.name'), isAdmin && actionsHeading], members.map(row))}
${memberCount > members.length && html`<p class="quiet">${say('groups.andMoreMember', { count: memberCount - members.length })}</p>`}
${
  isAdmin &&
  html`${opening}${field(
    'email',
    say('groups.nameOrEMailOfAMember'),
    html`required maxlength="255" ${completesMembers}`,
    { id: `${place}-email` },
  )} <button type="submit" name="what" value="join">${say('groups.putIn')}</button></form>
<details><summary>${say('groups.renameOrDelete')}</summary>${opening}${field(
    'name',
    say('common.name'),
    html`value="${name}" ${groupName}`,
    { id: `${place}-name` },
  )} <button type="submit" name="what" value="rename">${say(
    'groups.rename',
  )}</button> <button type="submit" name="what" value="delete" formnovalidate>${say('groups.delete')}</button></form></details>`
}</section>`;
}
