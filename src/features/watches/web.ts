/** Watching a page, everything that a member watches, their notifications and private feed, and the link that ends mail. */
import type { ListedWatch } from '#core/members/watches.ts';
import { eventWords } from '#core/model/event.ts';
import { type MailFrequency, mailFrequencies, type Notification } from '#core/ports/watch-store.ts';
import { copyOnce, pageLink, pageUrl, paging, readRange } from '#web/components.ts';
import type { FeedEntry } from '#web/feeds.ts';
import { choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { chosenId } from '#web/form-routes.ts';
import { count, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html } from '#web/html.ts';
import { type FormCall, formOf, type OperationFeed, type OperationPage } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import {
  chooseWatches,
  endFeed,
  hasFeed,
  listNotifications,
  listWatches,
  makeFeed,
  markRead,
  readFeed,
  readSubscription,
  readWatchesOfPage,
  unsubscribe,
  unwatch,
  watch,
} from './operations.ts';
import { noWatch, type Subscription } from './watches.ts';

const listed = 50;
const saved = { notice: 'watch-saved' } as const;

const mailWords: Record<MailFrequency, string> = {
  off: 'No mail',
  now: 'Mail at once',
  daily: 'Mail once a day',
  weekly: 'Mail on Mondays',
};

const pageWatches: OperationPage = {
  url: '/watch/*',
  reads: [readWatchesOfPage],
  forms: {
    // The button on the page: one click watches it.
    '': formOf(watch, {
      ...saved,
      async fields(_form, { carry, path }) {
        const { page, sendsMail } = await carry(readWatchesOfPage, { path });
        return { page: page.path, mail: sendsMail ? 'now' : 'off' };
      },
      leadsTo: ({ page }) => pageUrl(page?.path ?? '/'),
    }),
    choose: formOf(chooseWatches, {
      ...saved,
      fields: (form) => ({ page: chosenMail(form, 'page'), subtree: chosenMail(form, 'subtree') }),
      leadsTo: (_, { path }) => pageUrl(path),
    }),
  },
  async show({ carry, path }) {
    const { page, mails, sendsMail } = await carry(readWatchesOfPage, { path });
    const main = html`<div class="plain">
<h1>Watch this page</h1>
<p class="lede">${pageLink(page)}: you are notified of what others do to it.</p>
<form method="post" action="${urlOf('/watch', page.path)}" class="narrow-form">
${mailField('page', 'This page', mails.page)}
${mailField('subtree', 'This page and all pages beneath it', mails.subtree)}
<div class="buttons"><button type="submit" class="button" name="what" value="choose">Save</button> <a href="${pageUrl(page.path)}">Cancel</a></div>
${!sendsMail && html`<p class="hint">This wiki sends no mail yet. Your choice applies as soon as it does.</p>`}
</form>
<p><a href="/account/watches">Everything that you watch</a></p>
</div>`;
    return { title: `Watch ${page.title}`, kind: 'watch', main };
  },
};

/** Null to stop watching. */
function chosenMail(form: Form, kind: string): MailFrequency | null {
  return mailFrequencies.find((one) => one === form.text(kind)) ?? null;
}

function mailField(name: string, label: string, known: MailFrequency | undefined): Html {
  const offered = [
    ['', 'Do not watch'] as const,
    ...mailFrequencies.map((one) => [one, `Watch · ${mailWords[one]}`] as const),
  ];
  return selectField(name, label, choices(offered, known ?? ''), { id: `watch-${name}` });
}

const allWatches: OperationPage = {
  url: '/account/watches',
  reads: [listWatches, hasFeed],
  forms: {
    '': formOf(watch, { ...saved, fields: newTarget, leadsTo: '/account/watches' }),
    change: formOf(watch, { ...saved, fields: knownTarget }),
    end: formOf(unwatch, { ...saved, fields: (form) => ({ id: chosenId(form, 'id') }) }),
    feed: formOf(makeFeed),
    'no-feed': formOf(endFeed, saved),
  },
  async show({ carry, visit, refused, answerTo }) {
    const { url, range } = readRange(visit, listed);
    const [{ items: watches, total }, isFed] = await Promise.all([
      carry(listWatches, range),
      carry(hasFeed, {}),
    ]);
    const { errors = [], form, message } = refused;
    // The operation names a field by the kind of target.
    const targetErrors = errors.filter(({ pointer }) => /^\/(tag|ancestor|search)$/.test(pointer));
    const atTarget = targetErrors.map((error) => ({ ...error, pointer: '/target' }));
    const secret = answerTo(makeFeed);
    const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a> · <a href="/account/notifications">Notifications</a></p>
<h1>Watching</h1>
<p class="lede">${total === 0 ? 'You do not watch anything yet. Click Watch on a page, or choose a tag or a search here.' : `You are notified of what others do to the ${count(total, 'thing')} that you watch.`}</p>
${errorSummary(message)}
<ul class="sessions">${watches.map(watchRow)}</ul>
${paging(url, range, total)}
<section><h2>Watch more</h2>
<form method="post" action="/account/watches" class="narrow-form">
${selectField('kind', 'What', choices(Object.entries(kindWords), form?.text('kind')))}
${field('target', 'Which', html`required maxlength="900" value="${form?.text('target') ?? ''}" dir="auto"`, { errors: atTarget, hint: html`Such as <code>kind:tree</code>, <code>oak forest</code> or <code>/garden</code>` })}
${selectField('mail', 'Mail', mailChoices('off'))}
<div class="buttons"><button type="submit" class="button">Watch</button></div></form></section>
<section id="feed"><h2>Private feed</h2>
<p>Your notifications as an Atom feed, for a feed reader. Anyone who knows its address can read it.</p>
${
  secret !== undefined &&
  copyOnce('Copy the address now. It is not shown again.', {
    id: 'feed-url',
    label: 'Address of the feed',
    value: `${visit.origin}/atom/watched/${secret}`,
  })
}
<form method="post" action="/account/watches" class="buttons"><button type="submit" class="button quiet-button" name="what" value="feed">${isFed ? 'Make a new address' : 'Make a feed'}</button>
${isFed && html`<button type="submit" class="button quiet-button" name="what" value="no-feed">Turn off the feed</button>`}</form></section>
</div>`;
    return { title: 'Watching', kind: 'account', main, scripts: ['account'] };
  },
};

function newTarget(form: Form) {
  const text = form.text('target');
  if (form.text('kind') === 'tag') return { tag: text };
  if (form.text('kind') === 'ancestor') return { ancestor: text };
  return { search: new URLSearchParams({ text }).toString() };
}

/** Target of an existing watch, as named by a form. */
async function knownTarget(form: Form, { carry }: FormCall) {
  const id = chosenId(form, 'id');
  const { items } = await carry(listWatches, { limit: 1000 });
  const known = items.find((one) => one.id === id);
  if (!known) throw noWatch();
  if (known.kind === 'tag') return { tag: known.target };
  if (known.kind === 'search') return { search: known.target };
  if (known.kind === 'mentions' || known.kind === 'threads') return { comments: known.kind };
  const path = known.page?.path ?? '/';
  return known.kind === 'page' ? { page: path } : { ancestor: path };
}

const kindWords = {
  tag: 'Pages with a tag',
  search: 'Pages with these words',
  ancestor: 'A page and all pages beneath it',
};

function mailChoices(chosen: MailFrequency): Html[] {
  return choices(
    mailFrequencies.map((one) => [one, mailWords[one]] as const),
    chosen,
  );
}

function watchRow(one: ListedWatch): Html {
  const isOfPage = one.kind === 'page' || one.kind === 'subtree';
  const isGone = isOfPage && one.target !== '0' && one.page === null;
  return html`<li><form method="post" action="/account/watches"><input type="hidden" name="id" value="${one.id}">
<span class="watched">${nameOf(one)}</span>
${
  !isGone &&
  html`<label class="unseen" for="mail-${one.id}">Mail</label><select id="mail-${one.id}" name="mail">${mailChoices(one.mail)}</select>
<button type="submit" class="button quiet-button" name="what" value="change">Change</button>`
}
<button type="submit" class="button quiet-button" name="what" value="end">End</button></form></li>`;
}

function nameOf({ kind, target, page }: ListedWatch): Html {
  if (kind === 'tag') return html`<strong dir="auto">${target}</strong> <span class="quiet">tag</span>`;
  if (kind === 'search')
    return html`<a href="/search?${target}" dir="auto">${new URLSearchParams(target).get('text') ?? target}</a> <span class="quiet">search</span>`;
  if (kind === 'mentions') return html`<strong>Comments that mention you</strong> `;
  if (kind === 'threads') return html`<strong>Answers in your threads of comments</strong> `;
  if (target === '0' && !page) return html`<strong>The whole wiki</strong> `;
  const name = page ? pageLink(page) : 'A page that you can no longer see';
  return html`${name} ${kind === 'subtree' && target !== '0' && html`<span class="quiet">and all pages beneath it</span>`}`;
}

const notifications: OperationPage = {
  url: '/account/notifications',
  reads: [listNotifications],
  forms: {
    read: formOf(markRead, {
      fields: (form) => ({ ids: [chosenId(form, 'read')] }),
      leadsTo: '/account/notifications',
    }),
    'up-to': formOf(markRead, {
      fields: (form) => ({ upTo: chosenId(form, 'up-to') }),
      leadsTo: '/account/notifications',
    }),
  },
  async show({ carry, visit }) {
    const { url, range } = readRange(visit, listed);
    const { items, total } = await carry(listNotifications, range);
    const newest = items[0]?.id ?? 0;
    const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a> · <a href="/account/watches">What you watch</a></p>
<h1>Notifications</h1>
${visit.waiting > 0 && html`<div class="banner"><p><a href="/members/waiting">${visit.waiting === 1 ? '1 sign-up request' : `${visit.waiting} sign-up requests`}</a></p></div>`}
${
  total === 0
    ? html`<p class="empty">Nothing yet. You are told here what others do to pages that you <a href="/account/watches">watch</a>.</p>`
    : html`<form method="post" action="/account/notifications">
${visit.unread > 0 && html`<p class="buttons"><button type="submit" class="button quiet-button" name="up-to" value="${newest}">Mark all as read</button></p>`}
<ul class="notifications">${items.map((one) => notificationRow(one, visit.now))}</ul></form>`
}
${paging(url, range, total)}
</div>`;
    return { title: 'Notifications', kind: 'account', main };
  },
};

/** URL that shows the event. */
function hrefOf({ kind, page, changeId, commentId }: Notification['event']): string {
  if (commentId !== null) return `${pageUrl(page.path)}#comment-${commentId}`;
  return kind === 'edited' ? `${urlOf('/diff', page.path)}?to=${changeId}` : pageUrl(page.path);
}

function notificationRow({ id, readAt, event }: Notification, now: number): Html {
  const { kind, page, editor, msg, at, from } = event;
  return html`<li${readAt === null && html` class="is-unread"`}><p><a href="${hrefOf(event)}" dir="auto">${page.title ?? page.path}</a> <span class="quiet"><bdi>${editor?.name ?? 'Somebody'}</bdi> ${eventWords[kind]} it ${timeAgo(at, now)}${from !== null && html` from <code dir="auto">${from}</code>`}</span>${msg !== '' && html`<br><q dir="auto">${msg}</q>`}</p>
${readAt === null && html`<button type="submit" class="quiet-button" name="read" value="${id}" aria-label="Mark as read: ${page.title ?? page.path}">Mark as read</button>`}</li>`;
}

const feed: OperationFeed = {
  url: '/atom/watched/:token',
  reads: [readFeed],
  async feed({ carry, visit, params: { token = '' }, settings }) {
    const found = await carry(readFeed, { token });
    return {
      id: `${visit.origin}/account/notifications`,
      title: `${settings.name}: what you watch`,
      url: `${visit.origin}/account/notifications`,
      entries: found.map((one) => entryOf(visit.origin, one)),
      at: found[0]?.event.at ?? visit.now,
    };
  },
};

function entryOf(origin: string, { id, event }: Notification): FeedEntry {
  const { page, editor, kind, msg, at } = event;
  const title = page.title ?? page.path;
  return {
    id: `${origin}/account/notifications#${id}`,
    title,
    url: origin + hrefOf(event),
    at,
    author: editor?.name ?? '',
    summary: `${editor?.name ?? 'Somebody'} ${eventWords[kind]} ${title}${msg && `: ${msg}`}`,
  };
}

/** Reading changes nothing, because malware scanners open every link in a mail; mail programs send the form themselves (RFC 8058). */
const byLink: OperationPage = {
  url: '/account/unsubscribe/:key/:of',
  reads: [readSubscription],
  isForeign: true,
  forms: { '': formOf(unsubscribe) },
  async show({ carry, params: { key = '', of = '' }, answerTo }) {
    const ended = answerTo(unsubscribe);
    const main = html`<div class="plain"><h1>Mail about watched pages</h1>${
      ended
        ? html`<p class="lede">You get no more mail about ${wordsOf(ended)}. You still get notifications on the site: <a href="/account/watches">choose what you watch</a>.</p>`
        : html`<p class="lede">Unsubscribe from mail about ${wordsOf(await carry(readSubscription, { key, of }))}?</p>
<form method="post"><div class="buttons"><button type="submit" class="button">Unsubscribe</button></div></form>`
    }</div>`;
    return { title: 'Mail about watched pages', kind: 'account', main };
  },
};

function wordsOf({ of }: Subscription): string {
  return typeof of === 'number' ? 'this' : `what you watch with ${of} mail`;
}

export const web: readonly (OperationPage | OperationFeed)[] = [
  pageWatches,
  allWatches,
  notifications,
  feed,
  byLink,
];
