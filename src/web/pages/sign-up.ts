/**
 * Signing up without an invitation, and confirming the address by the mailed link. Whatever the address, the pages say the same. A script does
 * the proof of work; without it nobody can sign up.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { minPassphraseLength } from '#domain/members/manage-members.ts';
import { authenticate } from '#domain/members/sign-in.ts';
import {
  confirmSignUp,
  findSignUp,
  type NextStep,
  refuseUnlessOpen,
  signUp,
} from '#domain/members/sign-up.ts';
import type { SignUp } from '#domain/ports/sign-up-store.ts';
import { invalid } from '#domain/problem.ts';
import { described, errorSummary, mistake } from '../components.ts';
import { type Form, formFrom, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { type RefusedForm, refusalOf } from '../refusal.ts';
import { rememberDevice } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { deviceOf, leaveNotice, startSession } from '../visitor.ts';

type ByToken = { Params: { token: string } };
export function signUpRoutes(server: FastifyInstance, site: Site): void {
  const { service } = site;
  const { store, secrets, signUp: rules } = service;

  server.get('/login/sign-up', async (request, reply) => {
    refuseUnlessOpen(rules);
    if (request.visit.actor) return reply.redirect('/', 303);
    return sendForm(site, reply, formFrom([]));
  });

  server.post('/login/sign-up', { config: { audit: ['signed-up'] } }, async (request, reply) => {
    const form = await readForm(site, request);
    const [email, name, pass] = [form.text('email'), form.text('name'), form.text('pass')];
    let next: NextStep;
    try {
      await site.limits.countSignUp(request);
      if (pass !== form.text('pass-again'))
        throw invalid('/pass-again', 'The two passphrases are not the same.');
      const input = { email, name, pass, proof: form.text('proof') };
      next = await signUp(store, service, rules, input, request.visit.now);
    } catch (error) {
      return sendForm(site, reply, form, refusalOf(error));
    }
    if (next === 'sign-in') {
      leaveNotice(request, reply, 'signed-up');
      return reply.redirect('/login', 303);
    }
    return next === 'wait' ? sendWait(site, reply) : sendLookIntoMail(site, reply, email);
  });

  server.get<ByToken>('/login/confirm/:token', async (request, reply) => {
    const asked = await findSignUp(store, secrets, request.params.token, request.visit.now);
    return asked ? sendConfirm(site, reply, asked) : sendSpent(site, reply);
  });

  server.post<ByToken>(
    '/login/confirm/:token',
    { config: { audit: ['signed-up'] } },
    async (request, reply) => {
      const { now } = request.visit;
      const { token } = request.params;
      const pass = (await readForm(site, request)).text('pass');
      const asked = await findSignUp(store, secrets, token, now);
      if (!asked) return sendSpent(site, reply);
      try {
        await site.limits.countInvitation(request);
        const member = await confirmSignUp(store, service, rules, { token, pass }, now);
        if (!member) return sendWait(site, reply);
      } catch (error) {
        return sendConfirm(site, reply, asked, refusalOf(error));
      }
      const { email } = asked;
      await rememberDevice(site, request, reply, email);
      const claims = await authenticate(store, service, { email, pass }, deviceOf(request), now);
      await startSession(site, request, reply, claims);
      leaveNotice(request, reply, 'welcome');
      return reply.redirect('/', 303);
    },
  );
}

async function sendForm(
  site: Site,
  reply: FastifyReply,
  form: Form,
  { message, errors = [], status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { service, settings } = site;
  const { mode } = service.signUp;
  const challenge = JSON.stringify(await service.proofsOfWork.challenge(reply.request.visit.now));
  const hasMail = service.store.mails.isOn;
  const lede = {
    open: hasMail
      ? 'You confirm your address by a mail.'
      : 'Choose a name and a passphrase, and you are a member.',
    approval: `${hasMail ? 'You confirm your address by a mail. Then an' : 'An'} administrator lets you in.`,
    invitation: '',
  }[mode];
  const main = html`<div class="plain">
<h1>Sign up for ${settings.name}</h1>
<p class="lede">${lede}</p>
${errorSummary(message)}
<noscript><p class="banner">Signing up needs JavaScript: your browser does a short calculation, which keeps programs that send advertisements out. Without it, ask an administrator for an invitation.</p></noscript>
<form method="post" action="/login/sign-up" class="narrow-form" data-challenge="${challenge}">
<input type="hidden" name="proof" value="">
<div class="field"><label for="name">Name</label><input id="name" name="name" autocomplete="name" required value="${form.text('name')}" dir="auto"${described(errors, 'name', 'name-hint')}><p class="hint" id="name-hint">Shown beside what you write.</p>${mistake(errors, 'name')}</div>
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required value="${form.text('email')}"${described(errors, 'email', 'email-hint')}><p class="hint" id="email-hint">To sign in with. Never shown to other members.</p>${mistake(errors, 'email')}</div>
<div class="field"><label for="pass">Passphrase</label><input id="pass" name="pass" type="password" autocomplete="new-password" required minlength="${minPassphraseLength}"${described(errors, 'pass', 'pass-hint')}><p class="hint" id="pass-hint">At least ${minPassphraseLength} characters. A few words in a row are easy to keep and hard to guess.</p>${mistake(errors, 'pass')}</div>
<div class="field"><label for="pass-again">Passphrase again</label><input id="pass-again" name="pass-again" type="password" autocomplete="new-password" required${described(errors, 'pass-again')}>${mistake(errors, 'pass-again')}</div>
<div class="buttons"><button type="submit" class="button">Sign up</button></div>
<p class="quiet" role="status" data-work></p>
</form>
<p class="quiet">A member already? <a href="/login">Sign in</a></p>
</div>`;
  const layout = { title: 'Sign up', kind: 'login', main, scripts: ['sign-up'] };
  return sendLayout(site, reply, { ...layout, status });
}

function sendLookIntoMail(site: Site, reply: FastifyReply, email: string): FastifyReply {
  return sendWords(
    site,
    reply,
    'Look into your mail',
    html`A mail is on its way to <span dir="auto">${email}</span>. Its link works once and for a day, with the passphrase that you chose. Nothing there after a few minutes? Look into the folder for spam, or check the address.`,
  );
}

function sendWait(site: Site, reply: FastifyReply): FastifyReply {
  const words = html`An administrator looks at your request and lets you in. ${site.service.store.mails.isOn ? 'You get a mail then.' : 'Try to sign in from time to time: this wiki sends no mail.'} A request that nobody decides is dropped after 30 days.`;
  return sendWords(site, reply, 'Your request is noted', words);
}

function sendSpent(site: Site, reply: FastifyReply): FastifyReply {
  const words = html`It was used already or replaced by a newer one, or it is older than a day. <a href="/login/sign-up">Sign up again</a>.`;
  return sendWords(site, reply, 'This link does not work any more', words, 404);
}

function sendWords(site: Site, reply: FastifyReply, title: string, words: Html, status = 200): FastifyReply {
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">${words}</p>
<p><a href="/login">Sign in</a> · <a href="/">Go to the start</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status });
}

function sendConfirm(
  site: Site,
  reply: FastifyReply,
  { name, email }: SignUp,
  { message, errors = [], status }: RefusedForm = {},
): FastifyReply {
  const main = html`<div class="plain"><h1>Confirm your address</h1>
<p class="lede"><span dir="auto">${name}</span>, type the passphrase that you chose when you signed up with <span dir="auto">${email}</span>.</p>
${errorSummary(message)}
<form method="post" class="narrow-form">
<input type="text" name="username" autocomplete="username" value="${email}" hidden>
<div class="field"><label for="pass">Passphrase</label><input id="pass" name="pass" type="password" autocomplete="current-password" required autofocus${described(errors, 'pass')}>${mistake(errors, 'pass')}</div>
<div class="buttons"><button type="submit" class="button">Confirm</button></div>
</form>
<p class="quiet">Forgotten already? <a href="/login/sign-up">Sign up again</a>, with another one.</p></div>`;
  return sendLayout(site, reply, { title: 'Confirm your address', kind: 'login', main, status });
}
