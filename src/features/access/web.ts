/**
 * Access to a page on the site, in words and names: who can read and edit it and why, sharing with groups and members, and the
 * permissions of the page and the pages beneath. People and groups are found by name; scripts complete the names
 * (`src/web/islands/access.ts`).
 */
import { allMembers, maxGroupNameLength } from '#core/model/group-name.ts';
import type { Page } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import type { AccessChange, AccessPlan } from '#core/pages/change-access.ts';
import { accessMeans, chosenAccess, writeGrants } from '#web/chosen-access.ts';
import { joined, pageLink, pageUrl, urlOfVisit } from '#web/components.ts';
import { checkbox, choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { count, permissionCode } from '#web/format.ts';
import { type Form, formFrom } from '#web/forms.ts';
import { type Html, html } from '#web/html.ts';
import { type FormCall, formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { groupField, permissionChoices } from '#web/pages/permission-fields.ts';
import type { InheritedGrant, NamedGrant } from './access.ts';
import type { AccessCheck, Hindrance, Reason } from './check-access.ts';
import {
  changeAccess,
  changePermissions,
  findGrantees,
  groupsToGive,
  type ReadAccess,
  readAccess,
} from './operations.ts';

type Subject = { group: string } | { member: number };

const sharing = (arrange: (grants: NamedGrant[], subject: Subject, form: Form) => object[]) =>
  formOf(changeAccess, {
    notice: 'access-saved',
    async fields(form, { carry, path }: FormCall) {
      const { grants } = await carry(readAccess, { path });
      return {
        version: form.text('version'),
        grants: arrange(grants, subjectIn(form.text('subject')), form).map((grant) => ({
          ...grant,
          name: undefined,
        })),
      };
    },
  });

const without = (grants: NamedGrant[], subject: Subject) =>
  grants.filter((grant) => keyOf(grant) !== keyOf(subject));

export const web: readonly OperationPage[] = [
  {
    url: '/access/*',
    followsMoves: true,
    reads: [readAccess, findGrantees, groupsToGive],
    forms: {
      share: sharing((grants, subject, form) => [
        ...without(grants, subject),
        { ...subject, may: form.text('may'), beneath: form.has('beneath') },
      ]),
      remove: sharing(without),
      preview: formOf(changePermissions, { fields: (form) => ({ ...permissionsGiven(form), dryRun: true }) }),
      save: formOf(changePermissions, {
        fields: (form) => ({ ...permissionsGiven(form), dryRun: false }),
        notice: 'access-saved',
        leadsTo: (_plan, { path }) => pageUrl(path),
      }),
    },
    show: accessPage,
  },
];

async function accessPage(call: PageCall) {
  const { carry, path, visit, refused } = call;
  const { searchParams } = urlOfVisit(visit);
  const [name, as] = [searchParams.get('name')?.trim() ?? '', searchParams.get('as') ?? ''];
  const access = await carry(readAccess, { path, ...(as === '' ? {} : { as }) });
  const found =
    name === '' ? undefined : await carry(findGrantees, { name: name.slice(0, maxGroupNameLength) });
  const { page } = access;
  const url = urlOf('/access', page.path);
  const main = html`<div class="plain access-page">
<p class="above">${pageLink(page)}</p>
<h1>Who can read and edit this page</h1>
<p class="lede" id="access-sentence" dir="auto">${access.summary}.</p>
${errorSummary(refused.message)}
${access.check && html`<section role="status" class="banner access-check">${checkWords(access.check, page)}</section>`}
<section id="shared"><h2>Shared with</h2>
${grantList(url, access)}
<form method="get" action="${url}#found" class="invite-form access-search" data-grantees="/v1/access">${field('name', 'Find a person or a group', html`type="search" required maxlength="${maxGroupNameLength}" value="${name}" autocomplete="off" dir="auto"`, { id: 'grantee' })} <button type="submit" class="button">Find</button></form>
${found && foundList(url, name, found, access)}
<p class="quiet">Everything else about this page follows from its permissions below. <a href="${url}?as=stranger">What can somebody see who is not signed in?</a> <a href="${urlOf('/secret-links', page.path)}">Secret links</a></p>
</section>
${await permissionsForm(call, access)}
</div>`;
  return { title: `Access: ${page.title}`, kind: 'access', main, scripts: ['access'] };
}

function grantList(url: string, { grants, inherited, version }: ReadAccess): Html {
  if (grants.length + inherited.length === 0)
    return html`<p class="quiet">The page is shared with nobody in particular.</p>`;
  const own = grants.map((grant) => html`<li>${formFor(url, grant, version, grant)}</li>`);
  return html`<ul class="access-list">${own}${inherited.map(inheritedRow)}</ul>`;
}

function inheritedRow(grant: InheritedGrant): Html {
  return html`<li><span class="access-name">${nameOf(grant)}</span> <span>${rightWords(grant.may)}, because of <a href="${urlOf('/access', grant.from)}" dir="auto">${grant.from}</a></span></li>`;
}

/** `held`: the grant that the page has already. */
function formFor(url: string, subject: NamedGrant | Subject, version: string, held?: NamedGrant): Html {
  const key = keyOf(subject);
  const label = 'name' in subject ? subject.name : 'group' in subject ? subject.group : '';
  return html`<form method="post" action="${url}" class="access-row"><input type="hidden" name="version" value="${version}"><input type="hidden" name="subject" value="${key}">
<span class="access-name">${nameOf(subject)}</span>
<select name="may" aria-label="What ${label} can do">${choices(
    [
      ['read', rightWords('read')],
      ['write', rightWords('write')],
    ],
    held?.may ?? 'read',
  )}</select>
<label class="choice"><input type="checkbox" name="beneath" value="yes"${held?.beneath && html` checked`}> also for pages beneath</label>
<span class="row-actions"><button type="submit" name="what" value="share"${!held && html` class="button"`}>${held ? 'Save' : 'Share'}</button>${held && html` <button type="submit" name="what" value="remove" aria-label="Stop sharing with ${label}">Remove</button>`}${'member' in subject && html` <a href="${url}?as=${subject.member}">What can they see?</a>`}</span></form>`;
}

function foundList(
  url: string,
  sought: string,
  { groups, members }: { groups: { name: string }[]; members: { id: number; name: string }[] },
  { grants, version }: ReadAccess,
): Html {
  const held = new Map(grants.map((grant) => [keyOf(grant), grant]));
  const all = [
    ...groups.map(({ name }) => ({ group: name })),
    ...members.map(({ id, name }) => ({ member: id, name })),
  ];
  const rows = all.map((one) => html`<li>${formFor(url, one, version, held.get(keyOf(one)))}</li>`);
  return html`<section id="found" role="status"><h3>Found</h3>${
    rows.length === 0
      ? html`<p class="quiet">Nobody and no group that you can share with has a name like “<bdi>${sought}</bdi>”.</p>`
      : html`<ul class="access-list">${rows}</ul>`
  }</section>`;
}

function nameOf(subject: NamedGrant | Subject | { member: number; name: string }): Html {
  if ('group' in subject) return html`the group <strong dir="auto">${subject.group}</strong>`;
  return html`<a href="/members/${subject.member}" dir="auto">${'name' in subject ? subject.name : `member ${subject.member}`}</a>`;
}

function keyOf(subject: Subject): string {
  return 'group' in subject ? `group:${subject.group}` : `member:${subject.member}`;
}

function subjectIn(key: string): Subject {
  const [, kind, name = ''] = /^(group|member):(.+)$/s.exec(key) ?? [];
  if (kind === 'group') return { group: name };
  if (kind === 'member' && /^\d{1,15}$/.test(name)) return { member: Number(name) };
  throw invalid('/subject', 'Choose a person or a group.');
}

function rightWords(may: 'read' | 'write'): string {
  return may === 'write' ? 'can read and edit' : 'can read';
}

function checkWords({ member, read, edit }: AccessCheck, page: Page): Html {
  const who = member ? html`<strong dir="auto">${member.name}</strong>` : html`Somebody who is not signed in`;
  const right = read.allowed
    ? edit.allowed
      ? 'can read and edit this page'
      : 'can read this page, but not edit it'
    : 'cannot read this page';
  return html`<p>${who} ${right}.</p>
${read.allowed && html`<p>Reading: ${reasonsWords(read.because, page)}.</p>`}
${edit.allowed && html`<p>Editing: ${reasonsWords(edit.because, page)}.</p>`}
${edit.hindered && html`<p>${hindranceWords[edit.hindered]}</p>`}`;
}

const hindranceWords: Record<Hindrance, string> = {
  'not signed in': 'Editing needs an account.',
  reader: 'Their role is reader, so they edit nothing.',
  blocked: 'They are blocked, so they edit nothing now.',
  protected: 'The page is protected, so its permissions do not let them edit it now.',
};

function reasonsWords(reasons: Reason[], page: Page) {
  return joined(
    reasons.map((reason) => reasonWords(reason, page)),
    '; ',
  );
}

function reasonWords(reason: Reason, page: Page): Html {
  switch (reason.by) {
    case 'administrator':
      return html`administrators can do everything`;
    case 'owner':
      return html`the owner can`;
    case 'everyone':
      return html`everyone can`;
    case 'members':
      return html`all members can`;
    case 'group':
      return html`the group <strong dir="auto">${reason.group}</strong> of the page can`;
    case 'grant': {
      const whom = 'group' in reason ? nameOf(reason) : html`them`;
      const where =
        reason.from === page.path
          ? html`this page`
          : html`<a href="${urlOf('/access', reason.from)}" dir="auto">${reason.from}</a>`;
      return html`${where} is shared with ${whom}`;
    }
  }
}

function permissionsGiven(form: Form) {
  return {
    permissions: form.text('permissions'),
    ...(form.has('group') ? { group: form.text('group') } : {}),
    ...(form.has('history') ? { history: 'from now' } : {}),
  };
}

async function permissionsForm(
  { carry, visit, refused: { form: sent, errors = [] }, answerTo }: PageCall,
  { page, group, names }: ReadAccess,
): Promise<Html> {
  const plan = answerTo(changePermissions);
  const groups = await carry(groupsToGive, {});
  const grants = { granted: page.granted, groups: names.groups, people: names.members };
  const now = permissionCode(page.permissions);
  const shown = plan
    ? formFrom(Object.entries(plan.asked).map(([name, value]) => [name, String(value ?? allMembers)]))
    : (sent?.has('permissions') && sent) ||
      formFrom([
        ['permissions', now],
        ['group', group],
      ]);
  const permissions = shown.text('permissions');
  const named = shown.has('group') ? shown.text('group') : undefined;
  const access = chosenAccess({ code: '', permissions, group: named }, page, false);
  return html`<section id="permissions"><h2>Permissions of this page and the pages beneath</h2>
<p>All these pages change at once. Pages beneath that belong to others stay as they are, unless you are an administrator.</p>
<form method="post" action="${urlOf('/access', page.path)}#permissions" class="narrow-form" data-path="${page.path}" data-permissions="${now}" data-group="${group}"${visit.isPrivate && html` data-private-wiki`} data-grants="${writeGrants(grants)}">
${selectField('permissions', 'Permissions', permissionChoices(access.permissions, access.group, visit, { grants }), { id: 'permissions-choice', errors })}
${(groups.length > 0 || page.group) && groupField(groups, html`value="${named ?? ''}" placeholder="${allMembers}"`, { errors })}
${checkbox('history', 'from now', shown.has('history'), 'Hide earlier versions of the pages from other readers')}
<p class="hint" id="access-means">${accessMeans(access, visit, grants)}</p>
${plan && consequences(plan)}
<div class="buttons"><button type="submit" name="what" value="preview"${!plan && html` class="button"`}>Show who gains and loses</button>
${plan && plan.pages > 0 && html`<button type="submit" name="what" value="save" class="button">Change ${count(plan.pages, 'page')}</button>`}
<a href="${pageUrl(page.path)}">Back to the page</a></div>
</form></section>`;
}

function consequences({ pages, kept, gains, loses }: AccessPlan): Html {
  const list = (title: string, changes: readonly AccessChange[], verb: string) =>
    changes.length > 0 &&
    html`<h3>${title}</h3><ul>${changes.map((one) => html`<li>${partyWords(one)} ${verb} ${one.action === 'read' ? 'read' : 'edit'} ${count(one.pages, 'page')}.</li>`)}</ul>`;
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
