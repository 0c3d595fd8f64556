/** The account page, on which members see and change their own data. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  addressChange,
  editedPages,
  leaving,
  nameChange,
  ownAccount,
  ownDataExport,
  ownPages,
  passphraseChange,
} from '#core/members/account-operations.ts';
import type { PageName } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import { identityList } from '#core/sign-in/identity-operations.ts';
import { passkeyList } from '#core/sign-in/passkey-operations.ts';
import { secondFactorState } from '#core/sign-in/second-factor-operations.ts';
import {
  otherSessionsEnding,
  sessionEnding,
  sessionList as sessionsOfMember,
  signingIn,
} from '#core/sign-in/session-operations.ts';
import { urlOf } from '#http/page-paths.ts';
import { sendOwnData } from '#http/routes/own-data.ts';
import { siteLanguages } from '#words/languages.ts';
import { say } from '#words/say.ts';
import { pageLink, paging, readRange } from '../../components.ts';
import {
  accountName,
  currentPassphrase,
  errorSummary,
  field,
  newPassphraseFields,
  readNewPassphrase,
} from '../../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { timeAgo } from '../../format.ts';
import type { Form } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import { linkedProviders } from '../../providers.ts';
import { sessionList } from '../../session-list.ts';
import { tryPassphrase } from '../../sign-in.ts';
import type { Site } from '../../site.ts';
import { deviceOf, endSession, startSession } from '../../visitor.ts';

/** Maximum number of pages in each list on the account page; a separate page lists all own pages. */
const shownPages = 5;
const shownOwnPages = 50;

export function accountRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get(
    '/account',
    reads(ownAccount, ownPages, editedPages, identityList, sessionsOfMember, secondFactorState, passkeyList),
    async (_request, reply) => sendAccount(site, reply),
  );

  const onLeaving = formRoutes(server, site, sendRefusedLeave, { returnsTo: '/account#leave' });
  onLeaving('/account/leave', [leaving], async (form, request, reply) => {
    const name = form.text('name');
    if (name !== 'keep' && name !== 'remove')
      throw invalid('/name', say('account.chooseWhetherYourNameStays'));
    await carryFor(site, request)(leaving, { name });
    endSession(reply);
    return redirectWithNotice(reply, '/', 'member-left');
  });

  const { audit } = ownDataExport;
  const config = { operations: [ownAccount, ownDataExport], audit };
  server.get('/account/data', { config }, async (request, reply) => {
    const carry = carryFor(site, request);
    await carry(ownAccount, {});
    await site.limits.countDataExport(request);
    return sendOwnData(carry, reply);
  });

  server.get('/account/pages', reads(ownPages), async (_request, reply) => sendOwnPages(site, reply));

  const onForm = formRoutes(server, site);
  onForm('/account/sessions', [sessionEnding, otherSessionsEnding], async (form, request, reply) => {
    const ended = form.text('end');
    const carry = carryFor(site, request);
    if (ended === 'others') await carry(otherSessionsEnding, {});
    else await carry(sessionEnding, { id: ended });
    const notice = ended === 'others' ? 'sessions-ended' : 'session-ended';
    return redirectWithNotice(reply, '/account#sessions', notice);
  });

  const onAccount = formRoutes(server, site, (site, reply, refused) => sendAccount(site, reply, refused), {
    returnsTo: '/account#sign-in',
  });
  onAccount(
    '/account',
    [nameChange, addressChange, ownAccount, passphraseChange, signingIn],
    async (form, request, reply) => {
      switch (form.text('what')) {
        case 'name':
          await carryFor(site, request)(nameChange, { name: form.text('name') });
          return redirectWithNotice(reply, '/account#profile', 'account-saved');
        case 'email':
          await changeAddress(site, form, request);
          return redirectWithNotice(
            reply,
            '/account#sign-in',
            store.mails.isOn ? 'address-asked' : 'address-noted',
          );
        default:
          await changePassphrase(site, form, reply);
          return redirectWithNotice(reply, '/account#sign-in', 'passphrase-saved');
      }
    },
  );
}

/** The name in this form is the name to be chosen, not the member's present one. */
function sendRefusedLeave(site: Site, reply: FastifyReply, { form: _, ...refused }: RefusedForm) {
  return sendAccount(site, reply, refused, 'own-data');
}

async function changeAddress(site: Site, form: Form, request: FastifyRequest): Promise<void> {
  await site.limits.countInvitation(request);
  await carryFor(site, request)(addressChange, { email: form.text('email') });
}

