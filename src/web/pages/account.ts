/** The account page: a member views and changes their own data. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changeOwnName, changeOwnPassphrase, getOwnAccount } from '#domain/members/change-account.ts';
import { askForAddress } from '#domain/members/change-address.ts';
import { endOtherSessions, endSession as endSessionOf } from '#domain/members/end-sessions.ts';
import { leave } from '#domain/members/leave.ts';
import { minPassphraseLength } from '#domain/members/manage-members.ts';
import { getSecondFactor } from '#domain/members/second-factor.ts';
import { authenticate } from '#domain/members/sign-in.ts';
import { listEditedPages, listOwnPages } from '#domain/pages/list-own-pages.ts';
import type { PageName } from '#domain/pages/page.ts';
import { invalid } from '#domain/problem.ts';
import { urlOf } from '#http/page-paths.ts';
import { sendOwnData } from '#http/routes/own-data.ts';
import { described, errorSummary, mistake, pageLink, paging, readRange } from '../components.ts';
import { count, timeAgo } from '../format.ts';
import { readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { linkedProviders } from '../providers.ts';
import { needsRecentSignIn, type RefusedForm, refusalOf, signInAgain } from '../refusal.ts';
import { sessionList } from '../session-list.ts';
import { tryPassphrase } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { deviceOf, endSession, leaveNotice, startSession } from '../visitor.ts';

/** Most pages in each list on the account page; all pages that a member owns are listed on a page of their own. */
const shownPages = 5;
const shownOwnPages = 50;

export function accountRoutes(server: FastifyInstance, site: Site): void {
  const { store, passphrases } = site.service;

  server.get('/account', async (_request, reply) => sendAccount(site, reply, {}));

  server.post('/account/leave', { config: { audit: ['member-left'] } }, async (request, reply) => {
    const { signedIn, now } = request.visit;
    const name = (await readForm(site, request)).text('name');
    try {
      if (name !== 'keep' && name !== 'remove')
        throw invalid('/name', 'Choose what is to become of your name.');
      await leave(store, signedIn, { keepsName: name === 'keep' }, now);
    } catch (error) {
      if (needsRecentSignIn(error)) return signInAgain(reply, '/account#leave');
      return sendAccount(site, reply, refusalOf(error));
    }
    endSession(request, reply);
    leaveNotice(request, reply, 'member-left');
    return reply.redirect('/', 303);
  });

  server.get('/account/data', { config: { audit: ['data-exported'] } }, async (request, reply) => {
    const member = await getOwnAccount(store, request.visit.actor);
    await site.limits.countDataExport(request);
    return sendOwnData(site.service, member, reply);
  });

  server.get('/account/pages', async (_request, reply) => sendOwnPages(site, reply));

  server.post(
    '/account/sessions',
    { config: { audit: ['session-ended', 'sessions-ended'] } },
    async (request, reply) => {
      const { actor, signedIn } = request.visit;
      const ended = (await readForm(site, request)).text('end');
      if (ended === 'others') await endOtherSessions(store, signedIn);
      else await endSessionOf(store, actor, ended);
      leaveNotice(request, reply, ended === 'others' ? 'sessions-ended' : 'session-ended');
      return reply.redirect('/account#sessions', 303);
    },
  );

  server.post(
    '/account',
    { config: { audit: ['member-renamed', 'passphrase-changed', 'sign-in-failed', 'signed-in'] } },
    async (request, reply) => {
      const { actor, signedIn, now } = request.visit;
      const form = await readForm(site, request);
      try {
        if (form.text('what') === 'name') {
          await changeOwnName(store, actor, form.text('name'));
          leaveNotice(request, reply, 'account-saved');
          return reply.redirect('/account', 303);
        }
        if (form.text('what') === 'email') {
          const input = { email: form.text('email'), signedInAt: signedIn?.claims.signedInAt };
          await site.limits.countInvitation(request);
          await askForAddress(store, actor, input, now);
          leaveNotice(request, reply, store.mails.isOn ? 'address-asked' : 'address-noted');
          return reply.redirect('/account', 303);
        }
        const pass = form.text('pass');
        if (pass !== form.text('pass-again'))
          throw invalid('/pass-again', 'The two passphrases are not the same.');
        const { email } = await getOwnAccount(store, actor);
        const input = { current: form.text('current'), pass, signedInAt: signedIn?.claims.signedInAt };
        await tryPassphrase(site, request, reply, email, () =>
          changeOwnPassphrase(store, passphrases, actor, input, now),
        );
        // All older sessions have ended, including this browser's, which gets a new one.
        const claims = await authenticate(
          store,
          site.service,
          { email, pass, isSignedIn: true },
          deviceOf(request),
          now,
        );
        await startSession(site, request, reply, claims);
        leaveNotice(request, reply, 'passphrase-saved');
        return reply.redirect('/account', 303);
      } catch (error) {
        if (needsRecentSignIn(error)) return signInAgain(reply, '/account');
        const shown = {
          ...refusalOf(error),
          name: form.has('name') ? form.text('name') : undefined,
          email: form.has('email') ? form.text('email') : undefined,
        };
        return sendAccount(site, reply, shown);
      }
    },
  );
}

