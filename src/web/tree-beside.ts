/** The part of the tree around a page: its parent, siblings and children, and the pages before and after it. */
import type { PageName, WholePage } from '#core/model/page.ts';
import type { Neighbours } from '#core/ports/list-reads.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { isForWriters, pageLink, pageUrl, type TreePage, treeBranch, treeList } from './components.ts';
import { type Html, html, type Words } from './html.ts';

interface Level {
  pages: TreePage[];
  total: number;
}

/** Templates are left out, except beside a template. */
export function treeBeside(
  page: WholePage,
  { children, siblings }: { children: Level; siblings: Level },
): Html {
  const parent = page.lineage.at(-1);
  const isForReaders = !isForWriters(page);
  const own =
    children.pages.length > 0
      ? treeList(children.pages, { total: children.total, href: urlOf('/tree', page.path), isForReaders })
      : undefined;
  const beside = siblings.pages.some(({ id }) => id === page.id)
    ? siblings.pages
    : [{ ...page, hasChildren: children.total > 0 }, ...siblings.pages];
  const level = treeList(beside, {
    total: siblings.total,
    href: parent ? urlOf('/tree', parent.path) : '/tree',
    current: { path: page.path, ...(own ? { inside: own } : {}) },
    isForReaders,
  });
  if (!parent) return level;
  const name = parent.isHidden ? html`<span dir="auto">${parent.title}</span>` : pageLink(parent);
  return html`<ul class="tree">${treeBranch(parent, { link: name, inside: level, isOpen: true })}</ul>`;
}

/** Links to the pages before and after this one, in a subtree that is arranged by hand. */
export function neighbourLinks({ previous, next }: Neighbours): Html | undefined {
  if (!previous && !next) return undefined;
  const link = (page: PageName, rel: 'prev' | 'next', words: Words) =>
    html`<a rel="${rel}" href="${pageUrl(page.path)}"><span class="quiet">${words}</span> <span dir="auto">${page.title}</span></a>`;
  return html`<nav class="neighbours" aria-label="${say('treeBeside.previousAndNextPage')}">${
    previous && link(previous, 'prev', say('treeBeside.previous'))
  }${next && link(next, 'next', say('treeBeside.next'))}</nav>`;
}
