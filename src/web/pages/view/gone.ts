/** The page at the address of a deleted page: who deleted it, and restoring it. */
import type { FastifyReply } from 'fastify';
import type { DeletedPage } from '#core/ports/trash-store.ts';
import { say } from '#words/say.ts';
import { timeAgo } from '../../format.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import type { Site, Visit } from '../../site.ts';
import { writeUrl } from './not-found.ts';

/** For those who could read the page. `isPossible`: whether the visitor may restore it. */
export function sendGone(
  { site, visit, reply }: { site: Site; visit: Visit; reply: FastifyReply },
  path: string,
  { title, trashId, deletedAt, deletedBy }: DeletedPage,
  isPossible: boolean,
): FastifyReply {
  const main = html`<div class="plain">
<h1>${say('gone.thisPageWasDeleted')}</h1>
<p class="lede">${say('gone.wasAt', {
    title: html`<bdi>${title}</bdi>`,
    path: html`<code dir="auto">${path}</code>`,
    name: html`<bdi>${deletedBy.name}</bdi>`,
    time: timeAgo(deletedAt, visit.now),
  })}</p>
${
  isPossible &&
  html`<form method="post" action="/trash"><input type="hidden" name="id" value="${trashId}">
<div class="buttons"><button type="submit" class="button" name="what" value="restore">${say('gone.undoRestoreThePage')}</button> <a href="/trash">${say('gone.openTheTrash')}</a></div></form>`
}
${
  visit.actor
    ? html`<p><a href="${writeUrl(path)}">${say('gone.createANewPageHere')}</a></p>`
    : html`<p>${say('gone.membersCanRestoreItSignIn', { link: (words) => html`<a href="/login?next=${encodeURIComponent(visit.url)}">${words}</a>` })}</p>`
}
</div>`;
  return sendLayout(site, reply, {
    title: say('gone.thisPageWasDeleted'),
    kind: 'missing',
    main,
    status: 410,
  });
}
