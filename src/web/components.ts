/** Components of several pages: breadcrumbs, lists of pages, tables, paging, the tree. */

import { writtenIn } from '#core/model/language-tag.ts';
import type { Ancestor, AttachedFile, FileChanges, MemberName, PageName } from '#core/model/page.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import type { Range } from '#core/ports/list-reads.ts';
import type { ExcerptPart } from '#core/search/excerpt.ts';
import { urlOf } from '#http/page-paths.ts';
import { listComma, listOf, number, say } from '#words/say.ts';
import { type Html, type HtmlValue, html, type LocalText, type Words } from './html.ts';
import type { Visit } from './site.ts';

export function pageUrl(path: string): string {
  return urlOf('', path);
}

export function pageLink({ title, path }: { title: string; path: string }): Html {
  return html`<a href="${pageUrl(path)}" dir="auto">${title}</a>`;
}

export function joined(parts: HtmlValue[], separator: HtmlValue = listComma()): HtmlValue {
  return parts.map((part, index) => [index > 0 && separator, part]);
}

/** One line for each kind of change; for a replaced file, both versions are linked. */
export function fileLines({ attached, replaced, taken }: FileChanges): Html[] {
  const link = ({ name, filename }: AttachedFile) =>
    html`<a href="${fileUrl(name)}" dir="auto">${filename}</a>`;
  const listed = (words: Words, links: Html[]) =>
    links.length === 0 ? [] : [html`${words}: ${joined(links)}`];
  const both = replaced.map(
    ({ before, after }) =>
      html`${link(after)} (<a href="${fileUrl(before.name)}">${say('components.thePreviousOneOfFilename', {
        filename: before.filename,
        span: (words) => html`<span class="unseen">${words}</span>`,
      })}</a>)`,
  );
  return [
    ...listed(say('components.filesAttached'), attached.map(link)),
    ...listed(say('components.filesReplaced'), both),
    ...listed(say('components.removedFiles'), taken.map(link)),
  ];
}

/** From the root to the direct parent. Ancestors that the reader may not open have no link. */
export function breadcrumb(lineage: Ancestor[]): Html {
  const shown = lineage.map(
    (ancestor) =>
      html`<li>${ancestor.isHidden ? html`<span dir="auto">${ancestor.title}</span>` : pageLink(ancestor)}</li>`,
  );
  // A very deep page shows its roots and nearest ancestors; the rest is collapsed.
  const [first, rest, last] =
    shown.length > 6 ? [shown.slice(0, 2), shown.slice(2, -3), shown.slice(-3)] : [shown, [], []];
  return html`<nav class="breadcrumb" aria-label="${say('components.breadcrumb')}"><ol>
<li><a href="/tree" class="breadcrumb-root">${say('common.allPages')}</a></li>
${first}
${rest.length > 0 && html`<li><details><summary aria-label="${say('components.pagesBetween', { count: rest.length })}">…</summary><ol>${rest}</ol></details></li>`}
${last}
</ol></nav>`;
}

export type TreePage = PageName & { type: string | null; hasChildren: boolean };

interface TreeOptions {
  /** Number of pages of the level, and its URL. */
  total?: number;
  href?: string;
  current?: { path: string; inside?: Html };
  /** Whether pages that only writers need are left out. */
  isForReaders?: boolean;
  /** Path of the page above, or empty for the root, if the visitor may arrange the list by dragging. */
  orderOf?: string | undefined;
  /** Number of children by page ID. */
  counts?: ReadonlyMap<number, number>;
  /** Types of pages that are left out. */
  hidden?: readonly string[];
}

/** Returns whether the page is a template or module. */
export function isForWriters({ type }: { type: string | null }): boolean {
  return type === 'Template' || type === 'Module';
}

/** Children of a page or of the root, as an expandable list; each deeper level is loaded from its own URL. */
export function treeList(
  pages: TreePage[],
  { total = 0, href = '', current, isForReaders, orderOf, counts, hidden = [] }: TreeOptions = {},
): Html {
  const listed = pages.filter(
    (page) => !(isForReaders && isForWriters(page)) && !(page.type !== null && hidden.includes(page.type)),
  );
  // Rows that are not listed would lose their places.
  const isWhole = total <= pages.length && listed.length === pages.length;
  const isOrdered = orderOf !== undefined && isWhole && listed.length > 1;
  const dragged = ({ path }: TreePage) =>
    orderOf !== undefined && html` data-path="${path}" draggable="true"`;
  const more = hidden.map((type) => `&hide=${encodeURIComponent(type)}`).join('');
  const items = listed.map((page) => {
    const isCurrent = page.path === current?.path;
    const children = counts?.get(page.id);
    const counted = children !== undefined && html` <span class="tree-count">${countShown(children)}</span>`;
    const link = html`<a href="${pageUrl(page.path)}" dir="auto"${isCurrent && html` aria-current="page"`}>${page.title}${counted}</a>`;
    if (isCurrent && current.inside) {
      return treeBranch(page, { link, inside: current.inside, isOpen: true });
    }
    if (!page.hasChildren) return html`<li class="leaf"${dragged(page)}>${link}</li>`;
    const below = urlOf('/tree', page.path);
    const inside = html`<ul><li class="leaf"><a class="tree-more" href="${below}">${say('components.pagesBelowThisOne')}</a></li></ul>`;
    const source = `${below}?part=${isForReaders ? 'side' : 'list'}${more}`;
    return treeBranch(page, { link, inside, isOpen: false, source, attributes: dragged(page) });
  });
  const left = total - pages.length;
  const rest = left > 0 ? say('count.morePages', { count: left }) : listed.length < 1 && typesOf(pages);
  return html`<ul class="tree"${isOrdered && html` data-order="/v1/order${pageUrl(orderOf)}"`}>${items}${
    rest && pages.length > 0 && html`<li class="leaf"><a class="tree-more" href="${href}">${rest}</a></li>`
  }</ul>`;
}

