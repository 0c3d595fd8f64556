/** The other languages of a page: links to them, for people and for search engines, and how far a translation is behind. */
import type { WholePage } from '#core/model/page.ts';
import { isPublicPage } from '#core/model/permission.ts';
import type { PageView } from '#core/pages/page-view.ts';
import type { Translation } from '#core/pages/translations.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { joined, pageUrl } from '../../components.ts';
import { type Html, html } from '../../html.ts';
import type { Visit } from '../../site.ts';

/** Under the title of a page. An older version does not say how far it is behind. */
export function inLanguages(
  { page, mayWrite }: Pick<PageView, 'page' | 'mayWrite'>,
  set: readonly Translation[],
  wiki: string,
  isOld: boolean,
): Html {
  return html`${otherLanguages(page, set, wiki)}${!isOld && behindBanner(page, set, mayWrite)}`;
}

/** Links named in the language that they lead to. Several pages of one language are named by their titles. */
function otherLanguages(page: WholePage, set: readonly Translation[], wiki: string): Html | undefined {
  const others = set.filter((one) => one.page.id !== page.id);
  if (others.length === 0) return undefined;
  const tagged = others.map(({ page: { title, path, language } }) => ({
    title,
    path,
    tag: language ?? wiki,
  }));
  const links = tagged.map(({ title, path, tag }) => {
    const isOnly = tagged.filter((one) => one.tag === tag).length === 1;
    return html`<a href="${pageUrl(path)}" lang="${tag}" hreflang="${tag}" dir="auto" title="${title}">${isOnly ? ownName(tag) : title}</a>`;
  });
  return html`<nav class="in-languages" aria-label="${say('inLanguages.otherLanguages')}">${say('inLanguages.inOtherLanguages')} ${joined(links, ' · ')}</nav>`;
}

function ownName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}

/** The page and the others that everybody may read, one for each language, as search engines want them. */
export function languageLinks(
  visit: Visit,
  page: WholePage,
  set: readonly Translation[],
  wiki: string,
): Html | undefined {
  const others = set.filter((one) => one.page.id !== page.id && isPublicPage(one.page, visit));
  if (others.length === 0 || !isPublicPage(page, visit)) return undefined;
  const byLanguage = new Map([[page.language ?? wiki, page.path]]);
  for (const { language, path } of others.map((one) => one.page))
    if (!byLanguage.has(language ?? wiki)) byLanguage.set(language ?? wiki, path);
  if (byLanguage.size === 1) return undefined;
  return html`${[...byLanguage].map(
    ([language, path]) =>
      html`<link rel="alternate" hreflang="${language}" href="${visit.origin}${pageUrl(path)}">
`,
  )}`;
}

/** Says that the original has changed since, and offers to call the translation up to date. */
function behindBanner(page: WholePage, set: readonly Translation[], mayWrite: boolean): Html | undefined {
  const behind = set.find((one) => one.page.id === page.id)?.behind;
  const original = set.find((one) => one.isOriginal)?.page;
  if (!behind || !original || behind.paragraphs === 0) return undefined;
  return html`<div class="banner behind" role="note"><p>${say('inLanguages.thisTranslationIsParagraph', {
    paragraphs: behind.paragraphs,
    strong: (words) => html`<strong>${words}</strong>`,
    title: html`<a href="${pageUrl(original.path)}"${original.language !== null && html` hreflang="${original.language}"`} dir="auto">${original.title}</a>`,
    link: (words) => html`<a href="${urlOf('/translations', page.path)}#untranslated">${words}</a>`,
  })}</p>${
    mayWrite &&
    html`<form method="post" action="${urlOf('/translations', page.path)}"><input type="hidden" name="change" value="${original.changeId}"><button type="submit" name="up-to-date" value="yes">${say(
      'inLanguages.upToDate',
    )}</button></form>`
  }</div>`;
}
