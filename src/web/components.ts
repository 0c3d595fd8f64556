/** Components of several pages: breadcrumbs, lists of pages, paging, the tree, forms' fields and their mistakes. */

import type { FileChanges } from '#domain/files/file-changes.ts';
import type { Ancestor, AttachedFile, PageName } from '#domain/pages/page.ts';
import { fileUrl } from '#domain/ports/file-store.ts';
import type { Range } from '#domain/ports/list-reads.ts';
import type { FieldError } from '#domain/problem.ts';
import type { ExcerptPart } from '#domain/search/excerpt.ts';
import { urlOf } from '#http/page-paths.ts';
import { count, plainNumber } from './format.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import type { Visit } from './site.ts';

export function pageUrl(path: string): string {
  return urlOf('', path);
}

export function pageLink({ title, path }: { title: string; path: string }): Html {
  return html`<a href="${pageUrl(path)}" dir="auto">${title}</a>`;
}

/** A line for each kind of change that there is; of a replaced file both can be opened. */
export function fileLines({ attached, replaced, taken }: FileChanges): Html[] {
  const link = ({ name, filename }: AttachedFile) =>
    html`<a href="${fileUrl(name)}" dir="auto">${filename}</a>`;
  const listed = (words: string, links: Html[]) =>
    links.length === 0 ? [] : [html`${words}: ${links.map((one, i) => html`${i > 0 && ', '}${one}`)}`];
  const both = replaced.map(
    ({ before, after }) =>
      html`${link(after)} (<a href="${fileUrl(before.name)}">the one before<span class="unseen"> of ${before.filename}</span></a>)`,
  );
  return [
    ...listed('Files attached', attached.map(link)),
    ...listed('Files replaced', both),
    ...listed('Files taken away', taken.map(link)),
  ];
}

/** From the root to the direct parent. Ancestors that the reader may not open are named without a link. */
export function breadcrumb(lineage: Ancestor[]): Html {
  const shown = lineage.map(
    (ancestor) =>
      html`<li>${ancestor.isHidden ? html`<span dir="auto">${ancestor.title}</span>` : pageLink(ancestor)}</li>`,
  );
  // A very deep page shows its roots and its nearest ancestors; the rest folds away.
  const [first, rest, last] =
    shown.length > 6 ? [shown.slice(0, 2), shown.slice(2, -3), shown.slice(-3)] : [shown, [], []];
  return html`<nav class="breadcrumb" aria-label="Breadcrumb"><ol>
<li><a href="/tree" class="breadcrumb-root">All pages</a></li>
${first}
${rest.length > 0 && html`<li><details><summary aria-label="${count(rest.length, 'page')} between">…</summary><ol>${rest}</ol></details></li>`}
${last}
</ol></nav>`;
}

export type TreePage = PageName & { type: string | null; hasChildren: boolean };

interface TreeOptions {
  /** All pages of the level, and where they are. */
  total?: number;
  href?: string;
  current?: { path: string; inside?: Html };
  /** For finding the way among what is to be read: without what only writers look for. */
  isForReaders?: boolean;
}

/** Templates and modules, which only writers look for. */
export function isForWriters({ type }: { type: string | null }): boolean {
  return type === 'Template' || type === 'Module';
}

/** Children of a page or of the root, as a list that opens; what lies deeper is one address further. */
export function treeList(
  pages: TreePage[],
  { total = 0, href = '', current, isForReaders }: TreeOptions = {},
): Html {
  const listed = isForReaders ? pages.filter((page) => !isForWriters(page)) : pages;
  const items = listed.map((page) => {
    const isCurrent = page.path === current?.path;
    const link = html`<a href="${pageUrl(page.path)}" dir="auto"${isCurrent && html` aria-current="page"`}>${page.title}</a>`;
    if (isCurrent && current.inside) {
      return treeBranch(page, link, current.inside, true);
    }
    if (!page.hasChildren) return html`<li class="leaf">${link}</li>`;
    const below = urlOf('/tree', page.path);
    const inside = html`<ul><li class="leaf"><a class="tree-more" href="${below}">Pages below this one</a></li></ul>`;
    return treeBranch(page, link, inside, false, `${below}?part=${isForReaders ? 'side' : 'list'}`);
  });
  const left = total - pages.length;
  const rest = left > 0 ? count(left, 'more page') : listed.length < 1 && typesOf(pages);
  return html`<ul class="tree">${items}${rest && pages.length > 0 && html`<li class="leaf"><a class="tree-more" href="${href}">${rest}</a></li>`}</ul>`;
}

