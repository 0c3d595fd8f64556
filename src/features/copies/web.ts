/** Copying a page on the site: first a look at what would be copied, then the copy. */
import { pageLink, pageUrl } from '#web/components.ts';
import { checkbox, errorSummary, field } from '#web/form-fields.ts';
import { count } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { freePathButton, pickedFreePath } from '#web/free-path.ts';
import { html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { copyPage, planCopy } from './operations.ts';

const copying = formOf(copyPage, {
  fields: fieldsOf,
  notice: 'copied',
  leadsTo: ({ page }) => pageUrl(page?.path ?? '/'),
});

export const web: readonly OperationPage[] = [
  {
    url: '/copy/*',
    followsMoves: true,
    reads: [planCopy],
    forms: {
      look: formOf(copyPage, { fields: (form) => ({ ...fieldsOf(form), dryRun: true }) }),
      copy: copying,
      'use-path': copying,
    },
    async show({ carry, path, refused, answerTo }) {
      const { page, to, pages } = await carry(planCopy, { path });
      const { form, errors = [], message, freePath } = refused;
      const looked = answerTo(copyPage);
      const given = form ? fieldsOf(form) : { to, title: page.title, subtree: pages > 1, ...looked?.asked };
      const main = html`<div class="plain move">
<p class="above">${pageLink(page)}</p>
<h1>Copy this page</h1>
<p class="lede">Files come along, links within the copy lead to the copy, and its history begins anew.</p>
${errorSummary(message)}
${looked && html`<div class="banner" role="status"><p>${count(looked.pages, 'page')} would be copied, and nothing is in the way.</p></div>`}
<form method="post" action="/copy${pageUrl(page.path)}" class="narrow-form">
${field('to', 'Address of the copy', html`required value="${given.to}" autocomplete="off"`, { errors })}
${field('title', 'Title', html`value="${given.title}" dir="auto" autocomplete="off"`, { errors })}
${pages > 1 && checkbox('subtree', 'yes', given.subtree ?? false, `Also copy everything beneath it (${count(pages - 1, 'page')})`)}
<div class="buttons"><button type="submit" name="copy" value="yes" class="button">Copy</button>
<button type="submit" name="look" value="yes" class="quiet-button">Show what is copied</button>
${freePathButton(freePath, 'Copy it to')}
<a href="${pageUrl(page.path)}">Cancel</a></div>
</form></div>`;
      return { title: `Copy ${page.title}`, kind: 'copy', main };
    },
  },
];

function fieldsOf(form: Form) {
  const title = form.text('title').trim();
  return {
    to: pickedFreePath(form) ?? form.text('to'),
    ...(title === '' ? {} : { title }),
    subtree: form.has('subtree'),
    dryRun: false,
  };
}