/** Counting ends at this number. */
export const mostCounted = 100;

function countShown(children: number): string {
  return children < mostCounted ? String(children) : `${mostCounted}+`;
}

/** `2 templates, 1 module` */
function typesOf(pages: TreePage[]): LocalText {
  const modules = pages.filter(({ type }) => type === 'Module').length;
  const templates = pages.length - modules;
  return listOf(
    [
      templates > 0 && say('count.templates', { count: templates }),
      modules > 0 && say('count.modules', { count: modules }),
    ].filter((one) => one !== false),
    'unit',
  );
}

/** The link is beside the control that expands the level below, because nested controls are not accessible. */
export function treeBranch(
  { title, path }: { title: string; path: string },
  {
    link,
    inside,
    isOpen,
    source,
    attributes = undefined,
  }: {
    link: Html;
    inside: Html;
    isOpen: boolean;
    source?: string | undefined;
    attributes?: HtmlValue | undefined;
  },
): Html {
  return html`<li class="branch"${attributes}>${link}<details data-tree-path="${path}"${isOpen && html` open`}${
    source !== undefined && html` data-tree-src="${source}"`
  }><summary><span class="unseen">${say('components.belowTitle', { title })}</span></summary>${inside}</details></li>`;
}

export function highlighted(parts: ExcerptPart[]): HtmlValue {
  return parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text));
}

/** Links to the previous and next part of a long list. `name`: query parameter, and ID of the list on the page. */
export function paging(url: URL, { limit, offset }: Range, total: number, name = 'offset'): Html {
  const at = (start: number) =>
    changedAddress(url, { [name]: start > 0 ? String(start) : undefined }) +
    (name === 'offset' ? '' : `#${name}`);
  return pagingLinks(
    offset > 0 &&
      html`<a rel="prev" href="${at(Math.max(0, offset - limit))}">${say('components.before')}</a>`,
    offset + limit < total && html`<a rel="next" href="${at(offset + limit)}">${say('components.after')}</a>`,
    rangeWords({ limit, offset }, total),
  );
}

/** Controls for the previous and next part of a list. Renders nothing if the whole list is shown. */
export function pagingLinks(before: Html | false, after: Html | false, shown?: Words): Html {
  if (!before && !after) return html``;
  const nothing = html`<span></span>`;
  return html`<nav class="paging" aria-label="${say('components.pagesOfThisList')}">
${before || nothing}
<span>${shown}</span>
${after || nothing}
</nav>`;
}

/** Returns the address with changed parameters. Undefined removes a parameter. */
export function changedAddress(url: URL, changes: Record<string, string | undefined>): string {
  const next = new URLSearchParams(url.searchParams);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return url.pathname + (next.size > 0 ? `?${next}` : '');
}

/** `51–100 of 1,204` */
export function rangeWords({ limit, offset }: Range, total: number): LocalText {
  const first = Math.min(offset + 1, total);
  const last = Math.min(offset + limit, total);
  return say('components.rangeOfTotal', {
    range: first === last ? number(last) : html`${number(first)}–${number(last)}`,
    total,
  });
}

export function readOffset(url: URL, name = 'offset'): number {
  const text = url.searchParams.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

export function urlOfVisit({ url, origin }: Visit): URL {
  return new URL(url, origin);
}

/** The range requested by the URL, and that URL for `paging`. */
export function readRange(visit: Visit, limit: number): { url: URL; range: Range } {
  const url = urlOfVisit(visit);
  return { url, range: { limit, offset: readOffset(url) } };
}

/** Heading of a column of buttons. */
export const actionsHeading = html`<span class="unseen">${say('components.actions')}</span>`;

/** A table in a box that scrolls if the table is wider than the page. `columns`: headings. */
export function table(kind: string, columns: HtmlValue[], rows: Html[]): Html {
  return html`<div class="wide-box"><table class="${kind}"><thead><tr>${columns.map((column) => column && html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** A value that is shown only once, with an explanation and a copy button. */
export function copyOnce(words: HtmlValue, field: { id: string; label: Words; value: string }): Html {
  const { id, label, value } = field;
  return html`<div class="banner" role="status"><p>${words}</p>
<p class="copy-row"><label class="unseen" for="${id}">${label}</label><input id="${id}" class="link-out" readonly value="${value}" data-copy></p></div>`;
}

/** An address of e-mail that may be broken before its `@` and its dots, and nowhere else. */
export function emailWords(email: string): Html {
  return html`${email.split(/(?=[@.])/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;
}

/** Attributes of an element with text of a page, or of a form with its fields. */
export function languageOfText(own: string | null, wiki: string): Html {
  const { lang, dir } = writtenIn(own, wiki);
  return html` lang="${lang}" dir="${dir}"`;
}

/** Author of a comment or a proposal: a member, or a person without an account with the moderator who approved it. */
export function writerWords({ author, stranger }: { author: MemberName; stranger: string | null }): Html {
  if (stranger === null) return html`<bdi>${author.name}</bdi>`;
  return html`${say('strangers.notAMember', { name: html`<bdi>${stranger}</bdi>` })} <span class="quiet">(${say('strangers.letInBy', { name: html`<bdi>${author.name}</bdi>` })})</span>`;
}
