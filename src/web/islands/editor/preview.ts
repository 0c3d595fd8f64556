/**
 * Live preview beside the source, at most 300 ms after the last key: rendered by the server, repeated during typing, with stale
 * responses dropped. Only differing parts are replaced, so that nothing flickers or jumps.
 */
import type { EditorView } from '@codemirror/view';
import { Controller } from '../controller.ts';
import { element, fromServer } from '../element.ts';
import { tellListedTimes } from '../site/local-times.ts';
import { say } from '../words.ts';
import type { EditorEvents } from './editor-events.ts';
import { ScrollSync } from './scroll-sync.ts';

interface PreviewOptions {
  url: string;
  pane: HTMLElement;
  target: HTMLElement;
  /** The body to send, read at the time of sending. */
  request(): { body: string; path?: string; title?: string; format: string };
  /** URL of a pending picture by file name. */
  pictureUrl(name: string): string | undefined;
  /** The view of the source, if it is there. */
  source(): EditorView | undefined;
}

interface Answer {
  markup: string;
  notices: string[];
  location: { lat: number; lon: number } | false;
}

const shortestWaitMs = 80;
const longestWaitMs = 220;
const slowMs = 1500;
/** Wait before a failed request is repeated. */
const againMs = 2000;

export class LivePreview extends Controller {
  readonly #options: PreviewOptions;
  readonly #events: EditorEvents;
  readonly #notices = element('ul', {
    class: 'writers-notices',
    'aria-label': say('editorPreview.notesForYou'),
  });
  readonly #state = element('p', { class: 'preview-state', role: 'status' });
  readonly #scroll: ScrollSync;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;
  #lastTookMs = 0;
  #lastSent = '';

  constructor(options: PreviewOptions, events: EditorEvents) {
    super();
    this.#options = options;
    this.#events = events;
    this.#scroll = new ScrollSync(options.target);
    this.#notices.hidden = true;
    options.pane.querySelector('.writers-notices')?.remove();
    options.target.before(this.#state);
    options.target.after(this.#notices);
  }

  protected listen(signal: AbortSignal): void {
    const { pane, source } = this.#options;
    this.#events.on(['text'], () => this.#followText(), signal);
    this.#events.on(['files', 'format', 'preview-shown'], () => void this.#askNow(), signal);
    this.on(window, 'online', () => void this.#ask());
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
    this.#events.on(
      ['scroll'],
      () =>
        requestAnimationFrame(() => {
          const view = source();
          if (!pane.hidden && view) this.#scroll.follow(view);
        }),
      signal,
    );
    if (!pane.hidden) void this.#askNow();
  }

  #followText(): void {
    this.#scroll.forget();
    this.#askLater(Math.min(longestWaitMs, Math.max(shortestWaitMs, this.#lastTookMs)));
  }

  #askLater(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), waitMs);
  }

  async #askNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#lastSent = '';
    await this.#ask();
  }

  async #ask(): Promise<void> {
    const { pane, url } = this.#options;
    const request = JSON.stringify(this.#options.request());
    if (pane.hidden || request === this.#lastSent) return;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const began = performance.now();
    let mayComeYet = true;
    const slow = setTimeout(() => {
      this.#state.textContent = say('editorPreview.thePreviewTakesAMoment');
    }, slowMs);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: request,
        signal: running.signal,
      });
      const json: unknown = await answer.json();
      if (running.signal.aborted) return;
      if (!answer.ok) {
        // This text would be refused again.
        mayComeYet = answer.status >= 500 || answer.status === 429;
        throw new Error((json as { detail?: string }).detail ?? say('editorPreview.theServerRefusedIt'));
      }
      this.#lastSent = request;
      this.#lastTookMs = performance.now() - began;
      this.#show(json as Answer);
      this.#state.textContent = '';
    } catch (error) {
      if (running.signal.aborted) return;
      this.#state.textContent = failure(error as Error);
      if (mayComeYet) this.#askLater(againMs);
    } finally {
      clearTimeout(slow);
    }
  }

  #show({ markup, notices, location }: Answer): void {
    const { target, pictureUrl } = this.#options;
    // The location in the text, where the form's map starts.
    if (location) Object.assign(target.dataset, location);
    const next = fromServer(markup);
    showPendingPictures(next, pictureUrl);
    asOnTheSite(next);
    leaveIds(next, target);
    tellListedTimes(next);
    patch(target, next);
    this.#notices.replaceChildren(...notices.map((sentence) => element('li', {}, sentence)));
    this.#notices.hidden = notices.length === 0;
    this.#scroll.forget();
  }
}

function failure(error: Error): string {
  if (!navigator.onLine) return say('editorPreview.youAreOfflineYourTextIs');
  const reason = error instanceof TypeError ? say('editorPreview.theWikiDoesNotRespond') : error.message;
  return say('editorPreview.notAvailable', { reason });
}

function showPendingPictures(markup: DocumentFragment, pictureUrl: PreviewOptions['pictureUrl']): void {
  // In a gallery, the box of a missing picture contains only its name.
  for (const missing of markup.querySelectorAll('.missing-file, .gallerybox .thumb:not(:has(*))')) {
    const name = missing.textContent ?? '';
    const url = pictureUrl(name);
    if (!url) continue;
    const image = element('img', { src: url, alt: name });
    missing.replaceWith(missing.matches('.thumb') ? element('div', { class: 'thumb' }, image) : image);
  }
}

/** Same post-processing as on the site: no list role for indentation, names for linked pictures. */
function asOnTheSite(markup: DocumentFragment): void {
  // Links open in a new tab, so that the text is not left.
  for (const link of markup.querySelectorAll('a[href]'))
    if (!link.getAttribute('href')?.startsWith('#')) link.setAttribute('target', '_blank');
  for (const list of markup.querySelectorAll('dl:not(:has(> dt))')) list.setAttribute('role', 'presentation');
  for (const link of markup.querySelectorAll(
    'a[href^="/files/"]:not([title]):has(> img[alt=""]:only-child)',
  )) {
    const name = decodeURIComponent(link.getAttribute('href') ?? '').replace(
      /^\/files\/(\d+-[0-9a-f]+-)?/,
      '',
    );
    link.setAttribute('aria-label', say('editorPreview.picture', { name }));
  }
}

/** Removes IDs that the form uses, because scripts and labels refer to them. */
function leaveIds(markup: DocumentFragment, target: HTMLElement): void {
  const taken = new Set(
    Array.from(document.querySelectorAll('[id]'), (one) => !target.contains(one) && one.id),
  );
  for (const one of markup.querySelectorAll('[id]')) if (taken.has(one.id)) one.removeAttribute('id');
}

/** Keeps equal nodes at both ends and replaces those in between. */
function patch(target: HTMLElement, next: DocumentFragment): void {
  const [old, fresh] = [[...target.childNodes], [...next.childNodes]];
  let start = 0;
  while (start < old.length && start < fresh.length && isSame(old[start], fresh[start])) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    isSame(old.at(-1 - end), fresh.at(-1 - end))
  )
    end++;
  for (const node of old.slice(start, old.length - end)) node.remove();
  const after = old[old.length - end] ?? null;
  for (const node of fresh.slice(start, fresh.length - end)) target.insertBefore(node, after);
}

function isSame(a: Node | undefined, b: Node | undefined): boolean {
  return a !== undefined && b !== undefined && a.isEqualNode(b);
}
