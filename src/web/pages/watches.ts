/** Watches of a member: change their mail, end them, add tags and searches, and manage the private feed. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { getOwnAccount } from '#core/members/change-account.ts';
import { Problem } from '#core/model/problem.ts';
import type { Reader } from '#core/ports/reader.ts';
import { type MailFrequency, mailFrequencies } from '#core/ports/watch-store.ts';
import { endFeed, makeFeed } from '#core/watches/feed.ts';
import { type ListedWatch, listWatches, unwatch, watch } from '#core/watches/watch.ts';
import { copyOnce, pageLink, paging, readRange } from '../components.ts';
import { choices, errorSummary, field, selectField } from '../form-fields.ts';
import { chosenId, formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { count } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';
import { mailWords } from './watch.ts';

const listed = 50;

interface Shown extends RefusedForm {
  /** URL of a newly created feed. */
  feedUrl?: string;
}

export function watchListRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get('/account/watches', async (_request, reply) => sendWatches(site, reply));

  const onForm = formRoutes(server, site, sendWatches);
  onForm('/account/watches', ['feed-made', 'feed-ended'], async (form, { reader, visit }, reply) => {
    const mail = mailFrequencies.find((one) => one === form.text('mail')) ?? 'off';
    switch (form.text('what')) {
      case 'feed': {
        const feedUrl = `${visit.origin}/atom/watched/${await makeFeed(store, secrets, reader)}`;
        return sendWatches(site, reply, { feedUrl });
      }
      case 'no-feed':
        await endFeed(store, secrets, reader);
        break;
      case 'end':
        await unwatch(store, reader, chosenId(form, 'id'));
        break;
      case 'mail':
        await watch(store, secrets, reader, { ...(await targetOf(reader, form)), mail }, visit.now);
        break;
      default:
        await watch(store, secrets, reader, { ...newTarget(form), mail }, visit.now);
    }
    return redirectWithNotice(reply, '/account/watches', 'watch-saved');
  });

  /** Target of an existing watch, as named by a form. */
  async function targetOf(reader: Reader, form: Form) {
    const id = chosenId(form, 'id');
    const { watches } = await listWatches(store, reader, { limit: 1000, offset: 0 });
    const known = watches.find((one) => one.id === id);
    if (!known) throw new Problem('not-found', 'You have no such watch: it may have ended already.');
    if (known.kind === 'tag') return { tag: known.target };
    if (known.kind === 'search') return { search: known.target };
    const path = known.page?.path ?? '/';
    return known.kind === 'page' ? { page: path } : { ancestor: path };
  }
}

function newTarget(form: Form) {
  const text = form.text('target');
  if (form.text('kind') === 'tag') return { tag: text };
  if (form.text('kind') === 'ancestor') return { ancestor: text };
  return { search: new URLSearchParams({ text }).toString() };
}

async function sendWatches(site: Site, reply: FastifyReply, shown: Shown = {}): Promise<FastifyReply> {
  const { visit, reader } = reply.request;
  const { store } = site.service;
  const member = await getOwnAccount(store, visit.actor);
  const { url, range } = readRange(visit, listed);
  const [{ watches, total }, hasFeed] = await Promise.all([
    listWatches(store, reader, range),
    store.watches.hasFeed(member.id),
  ]);
  const { errors = [], form } = shown;
  // The domain names a field by the kind of target.
  const targetErrors = errors.filter(({ pointer }) => /^\/(tag|ancestor|search)$/.test(pointer));
  const atTarget = targetErrors.map((error) => ({ ...error, pointer: '/target' }));
  const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a> · <a href="/account/notifications">Notifications</a></p>
<h1>Watching</h1>
<p class="lede">${total === 0 ? 'You watch nothing yet: press Watch on a page, or choose a tag or a search here.' : `You are notified of what others do to ${count(total, 'thing')} that you watch.`}</p>
${errorSummary(shown.message)}
<ul class="sessions">${watches.map(row)}</ul>
${paging(url, range, total)}
<section><h2>Watch more</h2>
<form method="post" action="/account/watches" class="narrow-form">
${selectField('kind', 'What', choices(Object.entries(kindWords), form?.text('kind')))}
${field('target', 'Which', html`required maxlength="900" value="${form?.text('target') ?? ''}" dir="auto"`, { errors: atTarget, hint: html`Such as <code>kind:tree</code>, <code>oak forest</code> or <code>/garden</code>` })}
${selectField('mail', 'Mail', mailChoices('off'))}
<div class="buttons"><button type="submit" class="button">Watch</button></div></form></section>
<section id="feed"><h2>Private feed</h2>
<p>Your notifications as an Atom feed, for a feed reader. Whoever knows its address can read it.</p>
${
  shown.feedUrl !== undefined &&
  copyOnce('Copy the address now: it is not shown again.', {
    id: 'feed-url',
    label: 'Address of the feed',
    value: shown.feedUrl,
  })
}
<form method="post" action="/account/watches" class="buttons"><button type="submit" class="button quiet-button" name="what" value="feed">${hasFeed ? 'Make a new address' : 'Make a feed'}</button>
${hasFeed && html`<button type="submit" class="button quiet-button" name="what" value="no-feed">End the feed</button>`}</form></section>
</div>`;
  const layout = { title: 'Watching', kind: 'account', main, scripts: ['account'] };
  return sendLayout(site, reply, { ...layout, status: shown.status });
}

const kindWords = {
  tag: 'Pages with a tag',
  search: 'Pages with these words',
  ancestor: 'A page and all beneath it',
};

function mailChoices(chosen: MailFrequency): Html[] {
  return choices(
    mailFrequencies.map((one) => [one, mailWords[one]] as const),
    chosen,
  );
}

function row(one: ListedWatch): Html {
  const isGone = one.kind !== 'tag' && one.kind !== 'search' && one.target !== '0' && one.page === null;
  return html`<li><form method="post" action="/account/watches"><input type="hidden" name="id" value="${one.id}">
<span class="watched">${nameOf(one)}</span>
${
  !isGone &&
  html`<label class="unseen" for="mail-${one.id}">Mail</label><select id="mail-${one.id}" name="mail">${mailChoices(one.mail)}</select>
<button type="submit" class="button quiet-button" name="what" value="mail">Change</button>`
}
<button type="submit" class="button quiet-button" name="what" value="end">End</button></form></li>`;
}

function nameOf({ kind, target, page }: ListedWatch): Html {
  if (kind === 'tag') return html`<strong dir="auto">${target}</strong> <span class="quiet">tag</span>`;
  if (kind === 'search')
    return html`<a href="/search?${target}" dir="auto">${new URLSearchParams(target).get('text') ?? target}</a> <span class="quiet">search</span>`;
  if (target === '0' && !page) return html`<strong>The whole wiki</strong> `;
  const name = page ? pageLink(page) : 'A page that is not there for you any more';
  return html`${name} ${kind === 'subtree' && target !== '0' && html`<span class="quiet">and all beneath it</span>`}`;
}