/** All older sessions end, including that of this browser, which gets a new one. */
async function changePassphrase(site: Site, form: Form, reply: FastifyReply): Promise<void> {
  const carry = carryFor(site, reply.request);
  const pass = readNewPassphrase(form);
  const { email } = await carry(ownAccount, {});
  const input = { current: form.text('current'), pass };
  await tryPassphrase(site, reply, email, () => carry(passphraseChange, input));
  const credentials = { email, pass, isSignedIn: true } as const;
  const claims = await carry(signingIn, { credentials, device: deviceOf(reply.request) });
  await startSession(site, reply, claims);
}

/** Parts of the page, of which the style sheet shows the one that the address names, as `#profile`, or the first one. */
const groups = [
  ['overview', say('account.overview')],
  ['profile', say('account.profile')],
  ['sign-in', say('account.signingIn')],
  ['own-data', say('account.yourData')],
] as const;

/** `opened`: the part that is shown if the address names none: after a form there was refused. */
async function sendAccount(
  site: Site,
  reply: FastifyReply,
  { form, errors = [], message, status }: RefusedForm = {},
  opened = openedBy(form),
): Promise<FastifyReply> {
  const { store } = site.service;
  const carry = carryFor(site, reply.request);
  const member = await carry(ownAccount, {});
  const typed = (name: 'name' | 'email') => (form?.has(name) ? form.text(name) : member[name]);
  const { isOn: hasFactor } = await carry(secondFactorState, {});
  const hasPasskey = (await carry(passkeyList, {})).length > 0;
  const addressHint = store.mails.isOn
    ? say('account.aLinkIsMailedToTheNewAddress')
    : say('account.anAdministratorPassesOnALink');
  const main = html`<div class="plain account">
<h1>${say('common.yourAccount')}</h1>
<p class="lede">${say(member.isAdmin ? 'account.signedInAsAdministrator' : 'account.signedInAs', { name: html`<span dir="auto">${member.name}</span>`, email: member.email })}</p>
${errorSummary(message)}
<div class="buttons"><form method="post" action="/logout"><button type="submit" class="button">${say('account.signOut')}</button></form>
<form method="post" action="/logout"><button type="submit" name="where" value="everywhere" class="button quiet-button">${say('account.signOutEverywhere')}</button></form></div>
<nav class="sections" aria-label="${say('settings.sections')}">${groups.map(([id, title]) => html`<a href="#${id}">${title}</a> `)}</nav>
<div class="group" id="overview">
<p class="quiet"><a href="/account/notifications">${say(
    'account.notifications',
  )}</a> · <a href="/account/watches">${say('account.whatYouWatch')}</a> · <a href="/account/favourites">${say('account.favourites')}</a></p>
<section id="drafts" data-drafts hidden><h2>${say('account.myDrafts')}</h2><p class="quiet">${say('account.textsNotSavedYet')}</p></section>
${await shortLists(site, reply.request)}
</div>
<div class="group${opened === 'profile' && ' is-open'}" id="profile">
<section><h2>${say('common.name')}</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="name">
${field('name', say('account.shownBesideWhatYouWrite'), html`autocomplete="name" required value="${typed('name')}" dir="auto"`, { errors })}
<div class="buttons"><button type="submit" class="button">${say('account.changeName')}</button></div></form></section>
<section id="language"><h2>${say('layout.language')}</h2>
<form method="post" action="/theme" class="narrow-form"><input type="hidden" name="next" value="/account#language">
<label for="own-language">${say('account.languageOfSiteAndMail')}</label>
<select id="own-language" name="language"><option value="">${say('account.asTheBrowserAsks')}</option>${siteLanguages.map(
    ({ tag, name }) =>
      html`<option value="${tag}" lang="${tag}"${tag === member.language && html` selected`}>${name}</option>`,
  )}</select>
<div class="buttons"><button type="submit" class="button">${say('account.changeLanguage')}</button></div></form></section>
</div>
<div class="group${opened === 'sign-in' && ' is-open'}" id="sign-in">
<section><h2>${say('account.eMail')}</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="email">
${field('email', say('account.eMailAddressForSigningIn'), html`type="email" autocomplete="email" required value="${typed('email')}"`, { id: 'new-email', errors, hint: addressHint })}
<div class="buttons"><button type="submit" class="button">${say('account.changeAddress')}</button></div></form></section>
<section><h2>${say('common.passphrase')}</h2>
<form method="post" action="/account" class="narrow-form"><input type="hidden" name="what" value="passphrase">
${accountName(member.email)}
${member.passphraseHash !== null && field('current', say('account.currentPassphrase'), currentPassphrase, { errors })}
${newPassphraseFields(say('account.newPassphrase'), errors)}
<div class="buttons"><button type="submit" class="button">${say('account.changePassphrase')}</button></div>
<p class="hint">${say('account.changingItSignsYouOutOnEvery')}</p></form></section>
${await linkedProviders(site, reply.request)}
${await sessionList(site, reply.request)}
<section id="second-factor"><h2>${say('account.secondFactor')}</h2><p>${
    hasFactor
      ? html`${say('account.signingInWithYourPassphrase', { link: (words) => html`<a href="/account/second-factor">${words}</a>` })}`
      : html`${say('account.requireACodeAsWellWhen', { link: (words) => html`<a href="/account/second-factor">${words}</a>` })}`
  }</p></section>
<section id="passkeys"><h2>${say('account.passkeys')}</h2><p>${
    hasPasskey
      ? html`${say('account.youCanSignInWithTheLockOf', { link: (words) => html`<a href="/account/passkeys">${words}</a>` })}`
      : html`${say('account.addAPasskeyToSignInWith', { link: (words) => html`<a href="/account/passkeys">${words}</a>` })}`
  }</p></section>
<section id="tokens"><h2>${say('account.forPrograms')}</h2><p>${say('account.apiTokensLetProgramsActAsYou', { link: (words) => html`<a href="/account/tokens">${words}</a>` })}</p></section>
</div>
<div class="group${opened === 'own-data' && ' is-open'}" id="own-data">
<section id="data"><h2>${say('account.yourData')}</h2><p>${say('account.downloadMyDataAccountSignIns', { link: (words) => html`<a href="/account/data" download>${words}</a>` })}</p></section>
<section id="leave"><h2>${say('account.leave')}</h2>
<details><summary>${say('account.deleteMyAccount')}</summary>
<form method="post" action="/account/leave" class="narrow-form">
<p>${say('account.yourAddressPassphraseLinked')}</p>
<label class="choice"><input type="radio" name="name" value="keep" required> ${say('account.underMyName')}</label>
<label class="choice"><input type="radio" name="name" value="remove"> ${say('account.asThoseOfAFormerMember')}</label>
<div class="buttons"><button type="submit" class="button grave">${say('account.deleteMyAccount')}</button></div></form></details></section>
</div>
</div>`;
  return sendLayout(site, reply, {
    title: say('common.yourAccount'),
    kind: 'account',
    main,
    scripts: ['account'],
    status,
  });
}

