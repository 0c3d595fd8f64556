/** Groups on the site: administrators manage them; members see their own. */
import { maxGroupNameLength } from '#core/model/group-name.ts';
import { memberByEmail } from '#core/operations/member-by-email.ts';
import type { Group } from '#core/ports/group-store.ts';
import { actionsHeading, paging, readRange, table } from '#web/components.ts';
import { errorSummary, field } from '#web/form-fields.ts';
import { count } from '#web/format.ts';
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
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
      make: formOf(createGroup, { notice }),
      rename: formOf(renameGroup, { notice }),
      delete: formOf(deleteGroup, { notice }),
      leave: formOf(removeFromGroup, { notice, fields: (form) => ({ memberId: form.text('member') }) }),
      join: formOf(addToGroup, {
        notice,
        fields: async (form, { carry }) => {
          const member = await carry(memberByEmail, { email: form.text('email') });
          return { memberId: member.id };
        },
      }),
    },
    async show({ carry, visit, refused }) {
      const { url, range } = readRange(visit, shownGroups);
      const { items, total } = await carry(listGroups, range);
      const isAdmin = visit.actor?.isAdmin ?? false;
      const main = html`<div class="plain members">
${isAdmin && html`<p class="above"><a href="/members">Members</a></p>`}
<h1>Groups</h1>
<p class="lede">${isAdmin ? 'A page can belong to a group. Then the second digit of its permissions applies to the members of that group.' : 'Your groups.'}</p>
${errorSummary(refused.message)}
${isAdmin && html`<form method="post" action="/members/groups" class="invite-form"><input type="hidden" name="what" value="make">${field('name', 'New group', groupName, { id: 'new-group' })} <button type="submit" class="button">Make a group</button></form>`}
${total === 0 && html`<p class="quiet">${isAdmin ? 'There are no groups yet.' : 'You are not in any group.'}</p>`}
${items.map((group) => section(group, isAdmin))}
${paging(url, range, total)}
</div>`;
      return { title: 'Groups', kind: 'members', main };
    },
  },
];

function section({ id, name, members, memberCount }: Group, isAdmin: boolean): Html {
  const place = `group-${id}`;
  const opening = html`<form method="post" action="/members/groups" class="invite-form"><input type="hidden" name="id" value="${id}">`;
  const row = (member: Group['members'][number]) =>
    html`<tr><th scope="row" dir="auto">${member.name}</th>${isAdmin && html`<td class="row-actions">${opening}<input type="hidden" name="member" value="${member.id}"><button type="submit" name="what" value="leave" aria-label="Remove ${member.name} from ${name}">Take out</button></form></td>`}</tr>`;
  return html`<section id="${place}"><h2 dir="auto">${name} <span class="count">${memberCount}</span></h2>
${members.length > 0 && table('rows member-table group-table', ['Name', isAdmin && actionsHeading], members.map(row))}
${memberCount > members.length && html`<p class="quiet">And ${count(memberCount - members.length, 'more member', 'more members')}.</p>`}
${
  isAdmin &&
  html`${opening}${field('email', 'E-mail of a member', html`type="email" required autocomplete="off"`, { id: `${place}-email` })} <button type="submit" name="what" value="join">Put in</button></form>
<details><summary>Rename or delete</summary>${opening}${field('name', 'Name', html`value="${name}" ${groupName}`, { id: `${place}-name` })} <button type="submit" name="what" value="rename">Rename</button> <button type="submit" name="what" value="delete" formnovalidate>Delete</button></form></details>`
}</section>`;
}
