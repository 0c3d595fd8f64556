/** A member's second factor: set up an authenticator app, see new recovery codes once, remove it. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { renderSVG } from 'uqr';
import {
  beginSecondFactor,
  begunSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '#core/members/second-factor.ts';
import type { FieldError } from '#core/model/problem.ts';
import { errorSummary, field } from '../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { count } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const address = '/account/second-factor';

interface Shown extends RefusedForm {
  codes?: string[];
  begun?: { secret: string; url: string } | undefined;
}

export function secondFactorRoutes(server: FastifyInstance, site: Site): void {
  const { service } = site;
  const { store, oneTimePasswords } = service;

  server.get(address, async (_request, reply) => send(site, reply));

  const onForm = formRoutes(server, site, sendRefused, { returnsTo: address });
  onForm(
    address,
    ['second-factor-added', 'second-factor-ended', 'recovery-codes-made'],
    async (form, { visit: { signedIn, now } }, reply) => {
      switch (form.text('what')) {
        case 'confirm': {
          const codes = await confirmSecondFactor(store, service, signedIn, form.text('code'), now);
          return send(site, reply, { codes });
        }
        case 'codes':
          return send(site, reply, { codes: await renewRecoveryCodes(store, service, signedIn, now) });
        case 'end':
          await endSecondFactor(store, signedIn, now);
          return redirectWithNotice(reply, '/account', 'second-factor-ended');
        default: {
          const begun = await beginSecondFactor(store, oneTimePasswords, signedIn, now);
          return send(site, reply, { begun });
        }
      }
    },
  );
}

async function sendRefused(site: Site, reply: FastifyReply, refused: RefusedForm): Promise<FastifyReply> {
  const { store, oneTimePasswords } = site.service;
  const begun = await begunSecondFactor(store, oneTimePasswords, reply.request.visit.actor);
  return send(site, reply, { ...refused, begun });
}

async function send(site: Site, reply: FastifyReply, shown: Shown = {}): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { isOn, codesLeft } = await getSecondFactor(site.service.store, visit.actor);
  const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a></p>
<h1>Second factor</h1>
${errorSummary(shown.message)}
${shown.codes && newCodes(shown.codes)}
${
  isOn
    ? html`<p class="lede">Signing in with your passphrase requires a code of your authenticator app. You have ${count(codesLeft, 'recovery code')} left.</p>
<form method="post" action="${address}" class="buttons"><button type="submit" class="button" name="what" value="codes">Make new recovery codes</button>
<button type="submit" class="button quiet-button" name="what" value="end">Turn off the second factor</button></form>`
    : shown.begun
      ? confirmForm(shown.begun, shown.errors ?? [])
      : html`<p class="lede">With a second factor, nobody can sign in with your passphrase alone: a code of an app on your phone is needed as well. Linked accounts and API tokens keep working without it.</p>
<form method="post" action="${address}"><div class="buttons"><button type="submit" class="button" name="what" value="begin">Add an authenticator app</button></div></form>`
}
</div>`;
  return sendLayout(site, reply, { title: 'Second factor', kind: 'account', main, status: shown.status });
}

function confirmForm({ secret, url }: { secret: string; url: string }, errors: FieldError[]): Html {
  return html`<ol class="steps">
<li><p>Scan this with your authenticator app, or type the key into it.</p>
<div class="qr" role="img" aria-label="QR code of the key">${trusted(renderSVG(url, { border: 2 }))}</div>
<p>Key: <code class="key">${secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code></p></li>
<li><form method="post" action="${address}" class="narrow-form">
${field('code', 'Enter the code that it shows', html`autocomplete="one-time-code" inputmode="numeric" required`, { errors })}
<div class="buttons"><button type="submit" class="button" name="what" value="confirm">Turn it on</button></div></form></li></ol>`;
}

function newCodes(codes: string[]): Html {
  return html`<div class="banner" role="status"><p>Keep these recovery codes where you can find them without your phone. Each works once. They are not shown again.</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul></div>`;
}
