/**
 * Link previews: a card with title, description and picture for a hovered or focused link. It can be hovered itself, Escape
 * closes it, and touch never opens it (WCAG 1.4.13). While words are selected there is none, which would cover what is offered for
 * them. Unreadable pages have no preview.
 */
import { isReserved } from '#core/model/path.ts';
import { element, fromServer } from '../element.ts';

const openAfterMs = 300;
const closeAfterMs = 200;
const links = '.markup a[href^="/"]:not(.new), .page-foot .links a, .page-foot .near a, .results h2 a';

export function showLinkPreviews(): void {
  const card = element('div', { class: 'card-holder', role: 'tooltip', id: 'link-card' });
  card.hidden = true;
  (document.querySelector('#main') ?? document.body).append(card);
  const known = new Map<string, string | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: HTMLAnchorElement | undefined;

  document.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    if (card.contains(event.target as Node)) return clearTimeout(timer);
    const link = linkAt(event.target);
    if (link) later(link);
  });
  document.addEventListener('pointerout', (event) => {
    if (linkAt(event.target) || card.contains(event.target as Node)) leave();
  });
  document.addEventListener('focusin', ({ target }) => {
    const link = linkAt(target);
    // A tap also focuses the link, but without `:focus-visible`.
    if (link?.matches(':focus-visible')) later(link);
    else if (shown && !card.contains(target as Node)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    clearTimeout(timer);
    if (shown) {
      event.stopPropagation();
      close();
    }
  });
  addEventListener('scroll', close, { passive: true });
  document.addEventListener('selectionchange', () => {
    if (isSelecting()) close();
  });

  function later(link: HTMLAnchorElement): void {
    clearTimeout(timer);
    if (link === shown) return;
    timer = setTimeout(() => void open(link), openAfterMs);
  }

  function leave(): void {
    clearTimeout(timer);
    timer = setTimeout(close, closeAfterMs);
  }

  async function open(link: HTMLAnchorElement): Promise<void> {
    const path = link.pathname;
    if (path === location.pathname) return;
    if (!known.has(path)) known.set(path, await fetchPreview(path));
    const markup = known.get(path);
    if (markup === undefined || isSelecting() || (!link.matches(':hover') && document.activeElement !== link))
      return;
    close();
    shown = link;
    card.replaceChildren(fromServer(markup));
    link.setAttribute('aria-describedby', card.id);
    card.hidden = false;
    place(link);
  }

  function close(): void {
    clearTimeout(timer);
    card.hidden = true;
    shown?.removeAttribute('aria-describedby');
    shown = undefined;
  }

  /** Below the link, or above if there is no room, and always on the screen. */
  function place(link: HTMLElement): void {
    const at = link.getClientRects()[0] ?? link.getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8));
    const fitsBelow = at.bottom + 8 + height <= innerHeight || at.top - 8 - height < 0;
    card.style.left = `${left}px`;
    card.style.top = `${fitsBelow ? at.bottom + 6 : at.top - 6 - height}px`;
  }
}

function isSelecting(): boolean {
  return getSelection()?.isCollapsed === false;
}

function linkAt(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>(links) : null;
  return link && !link.hash && !link.closest('[typeof^="mw:File"]') ? link : undefined;
}

/** Returns undefined if the reader can see no page at the path. */
async function fetchPreview(path: string): Promise<string | undefined> {
  if (isReserved(path)) return undefined;
  try {
    const answer = await fetch(`/preview${path}`, { headers: { accept: 'text/html' } });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
