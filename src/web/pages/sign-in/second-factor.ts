/** A member's second factor: set up an authenticator app, see new recovery codes once, remove it. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { renderSVG } from 'uqr';
import type { FieldError } from '#core/model/problem.ts';
import {
  recoveryCodeRenewal,
  secondFactorBeginning,
  secondFactorConfirmation,
  secondFactorEnding,
  secondFactorKey,
  secondFactorState,
} from '#core/sign-in/second-factor-operations.ts';
import { say } from '#words/say.ts';
import { errorSummary, field } from '../../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { type Html, html, trusted } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';

const address = '/account/second-factor';

interface Shown extends RefusedForm {
  codes?: string[];
  begun?: { secret: string; url: string } | undefined;
}

export function secondFactorRoutes(server: FastifyInstance, site: Site): void {
  server.get(address, reads(secondFactorState, secondFactorKey), async (_request, reply) =>
    send(site, reply),
  );

  const onForm = formRoutes(server, site, sendRefused, { returnsTo: address });
  onForm(
    address,
    [secondFactorBeginning, secondFactorConfirmation, recoveryCodeRenewal, secondFactorEnding],
    async (form, request, reply) => {
      const carry = carryFor(site, request);
      switch (form.text('what')) {
        case 'confirm': {
          const codes = await carry(secondFactorConfirmation, { code: form.text('code') });
          return send(site, reply, { codes });
        }
        case 'codes':
          return send(site, reply, { codes: await carry(recoveryCodeRenewal, {}) });
        case 'end':
          await carry(secondFactorEnding, {});
          return redirectWithNotice(reply, '/account#second-factor', 'second-factor-ended');
        default: {
          const begun = await carry(secondFactorBeginning, {});
          return send(site, reply, { begun });
        }
      }
    },
  );
}

async function sendRefused(site: Site, reply: FastifyReply, refused: RefusedForm): Promise<FastifyReply> {
  const begun = await carryFor(site, reply.request)(secondFactorKey, {});
  return send(site, reply, { ...refused, begun });
}

async function send(site: Site, reply: FastifyReply, shown: Shown = {}): Promise<FastifyReply> {
  const { isOn, codesLeft } = await carryFor(site, reply.request)(secondFactorState, {});
  const main = html`<div class="plain">
<p class="above"><a href="/account">${say('common.yourAccount')}</a></p>
<h1>${say('secondFactor.secondFactor')}</h1>
${errorSummary(shown.message)}
${shown.codes && newCodes(shown.codes)}
${
  isOn
    ? html`<p class="lede">${say('secondFactor.signingInWithYourPassphrase', { codesLeft: codesLeft })}</p>
<form method="post" action="${address}" class="buttons"><button type="submit" class="button" name="what" value="codes">${say('secondFactor.makeNewRecoveryCodes')}</button>
<button type="submit" class="button quiet-button" name="what" value="end">${say('secondFactor.turnOffTheSecondFactor')}</button></form>`
    : shown.begun
      ? confirmForm(shown.begun, shown.errors ?? [])
      : html`<p class="lede">${say('secondFactor.withASecondFactorNobodyCan')}</p>
<form method="post" action="${address}"><div class="buttons"><button type="submit" class="button" name="what" value="begin">${say('secondFactor.addAnAuthenticatorApp')}</button></div></form>`
}
</div>`;
  return sendLayout(site, reply, {
    title: say('secondFactor.secondFactor'),
    kind: 'account',
    main,
    status: shown.status,
  });
}

function confirmForm({ secret, url }: { secret: string; url: string }, errors: FieldError[]): Html {
  return html`<ol class="steps">
<li><p>${say('secondFactor.scanThisWithYour')}</p>
<div class="qr" role="img" aria-label="${say('secondFactor.qrCodeOfTheKey')}">${trusted(renderSVG(url, { border: 2 }))}</div>
<p>${say('secondFactor.keyTrim', { trim: html`<code class="key">${secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code>` })}</p></li>
<li><form method="post" action="${address}" class="narrow-form">
${field('code', say('secondFactor.enterTheCodeThatItShows'), html`autocomplete="one-time-code" inputmode="numeric" required`, { errors })}
<div class="buttons"><button type="submit" class="button" name="what" value="confirm">${say('secondFactor.turnItOn')}</button></div></form></li></ol>`;
}

function newCodes(codes: string[]): Html {
  return html`<div class="banner" role="status"><p>${say('secondFactor.keepTheseRecoveryCodesWhere')}</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul></div>`;
}
