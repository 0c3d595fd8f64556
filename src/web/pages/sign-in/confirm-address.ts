/** Confirms a new e-mail address by a mailed link. It leads to a form, because mail programs open links automatically. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressChangeByLink, addressConfirmation } from '#core/members/account-operations.ts';
import { say } from '#words/say.ts';
import { type ByToken, formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';
import { sendSpent } from './notice-page.ts';

export function confirmAddressRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Params: ByToken }>(
    '/account/email/:token',
    reads(addressChangeByLink),
    async (request, reply) => {
      const found = await carryFor(site, request)(addressChangeByLink, { token: request.params.token });
      if (!found) {
        const words = html`${say('confirmAddress.itWasAlreadyUsedReplacedByA', { link: (words) => html`<a href="/account">${words}</a>` })}`;
        return sendSpent(site, reply, words);
      }
      const main = html`<div class="plain"><h1>${say('confirmAddress.confirmYourNewAddress')}</h1>
<p class="lede">${say('confirmAddress.nameWillSignInWithEmail', { name: html`<span dir="auto">${found.member.name}</span>`, email: found.change.email, email2: found.member.email })}</p>
<form method="post"><div class="buttons"><button type="submit" class="button">${say('confirmAddress.confirmAddress')}</button></div></form></div>`;
      return sendLayout(site, reply, {
        title: say('confirmAddress.confirmYourNewAddress'),
        kind: 'account',
        main,
      });
    },
  );

  const onForm = formRoutes<ByToken>(server, site, sendRefused, { codes: ['invalid'] });
  onForm('/account/email/:token', [addressConfirmation], async (_form, request, reply) => {
    await site.limits.countInvitation(request);
    await carryFor(site, request)(addressConfirmation, { token: request.params.token });
    return redirectWithNotice(reply, request.visit.actor ? '/account' : '/login', 'address-changed');
  });
}

function sendRefused(site: Site, reply: FastifyReply, { message, status }: RefusedForm): FastifyReply {
  const title = say('confirmAddress.theAddressCouldNotBeChanged');
  const main = html`<div class="plain"><h1>${title}</h1><p class="lede">${message}</p><p><a href="/account">${say('common.yourAccount')}</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'account', main, status });
}
