/**
 * The page tree: a level is loaded when opened, open levels are remembered for the next page, and arrow keys move through it as
 * in ARIA's disclosure navigation (Tab moves from link to link).
 */
import { arrangeByDragging } from '../arrange.ts';
import { fromServer } from '../element.ts';
import { recall, remember } from '../remembered.ts';

const storageKey = 'coppice:tree';
const remembered = 150;

export function growTrees(): void {
  filterWhileTyping();
  for (const tree of document.querySelectorAll<HTMLElement>('[data-tree], .thumbs .sheet')) {
    tree.addEventListener(
      'toggle',
      (event) => {
        if (event.target instanceof HTMLDetailsElement && event.target.dataset.treePath !== undefined)
          opened(event.target);
      },
      true,
    );
    tree.addEventListener('keydown', moveByArrows);
    openRemembered(tree);
    arrangeByDragging(tree, true);
  }
}

/** Sends the filter of the tree page after each pause of typing, and puts its list in place. */
function filterWhileTyping(): void {
  const form = document.querySelector<HTMLFormElement>('form.tree-filter');
  const tree = form?.parentElement?.querySelector('[data-tree]');
  if (!form || !tree) return;
  let waiting = 0;
  let latest = 0;
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(async () => {
      const own = ++latest;
      const query = new URLSearchParams([['part', 'list'], ...new FormData(form)] as [string, string][]);
      const answer = await fetch(`${form.action}?${query}`, { headers: { accept: 'text/html' } }).catch(
        () => undefined,
      );
      // Without an answer, the button still filters.
      if (answer?.ok && own === latest) tree.replaceChildren(fromServer(await answer.text()));
    }, 200);
  });
}

/** Opens remembered branches, including those in lists that load later. */
function openRemembered(within: ParentNode): void {
  const open = new Set(readOpen());
  for (const details of within.querySelectorAll<HTMLDetailsElement>('details[data-tree-src]:not([open])')) {
    if (open.has(details.dataset.treePath ?? '')) details.open = true;
  }
}

function opened(details: HTMLDetailsElement): void {
  const path = details.dataset.treePath ?? '';
  const others = readOpen().filter((one) => one !== path);
  // Branches opened by the server do not count as the reader's choice.
  if (details.dataset.treeSrc !== undefined) writeOpen(details.open ? [...others, path] : others);
  if (details.open && details.dataset.treeSrc && !details.dataset.treeLoaded) void grow(details);
}

async function grow(details: HTMLDetailsElement): Promise<void> {
  details.dataset.treeLoaded = 'yes';
  const list = details.querySelector(':scope > ul');
  try {
    const answer = await fetch(details.dataset.treeSrc ?? '', { headers: { accept: 'text/html' } });
    if (!answer.ok) throw new Error(String(answer.status));
    const level = fromServer(await answer.text());
    openRemembered(level);
    for (const link of level.querySelectorAll('a'))
      if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
    list?.replaceWith(level);
  } catch {
    // The list still contains the link to the page of this level.
    delete details.dataset.treeLoaded;
  }
}

function moveByArrows(event: KeyboardEvent): void {
  const tree = event.currentTarget as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...tree.querySelectorAll<HTMLElement>('li > a')].filter(
    (link) => link.offsetParent !== null,
  );
  const branch = (event.target as Element).closest('li');
  const link = branch?.querySelector<HTMLElement>(':scope > a');
  const details = branch?.querySelector<HTMLDetailsElement>(':scope > details');
  const at = link ? links.indexOf(link) : -1;
  if (at < 0) return;
  const [inwards, outwards] =
    getComputedStyle(tree).direction === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  let next: HTMLElement | undefined | null;
  if (event.key === 'ArrowDown') next = links[at + 1];
  else if (event.key === 'ArrowUp') next = links[at - 1];
  else if (event.key === 'Home') next = links[0];
  else if (event.key === 'End') next = links.at(-1);
  else if (event.key === inwards && details) {
    if (details.open) next = links[at + 1];
    else details.open = true;
  } else if (event.key === outwards) {
    if (details?.open) details.open = false;
    else next = branch?.parentElement?.closest('li')?.querySelector<HTMLElement>(':scope > a');
  } else return;
  event.preventDefault();
  next?.focus();
}

function readOpen(): string[] {
  try {
    const open: unknown = JSON.parse(recall(storageKey) ?? '[]');
    return Array.isArray(open) ? open.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

function writeOpen(paths: string[]): void {
  remember(storageKey, JSON.stringify(paths.slice(-remembered)));
}