/** `2 templates, 1 module` */
function typesOf(pages: TreePage[]): string {
  const modules = pages.filter(({ type }) => type === 'Module').length;
  const templates = pages.length - modules;
  return [templates > 0 && count(templates, 'template'), modules > 0 && count(modules, 'module')]
    .filter(Boolean)
    .join(', ');
}

/** The link beside what opens the level below it: a control within a control would be reachable to some only. */
export function treeBranch(
  { title, path }: { title: string; path: string },
  link: Html,
  inside: Html,
  isOpen: boolean,
  source?: string,
): Html {
  return html`<li class="branch">${link}<details data-tree-path="${path}"${isOpen && html` open`}${source !== undefined && html` data-tree-src="${source}"`}><summary><span class="unseen">Below ${title}</span></summary>${inside}</details></li>`;
}

export function highlighted(parts: ExcerptPart[]): HtmlValue {
  return parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text));
}

/** Links to the pages of a long list before and after this one. `name`: the parameter, and where on the page the list is. */
export function paging(url: URL, range: Range, total: number, name = 'offset'): Html {
  if (total <= range.limit && range.offset === 0) return html``;
  const at = (offset: number) => {
    const next = new URLSearchParams(url.searchParams);
    if (offset > 0) next.set(name, String(offset));
    else next.delete(name);
    const query = next.toString();
    return url.pathname + (query && `?${query}`) + (name === 'offset' ? '' : `#${name}`);
  };
  return html`<nav class="paging" aria-label="Pages of this list">
${range.offset > 0 ? html`<a rel="prev" href="${at(Math.max(0, range.offset - range.limit))}">← Before</a>` : html`<span></span>`}
<span>${rangeWords(range, total)}</span>
${range.offset + range.limit < total ? html`<a rel="next" href="${at(range.offset + range.limit)}">After →</a>` : html`<span></span>`}
</nav>`;
}

/** `51–100 of 1,204` */
export function rangeWords({ limit, offset }: Range, total: number): string {
  const first = Math.min(offset + 1, total);
  const last = Math.min(offset + limit, total);
  return `${first === last ? last : `${first}–${last}`} of ${plainNumber(total)}`;
}

export function readOffset(url: URL, name = 'offset'): number {
  const text = url.searchParams.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** The part of a list that the address asks for, and that address for its `paging`. */
export function readRange({ url: address, origin }: Visit, limit: number): { url: URL; range: Range } {
  const url = new URL(address, origin);
  return { url, range: { limit, offset: readOffset(url) } };
}

/** The mistake of one field, next to it; `id` is what the field's `aria-describedby` names. */
export function mistake(errors: FieldError[], field: string): Html | undefined {
  const found = errors.filter(({ pointer }) => pointer.replace(/^[/?]/, '').split('/')[0] === field);
  if (found.length === 0) return undefined;
  return html`<p class="mistake" id="${field}-mistake">${found.map(({ detail }) => detail).join(' ')}</p>`;
}

/** Attributes that tie a field to its mistake and hint. */
export function described(errors: FieldError[], field: string, hint?: string): Html {
  const isWrong = mistake(errors, field) !== undefined;
  const ids = [isWrong && `${field}-mistake`, hint].filter(Boolean).join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${ids !== '' && html` aria-describedby="${ids}"`}`;
}

/** A value that is shown this once, with words about it and a button that copies it. */
export function copyOnce(words: HtmlValue, field: { id: string; label: string; value: string }): Html {
  const { id, label, value } = field;
  return html`<div class="banner" role="status"><p>${words}</p>
<p class="copy-row"><label class="unseen" for="${id}">${label}</label><input id="${id}" class="link-out" readonly value="${value}" data-copy></p></div>`;
}

/** Error message at the top of a form, for eyes and screen readers alike. */
export function errorSummary(message: string | undefined): Html | undefined {
  return message === undefined
    ? undefined
    : html`<div class="error-summary" role="alert" tabindex="-1" autofocus><p>${message}</p></div>`;
}
