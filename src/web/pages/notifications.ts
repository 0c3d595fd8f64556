/** A member's notifications: on the site, and as a private feed at a secret URL. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { eventWords } from '#core/model/event.ts';
import { parseId } from '#core/model/id.ts';
import type { Notification } from '#core/ports/watch-store.ts';
import { readFeed } from '#core/watches/feed.ts';
import { listNotifications, markRead } from '#core/watches/notifications.ts';
import { urlOf } from '#http/page-paths.ts';
import { pageUrl, paging, readRange } from '../components.ts';
import { type FeedEntry, sendFeed } from '../feeds.ts';
import { type ByToken, formRoutes } from '../form-routes.ts';
import { timeAgo } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const listed = 50;

export function notificationRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get('/account/notifications', async (_request, reply) => sendNotifications(site, reply));

  const onForm = formRoutes(server, site);
  onForm('/account/notifications', [], async (form, { reader, visit }, reply) => {
    const id = (name: string) => parseId(form.text(name)) ?? 0;
    const which = form.has('read') ? [id('read')] : { upTo: id('up-to') };
    await markRead(store, reader, which, visit.now);
    return reply.redirect('/account/notifications', 303);
  });

  server.get<{ Params: ByToken }>('/atom/watched/:token', async (request, reply) => {
    const { origin, now } = request.visit;
    const told = await readFeed(store, secrets, request.params.token);
    const entries = told.map((one): FeedEntry => entryOf(origin, one));
    const url = `${origin}/account/notifications`;
    const title = `${site.settings.name}: what you watch`;
    const feed = { id: url, title, self: origin + request.url, url, entries, at: told[0]?.event.at ?? now };
    // Not for shared caches, because the URL is a secret.
    return sendFeed(reply, feed, 'private, no-store');
  });
}

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

/** URL that shows the event. */
function hrefOf({ kind, page, changeId }: Notification['event']): string {
  return kind === 'edited' ? `${urlOf('/diff', page.path)}?to=${changeId}` : pageUrl(page.path);
}

async function sendNotifications(site: Site, reply: FastifyReply): Promise<FastifyReply> {
  const { visit, reader } = reply.request;
  const { url, range } = readRange(visit, listed);
  const { notifications, total, unread } = await listNotifications(site.service.store, reader, range);
  const newest = notifications[0]?.id ?? 0;
  const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a> · <a href="/account/watches">What you watch</a></p>
<h1>Notifications</h1>
${visit.waiting > 0 && html`<div class="banner"><p><a href="/members/waiting">${visit.waiting === 1 ? 'Somebody waits' : `${visit.waiting} people wait`} to be let in</a></p></div>`}
${
  total === 0
    ? html`<p class="empty">Nothing yet. You are told here what others do to pages that you <a href="/account/watches">watch</a>.</p>`
    : html`<form method="post" action="/account/notifications">
${unread > 0 && html`<p class="buttons"><button type="submit" class="button quiet-button" name="up-to" value="${newest}">Mark all as read</button></p>`}
<ul class="notifications">${notifications.map((one) => row(one, visit.now))}</ul></form>`
}
${paging(url, range, total)}
</div>`;
  return sendLayout(site, reply, { title: 'Notifications', kind: 'account', main });
}

function row({ id, readAt, event }: Notification, now: number): Html {
  const { kind, page, editor, msg, at, from } = event;
  return html`<li${readAt === null && html` class="is-unread"`}><p><a href="${hrefOf(event)}" dir="auto">${page.title ?? page.path}</a> <span class="quiet"><bdi>${editor?.name ?? 'Somebody'}</bdi> ${eventWords[kind]} it ${timeAgo(at, now)}${from !== null && html` from <code dir="auto">${from}</code>`}</span>${msg !== '' && html`<br><q dir="auto">${msg}</q>`}</p>
${readAt === null && html`<button type="submit" class="quiet-button" name="read" value="${id}" aria-label="Mark as read: ${page.title ?? page.path}">Mark as read</button>`}</li>`;
}
