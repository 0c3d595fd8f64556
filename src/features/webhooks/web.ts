/** Webhooks, for administrators: list and create them; for each its log, a test, and sending again. */
import { type EventKind, eventKinds } from '#core/model/event.ts';
import { type ListedDelivery, type WebhookFormat, webhookFormats } from '#core/ports/webhook-store.ts';
import { actionsHeading, copyOnce, pageUrl, paging, readRange, table } from '#web/components.ts';
import { ancestorField, checkbox, errorSummary, field, mistake } from '#web/form-fields.ts';
import type { RefusedForm } from '#web/form-routes.ts';
import { count, momentOf, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  readWebhook,
  replayDelivery,
  testWebhook,
} from './operations.ts';
import type { ListedWebhook } from './webhooks.ts';

const address = '/members/webhooks';
const shownDeliveries = 50;

const kindWords: Record<EventKind, string> = {
  created: 'Pages created',
  edited: 'Pages edited',
  moved: 'Pages moved',
  permissions: 'Permissions changed',
  deleted: 'Pages deleted',
  restored: 'Pages restored',
  erased: 'Pages erased',
  ordered: 'Pages ordered',
  commented: 'Comments',
  proposed: 'Change proposed',
  merged: 'Proposal merged',
};

export const web: readonly OperationPage[] = [
  {
    url: address,
    reads: [listWebhooks],
    forms: { '': formOf(createWebhook, { fields: inputOf }) },
    async show({ carry, visit, refused, answerTo }) {
      const hooks = await carry(listWebhooks, {});
      const made = answerTo(createWebhook);
      const main = html`<div class="plain members">
<p class="above"><a href="/members">Members</a></p>
<h1>Webhooks</h1>
<p class="lede">Addresses of other programs to which this wiki sends its events.</p>
${errorSummary(refused.message)}
${
  made &&
  copyOnce(
    'The webhook is ready. Copy its secret now; it is not shown again. With it the receiver checks that requests come from this wiki.',
    { id: 'new-secret', label: 'Secret', value: made.secret },
  )
}
${
  hooks.length === 0
    ? html`<p class="empty">There are no webhooks.</p>`
    : table(
        'rows member-table webhook-table',
        ['Address', 'Told of', 'By', 'State'],
        hooks.map((hook) => row(hook, visit.now)),
      )
}
<section><h2>New webhook</h2>${newForm(refused)}</section>
</div>`;
      return { title: 'Webhooks', kind: 'members', main, scripts: ['account'] };
    },
  },
  {
    url: `${address}/:id`,
    reads: [readWebhook, listDeliveries],
    forms: {
      test: formOf(testWebhook),
      replay: formOf(replayDelivery),
      enable: formOf(editWebhook, { notice: 'webhook-enabled', fields: () => ({ enabled: true }) }),
      disable: formOf(editWebhook, { notice: 'webhook-disabled', fields: () => ({ enabled: false }) }),
      delete: formOf(deleteWebhook, { notice: 'webhook-deleted', leadsTo: address }),
    },
    async show({ carry, visit, id, answerTo }) {
      const hook = await carry(readWebhook, { id });
      const { url, memberName, disabled } = hook;
      const { url: at, range } = readRange(visit, shownDeliveries);
      const { items: deliveries, total } = await carry(listDeliveries, { id, ...range });
      const sent = answerTo(testWebhook) ?? answerTo(replayDelivery);
      const action = (what: string, words: string) =>
        html`<button type="submit" name="what" value="${what}" class="button quiet-button">${words}</button> `;
      const main = html`<div class="plain members">
<p class="above"><a href="/members/webhooks">Webhooks</a></p>
<h1>${url}</h1>
<p class="lede">${formatWords[hook.format]}. ${eventsOf(hook)}, as far as <span dir="auto">${memberName}</span> may read it. ${stateOf(hook, visit.now)}.</p>
${
  sent &&
  html`<div class="banner" role="status"><p>${sent.state === 'delivered' ? 'Delivered' : 'Not delivered'}: ${resultOf(sent)}</p></div>`
}
<form method="post" action="/members/webhooks/${id}" class="buttons">${action('test', 'Send a test')}${disabled ? action('enable', 'Enable') : action('disable', 'Disable')}${action('delete', 'Delete')}</form>
<section><h2>Deliveries <span class="count">${total}</span></h2>
${
  deliveries.length === 0
    ? html`<p class="empty">Nothing has been sent yet.</p>`
    : table(
        'rows member-table',
        ['Event', 'State', 'Sent', 'Attempts', actionsHeading],
        deliveries.map((delivery) => deliveryRow(delivery, visit.now)),
      )
}
${paging(at, range, total)}
</section></div>`;
      return { title: 'Webhook', kind: 'members', main };
    },
  },
];

