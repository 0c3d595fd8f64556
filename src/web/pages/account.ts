/** The account page, on which members see and change their own data. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changeOwnName, changeOwnPassphrase, getOwnAccount } from '#core/members/change-account.ts';
import { askForAddress } from '#core/members/change-address.ts';
import { endOtherSessions, endSession as endSessionOf } from '#core/members/end-sessions.ts';
import { leave } from '#core/members/leave.ts';
import { getSecondFactor } from '#core/members/second-factor.ts';
import { authenticate } from '#core/members/sign-in.ts';
import type { PageName } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import { listEditedPages, listOwnPages } from '#core/pages/list-own-pages.ts';
import { urlOf } from '#http/page-paths.ts';
import { sendOwnData } from '#http/routes/own-data.ts';
import { pageLink, paging, readRange } from '../components.ts';
import {
  accountName,
  currentPassphrase,
  errorSummary,
  field,
  newPassphraseFields,
  readNewPassphrase,
} from '../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { count, timeAgo } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { linkedProviders } from '../providers.ts';
import { sessionList } from '../session-list.ts';
import { tryPassphrase } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { deviceOf, endSession, startSession } from '../visitor.ts';

/** Maximum number of pages in each list on the account page; a separate page lists all own pages. */
const shownPages = 5;
const shownOwnPages = 50;

export function accountRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/account', async (_request, reply) => sendAccount(site, reply));

  const onLeaving = formRoutes(server, site, sendRefusedLeave, { returnsTo: '/account#leave' });
  onLeaving('/account/leave', ['member-left'], async (form, { visit }, reply) => {
    const name = form.text('name');
    if (name !== 'keep' && name !== 'remove') throw invalid('/name', 'Choose whether your name stays.');
    await leave(store, visit.signedIn, { keepsName: name === 'keep' }, visit.now);
    endSession(reply);
    return redirectWithNotice(reply, '/', 'member-left');
  });

  server.get('/account/data', { config: { audit: ['data-exported'] } }, async (request, reply) => {
    const member = await getOwnAccount(store, request.visit.actor);
    await site.limits.countDataExport(request);
    return sendOwnData(site.service, member, reply);
  });

  server.get('/account/pages', async (_request, reply) => sendOwnPages(site, reply));

  const onForm = formRoutes(server, site);
  onForm('/account/sessions', ['session-ended', 'sessions-ended'], async (form, { visit }, reply) => {
    const ended = form.text('end');
    if (ended === 'others') await endOtherSessions(store, visit.signedIn);
    else await endSessionOf(store, visit.actor, ended);
    const notice = ended === 'others' ? 'sessions-ended' : 'session-ended';
    return redirectWithNotice(reply, '/account#sessions', notice);
  });

  const onAccount = formRoutes(server, site, sendAccount, { returnsTo: '/account' });
  onAccount(
    '/account',
    ['member-renamed', 'passphrase-changed', 'sign-in-failed', 'signed-in'],
    async (form, request, reply) => {
      switch (form.text('what')) {
        case 'name':
          await changeOwnName(store, request.visit.actor, form.text('name'));
          return redirectWithNotice(reply, '/account', 'account-saved');
        case 'email':
          await changeAddress(site, form, request);
          return redirectWithNotice(reply, '/account', store.mails.isOn ? 'address-asked' : 'address-noted');
        default:
          await changePassphrase(site, form, reply);
          return redirectWithNotice(reply, '/account', 'passphrase-saved');
      }
    },
  );
}

/** The name in this form is the name to be chosen, not the member's present one. */
function sendRefusedLeave(site: Site, reply: FastifyReply, { form: _, ...refused }: RefusedForm) {
  return sendAccount(site, reply, refused);
}

async function changeAddress(site: Site, form: Form, request: FastifyRequest): Promise<void> {
  const { actor, signedIn, now } = request.visit;
  const input = { email: form.text('email'), signedInAt: signedIn?.claims.signedInAt };
  await site.limits.countInvitation(request);
  await askForAddress(site.service.store, actor, input, now);
}

/** All older sessions end, including that of this browser, which gets a new one. */
async function changePassphrase(site: Site, form: Form, reply: FastifyReply): Promise<void> {
  const { store, passphrases } = site.service;
  const { actor, signedIn, now } = reply.request.visit;
  const pass = readNewPassphrase(form);
  const { email } = await getOwnAccount(store, actor);
  const input = { current: form.text('current'), pass, signedInAt: signedIn?.claims.signedInAt };
  await tryPassphrase(site, reply, email, () => changeOwnPassphrase(store, passphrases, actor, input, now));
  const credentials = { email, pass, isSignedIn: true } as const;
  const claims = await authenticate(store, site.service, credentials, deviceOf(reply.request), now);
  await startSession(site, reply, claims);
}

