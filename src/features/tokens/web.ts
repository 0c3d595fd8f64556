/** A member's API tokens: list, create, revoke. A new secret is shown only in the response to the form. */
import { isRecentSignIn } from '#core/members/recent-sign-in.ts';
import { dayMs, isoTime } from '#core/model/iso-time.ts';
import { type Scope, scopes } from '#core/ports/credentials.ts';
import { copyOnce, pageUrl } from '#web/components.ts';
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
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { createToken, listTokens, revokeToken } from './operations.ts';
import type { ListedApiToken } from './tokens.ts';

const address = '/account/tokens';

/** Lifetime of a token in days, by value of the form field; `never` has no expiry. */
const lifetimes: [days: string, words: string][] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
  ['never', 'Until it is revoked'],
];

const scopeWords: Record<Scope, string> = {
  read: 'Read what you can read',
  write: 'Create and change pages',
  files: 'Attach files to pages',
  members: 'Invite members, as you may',
  admin: 'Read and write every page, as you may',
  preview: 'Show proposals that you can read in the preview of another site',
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
<p class="above"><a href="/account">Your account</a></p>
<h1>API tokens</h1>
<p class="lede">A token lets a program act as you, within the rights that you choose. <a href="/v1/docs">About the API</a></p>
${errorSummary(refused.message)}
${
  made &&
  copyOnce(
    html`The token <strong dir="auto">${made.token.name}</strong> is ready. Copy it now; it is not shown again.`,
    { id: 'new-token', label: 'New token', value: made.secret },
  )
}
${tokens.length === 0 ? html`<p class="empty">You have no tokens.</p>` : html`<ul class="sessions">${tokens.map((token) => row(token, visit.now))}</ul>`}
<section><h2>New token</h2>
${isRecent ? newTokenForm(refused, isAdmin) : html`<p>To make a token, you must have signed in within the last few minutes.</p><p><a class="button" href="${signInAgainUrl(address)}">Sign in again</a></p>`}
</section>
</div>`;
      return { title: 'API tokens', kind: 'account', main, scripts: ['account'] };
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
${field('name', 'Name', html`required maxlength="100" value="${form?.text('name') ?? ''}" dir="auto"`, { errors, hint: 'What the token is for, such as “Bird bot”.' })}
<fieldset class="field"><legend>It may</legend>${offered.map((scope) => checkbox(`scope-${scope}`, 'yes', isChosen(scope), html`${scopeWords[scope]} <code>${scope}</code>`))}${mistake(errors, 'scopes')}</fieldset>
${ancestorField(form, errors, 'Leave empty for the whole wiki. Outside this page the token reads what anyone may read, and cannot write.')}
${selectField('lifetime', 'Works for', choices(lifetimes, lifetime))}
<div class="buttons"><button type="submit" class="button">Make token</button></div>
<p class="hint">A new passphrase revokes all your tokens.</p></form>`;
}

function row(token: ListedApiToken, now: number): Html {
  const { id, name, ancestor, ancestorId, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = token;
  const isExpired = expiresAt !== null && expiresAt <= now;
  const where =
    ancestor !== null
      ? html`<a href="${pageUrl(ancestor)}">${ancestor}</a>`
      : ancestorId === null
        ? 'the whole wiki'
        : 'a page that no longer exists';
  return html`<li><form method="post" action="${address}">
<strong dir="auto">${name}</strong>${isExpired && html` <span class="count">expired</span>`} <span class="quiet">${token.scopes.join(', ')} · ${where} · made ${timeAgo(createdAt, now)} · ${lastUsedAt === null ? 'never used' : html`last used ${timeAgo(lastUsedAt, now)} from ${lastUsedFrom}`}${expiresAt !== null && !isExpired && html` · until ${dayOf(expiresAt, now)}`}</span>
<button type="submit" name="revoke" value="${id}" class="button quiet-button" aria-label="Revoke: ${name}">Revoke</button></form></li>`;
}
