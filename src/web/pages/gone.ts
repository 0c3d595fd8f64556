/** The page at the address of a deleted page: who deleted it, and restoring it. */
import type { FastifyReply } from 'fastify';
import type { DeletedPage } from '#core/ports/trash-store.ts';
import { timeAgo } from '../format.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site, Visit } from '../site.ts';
import { writeUrl } from './not-found.ts';

/** For those who could read the page. `isPossible`: whether the visitor may restore it. */
export function sendGone(
  site: Site,
  visit: Visit,
  reply: FastifyReply,
  path: string,
  { title, trashId, deletedAt, deletedBy }: DeletedPage,
  isPossible: boolean,
): FastifyReply {
  const main = html`<div class="plain">
<h1>This page was deleted</h1>
<p class="lede">“<bdi>${title}</bdi>” was at <code dir="auto">${path}</code> until <bdi>${deletedBy.name}</bdi> deleted it ${timeAgo(deletedAt, visit.now)}.</p>
${
  isPossible &&
  html`<form method="post" action="/trash"><input type="hidden" name="id" value="${trashId}">
<div class="buttons"><button type="submit" class="button" name="what" value="restore">Undo: restore the page</button> <a href="/trash">Open the trash</a></div></form>`
}
${
  visit.actor
    ? html`<p><a href="${writeUrl(path)}">Create a new page here</a></p>`
    : html`<p>Members can restore it: <a href="/login?next=${encodeURIComponent(visit.url)}">sign in</a>.</p>`
}
</div>`;
  return sendLayout(site, reply, { title: 'This page was deleted', kind: 'missing', main, status: 410 });
}
