/** Watching a page, everything that a member watches, their notifications and private feed, and the link that ends mail. */

import type { ListedWatch } from '#core/members/watches.ts';
import { proposalIn } from '#core/model/event.ts';
import { type MailFrequency, mailFrequencies, type Notification } from '#core/ports/watch-store.ts';
import { copyOnce, pageLink, pageUrl, paging, readRange } from '#web/components.ts';
import type { FeedEntry } from '#web/feeds.ts';
import { choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { chosenId } from '#web/form-routes.ts';
import { timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html, type Words } from '#web/html.ts';
import { type FormCall, formOf, type OperationFeed, type OperationPage } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { say } from '#words/say.ts';
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
import { type Subscription, watchNotFound } from './watches.ts';

const listed = 50;
const saved = { notice: 'watch-saved' } as const;

const mailWords: Record<MailFrequency, Words> = {
  off: say('watches.noMail'),
  now: say('watches.mailAtOnce'),
  daily: say('watches.mailOnceADay'),
  weekly: say('watches.mailOnMondays'),
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
<h1>${say('watches.watchThisPage')}</h1>
<p class="lede">${say('watches.pageYouAreNotifiedOfWhat', { page: pageLink(page) })}</p>
<form method="post" action="${urlOf('/watch', page.path)}" class="narrow-form">
${mailField('page', say('common.thisPage'), mails.page)}
${mailField('subtree', say('watches.thisPageAndAllPagesBeneathIt'), mails.subtree)}
<div class="buttons"><button type="submit" class="button" name="what" value="choose">${say('watches.save')}</button> <a href="${pageUrl(page.path)}">${say('watches.cancel')}</a></div>
${!sendsMail && html`<p class="hint">${say('watches.thisWikiSendsNoMailYetYour')}</p>`}
</form>
<p><a href="/account/watches">${say('watches.everythingThatYouWatch')}</a></p>
</div>`;
    return { title: say('watches.watchTitle', { title: page.title }), kind: 'watch', main };
  },
};

/** Null to stop watching. */
function chosenMail(form: Form, kind: string): MailFrequency | null {
  return mailFrequencies.find((one) => one === form.text(kind)) ?? null;
}

function mailField(name: string, label: Words, known: MailFrequency | undefined): Html {
  const offered = [
    ['', say('watches.doNotWatch')] as const,
    ...mailFrequencies.map((one) => [one, say('watches.watchWith', { mail: mailWords[one] })] as const),
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
<p class="above"><a href="/account">${say('common.yourAccount')}</a> · <a href="/account/notifications">${say('watches.notifications')}</a></p>
<h1>${say('watches.watching')}</h1>
<p class="lede">${total === 0 ? say('watches.youDoNotWatchAnythingYet') : say('watches.youAreNotified', { count: total })}</p>
${errorSummary(message)}
<ul class="sessions">${watches.map(watchRow)}</ul>
${paging(url, range, total)}
<section><h2>${say('watches.watchMore')}</h2>
<form method="post" action="/account/watches" class="narrow-form">
${selectField('kind', say('common.what'), choices(Object.entries(kindWords), form?.text('kind')))}
${field(
  'target',
  say('watches.which'),
  html`required maxlength="900" value="${form?.text('target') ?? ''}" dir="auto"`,
  {
    errors: atTarget,
    hint: html`${say('watches.suchAsCodeCode2OrCode3', { code: html`<code>kind:tree</code>`, code2: html`<code>oak forest</code>`, code3: html`<code>/garden</code>` })}`,
  },
)}
${selectField('mail', say('watches.mail'), mailChoices('off'))}
<div class="buttons"><button type="submit" class="button">${say('watches.watch')}</button></div></form></section>
<section id="feed"><h2>${say('watches.privateFeed')}</h2>
<p>${say('watches.yourNotificationsAsAnAtom')}</p>
${
  secret !== undefined &&
  copyOnce(say('watches.copyTheAddressNowItIsNot'), {
    id: 'feed-url',
    label: say('watches.addressOfTheFeed'),
    value: `${visit.origin}/atom/watched/${secret}`,
  })
}
<form method="post" action="/account/watches" class="buttons"><button type="submit" class="button quiet-button" name="what" value="feed">${
      isFed ? say('watches.makeANewAddress') : say('watches.makeAFeed')
    }</button>
${isFed && html`<button type="submit" class="button quiet-button" name="what" value="no-feed">${say('watches.turnOffTheFeed')}</button>`}</form></section>
</div>`;
    return { title: say('watches.watching'), kind: 'account', main };
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
  if (!known) throw watchNotFound();
  if (known.kind === 'tag') return { tag: known.target };
  if (known.kind === 'search') return { search: known.target };
  if (known.kind === 'mentions' || known.kind === 'threads') return { comments: known.kind };
  if (known.kind === 'proposals' || known.kind === 'reviews') return { [known.kind]: 'mine' };
  const path = known.page?.path ?? '/';
  return known.kind === 'page' ? { page: path } : { ancestor: path };
}

const kindWords = {
  tag: say('watches.pagesWithATag'),
  search: say('watches.pagesWithTheseWords'),
  ancestor: say('watches.aPageAndAllPagesBeneathIt'),
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
  html`<label class="unseen" for="mail-${one.id}">${say('watches.mail')}</label><select id="mail-${one.id}" name="mail">${mailChoices(one.mail)}</select>
<button type="submit" class="button quiet-button" name="what" value="change">${say('watches.change')}</button>`
}
<button type="submit" class="button quiet-button" name="what" value="end">${say('watches.end')}</button></form></li>`;
}

function nameOf({ kind, target, page }: ListedWatch): Html {
  if (kind === 'tag')
    return html`<strong dir="auto">${target}</strong> <span class="quiet">${say('watches.tag')}</span>`;
  if (kind === 'search')
    return html`<a href="/search?${target}" dir="auto">${new URLSearchParams(target).get('text') ?? target}</a> <span class="quiet">${say('watches.search')}</span>`;
  if (kind === 'mentions') return html`<strong>${say('watches.commentsThatMentionYou')}</strong> `;
  if (kind === 'proposals') return html`<strong>${say('watches.yourProposals')}</strong> `;
  if (kind === 'reviews') return html`<strong>${say('watches.yourReviews')}</strong> `;
  if (kind === 'threads') return html`<strong>${say('watches.answersInYourThreadsOf')}</strong> `;
  if (target === '0' && !page) return html`<strong>${say('common.theWholeWiki')}</strong> `;
  const name = page ? pageLink(page) : say('watches.aPageThatYouCanNoLongerSee');
  return html`${name} ${kind === 'subtree' && target !== '0' && html`<span class="quiet">${say('watches.andAllPagesBeneathIt')}</span>`}`;
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
<p class="above"><a href="/account">${say('common.yourAccount')}</a> · <a href="/account/watches">${say('watches.whatYouWatch')}</a></p>
<h1>${say('watches.notifications')}</h1>
${visit.waiting > 0 && html`<div class="banner"><p><a href="/members/waiting">${say('watches.signUpRequests', { count: visit.waiting })}</a></p></div>`}
${visit.submitted > 0 && html`<div class="banner"><p><a href="/members/submissions">${say('watches.submissions', { count: visit.submitted })}</a></p></div>`}
${
  total === 0
    ? html`<p class="empty">${say('watches.nothingYetYouAreToldHereWhat', { link: (words) => html`<a href="/account/watches">${words}</a>` })}</p>`
    : html`<form method="post" action="/account/notifications">
${visit.unread > 0 && html`<p class="buttons"><button type="submit" class="button quiet-button" name="up-to" value="${newest}">${say('watches.markAllAsRead')}</button></p>`}
<ul class="notifications">${items.map((one) => notificationRow(one, visit.now))}</ul></form>`
}
${paging(url, range, total)}
</div>`;
    return { title: say('watches.notifications'), kind: 'account', main };
  },
};

