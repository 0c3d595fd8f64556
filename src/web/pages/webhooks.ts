/** Webhooks, for administrators: list and make them; on a page for each what was sent, a test, and sending again. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type EventKind, eventKinds } from '#domain/events/event.ts';
import { parseId } from '#domain/id.ts';
import type { ListedDelivery } from '#domain/ports/webhook-store.ts';
import { invalid } from '#domain/problem.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  findWebhook,
  type ListedWebhook,
  listWebhooks,
} from '#domain/webhooks/administer-webhooks.ts';
import { listDeliveries, replayDelivery, testWebhook } from '#domain/webhooks/webhook-log.ts';
import { copyOnce, described, errorSummary, mistake, pageUrl, paging, readRange } from '../components.ts';
import { count, momentOf, timeAgo } from '../format.ts';
import { chosenId, type Form, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { type RefusedForm, refusalOf } from '../refusal.ts';
import type { Site } from '../site.ts';
import { leaveNotice } from '../visitor.ts';

const shownDeliveries = 50;

const kindWords: Record<EventKind, string> = {
  created: 'Pages created',
  edited: 'Pages edited',
  moved: 'Pages moved',
  permissions: 'Permissions changed',
  deleted: 'Pages deleted',
  restored: 'Pages restored',
  erased: 'Pages erased',
};

export function webhookRoutes(server: FastifyInstance, site: Site): void {
  const { store, webhooks } = site.service;
  const parts = { ...webhooks, store };

  server.get('/members/webhooks', async (_request, reply) => sendWebhooks(site, reply, {}));

  server.post('/members/webhooks', { config: { audit: ['webhook-made'] } }, async (request, reply) => {
    const { actor, now } = request.visit;
    const form = await readForm(site, request);
    try {
      const made = await createWebhook(parts, actor, inputOf(form), now);
      return sendWebhooks(site, reply, { made });
    } catch (error) {
      return sendWebhooks(site, reply, { ...refusalOf(error, ['invalid']), form });
    }
  });

  server.get<{ Params: { id: string } }>('/members/webhooks/:id', async (request, reply) =>
    sendWebhook(site, request, reply, {}),
  );

  server.post<{ Params: { id: string } }>(
    '/members/webhooks/:id',
    { config: { audit: ['webhook-changed', 'webhook-deleted'] } },
    async (request, reply) => {
      const { actor, now } = request.visit;
      const id = parseId(request.params.id) ?? 0;
      const form = await readForm(site, request);
      switch (form.text('what')) {
        case 'test':
          return sendWebhook(site, request, reply, { sent: await testWebhook(parts, actor, id) });
        case 'replay': {
          const sent = await replayDelivery(parts, actor, id, chosenId(form, 'delivery'));
          return sendWebhook(site, request, reply, { sent });
        }
        case 'enable':
          await editWebhook(parts, actor, id, { enabled: true }, now);
          leaveNotice(request, reply, 'webhook-enabled');
          break;
        case 'disable':
          await editWebhook(parts, actor, id, { enabled: false }, now);
          leaveNotice(request, reply, 'webhook-disabled');
          break;
        case 'delete':
          await deleteWebhook(store, actor, id);
          leaveNotice(request, reply, 'webhook-deleted');
          return reply.redirect('/members/webhooks', 303);
        default:
          throw invalid('/what', 'Choose what to do.');
      }
      return reply.redirect(`/members/webhooks/${id}`, 303);
    },
  );
}

function inputOf(form: Form) {
  const kinds = eventKinds.filter((kind) => form.has(`kind-${kind}`));
  const ancestor = form.text('ancestor').trim();
  return {
    url: form.text('url').trim(),
    kinds: kinds.length === eventKinds.length ? null : kinds,
    ancestor: ancestor === '' ? null : ancestor,
  };
}

interface Shown extends RefusedForm {
  made?: ListedWebhook;
}

async function sendWebhooks(site: Site, reply: FastifyReply, shown: Shown): Promise<FastifyReply> {
  const { visit } = reply.request;
  const hooks = await listWebhooks(site.service.store, visit.actor);
  const { made } = shown;
  const main = html`<div class="plain members">
<p class="above"><a href="/members">Members</a></p>
<h1>Webhooks</h1>
<p class="lede">Addresses of other programs that are told what happens in this wiki.</p>
${errorSummary(shown.message)}
${
  made &&
  copyOnce(
    'The webhook is ready. Copy its secret now, by which the receiver checks that a request comes from here: it is not shown again.',
    { id: 'new-secret', label: 'Secret', value: made.secret },
  )
}
${
  hooks.length === 0
    ? html`<p class="empty">There are no webhooks.</p>`
    : html`<div class="wide-box"><table class="member-table webhook-table"><thead><tr><th scope="col">Address</th><th scope="col">Told of</th><th scope="col">By</th><th scope="col">State</th></tr></thead>
<tbody>${hooks.map((hook) => row(hook, visit.now))}</tbody></table></div>`
}
<section><h2>New webhook</h2>${newForm(shown)}</section>
</div>`;
  return sendLayout(site, reply, {
    title: 'Webhooks',
    kind: 'members',
    main,
    scripts: ['account'],
    status: shown.status,
  });
}

function newForm({ errors = [], form }: Shown): Html {
  const isChosen = (kind: EventKind) => !form || form.has(`kind-${kind}`);
  return html`<form method="post" action="/members/webhooks" class="narrow-form">
<div class="field"><label for="url">Address</label><input id="url" name="url" type="url" required maxlength="2000" value="${form?.text('url') ?? ''}" placeholder="https://site.example.org/hooks/wiki"${described(errors, 'url', 'url-hint')}><p class="hint" id="url-hint">Events are sent there as JSON, of pages that you may read. <a href="/v1/docs#Webhooks">What is sent</a></p>${mistake(errors, 'url')}</div>
<fieldset class="field"><legend>It is told of</legend>${eventKinds.map((kind) => html`<label class="choice"><input type="checkbox" name="kind-${kind}" value="yes"${isChosen(kind) && html` checked`}> ${kindWords[kind]}</label>`)}${mistake(errors, 'kinds')}</fieldset>
<div class="field"><label for="ancestor">Only this page and what lies beneath it</label><input id="ancestor" name="ancestor" value="${form?.text('ancestor') ?? ''}" placeholder="/birds" dir="auto"${described(errors, 'ancestor', 'ancestor-hint')}><p class="hint" id="ancestor-hint">Leave empty for the whole wiki.</p>${mistake(errors, 'ancestor')}</div>
<div class="buttons"><button type="submit" class="button">Make webhook</button></div></form>`;
}

function row(hook: ListedWebhook, now: number): Html {
  const { id, url, memberName, disabled } = hook;
  return html`<tr${disabled && html` class="inactive"`}><th scope="row"><a href="/members/webhooks/${id}">${url}</a></th><td>${toldOf(hook)}</td><td dir="auto">${memberName}</td><td>${stateOf(hook, now)}</td></tr>`;
}

function toldOf({ kinds, ancestor, ancestorId }: ListedWebhook): Html {
  const where =
    ancestor !== null
      ? html` in <a href="${pageUrl(ancestor)}">${ancestor}</a>`
      : ancestorId !== null && ' in a page that is not there any more';
  return html`${kinds ? kinds.map((kind) => kindWords[kind]).join(', ') : 'Everything'}${where}`;
}

function stateOf({ disabled, lastSuccessAt }: ListedWebhook, now: number): Html {
  if (disabled) return html`Disabled ${timeAgo(disabled.at, now)}: ${disabled.reason}`;
  return lastSuccessAt === null
    ? html`Enabled, nothing taken yet`
    : html`Enabled, last taken ${timeAgo(lastSuccessAt, now)}`;
}

async function sendWebhook(
  site: Site,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  { sent }: { sent?: ListedDelivery },
): Promise<FastifyReply> {
  const { visit } = request;
  const { store } = site.service;
  const hook = await findWebhook(store, visit.actor, parseId(request.params.id) ?? 0);
  const { id, url, memberName, disabled } = hook;
  const { url: at, range } = readRange(visit, shownDeliveries);
  const { deliveries, total } = await listDeliveries(store, visit.actor, id, range);
  const action = (what: string, words: string) =>
    html`<button type="submit" name="what" value="${what}" class="button quiet-button">${words}</button> `;
  const main = html`<div class="plain members">
<p class="above"><a href="/members/webhooks">Webhooks</a></p>
<h1>${url}</h1>
<p class="lede">${toldOf(hook)}, as far as <span dir="auto">${memberName}</span> may read it. ${stateOf(hook, visit.now)}.</p>
${
  sent &&
  html`<div class="banner" role="status"><p>${sent.state === 'delivered' ? 'Taken' : 'Not taken'}: ${resultOf(sent)}</p></div>`
}
<form method="post" action="/members/webhooks/${id}" class="buttons">${action('test', 'Send a test')}${disabled ? action('enable', 'Enable') : action('disable', 'Disable')}${action('delete', 'Delete')}</form>
<section><h2>Deliveries <span class="count">${total}</span></h2>
${
  deliveries.length === 0
    ? html`<p class="empty">Nothing was sent yet.</p>`
    : html`<div class="wide-box"><table class="member-table"><thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Sent</th><th scope="col">Attempts</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>${deliveries.map((delivery) => deliveryRow(delivery, visit.now))}</tbody></table></div>${paging(at, range, total)}`
}
</section></div>`;
  return sendLayout(site, reply, { title: 'Webhook', kind: 'members', main });
}

const stateWords: Record<ListedDelivery['state'], string> = {
  waiting: 'Waits',
  delivered: 'Taken',
  failed: 'Given up',
  'left-out': 'Left out: not to be read any more',
};

function deliveryRow(delivery: ListedDelivery, now: number): Html {
  const { id, webhookId, kind, path, state, attempts, attemptedAt, dueAt, messageId } = delivery;
  const detail = html`<p class="quiet">${resultOf(delivery)}${dueAt !== null && html` · again ${momentOf(dueAt)}`}</p>`;
  return html`<tr><th scope="row">${kind}${path !== null && html` <a href="${pageUrl(path)}" dir="auto">${path}</a>`}</th><td>${stateWords[state]}</td><td>${timeAgo(attemptedAt, now)}</td><td>${count(attempts, 'attempt')}</td>
<td class="row-actions">${detail}<form method="post" action="/members/webhooks/${webhookId}"><input type="hidden" name="delivery" value="${id}"><button type="submit" name="what" value="replay" aria-label="Send again: ${kind} ${path ?? messageId}">Send again</button></form></td></tr>`;
}

function resultOf({ status, answer, tookMs }: ListedDelivery): Html {
  return html`${status !== null && html`<code>${status}</code> `}${answer} <span class="quiet">${tookMs} ms</span>`;
}
