/**
 * Buttons for signing in by providers. They are forms, so that other sites cannot trigger them; a form only names the action,
 * and the member comes from the session.
 */
import type { FastifyRequest } from 'fastify';
import type { ProviderName } from '#core/ports/sign-in-provider.ts';
import { identityList } from '#core/sign-in/identity-operations.ts';
import { say } from '#words/say.ts';
import { dayOf } from './format.ts';
import { type Html, html, type Words } from './html.ts';
import { carryFor } from './operation-pages.ts';
import type { Site } from './site.ts';

/** For `/login` and invitations; empty without providers. */
export function providerButtons(
  site: Site,
  fields: { intent: 'sign-in'; next: string } | { intent: 'join'; token: string },
): Html {
  const { all } = site.service.providers;
  if (all.length === 0) return html``;
  return html`<section class="providers" aria-label="${say('providers.otherWaysToSignIn')}"><p class="quiet">${
    fields.intent === 'join'
      ? say('providers.orWithoutAPassphrase')
      : say('providers.orIfItIsLinkedToYourAccount')
  }</p>
<div class="buttons">${all.map((provider) => providerButton(provider, { ...fields }, say('oauth.continueWith', { provider: provider.label })))}</div></section>`;
}

export function providerButton(provider: ProviderName, fields: Record<string, string>, words: Words): Html {
  return html`<form method="post" action="/login/with/${provider.name}">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button type="submit" class="button quiet-button">${words}</button></form>
`;
}

/** For `/account`: linked accounts, and providers to link; empty if there are neither. */
export async function linkedProviders(site: Site, request: FastifyRequest): Promise<Html> {
  const { visit } = request;
  const { providers } = site.service;
  const links = await carryFor(site, request)(identityList, {});
  if (links.length === 0 && providers.all.length === 0) return html``;
  const labelOf = (name: string) => providers.all.find((one) => one.name === name)?.label ?? name;
  const rows = links.map(
    ({ provider, account, issuer, subject, linkedAt }) => html`<li>
<form method="post" action="/account/unlink"><input type="hidden" name="issuer" value="${issuer}"><input type="hidden" name="subject" value="${subject}">
<strong>${labelOf(provider)}</strong>${account && html` <span dir="auto">${account}</span>`} <span class="quiet">${say('providers.since', { time: dayOf(linkedAt, visit.now) })}</span>
<button type="submit" class="button quiet-button" aria-label="${say('providers.unlinkAccount', {
      provider: labelOf(provider),
      account: account ?? '',
    })}">${say('providers.unlink')}</button></form></li>`,
  );
  return html`<section id="providers"><h2>${say('providers.linkedAccounts')}</h2>
${links.length > 0 ? html`<p>${say('providers.youCanSignInWithThese')}</p><ul class="sessions">${rows}</ul>` : html`<p>${say('providers.linkAnAccountOfAnother')}</p>`}
<div class="buttons">${providers.all.map((provider) =>
    providerButton(
      provider,
      { intent: 'link' },
      say(
        links.some((link) => link.provider === provider.name)
          ? 'providers.linkAnotherAccount'
          : 'providers.linkAnAccount',
        { provider: provider.label },
      ),
    ),
  )}</div></section>`;
}
