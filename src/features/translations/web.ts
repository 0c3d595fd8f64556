/** Translations on the site: the pages of a set with how far each is behind, and the work of a language. */
import { languageOf } from '#core/model/language-tag.ts';
import { pageUrl } from '#web/components.ts';
import { count, languageName } from '#web/format.ts';
import { type Html, html } from '#web/html.ts';
import type { PageLayout } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { listBehind, listTranslations, markTranslated, type ShownTranslation } from './operations.ts';

export const web: readonly OperationPage[] = [
  {
    url: '/translations',
    reads: [listBehind],
    show: workPage,
  },
  {
    url: '/translations/*',
    followsMoves: true,
    reads: [listTranslations],
    forms: {
      'up-to-date': formOf(markTranslated, {
        notice: 'translation-marked',
        leadsTo: ({ path }) => pageUrl(path),
      }),
    },
    show: setPage,
  },
];

async function workPage({ carry, visit }: PageCall): Promise<PageLayout> {
  const { searchParams } = new URL(visit.url, 'http://wiki.invalid');
  const behind = searchParams.get('behind')?.trim() ?? '';
  const tag = languageOf(behind);
  const cursor = searchParams.get('cursor') ?? '';
  const { items, next } =
    tag === undefined ? { items: [] } : await carry(listBehind, { behind: tag, cursor });
  const found =
    items.length === 0
      ? html`<p class="quiet">All translations into this language are up to date.</p>`
      : table(items);
  const main = html`<div class="plain">
<h1>Translations that are behind</h1>
<form action="/translations"><label for="behind">Language</label> <input id="behind" name="behind" value="${behind}" placeholder="de" maxlength="35" size="10" spellcheck="false" autocomplete="off"> <button type="submit">Show</button></form>
${behind !== '' && (tag === undefined ? html`<p class="mistake">A language is a tag such as <code>en</code>, <code>de</code> or <code>pt-BR</code>.</p>` : found)}
${next !== undefined && html`<p><a href="/translations?behind=${behind}&amp;cursor=${next}" rel="next">More</a></p>`}
</div>`;
  return { title: 'Translations that are behind', kind: 'translations', main };
}

async function setPage({ carry, path }: PageCall): Promise<PageLayout> {
  const items = await carry(listTranslations, { path });
  const main = html`<div class="plain">
<p class="above"><a href="${pageUrl(path)}">Back to the page</a></p>
<h1>Translations</h1>
${items.length === 0 ? html`<p class="quiet">There are no translations of this page.</p>` : table(items)}
</div>`;
  return { title: 'Translations', kind: 'translations', main };
}

function table(items: readonly ShownTranslation[]): Html {
  return html`<div class="wide-box"><table class="rows"><thead><tr><th scope="col">Language</th><th scope="col">Page</th><th scope="col">State</th></tr></thead><tbody>${items.map(
    ({ language, path, title, original, behind }) =>
      html`<tr><td>${languageName(language)}</td><td><a href="${pageUrl(path)}" lang="${language}" hreflang="${language}" dir="auto">${title}</a></td><td>${original ? 'Original' : stateOf(behind)}</td></tr>`,
  )}</tbody></table></div>`;
}

function stateOf(behind: ShownTranslation['behind']): string {
  if (behind === null) return 'Up to date';
  return `${count(behind.paragraphs, 'paragraph')} behind, ${count(behind.changes, 'change')}`;
}
