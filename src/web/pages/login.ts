/** Signing in and out. The response does not reveal which credential was wrong. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { signOut } from '#domain/members/end-sessions.ts';
import { Problem } from '#domain/problem.ts';
import { problemKinds } from '#http/problems.ts';
import { errorSummary } from '../components.ts';
import { readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { passkeyButton } from '../passkey-button.ts';
import { providerButtons } from '../providers.ts';
import { leaveSignInNotice, openTicket, pageAfterSignIn, sealTicket, signIn } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { endSession, leaveNotice, returnAddress } from '../visitor.ts';

export function loginRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/login', async (request, reply) => {
    const next = returnAddress(new URL(request.url, request.visit.origin).searchParams.get('next'));
    if (request.visit.actor) return reply.redirect(next, 303);
    return sendLogin(site, reply, { next });
  });

  server.post('/login', { config: { audit: ['signed-in', 'sign-in-failed'] } }, async (request, reply) => {
    const form = await readForm(site, request);
    const email = form.text('email');
    const next = returnAddress(form.text('next'));
    const ticket = form.text('ticket');
    try {
      const credentials =
        ticket === ''
          ? { email, pass: form.text('pass') }
          : await openTicket(site, ticket, form.text('code'));
      const claims = await signIn(site, request, reply, credentials);
      await leaveSignInNotice(site, request, reply, claims);
      return reply.redirect(await pageAfterSignIn(site, claims, next), 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status } = problemKinds[error.code];
      if (error.code === 'second-factor-required') {
        const ticket = await sealTicket(site, email, request.visit.now);
        return sendCodeForm(site, reply, { next, ticket, status });
      }
      if (ticket !== '') {
        const message =
          error.code === 'bad-credentials'
            ? 'This code is wrong, was used already, or came too late.'
            : error.message;
        return sendCodeForm(site, reply, { next, ticket, message, status });
      }
      const message =
        error.code === 'bad-credentials' ? 'E-mail and passphrase do not match.' : error.message;
      return sendLogin(site, reply, { next, email, message, status });
    }
  });

  server.get('/logout', async (_request, reply) => reply.redirect('/account', 303));

  server.post('/logout', { config: { audit: ['signed-out', 'sessions-ended'] } }, async (request, reply) => {
    const isEverywhere = (await readForm(site, request)).text('where') === 'everywhere';
    const { signedIn } = request.visit;
    if (signedIn) await signOut(store, signedIn, isEverywhere);
    endSession(request, reply);
    leaveNotice(request, reply, isEverywhere ? 'signed-out-everywhere' : 'signed-out');
    return reply.redirect('/', 303);
  });
}

function sendCodeForm(
  site: Site,
  reply: FastifyReply,
  shown: { next: string; ticket: string; message?: string; status: number },
): FastifyReply {
  const main = html`<div class="plain">
<h1>One more step</h1>
<p class="lede">Your account has a second factor. Type the code that your authenticator app shows, or one of your recovery codes.</p>
${errorSummary(shown.message)}
<form method="post" action="/login" class="narrow-form">
<input type="hidden" name="next" value="${shown.next}"><input type="hidden" name="ticket" value="${shown.ticket}">
<div class="field"><label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus></div>
<div class="buttons"><button type="submit" class="button">Sign in</button> <a href="/login">Begin again</a></div>
</form>
<p class="quiet">App and codes lost? An administrator can reset your second factor.</p>
</div>`;
  return sendLayout(site, reply, { title: 'One more step', kind: 'login', main, status: shown.status });
}

export function sendLogin(
  site: Site,
  reply: FastifyReply,
  shown: { next: string; email?: string; message?: string; status?: number },
): FastifyReply {
  const { visit } = reply.request;
  const main = html`<div class="plain">
<h1>Sign in</h1>
${visit.isSessionLost && !shown.message && html`<p class="lede">You were signed out after a while without a word. Sign in to go on where you were.</p>`}
${errorSummary(shown.message)}
<form method="post" action="/login" class="narrow-form">
<input type="hidden" name="next" value="${shown.next}">
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required value="${shown.email ?? ''}"${!shown.email && html` autofocus`}></div>
<div class="field"><label for="pass">Passphrase</label><input id="pass" name="pass" type="password" autocomplete="current-password" required${shown.email && html` autofocus`}></div>
<div class="buttons"><button type="submit" class="button">Sign in</button></div>
</form>
${passkeyButton(site, visit.origin, shown.next)}
${providerButtons(site, { intent: 'sign-in', next: shown.next })}
<p class="quiet">New here? ${site.service.signUp.mode === 'invitation' ? 'Members come by invitation: ask an administrator for a link.' : html`<a href="/login/sign-up">Sign up</a>.`} <a href="/login/forgot">Forgot your passphrase?</a></p>
</div>`;
  const { status } = shown;
  return sendLayout(site, reply, { title: 'Sign in', kind: 'login', main, scripts: ['passkey'], status });
}
