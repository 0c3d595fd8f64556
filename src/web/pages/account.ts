/** What members see and change of themselves. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changeOwnName, changeOwnPassphrase, getOwnAccount } from '#domain/change-account.ts';
import { minPassphraseLength } from '#domain/manage-members.ts';
import { type FieldError, invalid, Problem } from '#domain/problem.ts';
import { authenticate } from '#domain/sign-in.ts';
import { problemKinds } from '#http/problems.ts';
import { readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendFrame } from '../layout.ts';
import { described, errorSummary, mistake } from '../parts.ts';
import { linkedProviders } from '../providers.ts';
import type { Site } from '../site.ts';
import { leaveNotice, refuseForeign, signedInAt, startSession } from '../visitor.ts';
import { accountKey } from './kept.ts';

export function accountRoutes(server: FastifyInstance, site: Site): void {
  const { store, passphrases } = site.service;

  server.get('/account', async (request, reply) => sendAccount(site, request, reply, {}));

  server.post('/account', async (request, reply) => {
    refuseForeign(request);
    const { actor, now } = request.visit;
    const form = await readForm(site, request);
    try {
      if (form.text('what') === 'name') {
        await changeOwnName(store, actor, form.text('name'));
        leaveNotice(request, reply, 'account-saved');
        return reply.redirect('/account', 303);
      }
      const pass = form.text('pass');
      if (pass !== form.text('pass-again'))
        throw invalid('/pass-again', 'The two passphrases are not the same.');
      const { email } = await getOwnAccount(store, actor);
      await site.limits.countSignIn(request, accountKey(email));
      const input = { current: form.text('current'), pass, signedInAt: await signedInAt(site, request) };
      await changeOwnPassphrase(store, passphrases, actor, input, now);
      // All older tokens are dead, this browser's too: it gets a new one.
      startSession(request, reply, await authenticate(store, site.service, { email, pass }, now));
      leaveNotice(request, reply, 'passphrase-saved');
      return reply.redirect('/account', 303);
    } catch (error) {
      if (error instanceof Problem && error.details?.again) {
        return reply.redirect(`/login/again?next=${encodeURIComponent('/account')}`, 303);
      }
      if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
      const shown = {
        message: error.message,
        errors: error.errors ?? [],
        name: form.has('name') ? form.text('name') : undefined,
      };
      return sendAccount(site, request, reply, shown, problemKinds[error.code].status);
    }
  });
}

async function sendAccount(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { message?: string; errors?: FieldError[]; name?: string | undefined },
  status = 200,
): Promise<FastifyReply> {
  const { visit } = request;
  const { errors = [] } = shown;
  const member = await getOwnAccount(site.service.store, visit.actor);
  const main = html`<div class="plain account">
<h1>Your account</h1>
<p class="lede">Signed in as <span dir="auto">${member.name}</span> (${member.email})${member.isAdmin && ', an administrator'}.</p>
${errorSummary(shown.message)}
<div class="buttons"><form method="post" action="/logout"><button type="submit" class="button">Sign out</button></form>
<form method="post" action="/logout"><button type="submit" name="where" value="everywhere" class="button quiet-button">Sign out everywhere</button></form></div>
<section><h2>Name</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="name">
<div class="field"><label for="name">Shown beside what you write</label><input id="name" name="name" autocomplete="name" required value="${shown.name ?? member.name}" dir="auto"${described(errors, 'name')}>${mistake(errors, 'name')}</div>
<div class="buttons"><button type="submit" class="button">Change name</button></div></form></section>
<section><h2>Passphrase</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="passphrase">
<input type="text" name="username" autocomplete="username" value="${member.email}" hidden>
${member.passphraseHash !== null && html`<div class="field"><label for="current">Current passphrase</label><input id="current" name="current" type="password" autocomplete="current-password" required${described(errors, 'current')}>${mistake(errors, 'current')}</div>`}
<div class="field"><label for="pass">New passphrase</label><input id="pass" name="pass" type="password" autocomplete="new-password" required minlength="${minPassphraseLength}"${described(errors, 'pass', 'pass-hint')}><p class="hint" id="pass-hint">At least ${minPassphraseLength} characters.</p>${mistake(errors, 'pass')}</div>
<div class="field"><label for="pass-again">New passphrase again</label><input id="pass-again" name="pass-again" type="password" autocomplete="new-password" required${described(errors, 'pass-again')}>${mistake(errors, 'pass-again')}</div>
<div class="buttons"><button type="submit" class="button">Change passphrase</button></div>
<p class="hint">Changing it signs you out on every other device.</p></form></section>
${await linkedProviders(site, visit)}
<section id="drafts" data-drafts hidden><h2>Drafts in this browser</h2></section>
</div>`;
  return sendFrame(
    site,
    visit,
    reply,
    { title: 'Your account', kind: 'account', main, scripts: ['account'] },
    status,
  );
}
