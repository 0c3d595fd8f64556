/** Becoming a member by a link that works once; the first of them makes the first administrator. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { acceptInvitation, findInvitation } from '#domain/members/invite-member.ts';
import { minPassphraseLength } from '#domain/members/manage-members.ts';
import type { Role } from '#domain/members/member.ts';
import { authenticate } from '#domain/members/sign-in.ts';
import { Problem } from '#domain/problem.ts';
import { described, errorSummary, mistake } from '../components.ts';
import { type Form, formFrom, readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { providerButtons } from '../providers.ts';
import { type RefusedForm, refusalOf } from '../refusal.ts';
import { rememberDevice } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { deviceOf, leaveNotice, startSession } from '../visitor.ts';

export function inviteRoutes(server: FastifyInstance, site: Site): void {
  const { store, passphrases, secrets } = site.service;

  for (const kind of ['invite', 'setup'] as const) {
    server.get<{ Params: { token: string } }>(`/${kind}/:token`, async (request, reply) => {
      const { token } = request.params;
      const invitation = await findInvitation(store, secrets, token, request.visit.now);
      if (!invitation) return sendSpent(site, reply, kind);
      return sendForm(site, reply, { kind, form: formFrom([]), role: invitation.role });
    });

    server.post<{ Params: { token: string } }>(
      `/${kind}/:token`,
      { config: { audit: ['member-joined', 'signed-in'] } },
      async (request, reply) => {
        const { token } = request.params;
        const form = await readForm(site, request);
        const { now } = request.visit;
        const [email, name, pass] = [form.text('email'), form.text('name'), form.text('pass')];
        try {
          await site.limits.countInvitation(request);
          if (pass !== form.text('pass-again')) {
            const detail = 'The two passphrases are not the same.';
            throw new Problem('invalid', detail, { errors: [{ pointer: '/pass-again', detail }] });
          }
          await acceptInvitation(store, passphrases, secrets, { token, email, name, pass }, now);
        } catch (error) {
          const refused = refusalOf(error);
          const invitation = await findInvitation(store, secrets, token, now);
          if (!invitation) return sendSpent(site, reply, kind);
          return sendForm(site, reply, { kind, form, role: invitation.role, ...refused });
        }
        await rememberDevice(site, request, reply, email);
        const claims = await authenticate(store, site.service, { email, pass }, deviceOf(request), now);
        await startSession(site, request, reply, claims);
        leaveNotice(request, reply, 'welcome');
        return reply.redirect('/', 303);
      },
    );
  }
}

const invitedAs = {
  reader: 'You are invited. Choose a name and a passphrase, and you can read what members read.',
  writer: 'You are invited. Choose a name and a passphrase, and you can write.',
  moderator: 'You are invited as a moderator.',
  administrator: 'You are invited as an administrator.',
} as const satisfies Record<Role, string>;

interface Shown extends RefusedForm {
  kind: 'invite' | 'setup';
  form: Form;
  role: Role;
}

function sendForm(site: Site, reply: FastifyReply, shown: Shown): FastifyReply {
  const { kind, form, role, errors = [] } = shown;
  const { name } = site.settings;
  const main = html`<div class="plain">
<h1>${kind === 'setup' ? html`Set up ${name}` : html`Welcome to ${name}`}</h1>
<p class="lede">${kind === 'setup' ? 'You are the first: this account will look after the wiki and can invite the others.' : invitedAs[role]}</p>
${errorSummary(shown.message)}
<form method="post" class="narrow-form">
<div class="field"><label for="name">Name</label><input id="name" name="name" autocomplete="name" required value="${form.text('name')}" dir="auto"${described(errors, 'name', 'name-hint')}><p class="hint" id="name-hint">Shown beside what you write.</p>${mistake(errors, 'name')}</div>
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required value="${form.text('email')}"${described(errors, 'email', 'email-hint')}><p class="hint" id="email-hint">To sign in with. Never shown to other members.</p>${mistake(errors, 'email')}</div>
<div class="field"><label for="pass">Passphrase</label><input id="pass" name="pass" type="password" autocomplete="new-password" required minlength="${minPassphraseLength}"${described(errors, 'pass', 'pass-hint')}><p class="hint" id="pass-hint">At least ${minPassphraseLength} characters. A few words in a row are easy to keep and hard to guess.</p>${mistake(errors, 'pass')}</div>
<div class="field"><label for="pass-again">Passphrase again</label><input id="pass-again" name="pass-again" type="password" autocomplete="new-password" required${described(errors, 'pass-again')}>${mistake(errors, 'pass-again')}</div>
<div class="buttons"><button type="submit" class="button">Create account</button></div>
</form>
${providerButtons(site, { intent: 'join', token: (reply.request.params as { token: string }).token })}
</div>`;
  const title = kind === 'setup' ? `Set up ${name}` : 'Your invitation';
  return sendLayout(site, reply, { title, kind: 'invite', main, status: shown.status });
}

function sendSpent(site: Site, reply: FastifyReply, kind: 'invite' | 'setup'): FastifyReply {
  const main = html`<div class="plain"><h1>This link does not work any more</h1>
<p class="lede">${kind === 'setup' ? 'Either the first administrator is set up already, or this is not the whole link that the wiki’s log shows.' : 'It was used already or revoked, or it is older than seven days, or the administrator who made it is none any more. Ask an administrator for a new one.'}</p>
<p><a href="/login">Sign in</a> · <a href="/">Go to the start</a></p></div>`;
  return sendLayout(site, reply, {
    title: 'This link does not work any more',
    kind: 'invite',
    main,
    status: 404,
  });
}