function openedBy(form: Form | undefined): string | undefined {
  if (form === undefined) return undefined;
  return form.text('what') === 'name' ? 'profile' : 'sign-in';
}

/** Pages created by the member and pages edited last, if the two lists differ. */
async function shortLists(site: Site, request: FastifyRequest): Promise<Html | undefined> {
  const { visit } = request;
  const carry = carryFor(site, request);
  const [own, edited] = await Promise.all([
    carry(ownPages, { limit: shownPages }),
    carry(editedPages, { limit: shownPages }),
  ]);
  if (own.total === 0 && edited.length === 0) {
    if (visit.actor?.role === 'reader') return undefined;
    return html`<section id="pages"><h2>${say('account.myPages')}</h2><p class="empty">${say(
      'account.youHaveNotWrittenAnythingYet',
      {
        link: (words) => html`<a href="/new">${words}</a>`,
        link2: (words) => html`<a href="/wanted">${words}</a>`,
      },
    )}</p></section>`;
  }
  return html`<section id="pages"><h2>${say('account.myPagesTotal', { total: html`<span class="count">${own.total}</span>` })}</h2>
${own.total === 0 ? html`<p class="empty">${say('account.youHaveNotCreatedAnyPagesYet')}</p>` : datedPages(own.pages, 'account.changed', visit.now)}
${own.total > own.pages.length && html`<p><a href="/account/pages">${say('account.allPageOfYours', { count: own.total })}</a></p>`}
${edited.length > 0 && html`<h3>${say('account.yourLatestChanges')}</h3>${datedPages(edited, 'account.byYou', visit.now)}`}</section>`;
}

async function sendOwnPages(site: Site, reply: FastifyReply): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shownOwnPages);
  const { pages, total } = await carryFor(site, reply.request)(ownPages, range);
  const main = html`<div class="plain">
<p class="above"><a href="/account">${say('common.yourAccount')}</a></p>
<h1>${say('account.myPages')}</h1>
<p class="lede">${say('account.pageThatYouCreatedMost', { count: total })}</p>
${datedPages(pages, 'account.changed', visit.now)}
${paging(url, range, total)}
</div>`;
  return sendLayout(site, reply, { title: say('account.myPages'), kind: 'account', main });
}

function datedPages(
  pages: (PageName & { at: number })[],
  key: 'account.changed' | 'account.byYou',
  now: number,
): Html {
  return html`<ul class="updates">${pages.map(
    (page) =>
      html`<li><span class="updates-page">${pageLink(page)}</span> <span class="quiet">${say(key, {
        time: timeAgo(page.at, now),
      })} · <a href="${urlOf('/history', page.path)}" aria-label="${say('account.historyOfTitle', { title: page.title })}">${say('recentChanges.history')}</a></span></li>`,
  )}</ul>`;
}
