/**
 * Deletes a page in two steps: first a preview of affected pages and broken links, then the deletion, which can be undone from
 * the trash.
 */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseId } from '#core/model/id.ts';
import type { ProblemCode } from '#core/model/problem.ts';
import { pageDeletion } from '#core/pages/operations.ts';
import type { DeletionPreview } from '#core/pages/preview-deletion.ts';
import { deletionPreview } from '#core/pages/preview-operations.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { joined, pageLink, pageUrl } from '../components.ts';
import { errorSummary } from '../form-fields.ts';
import { formRoutes, type Refusal, redirectWithNotice } from '../form-routes.ts';
import { type Html, html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import { followMove, pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

const listed = 20;

export function deleteRoutes(server: FastifyInstance, site: Site): void {
  server.get('/delete/*', { ...reads(deletionPreview), preHandler: followMove }, async (_request, reply) =>
    sendDelete(site, reply),
  );

  const onForm = formRoutes(server, site, sendDelete, { codes: ['edit-conflict', 'pages-beneath'] });
  onForm('/delete/*', [pageDeletion], async (form, request, reply) => {
    const path = pathOf(request);
    // If the page or its subtree has changed, the preview is shown again first.
    const seen = parseId(form.text('seen')) ?? 0;
    const subtree = form.text('subtree') === 'yes';
    await carryFor(site, request)(pageDeletion, { path, subtree, matches: [seen] });
    // The deleted page's address shows the deletion and offers to undo it.
    return redirectWithNotice(reply, pageUrl(path), 'deleted');
  });
}

/** Reason for showing the page again before anything is deleted. */
const whyAgain: Partial<Record<ProblemCode, Words>> = {
  'edit-conflict': say('delete.thePageWasEditedInThe'),
  'pages-beneath': say('delete.pagesWereAddedBeneathItInThe'),
};

async function sendDelete(
  site: Site,
  reply: FastifyReply,
  { code, status }: Partial<Refusal> = {},
): Promise<FastifyReply> {
  const preview = await carryFor(site, reply.request)(deletionPreview, { path: pathOf(reply.request) });
  const { page, beneath, foreign } = preview;
  const isPossible = foreign === 0;
  const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>${say('delete.deleteThisPage')}</h1>
<p class="lede">${say('delete.itIsMovedToTheTrashFromWhere')}</p>
${errorSummary(code && whyAgain[code])}
${!isPossible && html`<div class="banner bad" role="alert"><p>${say('delete.foreignPages', { count: foreign })}</p></div>`}
${consequences(preview)}
<form method="post" action="${urlOf('/delete', page.path)}" class="narrow-form">
<input type="hidden" name="seen" value="${page.changeId}">
${beneath > 0 && html`<input type="hidden" name="subtree" value="yes">`}
<div class="buttons">
${isPossible && html`<button type="submit" class="button grave">${beneath === 0 ? say('delete.deleteThisPage') : say('delete.deletePages', { count: beneath + 1 })}</button>`}
<a href="${pageUrl(page.path)}">${say('delete.cancel')}</a></div>
</form></div>`;
  return sendLayout(site, reply, {
    title: say('delete.deleteTitle', { title: page.title }),
    kind: 'delete',
    main,
    status,
  });
}

function consequences({ beneath, files, links }: DeletionPreview): Html {
  const more = links.total - Math.min(links.pages.length, listed);
  return html`<ul class="deletes">
${beneath > 0 && html`<li>${say('delete.beneathAreDeleted', { count: beneath })}</li>`}
${files > 0 && html`<li>${say('delete.filesOnlyInTheTrash', { count: files })}</li>`}
<li>${
    links.total === 0
      ? say('delete.noPageLinksToIt')
      : say('delete.linksWillLeadNowhere', {
          count: links.total,
          pages: html`${joined(links.pages.slice(0, listed).map(pageLink))}${more > 0 && html` ${say('common.andMore', { count: more })}`}`,
        })
  }</li>
</ul>`;
}
