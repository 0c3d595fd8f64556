/** Members, for administrators: invite, promote, deactivate. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { invitation, invitationList, invitationRevocation } from '#core/joining/invitation-operations.ts';
import { signUpList } from '#core/joining/sign-up-operations.ts';
import { memberChange, memberList } from '#core/members/operations.ts';
import { blockAt, type Member, type Role, roles } from '#core/model/member.ts';
import type { Invitation } from '#core/model/one-time-links.ts';
import { invalid } from '#core/model/problem.ts';
import { resetLinkMaking, resetLinkRevocation } from '#core/sign-in/reset-link-operations.ts';
import { secondFactorReset } from '#core/sign-in/second-factor-operations.ts';
import { say } from '#words/say.ts';
import { actionsHeading, copyOnce, emailWords, paging, readRange, table } from '../../components.ts';
import { choices, errorSummary, field, selectField } from '../../form-fields.ts';
import { chosenId, formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { dayOf, dayWords, momentOf } from '../../format.ts';
import type { Form } from '../../forms.ts';
import { type Html, type HtmlValue, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site, Visit } from '../../site.ts';

const shownMembers = 100;
const none = { limit: 1, offset: 0 };

const changes = {
  activate: { isActive: true },
  deactivate: { isActive: false },
};
export const roleNames = {
  guest: say('members.guest'),
  reader: say('members.reader'),
  writer: say('members.writer'),
  moderator: say('members.moderator'),
  administrator: say('members.administrator'),
} as const satisfies Record<Role, Words>;

export function memberRoutes(server: FastifyInstance, site: Site): void {
  server.get('/members', reads(memberList, invitationList, signUpList), async (_request, reply) =>
    sendMembers(site, reply),
  );

  const onForm = formRoutes(server, site, sendMembers, { codes: ['invalid'], returnsTo: '/members' });
  onForm(
    '/members',
    [invitation, invitationRevocation, resetLinkMaking, resetLinkRevocation, secondFactorReset, memberChange],
    async (form, request, reply) => {
      const { origin } = request.visit;
      const carry = carryFor(site, request);
      const what = form.text('what');
      switch (what) {
        case 'invite': {
          const role = readRole(form.text('role') || 'writer');
          const email = form.text('email').trim() || undefined;
          const made = await carry(invitation, { role, email });
          if (made.mailedTo !== undefined) return redirectWithNotice(reply, '/members', 'invitation-mailed');
          // The link is shown only once and stored as a hash, so the response is a page and not a redirect.
          const { token, expiresAt } = made;
          return sendMembers(site, reply, { link: { url: `${origin}/invite/${token}`, expiresAt, role } });
        }
        case 'reset': {
          const made = await carry(resetLinkMaking, { id: chosenId(form, 'id') });
          const { token, expiresAt, member } = made;
          const url = `${origin}/login/reset/${token}`;
          return sendMembers(site, reply, { link: { url, expiresAt, resets: member.name } });
        }
        case 'reset-factor':
          await carry(secondFactorReset, { id: chosenId(form, 'id') });
          return redirectWithNotice(reply, '/members', 'member-saved');
        case 'revoke-reset':
          await carry(resetLinkRevocation, { id: chosenId(form, 'id') });
          return redirectWithNotice(reply, '/members', 'reset-link-revoked');
        case 'revoke-invitation':
          await carry(invitationRevocation, { id: chosenId(form, 'id') });
          return redirectWithNotice(reply, '/members', 'invitation-revoked');
        default: {
          const change = changeOf(what, form);
          await carry(memberChange, { id: chosenId(form, 'id'), ...change });
          return redirectWithNotice(reply, '/members', 'member-saved');
        }
      }
    },
  );
}

function changeOf(what: string, form: Form) {
  if (what === 'role') return { role: readRole(form.text('role')) };
  if (Object.hasOwn(changes, what)) return changes[what as keyof typeof changes];
  throw invalid('/what', say('members.chooseWhatToChange'));
}

/** An invitation, or a link for choosing a new passphrase. */
interface ShownLink {
  url: string;
  expiresAt: number;
  role?: Role;
  resets?: string;
}

