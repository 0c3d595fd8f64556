/** Deleting a page, in two steps: first what goes along and what breaks, then the deletion, which the trash can undo. */

import type { FastifyInstance } from 'fastify';
import { parseId } from '#domain/id.ts';
import { Problem } from '#domain/problem.ts';
import { deletePage } from '#domain/trash/delete-page.ts';
import { type DeletionPreview, previewDeletion } from '#domain/trash/preview-deletion.ts';
import { tailOf, urlOf } from '#http/page-paths.ts';
import { problemKinds } from '#http/problems.ts';
import { errorSummary, pageLink, pageUrl } from '../components.ts';
import { count } from '../format.ts';
import { readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';
import { leaveNotice } from '../visitor.ts';
import { movedUrl } from './view.ts';

const listed = 20;

export function deleteRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/delete/*', async (request, reply) => {
    const path = `/${tailOf(request.url, '/delete/*')}`;
    const moved = await movedUrl(request.reader, '/delete', path);
    if (moved) return reply.redirect(moved, 308);
    const preview = await previewDeletion(request.reader, path);
    return sendLayout(site, reply, layoutOf(preview));
  });

  server.post('/delete/*', { config: { audit: ['page-deleted'] } }, async (request, reply) => {
    const { visit } = request;
    const path = `/${tailOf(request.url, '/delete/*')}`;
    const form = await readForm(site, request);
    // If the page has a newer version, or new pages beneath it, the preview is shown again first.
    const seen = parseId(form.text('seen')) ?? 0;
    const subtree = form.text('subtree') === 'yes';
    try {
      await deletePage(store, visit.actor, path, { subtree, matches: [seen] }, visit.now);
    } catch (error) {
      if (!(error instanceof Problem) || !['edit-conflict', 'pages-beneath'].includes(error.code))
        throw error;
      const preview = await previewDeletion(request.reader, path);
      const message =
        error.code === 'edit-conflict'
          ? 'The page was edited in the meantime. Look at it again before you delete it.'
          : 'Pages were added beneath it in the meantime, which would be deleted as well.';
      return sendLayout(site, reply, {
        ...layoutOf(preview, message),
        status: problemKinds[error.code].status,
      });
    }
    leaveNotice(request, reply, 'deleted');
    // The page at the deleted path says so, and offers to undo it.
    return reply.redirect(pageUrl(path), 303);
  });
}

function layoutOf(preview: DeletionPreview, message?: string) {
  const { page, beneath, foreign } = preview;
  const isPossible = foreign === 0;
  const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>Delete this page</h1>
<p class="lede">It goes to the trash, from where it can be restored with its history, files and likes.</p>
${errorSummary(message)}
${!isPossible && html`<div class="banner bad" role="alert"><p>${count(foreign, 'page')} beneath it cannot be deleted with it, as you may not edit ${foreign === 1 ? 'it' : 'them'}. Ask an administrator.</p></div>`}
${consequences(preview)}
<form method="post" action="${urlOf('/delete', page.path)}" class="narrow-form">
<input type="hidden" name="seen" value="${page.changeId}">
${beneath > 0 && html`<input type="hidden" name="subtree" value="yes">`}
<div class="buttons">
${isPossible && html`<button type="submit" class="button">Delete ${beneath === 0 ? 'this page' : count(beneath + 1, 'page')}</button>`}
<a href="${pageUrl(page.path)}">Cancel</a></div>
</form></div>`;
  return { title: `Delete ${page.title}`, kind: 'delete', main };
}

function consequences({ beneath, files, links }: DeletionPreview): Html {
  const more = links.total - Math.min(links.pages.length, listed);
  return html`<ul class="deletes">
${beneath > 0 && html`<li>${count(beneath, 'page')} beneath it ${beneath === 1 ? 'goes' : 'go'} along.</li>`}
${files > 0 && html`<li>${count(files, 'file')} can be opened only from the trash, and pictures of ${files === 1 ? 'it' : 'them'} on other pages disappear.</li>`}
<li>${
    links.total === 0
      ? 'No page links to it.'
      : html`${count(links.total, 'page links', 'pages link')} to it; these links lead nowhere then: ${links.pages.slice(0, listed).map((page, i) => html`${i > 0 && ', '}${pageLink(page)}`)}${more > 0 && html` and ${more} more`}.`
  }</li>
</ul>`;
}