/** URL that shows the event. */
function hrefOf(event: Notification['event']): string {
  const { kind, page, changeId, commentId } = event;
  const proposal = proposalIn(event);
  if (proposal !== null) return `/proposals/${proposal}`;
  if (commentId !== null) return `${pageUrl(page.path)}#comment-${commentId}`;
  return kind === 'edited' ? `${urlOf('/diff', page.path)}?to=${changeId}` : pageUrl(page.path);
}

function notificationRow({ id, readAt, event }: Notification, now: number): Html {
  const { kind, page, editor, msg, at, from } = event;
  return html`<li${readAt === null && html` class="is-unread"`}><p><a href="${hrefOf(event)}" dir="auto">${page.title ?? page.path}</a> <span class="quiet">${say(
    'watches.whoDidWhat',
    { name: html`<bdi>${editor?.name ?? say('watches.somebody')}</bdi>`, kind, time: timeAgo(at, now) },
  )}${
    from !== null && html` ${say('watches.from', { path: html`<code dir="auto">${from}</code>` })}`
  }</span>${msg !== '' && html`<br><q dir="auto">${msg}</q>`}</p>
${
  readAt === null &&
  html`<button type="submit" class="quiet-button" name="read" value="${id}" aria-label="${say('watches.markAsReadPage', { title: page.title ?? page.path })}">${say('watches.markAsRead')}</button>`
}</li>`;
}

const feed: OperationFeed = {
  url: '/atom/watched/:token',
  reads: [readFeed],
  async feed({ carry, visit, params: { token = '' }, settings }) {
    const found = await carry(readFeed, { token });
    return {
      id: `${visit.origin}/account/notifications`,
      title: say('watches.feedTitle', { wiki: settings.name }),
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
    summary: say('watches.whoDidWhatTo', {
      name: editor?.name ?? say('watches.somebody'),
      kind,
      title,
      message: msg && `: ${msg}`,
    }),
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
    const main = html`<div class="plain"><h1>${say('watches.mailAboutWatchedPages')}</h1>${
      ended
        ? html`<p class="lede">${say('watches.youGetNoMoreMailAboutWords', { words: wordsOf(ended), link: (words) => html`<a href="/account/watches">${words}</a>` })}</p>`
        : html`<p class="lede">${say('watches.unsubscribeFromMailAbout', { words: wordsOf(await carry(readSubscription, { key, of })) })}</p>
<form method="post"><div class="buttons"><button type="submit" class="button">${say('watches.unsubscribe')}</button></div></form>`
    }</div>`;
    return { title: say('watches.mailAboutWatchedPages'), kind: 'account', main };
  },
};

function wordsOf({ of }: Subscription): Words {
  return typeof of === 'number' ? say('watches.this') : say('watches.whatYouWatchWith', { mail: of });
}

export const web: readonly (OperationPage | OperationFeed)[] = [
  pageWatches,
  allWatches,
  notifications,
  feed,
  byLink,
];
