/** Translations on the site: the pages of a set with how far each is behind, and the work of a language. */
import { languageOf } from '#core/model/language-tag.ts';
import { pageUrl } from '#web/components.ts';
import { languageName } from '#web/format.ts';
import { type Html, html, type Words } from '#web/html.ts';
import type { PageLayout } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
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
      ? html`<p class="quiet">${say('translations.allTranslationsIntoThis')}</p>`
      : table(items);
  const main = html`<div class="plain">
<h1>${say('translations.translationsThatAreBehind')}</h1>
<form action="/translations"><label for="behind">${say(
    'translations.language',
  )}</label> <input id="behind" name="behind" value="${behind}" placeholder="${say('translations.de')}" maxlength="35" size="10" spellcheck="false" autocomplete="off"> <button type="submit">${say(
    'translations.show',
  )}</button></form>
${
  behind !== '' &&
  (tag === undefined
    ? html`<p class="mistake">${say('translations.aLanguageIsATagSuchAsCode', { code: html`<code>en</code>`, code2: html`<code>de</code>`, code3: html`<code>pt-BR</code>` })}</p>`
    : found)
}
${next !== undefined && html`<p><a href="/translations?behind=${behind}&amp;cursor=${next}" rel="next">${say('translations.more')}</a></p>`}
</div>`;
  return { title: say('translations.translationsThatAreBehind'), kind: 'translations', main };
}

async function setPage({ carry, path }: PageCall): Promise<PageLayout> {
  const items = await carry(listTranslations, { path });
  const main = html`<div class="plain">
<p class="above"><a href="${pageUrl(path)}">${say('common.backToThePage')}</a></p>
<h1>${say('translations.translations')}</h1>
${items.length === 0 ? html`<p class="quiet">${say('translations.thereAreNoTranslationsOfThis')}</p>` : table(items)}
</div>`;
  return { title: say('translations.translations'), kind: 'translations', main };
}

function table(items: readonly ShownTranslation[]): Html {
  return html`<div class="wide-box"><table class="rows"><thead><tr><th scope="col">${say(
    'translations.language',
  )}</th><th scope="col">${say('translations.page')}</th><th scope="col">${say('translations.state')}</th></tr></thead><tbody>${items.map(
    ({ language, path, title, original, behind }) =>
      html`<tr><td>${languageName(language)}</td><td><a href="${pageUrl(path)}" lang="${language}" hreflang="${language}" dir="auto">${title}</a></td><td>${
        original ? say('translations.original') : stateOf(behind)
      }</td></tr>`,
  )}</tbody></table></div>`;
}

function stateOf(behind: ShownTranslation['behind']): Words {
  if (behind === null) return say('translations.upToDate');
  return say('translations.behindBy', { paragraphs: behind.paragraphs, changes: behind.changes });
}
