/** The trash: deleted pages, by whom, and restoring them. */
import type { Deletion } from '#core/ports/trash-store.ts';
import { pageUrl, paging, readRange } from '#web/components.ts';
import { errorSummary } from '#web/form-fields.ts';
import { count, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { freePathButton, pickedFreePath } from '#web/free-path.ts';
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import type { Visit } from '#web/site.ts';
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
<h1>Trash</h1>
<p class="lede">${total === 0 ? 'Nothing has been deleted that could be restored.' : html`Deleted pages, latest first. ${trashDays > 0 && html`After ${count(trashDays, 'day')} they are deleted permanently.`}`}</p>
${errorSummary(message)}
${
  freePath !== undefined &&
  html`<form method="post" action="/trash"><input type="hidden" name="id" value="${form?.text('id')}"><input type="hidden" name="what" value="restore">${freePathButton(freePath, 'Restore to')}</form>`
}
<ul class="trash">${deletions.map((deletion) => entry(visit, deletion, form))}</ul>
${paging(url, range, total)}
</div>`;
      return { title: 'Trash', kind: 'trash', main };
    },
  },
];

function entry({ actor, now }: Visit, deletion: Deletion, refused: Form | undefined): Html {
  const { id, path, title, pages, deletedAt, deletedBy } = deletion;
  const isRefused = refused?.text('id') === String(id);
  return html`<li>
<p><strong dir="auto">${title}</strong> <code dir="auto">${path}</code></p>
<p class="quiet">Deleted by <bdi>${deletedBy.name}</bdi> ${timeAgo(deletedAt, now)}${pages > 1 && html` with ${count(pages - 1, 'page')} beneath it`}</p>
<form method="post" action="/trash"><input type="hidden" name="id" value="${id}">
<button type="submit" name="what" value="restore">Restore</button>
<details${isRefused && html` open`}><summary>To another address</summary>
<p class="field"><label for="path-${id}">New address</label><input id="path-${id}" name="path" value="${isRefused && refused?.text('path').trim()}" placeholder="${path}" autocomplete="off"></p>
<button type="submit" name="what" value="restore">Restore there</button></details>
${actor?.isAdmin && html`<details><summary>Delete permanently</summary><p>History, files and likes are deleted as well. Only a backup can restore them.</p><button type="submit" name="what" value="purge" class="button grave">Delete ${count(pages, 'page')} permanently</button></details>`}
</form></li>`;
}