async function sendMembers(
  site: Site,
  reply: FastifyReply,
  { link, message, status }: RefusedForm & { link?: ShownLink } = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shownMembers);
  const carry = carryFor(site, reply.request);
  const { items: members, total } = await carry(memberList, range);
  const invitations = await carry(invitationList, {});
  const isOpen = site.service.signUp.mode !== 'invitation';
  const waiting = isOpen ? await carry(signUpList, none) : undefined;
  const hasMail = site.service.store.mails.isOn;
  const main = html`<div class="plain members">
<h1>${say('members.members')}</h1>
<p class="lede">${say('count.members', { count: total })}.</p>
${errorSummary(message)}
${
  link &&
  copyOnce(
    link.resets === undefined
      ? say('members.passOnThisLink', {
          role: link.role ?? 'writer',
          name: html`<strong>${roleNames[link.role ?? 'writer']}</strong>`,
          time: dayOf(link.expiresAt, visit.now),
        })
      : say('members.passOnThisLinkToResetsWhoCan', {
          resets: html`<strong dir="auto">${link.resets}</strong>`,
          time: momentOf(link.expiresAt),
        }),
    { id: 'invite-link', label: say('common.link'), value: link.url },
  )
}
<form method="post" action="/members" class="invite-form"><input type="hidden" name="what" value="invite">
${
  hasMail &&
  field(
    'email',
    html`${say('members.eMailOrLeaveEmptyAndPassOn', { span: (words) => html`<span class="quiet">${words}</span>` })}`,
    html`type="email" autocomplete="off"`,
    { id: 'invite-email' },
  )
}
${selectField('role', say('members.role'), choices(Object.entries(roleNames), 'writer'), { id: 'invite-role' })} <button type="submit" class="button">${
    hasMail ? say('members.invite') : say('members.makeAnInvitationLink')
  }</button></form>
<p>${
    visit.strangers !== 'off' &&
    html`<a href="/members/submissions">${say('strangers.submissions')}</a>${visit.submitted > 0 && html` <span class="count">${visit.submitted}</span>`} · `
  }${
    waiting &&
    html`<a href="/members/waiting">${say('common.signUpRequests')}</a>${waiting.total > 0 && html` <span class="count">${waiting.total}</span>`} · `
  }<a href="/members/mail">${
    hasMail ? say('members.unsentMail') : say('members.linksToPassOn')
  }</a> · <a href="/members/groups">${say('members.groups')}</a> · <a href="/members/blocked">${say(
    'common.blockedMembers',
  )}</a> · <a href="/members/webhooks">${say(
    'members.webhooks',
  )}</a> · <a href="/members/audit">${say('members.auditLog')}</a> · <a href="/import">${say('members.import')}</a> · <a href="/settings">${say('members.settings')}</a></p>
${table(
  'rows member-table',
  [say('common.name'), say('account.eMail'), say('members.since'), say('members.role'), actionsHeading],
  members.map((member) => row(member, visit)),
)}
${paging(url, range, total)}
${
  invitations.length > 0 &&
  html`<section id="invitations"><h2>${say('members.openInvitationsLength', { length: html`<span class="count">${invitations.length}</span>` })}</h2>
<p class="quiet">${say('members.eachLinkWorksOnceItStops')}</p>
${table(
  'rows member-table',
  [say('members.made'), say('members.by'), say('members.for'), say('members.worksUntil'), actionsHeading],
  invitations.map((one) => invitationRow(one, visit.now)),
)}</section>`
}
</div>`;
  return sendLayout(site, reply, { title: say('members.members'), kind: 'members', main, status });
}

function readRole(text: string): (typeof roles)[number] {
  const role = roles.find((one) => one === text);
  if (!role) throw invalid('/role', say('members.aRoleIsOneOf', { roles: roles.join(', ') }));
  return role;
}

function invitationRow({ id, role, inviter, createdAt, expiresAt }: Invitation, now: number): Html {
  return html`<tr><th scope="row">${dayOf(createdAt, now)}</th><td dir="auto">${inviter?.name ?? say('members.theCommandLine')}</td><td>${roleNames[role]}</td><td>${dayOf(expiresAt, now)}</td>
<td class="row-actions"><form method="post" action="/members"><input type="hidden" name="id" value="${id}"><button type="submit" name="what" value="revoke-invitation" aria-label="${say(
    'members.revokeTheInvitation',
    { time: dayWords(createdAt, now), name: inviter?.name ?? say('members.theCommandLine') },
  )}">${say('members.revoke')}</button></form></td></tr>`;
}

function row(member: Member & { hasResetLink: boolean; hasFactors: boolean }, { actor, now }: Visit): Html {
  const isSelf = actor?.memberId === member.id;
  const action = (
    what: keyof typeof changes | 'role' | 'reset' | 'revoke-reset' | 'reset-factor',
    words: Words,
  ) =>
    html`<button type="submit" name="what" value="${what}" aria-label="${words}: ${member.name}">${words}</button>`;
  return html`<tr${!member.isActive && html` class="inactive"`}><th scope="row" dir="auto">${member.name}${
    isSelf && html` <span class="quiet">${say('members.you')}</span>`
  }</th><td>${emailWords(member.email)}</td><td>${dayOf(member.createdAt, now)}</td>
<td>${roleOf(member)}${blockAt(member, now) && html`, <a href="/members/blocked">${say('members.blocked')}</a>`}</td>
<td class="row-actions"><form method="post" action="/members"><input type="hidden" name="id" value="${member.id}">${
    member.isActive &&
    html`<label class="unseen" for="role-${member.id}">${say('members.roleOfName', {
      name: member.name,
    })}</label><select id="role-${member.id}" name="role">${choices(Object.entries(roleNames), member.role)}</select> ${action('role', say('members.changeRole'))}`
  }
${member.isActive && !isSelf && !member.isBot && html`${action('reset', say('members.makeAResetLink'))}${member.hasResetLink && action('revoke-reset', say('members.revokeResetLink'))}`}
${!isSelf && member.hasFactors && action('reset-factor', say('members.resetSecondFactorAndPasskeys'))}
${member.isActive ? action('deactivate', say('members.deactivate')) : action('activate', say('members.activate'))}</form></td></tr>`;
}

function roleOf({ isActive, isBot, role }: Member): HtmlValue {
  return isActive ? [roleNames[role], isBot && html`, ${say('members.bot')}`] : say('members.deactivated');
}