async function sendAccount(
  site: Site,
  reply: FastifyReply,
  { form, errors = [], message, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { store } = site.service;
  const member = await getOwnAccount(store, visit.actor);
  const typed = (name: 'name' | 'email') => (form?.has(name) ? form.text(name) : member[name]);
  const { isOn: hasFactor } = await getSecondFactor(store, visit.actor);
  const hasPasskey = (await store.passkeys.listOf(member.id)).length > 0;
  const addressHint = store.mails.isOn
    ? 'A link is mailed to the new address. The address changes when you open the link.'
    : 'An administrator passes on a link for the new address to you. The address changes when you open the link.';
  const main = html`<div class="plain account">
<h1>Your account</h1>
<p class="lede">Signed in as <span dir="auto">${member.name}</span> (${member.email})${member.isAdmin && ', an administrator'}.</p>
${errorSummary(message)}
<div class="buttons"><form method="post" action="/logout"><button type="submit" class="button">Sign out</button></form>
<form method="post" action="/logout"><button type="submit" name="where" value="everywhere" class="button quiet-button">Sign out everywhere</button></form></div>
<p class="quiet"><a href="/account/notifications">Notifications</a> · <a href="/account/watches">What you watch</a> · <a href="/account/favourites">Favourites</a></p>
<section id="drafts" data-drafts hidden><h2>My drafts</h2><p class="quiet">Texts that you have not saved yet. Only you see them.</p></section>
${await ownPages(reply.request)}
<section><h2>Name</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="name">
${field('name', 'Shown beside what you write', html`autocomplete="name" required value="${typed('name')}" dir="auto"`, { errors })}
<div class="buttons"><button type="submit" class="button">Change name</button></div></form></section>
<section><h2>E-mail</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="email">
${field('email', 'E-mail address for signing in', html`type="email" autocomplete="email" required value="${typed('email')}"`, { id: 'new-email', errors, hint: addressHint })}
<div class="buttons"><button type="submit" class="button">Change address</button></div></form></section>
<section><h2>Passphrase</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="passphrase">
${accountName(member.email)}
${member.passphraseHash !== null && field('current', 'Current passphrase', currentPassphrase, { errors })}
${newPassphraseFields('New passphrase', errors)}
<div class="buttons"><button type="submit" class="button">Change passphrase</button></div>
<p class="hint">Changing it signs you out on every other device, and revokes API tokens and the handles that programs sign in with. Linked accounts and passkeys keep working; remove below those that are not yours.</p></form></section>
${await linkedProviders(site, visit)}
${await sessionList(site, visit)}
<section id="second-factor"><h2>Second factor</h2><p>${hasFactor ? html`Signing in with your passphrase also requires a code. <a href="/account/second-factor">Make recovery codes or turn it off</a>` : html`<a href="/account/second-factor">Require a code as well</a> when somebody signs in with your passphrase.`}</p></section>
<section id="passkeys"><h2>Passkeys</h2><p>${hasPasskey ? html`You can sign in with the lock of your device. <a href="/account/passkeys">See your passkeys</a>` : html`<a href="/account/passkeys">Add a passkey</a> to sign in with fingerprint, face or PIN.`}</p></section>
<section id="data"><h2>Your data</h2><p><a href="/account/data" download>Download my data</a>: account, sign-ins, watches, likes, favourites, and your contributions that you can still read, as one JSON file.</p></section>
<section id="leave"><h2>Leave</h2>
<details><summary>Delete my account</summary>
<form method="post" action="/account/leave" class="narrow-form">
<p>Your address, passphrase, linked accounts, devices, API tokens and watches are deleted permanently. Your contributions stay.</p>
<label class="choice"><input type="radio" name="name" value="keep" required> under my name</label>
<label class="choice"><input type="radio" name="name" value="remove"> as those of a former member</label>
<div class="buttons"><button type="submit" class="button grave">Delete my account</button></div></form></details></section>
<section id="tokens"><h2>For programs</h2><p><a href="/account/tokens">API tokens</a> let programs act as you, within the rights that you give them.</p></section>
</div>`;
  return sendLayout(site, reply, {
    title: 'Your account',
    kind: 'account',
    main,
    scripts: ['account'],
    status,
  });
}

/** Pages created by the member and pages edited last, if the two lists differ. */
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
${own.total === 0 ? html`<p class="empty">You have not created any pages yet.</p>` : datedPages(own.pages, 'changed', visit.now)}
${own.total > own.pages.length && html`<p><a href="/account/pages">All ${count(own.total, 'page')} of yours</a></p>`}
${edited.length > 0 && html`<h3>Your latest changes</h3>${datedPages(edited, 'by you', visit.now)}`}</section>`;
}

async function sendOwnPages(site: Site, reply: FastifyReply): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shownOwnPages);
  const { pages, total } = await listOwnPages(reply.request.reader, range);
  const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a></p>
<h1>My pages</h1>
<p class="lede">${count(total, 'page')} that you created, most recently changed first.</p>
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
