/** The waiting list of sign-ups, which administrators approve or refuse. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { signUpApproval, signUpList, signUpRefusal } from '#core/joining/sign-up-operations.ts';
import { invalid } from '#core/model/problem.ts';
import type { SignUp } from '#core/ports/sign-up-store.ts';
import { say } from '#words/say.ts';
import { actionsHeading, emailWords, paging, readRange, table } from '../../components.ts';
import { errorSummary } from '../../form-fields.ts';
import { chosenId, formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { dayOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';

const shown = 100;
const address = '/members/waiting';

export function waitingRoutes(server: FastifyInstance, site: Site): void {
  server.get(address, reads(signUpList), async (_request, reply) => sendWaiting(site, reply));

  const onForm = formRoutes(server, site, sendWaiting, { codes: ['invalid', 'not-found'] });
  onForm(address, [signUpApproval, signUpRefusal], async (form, request, reply) => {
    const carry = carryFor(site, request);
    const id = chosenId(form, 'id');
    switch (form.text('what')) {
      case 'approve':
        await carry(signUpApproval, { id });
        return redirectWithNotice(reply, address, 'sign-up-approved');
      case 'refuse':
        await carry(signUpRefusal, { id });
        return redirectWithNotice(reply, address, 'sign-up-refused');
      default:
        throw invalid('/what', say('common.chooseAnAction'));
    }
  });
}

async function sendWaiting(
  site: Site,
  reply: FastifyReply,
  { message, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { url, range } = readRange(visit, shown);
  const { items: signUps, total } = await carryFor(site, reply.request)(signUpList, range);
  const main = html`<div class="plain members">
<p class="above"><a href="/members">${say('waiting.members')}</a></p>
<h1>${say('common.signUpRequests')}</h1>
<p class="lede">${total === 0 ? say('waiting.nobodyWaits') : say('waiting.peopleWait', { count: total })}</p>
${errorSummary(message)}
${
  signUps.length > 0 &&
  table(
    'rows member-table',
    [say('common.name'), say('account.eMail'), say('waiting.since'), actionsHeading],
    signUps.map((one) => row(one, visit.now)),
  )
}
${paging(url, range, total)}
</div>`;
  return sendLayout(site, reply, { title: say('common.signUpRequests'), kind: 'members', main, status });
}

function row({ id, name, email, waitingSince, createdAt }: SignUp, now: number): Html {
  return html`<tr><th scope="row" dir="auto">${name}</th><td>${emailWords(email)}</td><td>${dayOf(waitingSince ?? createdAt, now)}</td>
<td class="row-actions"><form method="post" action="${address}"><input type="hidden" name="id" value="${id}"><button type="submit" name="what" value="approve"
aria-label="${say('waiting.letIn')}: ${name}">${say(
    'waiting.letIn',
  )}</button> <button type="submit" name="what" value="refuse" aria-label="${say('waiting.refuseName', { name })}">${say(
    'waiting.refuse',
  )}</button></form></td></tr>`;
}