async function sendAccount(
  site: Site,
  reply: FastifyReply,
  shown: RefusedForm & { name?: string | undefined; email?: string | undefined },
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { errors = [] } = shown;
  const { store } = site.service;
  const member = await getOwnAccount(store, visit.actor);
  const { isOn: hasFactor } = await getSecondFactor(store, visit.actor);
  const hasPasskey = (await store.passkeys.listOf(member.id)).length > 0;
  const main = html`<div class="plain account">
<h1>Your account</h1>
<p class="lede">Signed in as <span dir="auto">${member.name}</span> (${member.email})${member.isAdmin && ', an administrator'}.</p>
${errorSummary(shown.message)}
<div class="buttons"><form method="post" action="/logout"><button type="submit" class="button">Sign out</button></form>
<form method="post" action="/logout"><button type="submit" name="where" value="everywhere" class="button quiet-button">Sign out everywhere</button></form></div>
<p class="quiet"><a href="/account/notifications">Notifications</a> · <a href="/account/watches">What you watch</a></p>
<section id="drafts" data-drafts hidden><h2>My drafts</h2><p class="quiet">Kept in this browser, and nowhere else.</p></section>
${await ownPages(reply.request)}
<section><h2>Name</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="name">
<div class="field"><label for="name">Shown beside what you write</label><input id="name" name="name" autocomplete="name" required value="${shown.name ?? member.name}" dir="auto"${described(errors, 'name')}>${mistake(errors, 'name')}</div>
<div class="buttons"><button type="submit" class="button">Change name</button></div></form></section>
<section><h2>E-mail</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="email">
<div class="field"><label for="new-email">Address that you sign in with</label><input id="new-email" name="email" type="email" autocomplete="email" required value="${shown.email ?? member.email}"${described(errors, 'email', 'email-hint')}><p class="hint" id="email-hint">${store.mails.isOn ? 'A link is mailed to the new address; it changes when you open that.' : 'An administrator hands you a link for the new address; it changes when you open that.'}</p>${mistake(errors, 'email')}</div>
<div class="buttons"><button type="submit" class="button">Change address</button></div></form></section>
<section><h2>Passphrase</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="passphrase">
<input type="text" name="username" autocomplete="username" value="${member.email}" hidden>
${member.passphraseHash !== null && html`<div class="field"><label for="current">Current passphrase</label><input id="current" name="current" type="password" autocomplete="current-password" required${described(errors, 'current')}>${mistake(errors, 'current')}</div>`}
<div class="field"><label for="pass">New passphrase</label><input id="pass" name="pass" type="password" autocomplete="new-password" required minlength="${minPassphraseLength}"${described(errors, 'pass', 'pass-hint')}><p class="hint" id="pass-hint">At least ${minPassphraseLength} characters.</p>${mistake(errors, 'pass')}</div>
<div class="field"><label for="pass-again">New passphrase again</label><input id="pass-again" name="pass-again" type="password" autocomplete="new-password" required${described(errors, 'pass-again')}>${mistake(errors, 'pass-again')}</div>
<div class="buttons"><button type="submit" class="button">Change passphrase</button></div>
<p class="hint">Changing it signs you out on every other device, and revokes API tokens and the handles that programs sign in with. Linked accounts and passkeys go on working: remove below what is not yours.</p></form></section>
${await linkedProviders(site, visit)}
${await sessionList(site, visit)}
<section id="second-factor"><h2>Second factor</h2><p>${hasFactor ? html`Signing in with your passphrase needs a code as well. <a href="/account/second-factor">Recovery codes, or end it</a>` : html`<a href="/account/second-factor">Ask for a code as well</a> when somebody signs in with your passphrase.`}</p></section>
<section id="passkeys"><h2>Passkeys</h2><p>${hasPasskey ? html`You can sign in by the lock of a device. <a href="/account/passkeys">See your passkeys</a>` : html`<a href="/account/passkeys">Add a passkey</a> to sign in by fingerprint, face or PIN.`}</p></section>
<section id="data"><h2>Your data</h2><p><a href="/account/data" download>Download what this wiki knows of you</a>: account, sign-ins, watches, likes, and what you wrote as far as you can still read it, as one JSON file.</p></section>
<section id="leave"><h2>Leave</h2>
<details><summary>Remove my account</summary>
<form method="post" action="/account/leave" class="narrow-form">
<p>Your address, passphrase, linked accounts, devices, API tokens and watches are removed for good. What you wrote stays.</p>
<label class="choice"><input type="radio" name="name" value="keep" required> under my name</label>
<label class="choice"><input type="radio" name="name" value="remove"> as by a former member</label>
<div class="buttons"><button type="submit" class="button">Remove my account</button></div></form></details></section>
<section id="tokens"><h2>For programs</h2><p><a href="/account/tokens">API tokens</a> let programs act as you, within what you allow them.</p></section>
</div>`;
  return sendLayout(site, reply, {
    title: 'Your account',
    kind: 'account',
    main,
    scripts: ['account'],
    status: shown.status,
  });
}

