/** Members, for administrators: invite, promote, deactivate. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { administerMember, listMembers } from '#core/members/administer-members.ts';
import { listSignUps } from '#core/members/approve-sign-up.ts';
import { inviteMember, listInvitations, revokeInvitation } from '#core/members/invite-member.ts';
import { makeResetLink, revokeResetLink } from '#core/members/reset-passphrase.ts';
import { resetSecondFactor } from '#core/members/second-factor.ts';
import { blockAt, type Member, type Role, roles } from '#core/model/member.ts';
import type { Invitation } from '#core/model/one-time-links.ts';
import { invalid } from '#core/model/problem.ts';
import { actionsHeading, copyOnce, emailWords, paging, readRange, table } from '../components.ts';
import { choices, errorSummary, field, selectField } from '../form-fields.ts';
import { chosenId, formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { count, dayOf, dayWords, momentOf } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site, Visit } from '../site.ts';

const shownMembers = 100;
const none = { limit: 1, offset: 0 };

const changes = {
  activate: { isActive: true },
  deactivate: { isActive: false },
};
export const roleNames = {
  guest: 'Guest',
  reader: 'Reader',
  writer: 'Writer',
  moderator: 'Moderator',
  administrator: 'Administrator',
} as const satisfies Record<Role, string>;

export function memberRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get('/members', async (_request, reply) => sendMembers(site, reply));

  const onForm = formRoutes(server, site, sendMembers, { codes: ['invalid'], returnsTo: '/members' });
  onForm(
    '/members',
    [
      'invitation-made',
      'invitation-revoked',
      'reset-link-made',
      'reset-link-revoked',
      'role-changed',
      'second-factor-ended',
      'sessions-ended',
      'member-activated',
      'member-deactivated',
    ],
    async (form, { visit }, reply) => {
      const { actor, now, origin } = visit;
      const by = { actor, signedInAt: visit.signedIn?.claims.signedInAt };
      const what = form.text('what');
      switch (what) {
        case 'invite': {
          const role = readRole(form.text('role') || 'writer');
          const email = form.text('email').trim() || undefined;
          const made = await inviteMember(store, secrets, actor, { role, email }, now);
          if (made.mailedTo !== undefined) return redirectWithNotice(reply, '/members', 'invitation-mailed');
          // The link is shown only once and stored as a hash, so the response is a page and not a redirect.
          const { token, expiresAt } = made;
          return sendMembers(site, reply, { link: { url: `${origin}/invite/${token}`, expiresAt, role } });
        }
        case 'reset': {
          const made = await makeResetLink(store, secrets, by, chosenId(form, 'id'), now);
          const { token, expiresAt, member } = made;
          const url = `${origin}/login/reset/${token}`;
          return sendMembers(site, reply, { link: { url, expiresAt, resets: member.name } });
        }
        case 'reset-factor':
          await resetSecondFactor(store, by, chosenId(form, 'id'), now);
          return redirectWithNotice(reply, '/members', 'member-saved');
        case 'revoke-reset':
          await revokeResetLink(store, actor, chosenId(form, 'id'));
          return redirectWithNotice(reply, '/members', 'reset-link-revoked');
        case 'revoke-invitation':
          await revokeInvitation(store, actor, chosenId(form, 'id'));
          return redirectWithNotice(reply, '/members', 'invitation-revoked');
        default: {
          const change = changeOf(what, form);
          await administerMember(store, actor, chosenId(form, 'id'), change);
          return redirectWithNotice(reply, '/members', 'member-saved');
        }
      }
    },
  );
}

function changeOf(what: string, form: Form) {
  if (what === 'role') return { role: readRole(form.text('role')) };
  if (Object.hasOwn(changes, what)) return changes[what as keyof typeof changes];
  throw invalid('/what', 'Choose what to change.');
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
  const { members, total } = await listMembers(site.service.store, visit.actor, range, visit.now);
  const invitations = await listInvitations(site.service.store, visit.actor, visit.now);
  const isOpen = site.service.signUp.mode !== 'invitation';
  const waiting = isOpen ? await listSignUps(site.service.store, visit.actor, none, visit.now) : undefined;
  const hasMail = site.service.store.mails.isOn;
  const main = html`<div class="plain members">
<h1>Members</h1>
<p class="lede">${count(total, 'member')}.</p>
${errorSummary(message)}
${
  link &&
  copyOnce(
    html`${
      link.resets === undefined
        ? html`Pass on this link to the person${link.role !== 'writer' && html` who becomes <strong>${link.role}</strong>`}. It works once, until ${dayOf(link.expiresAt, visit.now)}`
        : html`Pass on this link to <strong dir="auto">${link.resets}</strong>, who can choose a new passphrase with it. It works once, until ${momentOf(link.expiresAt)}`
    }, and is not shown again.`,
    { id: 'invite-link', label: 'Link', value: link.url },
  )
}
<form method="post" action="/members" class="invite-form"><input type="hidden" name="what" value="invite">
${hasMail && field('email', html`E-mail <span class="quiet">(or leave empty and pass on the link yourself)</span>`, html`type="email" autocomplete="off"`, { id: 'invite-email' })}
${selectField('role', 'Role', choices(Object.entries(roleNames), 'writer'), { id: 'invite-role' })} <button type="submit" class="button">${hasMail ? 'Invite' : 'Make an invitation link'}</button></form>
<p>${waiting && html`<a href="/members/waiting">Sign-up requests</a>${waiting.total > 0 && html` <span class="count">${waiting.total}</span>`} · `}<a href="/members/mail">${hasMail ? 'Unsent mail' : 'Links to pass on'}</a> · <a href="/members/groups">Groups</a> · <a href="/members/blocked">Blocked members</a> · <a href="/members/webhooks">Webhooks</a> · <a href="/members/audit">Audit log</a> · <a href="/import">Import</a> · <a href="/settings">Settings</a></p>
${table(
  'rows member-table',
  ['Name', 'E-mail', 'Since', 'Role', actionsHeading],
  members.map((member) => row(member, visit)),
)}
${paging(url, range, total)}
${
  invitations.length > 0 &&
  html`<section id="invitations"><h2>Open invitations <span class="count">${invitations.length}</span></h2>
<p class="quiet">Each link works once. It stops working when the administrator who made it loses that role or chooses a new passphrase.</p>
${table(
  'rows member-table',
  ['Made', 'By', 'For', 'Works until', actionsHeading],
  invitations.map((one) => invitationRow(one, visit.now)),
)}</section>`
}
</div>`;
  return sendLayout(site, reply, { title: 'Members', kind: 'members', main, status });
}

function readRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (!role) throw invalid('/role', `A role is one of ${roles.join(', ')}.`);
  return role;
}

function invitationRow({ id, role, inviter, createdAt, expiresAt }: Invitation, now: number): Html {
  return html`<tr><th scope="row">${dayOf(createdAt, now)}</th><td dir="auto">${inviter?.name ?? 'the command line'}</td><td>${roleNames[role]}</td><td>${dayOf(expiresAt, now)}</td>
<td class="row-actions"><form method="post" action="/members"><input type="hidden" name="id" value="${id}"><button type="submit" name="what" value="revoke-invitation" aria-label="Revoke the invitation made on ${dayWords(createdAt, now)} by ${inviter?.name ?? 'the command line'}">Revoke</button></form></td></tr>`;
}

function row(member: Member & { hasResetLink: boolean; hasFactors: boolean }, { actor, now }: Visit): Html {
  const isSelf = actor?.memberId === member.id;
  const action = (
    what: keyof typeof changes | 'role' | 'reset' | 'revoke-reset' | 'reset-factor',
    words: string,
  ) =>
    html`<button type="submit" name="what" value="${what}" aria-label="${words}: ${member.name}">${words}</button>`;
  return html`<tr${!member.isActive && html` class="inactive"`}><th scope="row" dir="auto">${member.name}${isSelf && html` <span class="quiet">(you)</span>`}</th><td>${emailWords(member.email)}</td><td>${dayOf(member.createdAt, now)}</td>
<td>${roleOf(member)}${blockAt(member, now) && html`, <a href="/members/blocked">blocked</a>`}</td>
<td class="row-actions"><form method="post" action="/members"><input type="hidden" name="id" value="${member.id}">${member.isActive && html`<label class="unseen" for="role-${member.id}">Role of ${member.name}</label><select id="role-${member.id}" name="role">${choices(Object.entries(roleNames), member.role)}</select> ${action('role', 'Change role')}`}
${member.isActive && !isSelf && !member.isBot && html`${action('reset', 'Make a reset link')}${member.hasResetLink && action('revoke-reset', 'Revoke reset link')}`}
${!isSelf && member.hasFactors && action('reset-factor', 'Reset second factor and passkeys')}
${member.isActive ? action('deactivate', 'Deactivate') : action('activate', 'Activate')}</form></td></tr>`;
}

function roleOf({ isActive, isBot, role }: Member): string {
  return isActive ? `${roleNames[role]}${isBot ? ', bot' : ''}` : 'Deactivated';
}
