/** Choosing a new passphrase by a one-time link, mailed or made by an administrator. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { minPassphraseLength } from '#domain/members/manage-members.ts';
import type { Member } from '#domain/members/member.ts';
import { findResetLink, resetPassphrase } from '#domain/members/reset-passphrase.ts';
import { type FieldError, invalid, Problem } from '#domain/problem.ts';
import { problemKinds } from '#http/problems.ts';
import { described, errorSummary, mistake } from '../components.ts';
import { readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';
import { endSession, leaveNotice } from '../visitor.ts';

type ByToken = { Params: { token: string } };

export function resetRoutes(server: FastifyInstance, site: Site): void {
  const { store, passphrases, secrets } = site.service;

  server.get<ByToken>('/login/reset/:token', async (request, reply) => {
    const member = await findResetLink(store, secrets, request.params.token, request.visit.now);
    return member ? sendForm(site, reply, member) : sendSpent(site, reply);
  });

  server.post<ByToken>(
    '/login/reset/:token',
    { config: { audit: ['passphrase-changed'] } },
    async (request, reply) => {
      const { token } = request.params;
      const { now } = request.visit;
      const form = await readForm(site, request);
      const pass = form.text('pass');
      try {
        await site.limits.countInvitation(request);
        if (pass !== form.text('pass-again'))
          throw invalid('/pass-again', 'The two passphrases are not the same.');
        await resetPassphrase(store, passphrases, secrets, { token, pass }, now);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const member = await findResetLink(store, secrets, token, now);
        if (!member) return sendSpent(site, reply);
        return sendForm(site, reply, member, error);
      }
      // The member who was signed in here may be somebody else, and the next step shows that they know the
      // passphrase.
      endSession(request, reply);
      leaveNotice(request, reply, 'passphrase-reset');
      return reply.redirect('/login', 303);
    },
  );
}

function sendForm(site: Site, reply: FastifyReply, member: Member, problem?: Problem): FastifyReply {
  const errors: FieldError[] = problem?.errors ?? [];
  const main = html`<div class="plain"><h1>Choose a new passphrase</h1>
<p class="lede">For the account of <span dir="auto">${member.name}</span> (${member.email}). It replaces the old passphrase and signs you out everywhere.</p>
${errorSummary(problem?.message)}
<form method="post" class="narrow-form">
<input type="text" name="username" autocomplete="username" value="${member.email}" hidden>
<div class="field"><label for="pass">New passphrase</label><input id="pass" name="pass" type="password" autocomplete="new-password" required autofocus minlength="${minPassphraseLength}"${described(errors, 'pass', 'pass-hint')}><p class="hint" id="pass-hint">At least ${minPassphraseLength} characters. A few words in a row are easy to keep and hard to guess.</p>${mistake(errors, 'pass')}</div>
<div class="field"><label for="pass-again">New passphrase again</label><input id="pass-again" name="pass-again" type="password" autocomplete="new-password" required${described(errors, 'pass-again')}>${mistake(errors, 'pass-again')}</div>
<div class="buttons"><button type="submit" class="button">Set passphrase</button></div>
</form></div>`;
  const layout = { title: 'Choose a new passphrase', kind: 'login', main };
  return sendLayout(site, reply, { ...layout, status: problem ? problemKinds[problem.code].status : 200 });
}

function sendSpent(site: Site, reply: FastifyReply): FastifyReply {
  const title = 'This link does not work any more';
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">It was used already or replaced by a newer one, or it is too old. <a href="/login/forgot">Ask for a new one</a>.</p>
<p><a href="/login">Sign in</a> · <a href="/">Go to the start</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status: 404 });
}
