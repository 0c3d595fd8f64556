/** Confirms a new e-mail address by a mailed link. It leads to a form, because mail programs open links automatically. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { confirmAddress, findAddressChange } from '#core/members/change-address.ts';
import { type ByToken, formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';
import { sendSpent } from './words.ts';

export function confirmAddressRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get<{ Params: ByToken }>('/account/email/:token', async (request, reply) => {
    const { visit } = request;
    const found = await findAddressChange(store, secrets, request.params.token, visit.now);
    if (!found) {
      const words = html`It was already used, replaced by a newer one, or is older than a day. Ask for a new one under <a href="/account">Your account</a>.`;
      return sendSpent(site, reply, words);
    }
    const main = html`<div class="plain"><h1>Confirm your new address</h1>
<p class="lede"><span dir="auto">${found.member.name}</span> will sign in with ${found.change.email} instead of ${found.member.email}.</p>
<form method="post"><div class="buttons"><button type="submit" class="button">Confirm address</button></div></form></div>`;
    return sendLayout(site, reply, { title: 'Confirm your new address', kind: 'account', main });
  });

  const onForm = formRoutes<ByToken>(server, site, sendRefused, { codes: ['invalid'] });
  onForm('/account/email/:token', ['address-changed'], async (_form, request, reply) => {
    await site.limits.countInvitation(request);
    await confirmAddress(store, secrets, request.params.token, request.visit.now);
    return redirectWithNotice(reply, request.visit.actor ? '/account' : '/login', 'address-changed');
  });
}

function sendRefused(site: Site, reply: FastifyReply, { message, status }: RefusedForm): FastifyReply {
  const title = 'The address could not be changed';
  const main = html`<div class="plain"><h1>${title}</h1><p class="lede">${message}</p><p><a href="/account">Your account</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'account', main, status });
}
