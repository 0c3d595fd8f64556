/** Members, for administrators: invite, promote, deactivate. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { administerMember, listMembers } from '#domain/members/administer-members.ts';
import { listSignUps } from '#domain/members/approve-sign-up.ts';
import { inviteMember, listInvitations, revokeInvitation } from '#domain/members/invite-member.ts';
import { blockAt, type Member, type Role, roles } from '#domain/members/member.ts';
import type { Invitation } from '#domain/members/one-time-links.ts';
import { makeResetLink, revokeResetLink } from '#domain/members/reset-passphrase.ts';
import { resetSecondFactor } from '#domain/members/second-factor.ts';
import { invalid } from '#domain/problem.ts';
import { errorSummary, paging, readRange } from '../components.ts';
import { count, dayOf, dayWords, momentOf } from '../format.ts';
import { chosenId, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { needsRecentSignIn, type RefusedForm, refusalOf, signInAgain } from '../refusal.ts';
import type { Site, Visit } from '../site.ts';
import { leaveNotice } from '../visitor.ts';

const shownMembers = 100;
const none = { limit: 1, offset: 0 };

const changes = {
  activate: { isActive: true },
  deactivate: { isActive: false },
};
export const roleNames = {
  reader: 'Reader',
  writer: 'Writer',
  moderator: 'Moderator',
  administrator: 'Administrator',
} as const satisfies Record<Role, string>;

export function memberRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get('/members', async (_request, reply) => sendMembers(site, reply, {}));

  server.post(
    '/members',
    {
      config: {
        audit: [
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
      },
    },
    async (request, reply) => {
      const { actor, now, origin } = request.visit;
      const form = await readForm(site, request);
      const what = form.text('what');
      try {
        if (what === 'invite') {
          const role = readRole(form.text('role') || 'writer');
          const email = form.text('email').trim() || undefined;
          const { token, mailedTo, expiresAt } = await inviteMember(
            store,
            secrets,
            actor,
            { role, email },
            now,
          );
          if (mailedTo !== undefined) {
            leaveNotice(request, reply, 'invitation-mailed');
            return reply.redirect('/members', 303);
          }
          // The link is shown once and stored only as a hash, so the response is a page and not a redirect.
          return sendMembers(site, reply, {
            link: { url: `${origin}/invite/${token}`, expiresAt, role },
          });
        }
        if (what === 'reset') {
          const by = { actor, signedInAt: request.visit.signedIn?.claims.signedInAt };
          const made = await makeResetLink(store, secrets, by, chosenId(form, 'id'), now);
          return sendMembers(site, reply, {
            link: {
              url: `${origin}/login/reset/${made.token}`,
              expiresAt: made.expiresAt,
              resets: made.member.name,
            },
          });
        }
        if (what === 'reset-factor') {
          const by = { actor, signedInAt: request.visit.signedIn?.claims.signedInAt };
          await resetSecondFactor(store, by, chosenId(form, 'id'), now);
          leaveNotice(request, reply, 'member-saved');
          return reply.redirect('/members', 303);
        }
        if (what === 'revoke-reset') {
          await revokeResetLink(store, actor, chosenId(form, 'id'));
          leaveNotice(request, reply, 'reset-link-revoked');
          return reply.redirect('/members', 303);
        }
        if (what === 'revoke-invitation') {
          await revokeInvitation(store, actor, chosenId(form, 'id'));
          leaveNotice(request, reply, 'invitation-revoked');
          return reply.redirect('/members', 303);
        }
        if (what !== 'role' && !Object.hasOwn(changes, what))
          throw invalid('/what', 'Choose what to change.');
        const fields =
          what === 'role' ? { role: readRole(form.text('role')) } : changes[what as keyof typeof changes];
        await administerMember(store, actor, chosenId(form, 'id'), fields);
      } catch (error) {
        if (needsRecentSignIn(error)) return signInAgain(reply, '/members');
        return sendMembers(site, reply, refusalOf(error, ['invalid']));
      }
      leaveNotice(request, reply, 'member-saved');
      return reply.redirect('/members', 303);
    },
  );
}

/** An invitation, or a link by which the named member chooses a new passphrase. */
interface ShownLink {
  url: string;
  expiresAt: number;
  role?: Role;
  resets?: string;
}

