/**
 * Translations on the site: all pages with the state of each language, the pages of a set with how far each is behind, what changed in
 * the original beside its translation, and the work of a language.
 */
import { type DiffLine, diffBodies } from '#core/content/diff.ts';
import { languageOf } from '#core/model/language-tag.ts';
import { joined, pageUrl } from '#web/components.ts';
import { errorSummary, field } from '#web/form-fields.ts';
import { languageName } from '#web/format.ts';
import { type Html, type HtmlValue, html, type Words } from '#web/html.ts';
import type { PageLayout } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { say } from '#words/say.ts';
import {
  listBehind,
  listTranslated,
  listTranslations,
  listUntranslated,
  markTranslated,
  type ShownParagraph,
  type ShownTranslation,
} from './operations.ts';

export const web: readonly OperationPage[] = [
  {
    url: '/translations',
    reads: [listBehind, listTranslated],
    show: workPage,
  },
  {
    url: '/translations/*',
    followsMoves: true,
    reads: [listTranslations, listUntranslated],
    forms: {
      'up-to-date': formOf(markTranslated, {
        notice: 'translation-marked',
        leadsTo: ({ path }) => pageUrl(path),
      }),
      translated: formOf(markTranslated, {
        fields: (form) => ({ paragraphs: [form.text('translated')] }),
        notice: 'paragraph-translated',
        leadsTo: ({ path }) => `${urlOf('/translations', path)}#untranslated`,
      }),
    },
    show: setPage,
  },
];

async function workPage(call: PageCall): Promise<PageLayout> {
  const { searchParams } = new URL(call.visit.url, 'http://wiki.invalid');
  const behind = searchParams.get('behind')?.trim() ?? '';
  const cursor = searchParams.get('cursor') ?? '';
  const title =
    behind === '' ? say('translations.translations') : say('translations.translationsThatAreBehind');
  const main = html`<div class="plain">
<h1>${title}</h1>
<form action="/translations" class="invite-form">${field(
    'behind',
    say('translations.language'),
    html`value="${behind}" placeholder="${say('translations.de')}" maxlength="35" size="10" spellcheck="false" autocomplete="off"`,
  )} <button type="submit" class="button">${say('translations.show')}</button></form>
${behind === '' ? await allPages(call, cursor) : await workIn(call, behind, cursor)}
</div>`;
  return { title, kind: 'translations', main };
}

async function workIn({ carry }: PageCall, behind: string, cursor: string): Promise<Html> {
  const tag = languageOf(behind);
  if (tag === undefined)
    return html`<p class="mistake">${say('translations.aLanguageIsATagSuchAsCode', { code: html`<code>en</code>`, code2: html`<code>de</code>`, code3: html`<code>pt-BR</code>` })}</p>`;
  const { items, next } = await carry(listBehind, { behind: tag, cursor });
  return html`<p><a href="/translations">${say('translations.allLanguages')}</a></p>
${items.length === 0 ? html`<p class="quiet">${say('translations.allTranslationsIntoThis')}</p>` : table(items)}
${more(next, `behind=${encodeURIComponent(tag)}&`)}`;
}

function more(next: string | undefined, query: string): Html | undefined {
  if (next === undefined) return undefined;
  return html`<p><a href="/translations?${query}cursor=${next}" rel="next">${say('translations.more')}</a></p>`;
}

