/** A member's API tokens: list, make, revoke. The secret of a new one is on the page that answers its form, and nowhere else. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  createApiToken,
  type ListedApiToken,
  listApiTokens,
  revokeApiToken,
} from '#domain/members/api-tokens.ts';
import { isRecentSignIn } from '#domain/members/recent-sign-in.ts';
import { type Scope, scopes } from '#domain/ports/credentials.ts';
import { copyOnce, described, errorSummary, mistake, pageUrl } from '../components.ts';
import { dayOf, timeAgo } from '../format.ts';
import { chosenId, type Form, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { needsRecentSignIn, type RefusedForm, refusalOf, signInAgain, signInAgainUrl } from '../refusal.ts';
import type { Site } from '../site.ts';
import { leaveNotice } from '../visitor.ts';

const address = '/account/tokens';
const dayMs = 24 * 60 * 60 * 1000;

/** Days for which a token works, by the value of the form's field. */
const lifetimes: Record<string, number | undefined> = { '30': 30, '90': 90, '365': 365, never: undefined };
const lifetimeWords: Record<string, string> = {
  '30': '30 days',
  '90': '90 days',
  '365': 'One year',
  never: 'Until it is revoked',
};

const scopeWords: Record<Scope, string> = {
  read: 'Read what you may read',
  write: 'Create and change pages',
  files: 'Attach files to what it writes',
  members: 'Invite members, as you may',
  admin: 'Read and write every page, as you may',
};

export function tokenRoutes(server: FastifyInstance, site: Site): void {
  const { store, apiTokenSecrets } = site.service;

  server.get(address, async (_request, reply) => sendTokens(site, reply, {}));

  server.post(address, { config: { audit: ['token-made', 'token-revoked'] } }, async (request, reply) => {
    const { actor, signedIn, now } = request.visit;
    const form = await readForm(site, request);
    try {
      if (form.has('revoke')) {
        await revokeApiToken(store, actor, chosenId(form, 'revoke'));
        leaveNotice(request, reply, 'token-revoked');
        return reply.redirect(address, 303);
      }
      const made = await createApiToken(store, apiTokenSecrets, signedIn, inputOf(form, now), now);
      return sendTokens(site, reply, { made });
    } catch (error) {
      if (needsRecentSignIn(error)) return signInAgain(reply, address);
      return sendTokens(site, reply, { ...refusalOf(error), form });
    }
  });
}

function inputOf(form: Form, now: number) {
  const days = lifetimes[form.text('lifetime')];
  const ancestor = form.text('ancestor').trim();
  return {
    name: form.text('name'),
    scopes: scopes.filter((scope) => form.has(`scope-${scope}`)),
    ancestor: ancestor === '' ? undefined : ancestor,
    expiresAt: days === undefined ? undefined : now + days * dayMs,
  };
}

interface Shown extends RefusedForm {
  made?: { token: ListedApiToken; secret: string };
}

async function sendTokens(site: Site, reply: FastifyReply, shown: Shown): Promise<FastifyReply> {
  const { visit } = reply.request;
  const tokens = await listApiTokens(site.service.store, visit.actor);
  const { made } = shown;
  const isRecent = isRecentSignIn(visit.signedIn?.claims.signedInAt, visit.now);
  const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a></p>
<h1>API tokens</h1>
<p class="lede">A token lets a program act as you, within what you allow it. <a href="/v1/docs">What the API offers</a></p>
${errorSummary(shown.message)}
${
  made &&
  copyOnce(
    html`The token <strong dir="auto">${made.token.name}</strong> is ready. Copy it now: it is not shown again.`,
    { id: 'new-token', label: 'New token', value: made.secret },
  )
}
${tokens.length === 0 ? html`<p class="empty">You have no tokens.</p>` : html`<ul class="sessions">${tokens.map((token) => row(token, visit.now))}</ul>`}
<section><h2>New token</h2>
${isRecent ? newTokenForm(shown, visit.actor?.isAdmin ?? false) : html`<p>Making a token needs you to have signed in a moment ago.</p><p><a class="button" href="${signInAgainUrl(address)}">Sign in again</a></p>`}
</section>
</div>`;
  return sendLayout(site, reply, {
    title: 'API tokens',
    kind: 'account',
    main,
    scripts: ['account'],
    status: shown.status,
  });
}

function newTokenForm({ errors = [], form }: Shown, isAdmin: boolean): Html {
  const isChosen = (scope: Scope) => (form ? form.has(`scope-${scope}`) : scope === 'read');
  const offered = scopes.filter((scope) => isAdmin || (scope !== 'members' && scope !== 'admin'));
  const lifetime = form?.text('lifetime') || '90';
  return html`<form method="post" action="${address}" class="narrow-form">
<div class="field"><label for="name">Name</label><input id="name" name="name" required maxlength="100" value="${form?.text('name') ?? ''}" dir="auto"${described(errors, 'name', 'name-hint')}><p class="hint" id="name-hint">What it is for, such as “Bird bot”.</p>${mistake(errors, 'name')}</div>
<fieldset class="field"><legend>It may</legend>${offered.map((scope) => html`<label class="choice"><input type="checkbox" name="scope-${scope}" value="yes"${isChosen(scope) && html` checked`}> ${scopeWords[scope]} <code>${scope}</code></label>`)}${mistake(errors, 'scopes')}</fieldset>
<div class="field"><label for="ancestor">Only this page and what lies beneath it</label><input id="ancestor" name="ancestor" value="${form?.text('ancestor') ?? ''}" placeholder="/birds" dir="auto"${described(errors, 'ancestor', 'ancestor-hint')}><p class="hint" id="ancestor-hint">Leave empty for the whole wiki. Elsewhere the token reads what anyone may read, and writes nothing.</p>${mistake(errors, 'ancestor')}</div>
<div class="field"><label for="lifetime">Works for</label><select id="lifetime" name="lifetime">${Object.entries(lifetimeWords).map(([value, words]) => html`<option value="${value}"${value === lifetime && html` selected`}>${words}</option>`)}</select></div>
<div class="buttons"><button type="submit" class="button">Make token</button></div>
<p class="hint">A new passphrase ends all of your tokens.</p></form>`;
}

function row(token: ListedApiToken, now: number): Html {
  const { id, name, ancestor, ancestorId, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = token;
  const isExpired = expiresAt !== null && expiresAt <= now;
  const where =
    ancestor !== null
      ? html`<a href="${pageUrl(ancestor)}">${ancestor}</a>`
      : ancestorId === null
        ? 'the whole wiki'
        : 'a page that is not there any more';
  return html`<li><form method="post" action="${address}">
<strong dir="auto">${name}</strong>${isExpired && html` <span class="count">expired</span>`} <span class="quiet">${token.scopes.join(', ')} · ${where} · made ${timeAgo(createdAt, now)} · ${lastUsedAt === null ? 'never used' : html`last used ${timeAgo(lastUsedAt, now)} from ${lastUsedFrom}`}${expiresAt !== null && !isExpired && html` · until ${dayOf(expiresAt, now)}`}</span>
<button type="submit" name="revoke" value="${id}" class="button quiet-button" aria-label="Revoke: ${name}">Revoke</button></form></li>`;
}
