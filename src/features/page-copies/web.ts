/** Copying a page on the site: first a look at what would be copied, then the copy. */
import { pageLink, pageUrl } from '#web/components.ts';
import { checkbox, errorSummary, field } from '#web/form-fields.ts';
import type { Form } from '#web/forms.ts';
import { freePathButton, pickedFreePath } from '#web/free-path.ts';
import { html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
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
<h1>${say('copies.copyThisPage')}</h1>
<p class="lede">${say('copies.filesComeAlongLinksWithinThe')}</p>
${errorSummary(message)}
${looked && html`<div class="banner" role="status"><p>${say('copies.pageWouldBeCopiedAndNothing', { pages: looked.pages })}</p></div>`}
<form method="post" action="/copy${pageUrl(page.path)}" class="narrow-form">
${field('to', say('copies.addressOfTheCopy'), html`required value="${given.to}" autocomplete="off"`, { errors })}
${field('title', say('copies.title'), html`value="${given.title}" dir="auto" autocomplete="off"`, { errors, hint: say('copies.twoPagesWithOneTitle') })}
${pages > 1 && checkbox('subtree', 'yes', given.subtree ?? false, say('copies.alsoCopyBeneath', { count: pages - 1 }))}
<div class="buttons"><button type="submit" name="copy" value="yes" class="button">${say('copies.copy')}</button>
<button type="submit" name="look" value="yes" class="quiet-button">${say('copies.showWhatIsCopied')}</button>
${freePathButton(freePath, say('copies.copyItTo'))}
<a href="${pageUrl(page.path)}">${say('copies.cancel')}</a></div>
</form></div>`;
      return { title: say('copies.copyTitle', { title: page.title }), kind: 'copy', main };
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
