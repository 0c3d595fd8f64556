/** Confirming a new e-mail address by the link mailed to it. The link leads to a form, because mail programs open links by themselves. */
import type { FastifyInstance } from 'fastify';
import { confirmAddress, findAddressChange } from '#domain/members/change-address.ts';
import { Problem } from '#domain/problem.ts';
import { problemKinds } from '#http/problems.ts';
import { readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';
import { leaveNotice } from '../visitor.ts';

type ByToken = { Params: { token: string } };

export function confirmAddressRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get<ByToken>('/account/email/:token', async (request, reply) => {
    const { visit } = request;
    const found = await findAddressChange(store, secrets, request.params.token, visit.now);
    const title = found ? 'Confirm your new address' : 'This link does not work any more';
    const main = found
      ? html`<div class="plain"><h1>${title}</h1>
<p class="lede"><span dir="auto">${found.member.name}</span> signs in with ${found.change.email} from now on, instead of ${found.member.email}.</p>
<form method="post"><div class="buttons"><button type="submit" class="button">Confirm address</button></div></form></div>`
      : html`<div class="plain"><h1>${title}</h1>
<p class="lede">It was used already or replaced by a newer one, or it is older than a day. Ask for a new one under <a href="/account">Your account</a>.</p></div>`;
    return sendLayout(site, reply, { title, kind: 'account', main, status: found ? 200 : 404 });
  });

  server.post<ByToken>(
    '/account/email/:token',
    { config: { audit: ['address-changed'] } },
    async (request, reply) => {
      await readForm(site, request);
      try {
        await site.limits.countInvitation(request);
        await confirmAddress(store, secrets, request.params.token, request.visit.now);
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'invalid') throw error;
        const title = 'The address could not be changed';
        const main = html`<div class="plain"><h1>${title}</h1><p class="lede">${error.message}</p><p><a href="/account">Your account</a></p></div>`;
        return sendLayout(site, reply, {
          title,
          kind: 'account',
          main,
          status: problemKinds[error.code].status,
        });
      }
      leaveNotice(request, reply, 'address-changed');
      return reply.redirect(request.visit.actor ? '/account' : '/login', 303);
    },
  );
}
