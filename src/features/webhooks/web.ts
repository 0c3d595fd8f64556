/** Webhooks, for administrators: list and create them; for each its log, a test, and sending again. */
import { type EventKind, eventKinds } from '#core/model/event.ts';
import { type ListedDelivery, type WebhookFormat, webhookFormats } from '#core/ports/webhook-store.ts';
import { actionsHeading, copyOnce, pageUrl, paging, readRange, table } from '#web/components.ts';
import { ancestorField, checkbox, errorSummary, field, mistake } from '#web/form-fields.ts';
import type { RefusedForm } from '#web/form-routes.ts';
import { momentOf, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html, type Words } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { listOf, say } from '#words/say.ts';
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

const kindWords: Record<EventKind, Words> = {
  created: say('webhooks.pagesCreated'),
  edited: say('webhooks.pagesEdited'),
  moved: say('webhooks.pagesMoved'),
  permissions: say('webhooks.permissionsChanged'),
  deleted: say('webhooks.pagesDeleted'),
  restored: say('webhooks.pagesRestored'),
  erased: say('webhooks.pagesErased'),
  ordered: say('webhooks.pagesOrdered'),
  due: say('webhooks.reviewDue'),
  commented: say('webhooks.comments'),
  proposed: say('webhooks.changeProposed'),
  reviewed: say('webhooks.proposalReviewed'),
  merged: say('webhooks.proposalMerged'),
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
<p class="above"><a href="/members">${say('webhooks.members')}</a></p>
<h1>${say('webhooks.webhooks')}</h1>
<p class="lede">${say('webhooks.addressesOfOtherProgramsTo')}</p>
${errorSummary(refused.message)}
${
  made &&
  copyOnce(say('webhooks.theWebhookIsReadyCopyIts'), {
    id: 'new-secret',
    label: say('webhooks.secret'),
    value: made.secret,
  })
}
${
  hooks.length === 0
    ? html`<p class="empty">${say('webhooks.thereAreNoWebhooks')}</p>`
    : table(
        'rows member-table webhook-table',
        [say('webhooks.address'), say('webhooks.toldOf'), say('webhooks.by'), say('webhooks.state')],
        hooks.map((hook) => row(hook, visit.now)),
      )
}
<section><h2>${say('webhooks.newWebhook')}</h2>${newForm(refused)}</section>
</div>`;
      return { title: say('webhooks.webhooks'), kind: 'members', main };
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
      const action = (what: string, words: Words) =>
        html`<button type="submit" name="what" value="${what}" class="button quiet-button">${words}</button> `;
      const main = html`<div class="plain members">
<p class="above"><a href="/members/webhooks">${say('webhooks.webhooks')}</a></p>
<h1>${url}</h1>
<p class="lede">${say('webhooks.valueEventsAsFarAsMembername', {
        value: formatWords[hook.format],
        events: eventsOf(hook),
        memberName: html`<span dir="auto">${memberName}</span>`,
        state: stateOf(hook, visit.now),
      })}</p>
${
  sent &&
  html`<div class="banner" role="status"><p>${sent.state === 'delivered' ? say('webhooks.delivered') : say('webhooks.notDelivered')}: ${resultOf(sent)}</p></div>`
}
<form method="post" action="/members/webhooks/${id}" class="buttons">${action('test', say('webhooks.sendATest'))}${
        disabled ? action('enable', say('webhooks.enable')) : action('disable', say('webhooks.disable'))
      }${action('delete', say('webhooks.delete'))}</form>
<section><h2>${say('webhooks.deliveriesTotal', { total: html`<span class="count">${total}</span>` })}</h2>
${
  deliveries.length === 0
    ? html`<p class="empty">${say('webhooks.nothingHasBeenSentYet')}</p>`
    : table(
        'rows member-table',
        [
          say('webhooks.event'),
          say('webhooks.state'),
          say('webhooks.sent'),
          say('webhooks.attempts'),
          actionsHeading,
        ],
        deliveries.map((delivery) => deliveryRow(delivery, visit.now)),
      )
}
${paging(at, range, total)}
</section></div>`;
      return { title: say('webhooks.webhook'), kind: 'members', main };
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

const formatWords: Record<WebhookFormat, Words> = {
  standard: say('webhooks.eventsAsJsonStandardWebhooks'),
  slack: say('webhooks.messagesForSlack'),
  teams: say('webhooks.messagesForMicrosoftTeams'),
  discord: say('webhooks.messagesForDiscord'),
};

function newForm({ errors = [], form }: RefusedForm): Html {
  const isChosen = (kind: EventKind) => !form || form.has(`kind-${kind}`);
  return html`<form method="post" action="/members/webhooks" class="narrow-form">
${field(
  'url',
  say('webhooks.address'),
  html`type="url" required maxlength="2000" value="${form?.text('url') ?? ''}" placeholder="https://site.example.org/hooks/wiki"`,
  {
    errors,
    hint: html`${say('webhooks.eventsAboutPagesThatYouMay', { link: (words) => html`<a href="/v1/docs#Webhooks">${words}</a>` })}`,
  },
)}
${choice(form?.text('format') ?? 'standard')}
<fieldset class="field"><legend>${say('webhooks.kindsOfEvents')}</legend>${eventKinds.map((kind) =>
    checkbox(`kind-${kind}`, 'yes', isChosen(kind), kindWords[kind]),
  )}${mistake(errors, 'kinds')}</fieldset>
${ancestorField(form, errors, say('webhooks.leaveEmptyForTheWholeWiki'))}
<div class="buttons"><button type="submit" class="button">${say('webhooks.makeWebhook')}</button></div></form>`;
}

function choice(chosen: string): Html {
  return html`<div class="field"><label for="format">${say('webhooks.whatIsSent')}</label><select id="format" name="format">${webhookFormats.map(
    (format) =>
      html`<option value="${format}"${format === chosen && html` selected`}>${formatWords[format]}</option>`,
  )}</select></div>`;
}

function row(hook: ListedWebhook, now: number): Html {
  const { id, url, memberName, disabled } = hook;
  return html`<tr${
    disabled && html` class="inactive"`
  }><th scope="row"><a href="/members/webhooks/${id}">${url}</a></th><td>${eventsOf(hook)}</td><td dir="auto">${memberName}</td><td>${stateOf(hook, now)}</td></tr>`;
}

function eventsOf({ kinds, ancestor, ancestorId }: ListedWebhook): Html {
  const where =
    ancestor !== null
      ? html` ${say('webhooks.in', { page: html`<a href="${pageUrl(ancestor)}">${ancestor}</a>` })}`
      : ancestorId !== null && html` ${say('webhooks.inAPageThatNoLongerExists')}`;
  return html`${kinds ? listOf(kinds.map((kind) => kindWords[kind])) : say('webhooks.everything')}${where}`;
}

function stateOf({ disabled, lastSuccessAt }: ListedWebhook, now: number): Html {
  if (disabled)
    return html`${say('webhooks.disabledTimeReason', { time: timeAgo(disabled.at, now), reason: disabled.reason })}`;
  return lastSuccessAt === null
    ? html`${say('webhooks.enabledNothingAcceptedYet')}`
    : html`${say('webhooks.enabledLastAcceptedTime', { time: timeAgo(lastSuccessAt, now) })}`;
}

const stateWords: Record<ListedDelivery['state'], Words> = {
  waiting: say('webhooks.waiting'),
  delivered: say('webhooks.delivered'),
  failed: say('webhooks.givenUp'),
  'left-out': say('webhooks.leftOutMayNoLongerBeRead'),
};

function deliveryRow(delivery: ListedDelivery, now: number): Html {
  const { id, webhookId, kind, path, state, attempts, attemptedAt, dueAt, messageId } = delivery;
  const detail = html`<p class="quiet">${resultOf(delivery)}${dueAt !== null && html` · ${say('mails.again', { time: momentOf(dueAt) })}`}</p>`;
  return html`<tr><th scope="row">${kind}${
    path !== null && html` <a href="${pageUrl(path)}" dir="auto">${path}</a>`
  }</th><td>${stateWords[state]}</td><td>${timeAgo(attemptedAt, now)}</td><td>${say('count.attempts', { count: attempts })}</td>
<td class="row-actions">${detail}<form method="post" action="/members/webhooks/${webhookId}"><input type="hidden" name="delivery" value="${id}"><button type="submit" name="what"
value="replay" aria-label="${say('webhooks.sendAgainPage', {
    kind,
    path: path ?? messageId,
  })}">${say('webhooks.sendAgain')}</button></form></td></tr>`;
}

function resultOf({ status, answer, tookMs }: ListedDelivery): Html {
  return html`${status !== null && html`<code>${status}</code> `}${answer} <span class="quiet">${say('webhooks.tookmsMs', { tookMs })}</span>`;
}