async function sendMembers(
  site: Site,
  reply: FastifyReply,
  shown: RefusedForm & { link?: ShownLink },
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shownMembers);
  const { members, total } = await listMembers(site.service.store, visit.actor, range, visit.now);
  const invitations = await listInvitations(site.service.store, visit.actor, visit.now);
  const { link } = shown;
  const isOpen = site.service.signUp.mode !== 'invitation';
  const waiting = isOpen ? await listSignUps(site.service.store, visit.actor, none, visit.now) : undefined;
  const hasMail = site.service.store.mails.isOn;
  const main = html`<div class="plain members">
<h1>Members</h1>
<p class="lede">${count(total, 'member')}.</p>
${errorSummary(shown.message)}
${
  link &&
  html`<div class="banner" role="status"><p>${
    link.resets === undefined
      ? html`Hand this link to the person${link.role !== 'writer' && html` who shall become <strong>${link.role}</strong>`}. It works once, until ${dayOf(link.expiresAt, visit.now)}`
      : html`Hand this link to <strong dir="auto">${link.resets}</strong>, who chooses a new passphrase by it. It works once, until ${momentOf(link.expiresAt)}`
  }, and is not shown again.</p>
<p><label class="unseen" for="invite-link">Link</label><input id="invite-link" class="link-out" readonly value="${link.url}"></p></div>`
}
<form method="post" action="/members" class="invite-form"><input type="hidden" name="what" value="invite">
${hasMail && html`<div class="field"><label for="invite-email">E-mail <span class="quiet">(or leave it empty and hand the link on)</span></label><input id="invite-email" name="email" type="email" autocomplete="off"></div>`}
<div class="field"><label for="invite-role">Role</label>${roleSelect('invite-role', 'writer')}</div> <button type="submit" class="button">${hasMail ? 'Invite' : 'Make an invitation link'}</button></form>
<p>${waiting && html`<a href="/members/waiting">Waiting to join</a>${waiting.total > 0 && html` <span class="count">${waiting.total}</span>`} · `}<a href="/members/mail">${hasMail ? 'Mail that was not sent' : 'Links to hand on'}</a> · <a href="/members/groups">Groups</a> · <a href="/members/blocked">Blocked members</a> · <a href="/members/webhooks">Webhooks</a> · <a href="/members/audit">Audit log</a> · <a href="/import">Import</a></p>
<div class="wide-box"><table class="member-table"><thead><tr><th scope="col">Name</th><th scope="col">E-mail</th><th scope="col">Since</th><th scope="col">Role</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>${members.map((member) => row(member, visit))}</tbody></table></div>
${paging(url, range, total)}
${
  invitations.length > 0 &&
  html`<section id="invitations"><h2>Open invitations <span class="count">${invitations.length}</span></h2>
<p class="quiet">Each works once. It ends when the administrator who made it is one no more, or chooses a new passphrase.</p>
<div class="wide-box"><table class="member-table"><thead><tr><th scope="col">Made</th><th scope="col">By</th><th scope="col">For</th><th scope="col">Works until</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>${invitations.map((invitation) => invitationRow(invitation, visit.now))}</tbody></table></div></section>`
}
</div>`;
  return sendLayout(site, reply, { title: 'Members', kind: 'members', main, status: shown.status });
}

function readRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (!role) throw invalid('/role', `A role is one of ${roles.join(', ')}.`);
  return role;
}

function roleSelect(id: string, chosen: Role): Html {
  return html`<select id="${id}" name="role">${roles.map((role) => html`<option value="${role}"${role === chosen && html` selected`}>${roleNames[role]}</option>`)}</select>`;
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
  return html`<tr${!member.isActive && html` class="inactive"`}><th scope="row" dir="auto">${member.name}${isSelf && html` <span class="quiet">(you)</span>`}</th><td>${member.email}</td><td>${dayOf(member.createdAt, now)}</td>
<td>${roleOf(member)}${blockAt(member, now) && html`, <a href="/members/blocked">blocked</a>`}</td>
<td class="row-actions"><form method="post" action="/members"><input type="hidden" name="id" value="${member.id}">${member.isActive && html`<label class="unseen" for="role-${member.id}">Role of ${member.name}</label>${roleSelect(`role-${member.id}`, member.role)} ${action('role', 'Change role')}`}
${member.isActive && !isSelf && !member.isBot && html`${action('reset', 'Make a reset link')}${member.hasResetLink && action('revoke-reset', 'Revoke reset link')}`}
${!isSelf && member.hasFactors && action('reset-factor', 'Reset second factor and passkeys')}
${member.isActive ? action('deactivate', 'Deactivate') : action('activate', 'Activate')}</form></td></tr>`;
}

function roleOf({ isActive, isBot, role }: Member): string {
  return isActive ? `${roleNames[role]}${isBot ? ', bot' : ''}` : 'Deactivated';
}
