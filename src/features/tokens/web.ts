/** A member's API tokens: list, create, revoke. A new secret is shown only in the response to the form. */

import { dayMs, isoTime } from '#core/model/iso-time.ts';
import { isRecentSignIn } from '#core/operations/recent-sign-in.ts';
import { type Scope, scopes } from '#core/ports/credentials.ts';
import { copyOnce, joined, pageUrl } from '#web/components.ts';
import {
  ancestorField,
  checkbox,
  choices,
  errorSummary,
  field,
  mistake,
  selectField,
} from '#web/form-fields.ts';
import { type RefusedForm, signInAgainUrl } from '#web/form-routes.ts';
import { dayOf, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html, type Words } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
import { createToken, listTokens, revokeToken } from './operations.ts';
import type { ListedApiToken } from './tokens.ts';

const address = '/account/tokens';

/** Lifetime of a token in days, by value of the form field; `never` has no expiry. */
const lifetimes: [days: string, words: Words][] = [
  ['30', say('tokens.days', { count: 30 })],
  ['90', say('tokens.days', { count: 90 })],
  ['365', say('tokens.oneYear')],
  ['never', say('tokens.untilItIsRevoked')],
];

const scopeWords: Record<Scope, Words> = {
  read: say('tokens.readWhatYouCanRead'),
  write: say('tokens.createAndChangePages'),
  files: say('tokens.attachFilesToPages'),
  members: say('tokens.inviteMembersAsYouMay'),
  admin: say('tokens.readAndWriteEveryPageAsYou'),
  preview: say('tokens.showProposals'),
};

export const web: readonly OperationPage[] = [
  {
    url: address,
    reads: [listTokens],
    forms: {
      '': formOf(createToken, { fields: (form, { visit }) => inputOf(form, visit.now) }),
      revoke: formOf(revokeToken, {
        notice: 'token-revoked',
        fields: (form) => ({ id: form.text('revoke') }),
      }),
    },
    async show({ carry, visit, refused, answerTo }) {
      const tokens = await carry(listTokens, {});
      const made = answerTo(createToken);
      const isRecent = isRecentSignIn(visit.signedIn?.claims.signedInAt, visit.now);
      const isAdmin = visit.actor?.isAdmin ?? false;
      const main = html`<div class="plain">
<p class="above"><a href="/account">${say('common.yourAccount')}</a></p>
<h1>${say('tokens.apiTokens')}</h1>
<p class="lede">${say('tokens.aTokenLetsAProgramActAsYou', { link: (words) => html`<a href="/v1/docs">${words}</a>` })}</p>
${errorSummary(refused.message)}
${
  made &&
  copyOnce(
    html`${say('tokens.theTokenNameIsReadyCopyItNow', { name: html`<strong dir="auto">${made.token.name}</strong>` })}`,
    { id: 'new-token', label: say('tokens.newToken'), value: made.secret },
  )
}
${tokens.length === 0 ? html`<p class="empty">${say('tokens.youHaveNoTokens')}</p>` : html`<ul class="sessions">${tokens.map((token) => row(token, visit.now))}</ul>`}
<section><h2>${say('tokens.newToken')}</h2>
${isRecent ? newTokenForm(refused, isAdmin) : html`<p>${say('tokens.toMakeATokenYouMustHave')}</p><p><a class="button" href="${signInAgainUrl(address)}">${say('tokens.signInAgain')}</a></p>`}
</section>
</div>`;
      return { title: say('tokens.apiTokens'), kind: 'account', main };
    },
  },
];

function inputOf(form: Form, now: number) {
  const lifetime = form.text('lifetime');
  const isEnding = lifetime !== 'never' && lifetimes.some(([days]) => days === lifetime);
  const ancestor = form.text('ancestor').trim();
  return {
    name: form.text('name'),
    scopes: scopes.filter((scope) => form.has(`scope-${scope}`)),
    ancestor: ancestor === '' ? null : ancestor,
    expiresAt: isEnding ? isoTime(now + Number(lifetime) * dayMs) : null,
  };
}

function newTokenForm({ errors = [], form }: RefusedForm, isAdmin: boolean): Html {
  const isChosen = (scope: Scope) => (form ? form.has(`scope-${scope}`) : scope === 'read');
  const offered = scopes.filter((scope) => isAdmin || (scope !== 'members' && scope !== 'admin'));
  const lifetime = form?.text('lifetime') || '90';
  return html`<form method="post" action="${address}" class="narrow-form">
${field('name', say('common.name'), html`required maxlength="100" value="${form?.text('name') ?? ''}" dir="auto"`, { errors, hint: say('tokens.whatTheTokenIsForSuchAsBird') })}
<fieldset class="field"><legend>${say('tokens.itMay')}</legend>${offered.map((scope) =>
    checkbox(`scope-${scope}`, 'yes', isChosen(scope), html`${scopeWords[scope]} <code>${scope}</code>`),
  )}${mistake(errors, 'scopes')}</fieldset>
${ancestorField(form, errors, say('tokens.leaveEmptyForTheWholeWiki'))}
${selectField('lifetime', say('tokens.worksFor'), choices(lifetimes, lifetime))}
<div class="buttons"><button type="submit" class="button">${say('tokens.makeToken')}</button></div>
<p class="hint">${say('tokens.aNewPassphraseRevokesAllYour')}</p></form>`;
}

function row(token: ListedApiToken, now: number): Html {
  const { id, name, ancestor, ancestorId, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = token;
  const isExpired = expiresAt !== null && expiresAt <= now;
  const where =
    ancestor !== null
      ? html`<a href="${pageUrl(ancestor)}">${ancestor}</a>`
      : ancestorId === null
        ? say('tokens.theWholeWiki')
        : say('tokens.aPageThatNoLongerExists');
  return html`<li><form method="post" action="${address}">
<strong dir="auto">${name}</strong>${
    isExpired && html` <span class="count">${say('tokens.expired')}</span>`
  } <span class="quiet">${joined(
    token.scopes.map((scope) => html`${scopeWords[scope]}`),
    ' · ',
  )} · ${where} · ${say('tokens.made', { time: timeAgo(createdAt, now) })} · ${
    lastUsedAt === null
      ? say('tokens.neverUsed')
      : say('tokens.lastUsed', { time: timeAgo(lastUsedAt, now), address: lastUsedFrom })
  }${expiresAt !== null && !isExpired && html` · ${say('tokens.until', { time: dayOf(expiresAt, now) })}`}</span>
<button type="submit" name="revoke" value="${id}" class="button quiet-button" aria-label="${say('tokens.revokeName', { name })}">${say('tokens.revoke')}</button></form></li>`;
}
