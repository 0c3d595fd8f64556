/**
 * Access to a page on the site, in words and names: who can read and edit it and why, sharing with groups and members, and the
 * permissions of the page and the pages beneath. People and groups are found by name; scripts complete the names
 * (`src/web/islands/access.ts`).
 */
import { accessWords } from '#core/model/access-words.ts';
import { allMembers, maxGroupNameLength } from '#core/model/group-name.ts';
import type { Page } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import type { AccessChange, AccessPlan } from '#core/pages/change-access.ts';
import { accessMeans, chosenAccess, writeGrants } from '#web/chosen-access.ts';
import { joined, pageLink, pageUrl, urlOfVisit } from '#web/components.ts';
import { checkbox, choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { permissionCode } from '#web/format.ts';
import { type Form, formFrom } from '#web/forms.ts';
import { type Html, html, type Words } from '#web/html.ts';
import { type FormCall, formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { groupField, permissionChoices } from '#web/pages/permission-fields.ts';
import { say } from '#words/say.ts';
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
  const { page, names, isNamed } = access;
  const url = urlOf('/access', page.path);
  const sentence = accessWords({ ...page, groups: names.groups, people: names.members, isNamed }, visit);
  const main = html`<div class="plain access-page">
<p class="above">${pageLink(page)}</p>
<h1>${say('access.whoCanReadAndEditThisPage')}</h1>
<p class="lede" id="access-sentence">${sentence}.</p>
${errorSummary(refused.message)}
${access.check && html`<section role="status" class="banner access-check">${checkWords(access.check, page)}</section>`}
<section id="shared"><h2>${say('access.sharedWith')}</h2>
${grantList(url, access)}
<form method="get" action="${url}#found" class="invite-form access-search" data-grantees="/v1/access">${field(
    'name',
    say('access.findAPersonOrAGroup'),
    html`type="search" required maxlength="${maxGroupNameLength}" value="${name}" autocomplete="off" dir="auto"`,
    { id: 'grantee' },
  )} <button type="submit" class="button">${say('access.find')}</button></form>
${found && foundList(url, name, found, access)}
<p class="quiet">${say('access.everythingElseAboutThisPage', {
    link: (words) => html`<a href="${url}?as=stranger">${words}</a>`,
    link2: (words) => html`<a href="${urlOf('/secret-links', page.path)}">${words}</a>`,
  })}</p>
</section>
${await permissionsForm(call, access)}
</div>`;
  return {
    title: say('access.accessTitle', { title: page.title }),
    kind: 'access',
    main,
    scripts: ['access'],
  };
}

function grantList(url: string, { grants, inherited, deleted, version }: ReadAccess): Html {
  if (grants.length + inherited.length + deleted.length === 0)
    return html`<p class="quiet">${say('access.thePageIsSharedWithNobodyIn')}</p>`;
  const own = grants.map((grant) => html`<li>${formFor(url, grant, version, grant)}</li>`);
  return html`<ul class="access-list">${own}${inherited.map(inheritedRow)}${deleted.map((name) => deletedRow(url, name, version))}</ul>`;
}

/** Whatever is saved leaves deleted groups out. */
function deletedRow(url: string, name: string, version: string): Html {
  return html`<li><form method="post" action="${url}" class="access-row"><input type="hidden" name="version" value="${version}"><input type="hidden" name="subject" value="group:${name}">
<span class="access-name" dir="auto">${name}</span> <span>${say('access.groupIsDeleted')}</span>
<span class="row-actions"><button type="submit" name="what" value="remove" aria-label="${say('access.remove')}: ${name}">${say('access.remove')}</button></span></form></li>`;
}

function inheritedRow(grant: InheritedGrant): Html {
  return html`<li><span class="access-name">${nameOf(grant)}</span> <span>${say('access.rightBecauseOfFrom', {
    right: rightWords(grant.may),
    from: html`<a href="${urlOf('/access', grant.from)}" dir="auto">${grant.from}</a>`,
  })}</span></li>`;
}

/** `held`: the grant that the page has already. */
function formFor(url: string, subject: NamedGrant | Subject, version: string, held?: NamedGrant): Html {
  const key = keyOf(subject);
  const label = 'name' in subject ? subject.name : 'group' in subject ? subject.group : '';
  return html`<form method="post" action="${url}" class="access-row"><input type="hidden" name="version" value="${version}"><input type="hidden" name="subject" value="${key}">
<span class="access-name">${nameOf(subject)}</span>
<select name="may" aria-label="${say('access.whatLabelCanDo', { label })}">${choices(
    [
      ['read', rightWords('read')],
      ['write', rightWords('write')],
    ],
    held?.may ?? 'read',
  )}</select>
<label class="choice"><input type="checkbox" name="beneath" value="yes"${held?.beneath && html` checked`}> ${say('access.alsoForPagesBeneath')}</label>
<span class="row-actions"><button type="submit" name="what" value="share"${!held && html` class="button"`}>${held ? say('access.save') : say('access.share')}</button>${
    held &&
    html` <button type="submit" name="what" value="remove" aria-label="${say('access.remove')}: ${label}">${say('access.remove')}</button>`
  }${'member' in subject && html` <a href="${url}?as=${subject.member}">${say('access.whatCanTheySee')}</a>`}</span></form>`;
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
  return html`<section id="found" role="status"><h3>${say('access.found')}</h3>${
    rows.length === 0
      ? html`<p class="quiet">${say('access.nobodyHasANameLike', { sought: html`<bdi>${sought}</bdi>` })}</p>`
      : html`<ul class="access-list">${rows}</ul>`
  }</section>`;
}

function nameOf(subject: NamedGrant | Subject | { member: number; name: string }): Html {
  if ('group' in subject)
    return html`${say('access.theGroupNamed', { name: html`<strong dir="auto">${subject.group}</strong>` })}`;
  return html`<a href="/members/${subject.member}" dir="auto">${'name' in subject ? subject.name : say('access.memberNumber', { id: String(subject.member) })}</a>`;
}

function keyOf(subject: Subject): string {
  return 'group' in subject ? `group:${subject.group}` : `member:${subject.member}`;
}

function subjectIn(key: string): Subject {
  const [, kind, name = ''] = /^(group|member):(.+)$/s.exec(key) ?? [];
  if (kind === 'group') return { group: name };
  if (kind === 'member' && /^\d{1,15}$/.test(name)) return { member: Number(name) };
  throw invalid('/subject', say('access.chooseAPersonOrAGroup'));
}

function rightWords(may: 'read' | 'write'): Words {
  return may === 'write' ? say('access.canReadAndEdit') : say('access.canRead');
}

function checkWords({ member, read, edit }: AccessCheck, page: Page): Html {
  const who = member
    ? html`<strong dir="auto">${member.name}</strong>`
    : html`${say('access.somebodyWhoIsNotSignedIn')}`;
  const right = read.allowed
    ? edit.allowed
      ? say('access.canReadAndEditThisPage', { who })
      : say('access.canOnlyReadThisPage', { who })
    : say('access.cannotReadThisPage', { who });
  return html`<p>${right}</p>
${read.allowed && html`<p>${say('access.readingReasons', { reasons: reasonsWords(read.because, page) })}</p>`}
${edit.allowed && html`<p>${say('access.editingReasons', { reasons: reasonsWords(edit.because, page) })}</p>`}
${edit.hindered && html`<p>${hindranceWords[edit.hindered]}</p>`}`;
}

const hindranceWords: Record<Hindrance, Words> = {
  'not signed in': say('access.editingNeedsAnAccount'),
  reader: say('access.theirRoleIsReaderSoTheyEdit'),
  blocked: say('access.theyAreBlockedSoTheyEdit'),
  protected: say('access.thePageIsProtectedSoIts'),
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
      return html`${say('access.administratorsCanDoEverything')}`;
    case 'owner':
      return html`${say('access.theOwnerCan')}`;
    case 'everyone':
      return html`${say('access.everyoneCan')}`;
    case 'members':
      return html`${say('access.allMembersCan')}`;
    case 'settings':
      return html`${say('access.theSettingsNameIt')}`;
    case 'group':
      return html`${say('access.theGroupCan', { name: html`<strong dir="auto">${reason.group}</strong>` })}`;
    case 'grant': {
      const whom = 'group' in reason ? nameOf(reason) : say('access.them');
      const where =
        reason.from === page.path
          ? say('access.thisPage')
          : html`<a href="${urlOf('/access', reason.from)}" dir="auto">${reason.from}</a>`;
      return html`${say('access.whereIsSharedWithWhom', { where, whom })}`;
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
  { page, group, names, isNamed }: ReadAccess,
): Promise<Html> {
  const plan = answerTo(changePermissions);
  const groups = await carry(groupsToGive, {});
  const grants = { granted: page.granted, groups: names.groups, people: names.members, isNamed };
  const now = permissionCode(page.permissions);
  const shown = plan
    ? formFrom(Object.entries(plan.asked).map(([name, value]) => [name, String(value ?? '')]))
    : (sent?.has('permissions') && sent) ||
      formFrom([
        ['permissions', now],
        ['group', group === allMembers ? '' : group],
      ]);
  const permissions = shown.text('permissions');
  const named = shown.has('group') ? shown.text('group') : undefined;
  const access = chosenAccess({ permissions, group: named }, page, false);
  return html`<section id="permissions"><h2>${say('access.permissionsOfThisPageAndThe')}</h2>
<p>${say('access.allThesePagesChangeAtOnce')}</p>
<form method="post" action="${urlOf('/access', page.path)}#permissions" class="narrow-form" data-path="${page.path}" data-permissions="${now}" data-group="${group}"${
    visit.isPrivate && html` data-private-wiki`
  } data-grants="${writeGrants(grants)}">
${selectField('permissions', say('common.permissions'), permissionChoices(access.permissions, access.group, visit, { grants }), { id: 'permissions-choice', errors })}
${(groups.length > 0 || page.group) && groupField(groups, html`value="${named ?? ''}" placeholder="${say('access.allMembers')}"`, { errors })}
${checkbox('history', 'from now', shown.has('history'), say('access.hideEarlierVersionsOfThe'))}
<p class="hint" id="access-means">${accessMeans(access, visit, grants)}</p>
${plan && consequences(plan)}
<div class="buttons"><button type="submit" name="what" value="preview"${!plan && html` class="button"`}>${say('access.showWhoGainsAndLoses')}</button>
${plan && plan.pages > 0 && html`<button type="submit" name="what" value="save" class="button">${say('access.changePage', { pages: plan.pages })}</button>`}
<a href="${pageUrl(page.path)}">${say('common.backToThePage')}</a></div>
</form></section>`;
}

function consequences({ pages, kept, gains, loses }: AccessPlan): Html {
  const list = (title: Words, changes: readonly AccessChange[], change: 'gains' | 'loses') =>
    changes.length > 0 &&
    html`<h3>${title}</h3><ul>${changes.map((one) => html`<li>${say('access.gainsOrLoses', { who: partyWords(one), change, action: one.action, count: one.pages })}</li>`)}</ul>`;
  return html`<section role="status">
<p>${pages === 0 ? say('access.nothingChanges') : say('access.pagesChange', { count: pages })}${kept > 0 && html` ${say('access.pagesOfOthersStay', { count: kept })}`}</p>
${list(say('access.whoGainsAccess'), gains, 'gains')}
${list(say('access.whoLosesAccess'), loses, 'loses')}
${pages > 0 && gains.length + loses.length === 0 && html`<p>${say('access.nobodyGainsOrLosesAccess')}</p>`}
</section>`;
}

function partyWords({ who, group }: AccessChange): Html {
  if (who === 'group')
    return html`${say('access.theGroupNamed', { name: html`<strong dir="auto">${group ?? ''}</strong>` })}`;
  return html`${{ everyone: say('access.everyone'), members: say('access.allMembers'), owners: say('access.owners') }[who]}`;
}