/** Pages that the member began and those they changed last, where the two lists differ. */
async function ownPages({ reader, visit }: FastifyRequest): Promise<Html | undefined> {
  const [own, edited] = await Promise.all([
    listOwnPages(reader, { limit: shownPages, offset: 0 }),
    listEditedPages(reader, shownPages),
  ]);
  if (own.total === 0 && edited.length === 0) {
    if (visit.actor?.role === 'reader') return undefined;
    return html`<section id="pages"><h2>My pages</h2><p class="empty">You have not written anything yet. <a href="/new">Write a page</a>, or see <a href="/wanted">what is wanted</a>.</p></section>`;
  }
  return html`<section id="pages"><h2>My pages <span class="count">${own.total}</span></h2>
${own.total === 0 ? html`<p class="empty">No page was begun by you.</p>` : datedPages(own.pages, 'changed', visit.now)}
${own.total > own.pages.length && html`<p><a href="/account/pages">All ${count(own.total, 'page')} of yours</a></p>`}
${edited.length > 0 && html`<h3>You changed last</h3>${datedPages(edited, 'by you', visit.now)}`}</section>`;
}

async function sendOwnPages(site: Site, reply: FastifyReply): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shownOwnPages);
  const { pages, total } = await listOwnPages(reply.request.reader, range);
  const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a></p>
<h1>My pages</h1>
<p class="lede">${count(total, 'page')} begun by you, the one that changed last first.</p>
${datedPages(pages, 'changed', visit.now)}
${paging(url, range, total)}
</div>`;
  return sendLayout(site, reply, { title: 'My pages', kind: 'account', main });
}

function datedPages(pages: (PageName & { at: number })[], words: string, now: number): Html {
  return html`<ul class="updates">${pages.map(
    (page) =>
      html`<li><span class="updates-page">${pageLink(page)}</span> <span class="quiet">${words} ${timeAgo(page.at, now)} · <a href="${urlOf('/history', page.path)}" aria-label="History of ${page.title}">history</a></span></li>`,
  )}</ul>`;
}