function inputOf(form: Form) {
  const kinds = eventKinds.filter((kind) => form.has(`kind-${kind}`));
  const ancestor = form.text('ancestor').trim();
  return {
    url: form.text('url').trim(),
    kinds: kinds.length === eventKinds.length ? null : kinds,
    ancestor: ancestor === '' ? null : ancestor,
    format: webhookFormats.find((format) => format === form.text('format')) ?? 'standard',
  };
}

const formatWords: Record<WebhookFormat, string> = {
  standard: 'Events as JSON (Standard Webhooks)',
  slack: 'Messages for Slack',
  teams: 'Messages for Microsoft Teams',
  discord: 'Messages for Discord',
};

function newForm({ errors = [], form }: RefusedForm): Html {
  const isChosen = (kind: EventKind) => !form || form.has(`kind-${kind}`);
  return html`<form method="post" action="/members/webhooks" class="narrow-form">
${field('url', 'Address', html`type="url" required maxlength="2000" value="${form?.text('url') ?? ''}" placeholder="https://site.example.org/hooks/wiki"`, { errors, hint: html`Events about pages that you may read are sent there. <a href="/v1/docs#Webhooks">What is sent</a>` })}
${choice(form?.text('format') ?? 'standard')}
<fieldset class="field"><legend>Kinds of events</legend>${eventKinds.map((kind) => checkbox(`kind-${kind}`, 'yes', isChosen(kind), kindWords[kind]))}${mistake(errors, 'kinds')}</fieldset>
${ancestorField(form, errors, 'Leave empty for the whole wiki.')}
<div class="buttons"><button type="submit" class="button">Make webhook</button></div></form>`;
}

function choice(chosen: string): Html {
  return html`<div class="field"><label for="format">What is sent</label><select id="format" name="format">${webhookFormats.map((format) => html`<option value="${format}"${format === chosen && html` selected`}>${formatWords[format]}</option>`)}</select></div>`;
}

function row(hook: ListedWebhook, now: number): Html {
  const { id, url, memberName, disabled } = hook;
  return html`<tr${disabled && html` class="inactive"`}><th scope="row"><a href="/members/webhooks/${id}">${url}</a></th><td>${eventsOf(hook)}</td><td dir="auto">${memberName}</td><td>${stateOf(hook, now)}</td></tr>`;
}

function eventsOf({ kinds, ancestor, ancestorId }: ListedWebhook): Html {
  const where =
    ancestor !== null
      ? html` in <a href="${pageUrl(ancestor)}">${ancestor}</a>`
      : ancestorId !== null && ' in a page that no longer exists';
  return html`${kinds ? kinds.map((kind) => kindWords[kind]).join(', ') : 'Everything'}${where}`;
}

function stateOf({ disabled, lastSuccessAt }: ListedWebhook, now: number): Html {
  if (disabled) return html`Disabled ${timeAgo(disabled.at, now)}: ${disabled.reason}`;
  return lastSuccessAt === null
    ? html`Enabled, nothing accepted yet`
    : html`Enabled, last accepted ${timeAgo(lastSuccessAt, now)}`;
}

const stateWords: Record<ListedDelivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Given up',
  'left-out': 'Left out: may no longer be read',
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
