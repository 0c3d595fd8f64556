/** The trash: deleted pages, by whom, and restoring them. */
import type { Deletion } from '#core/ports/trash-store.ts';
import { pageUrl, paging, readRange } from '#web/components.ts';
import { errorSummary } from '#web/form-fields.ts';
import { timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { freePathButton, pickedFreePath } from '#web/free-path.ts';
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import type { Visit } from '#web/site.ts';
import { say } from '#words/say.ts';
import { listTrash, purgePage, restoreDeletion } from './operations.ts';

const listed = 50;

export const web: readonly OperationPage[] = [
  {
    url: '/trash',
    reads: [listTrash],
    forms: {
      restore: formOf(restoreDeletion, {
        fields: (form) => ({ path: pickedFreePath(form) ?? (form.text('path').trim() || undefined) }),
        notice: 'undeleted',
        leadsTo: ({ path }) => pageUrl(path),
      }),
      purge: formOf(purgePage, { notice: 'purged' }),
    },
    async show({ carry, visit, settings: { trashDays }, refused: { form, message, freePath } }) {
      const { url, range } = readRange(visit, listed);
      const { items: deletions, total } = await carry(listTrash, range);
      const main = html`<div class="plain">
<h1>${say('trash.trash')}</h1>
<p class="lede">${total === 0 ? say('trash.nothingHasBeenDeletedThat') : html`${say('trash.latestFirst')}${trashDays > 0 && html` ${say('trash.afterDayTheyAreDeleted', { trashDays })}`}`}</p>
${errorSummary(message)}
${
  freePath !== undefined &&
  html`<form method="post" action="/trash"><input type="hidden" name="id" value="${form?.text('id')}"><input type="hidden" name="what" value="restore">${freePathButton(
    freePath,
    say('trash.restoreTo'),
  )}</form>`
}
<ul class="trash">${deletions.map((deletion) => entry(visit, deletion, form))}</ul>
${paging(url, range, total)}
</div>`;
      return { title: say('trash.trash'), kind: 'trash', main };
    },
  },
];

function entry({ actor, now }: Visit, deletion: Deletion, refused: Form | undefined): Html {
  const { id, path, title, pages, deletedAt, deletedBy } = deletion;
  const isRefused = refused?.text('id') === String(id);
  return html`<li>
<p><strong dir="auto">${title}</strong> <code dir="auto">${path}</code></p>
<p class="quiet">${say(pages > 1 ? 'trash.deletedWithMore' : 'trash.deletedBy', { name: html`<bdi>${deletedBy.name}</bdi>`, time: timeAgo(deletedAt, now), count: pages - 1 })}</p>
<form method="post" action="/trash"><input type="hidden" name="id" value="${id}">
<button type="submit" name="what" value="restore">${say('trash.restore')}</button>
<details${isRefused && html` open`}><summary>${say('trash.toAnotherAddress')}</summary>
<p class="field"><label for="path-${id}">${say('trash.newAddress')}</label><input id="path-${id}" name="path" value="${
    isRefused && refused?.text('path').trim()
  }" placeholder="${path}" autocomplete="off"></p>
<button type="submit" name="what" value="restore">${say('trash.restoreThere')}</button></details>
${
  actor?.isAdmin &&
  html`<details><summary>${say('trash.deletePermanently')}</summary><p>${say('trash.historyFilesAndLikesAre')}</p><button type="submit" name="what" value="purge" class="button grave">${say(
    'trash.deletePagePermanently',
    { pages: pages },
  )}</button></details>`
}
</form></li>`;
}