/** A table of pages and languages. */
async function allPages({ carry, visit }: PageCall, cursor: string): Promise<Html> {
  const { items, next } = await carry(listTranslated, { cursor });
  if (items.length === 0) return html`<p class="quiet">${say('translations.noPageHasTranslations')}</p>`;
  const tags = [
    ...new Set(items.flatMap(({ translations }) => translations.map(({ language }) => language))),
  ].sort();
  const rows = items.map(
    ({ original, translations }) =>
      html`<tr><th scope="row"><a href="${pageUrl(original.path)}" lang="${original.language}" dir="auto">${original.title}</a></th>${tags.map(
        (tag) => html`<td>${cell(original, translations, tag, visit.actor !== null)}</td>`,
      )}</tr>`,
  );
  return html`<div class="wide-box"><table class="rows"><thead><tr><th scope="col">${say('translations.page')}</th>${tags.map(
    (tag) => html`<th scope="col"><a href="/translations?behind=${tag}">${languageName(tag)}</a></th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>
${more(next, '')}`;
}

function cell(
  original: ShownTranslation,
  all: readonly ShownTranslation[],
  tag: string,
  mayWrite: boolean,
): HtmlValue {
  const found = all.filter(({ language }) => language === tag);
  if (found.length > 0)
    return joined(
      found.map(({ path, behind }) => html`<a href="${urlOf('/translations', path)}">${stateOf(behind)}</a>`),
    );
  if (original.language === tag) return say('translations.original');
  if (!mayWrite) return '';
  const query = new URLSearchParams({ translationOf: original.path, language: tag });
  return html`<a href="/new?${query.toString()}">${say('translations.translate')}</a>`;
}

async function setPage({ carry, path, visit, refused }: PageCall): Promise<PageLayout> {
  const items = await carry(listTranslations, { path });
  const [own, original] = [items.find((one) => one.path === path), items.find((one) => one.original)];
  const left = own?.behind ? await carry(listUntranslated, { path }) : [];
  const main = html`<div class="plain">
<p class="above"><a href="${pageUrl(path)}">${say('common.backToThePage')}</a></p>
<h1>${say('translations.translations')}</h1>
${errorSummary(refused.message)}
${items.length === 0 ? html`<p class="quiet">${say('translations.thereAreNoTranslationsOfThis')}</p>` : table(items, own !== undefined && !original)}
${own && original && left.length > 0 && untranslated(own, original, left, visit.actor !== null)}
<p><a href="/translations">${say('translations.allLanguages')}</a></p>
</div>`;
  return { title: say('translations.translations'), kind: 'translations', main };
}

/** Paragraphs and characters; more would make a page that nobody reads to its end. */
const mostShown = 50;
const mostCharacters = 400_000;
/** Characters of a page whose words are compared, which takes some 30 ms, and lines of a paragraph. */
const mostCompared = 20_000;
const mostLines = 30;

/** Each changed paragraph of the original beside its translation. */
function untranslated(
  own: ShownTranslation,
  original: ShownTranslation,
  left: readonly ShownParagraph[],
  mayWrite: boolean,
): Html {
  const pane = ({ language }: ShownTranslation, inside: Html) =>
    html`<section class="pane"><h3>${languageName(language)}</h3>${inside}</section>`;
  const written = ({ language, title }: ShownTranslation, words: HtmlValue) =>
    html`<pre class="source" tabindex="0" lang="${language}" dir="auto" aria-label="${title}">${words}</pre>`;
  let characters = 0;
  const shown = left.slice(0, mostShown).flatMap((one, n) => {
    characters += [one.before, one.after, one.translation].reduce(
      (sum, text) => sum + (text?.length ?? 0),
      0,
    );
    return n === 0 || characters <= mostCharacters
      ? [{ ...one, isCompared: characters <= mostCompared }]
      : [];
  });
  const lacking = html`<p class="quiet">${say('translations.notThereYet')}</p>`;
  return html`<section id="untranslated"><h2>${say('translations.paragraphsThatChanged')}</h2>
${mayWrite && html`<p>${say('translations.changeThemInTheTranslation', { link: (words) => html`<a href="${urlOf('/edit', own.path)}">${words}</a>` })}</p>`}
${shown.map(
  ({ key, translation, ...one }) => html`<div class="three-panes">
${pane(original, written(original, differenceOf(one)))}
${pane(own, translation === null ? lacking : written(own, translation))}
</div>${
    mayWrite &&
    html`<form method="post" action="${urlOf('/translations', own.path)}#untranslated"><button type="submit" name="translated" value="${key}">${say(
      'translations.thisOneIsTranslated',
    )}</button></form>`
  }`,
)}
${left.length > shown.length && html`<p class="quiet">${say('common.andMore', { count: left.length - shown.length })}</p>`}
</section>`;
}

/** With the words that changed, one line beneath the other. Long paragraphs are not compared. */
function differenceOf({
  before,
  after,
  isCompared,
}: Pick<ShownParagraph, 'before' | 'after'> & { isCompared: boolean }): Html {
  const [from, to] = [before ?? '', after ?? ''];
  const hasFewLines = [from, to].every((text) => text.split('\n', mostLines + 1).length <= mostLines);
  const lines: Pick<DiffLine, 'kind' | 'text' | 'words'>[] =
    isCompared && hasFewLines
      ? diffBodies(from, to).flatMap((hunk) => hunk.lines)
      : [
          { kind: 'removed', text: from },
          { kind: 'added', text: to },
        ];
  const part = (kind: DiffLine['kind'], text: string) =>
    kind === 'removed'
      ? html`<del>${text}</del>`
      : kind === 'added'
        ? html`<ins>${text}</ins>`
        : html`${text}`;
  return html`${joined(
    lines
      .filter(({ text }) => text !== '')
      .map(
        ({ kind, text, words }) =>
          html`${(words ?? [{ kind, text }]).map((one) => part(one.kind, one.text))}`,
      ),
    '\n',
  )}`;
}

/** `isLost`: the original of these translations was deleted or is hidden, so nobody knows how far they are. */
function table(items: readonly ShownTranslation[], isLost = false): Html {
  return html`<div class="wide-box"><table class="rows"><thead><tr><th scope="col">${say(
    'translations.language',
  )}</th><th scope="col">${say('translations.page')}</th><th scope="col">${say('translations.state')}</th></tr></thead><tbody>${items.map(
    ({ language, path, title, original, behind }) =>
      html`<tr><td>${languageName(language)}</td><td><a href="${pageUrl(path)}" lang="${language}" hreflang="${language}" dir="auto">${title}</a></td><td>${
        original ? say('translations.original') : isLost ? say('translations.noOriginal') : stateOf(behind)
      }</td></tr>`,
  )}</tbody></table></div>`;
}

function stateOf(behind: ShownTranslation['behind']): Words {
  if (behind === null) return say('translations.upToDate');
  return say('translations.behindBy', { paragraphs: behind.paragraphs, changes: behind.changes });
}
