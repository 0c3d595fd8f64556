/**
 * The text as readers will see it, beside the source and at most 300 ms after the last key: rendered by the server, asked
 * again while somebody types, stale answers dropped. Only what differs is put in, so that nothing flickers or jumps.
 */
import type { EditorView } from '@codemirror/view';
import { element, fromServer } from '../element.ts';
import { tellListedTimes } from '../site/local-times.ts';

export interface PreviewOptions {
  url: string;
  pane: HTMLElement;
  target: HTMLElement;
  /** Request to send, read when it is sent. */
  request(): { body: string; path?: string; title?: string; format: string };
  /** Address of a picture that is held for the next save, by its file name. */
  heldPicture(name: string): string | undefined;
}

export interface Preview {
  /** The text has changed. */
  later(): void;
  /** Ask now. */
  now(): Promise<void>;
  /** Brings the preview to where the source is, and the other way round. */
  follow(view: EditorView): void;
}

interface Answer {
  markup: string;
  notices: string[];
  location: { lat: number; lon: number } | false;
}

const shortestWaitMs = 80;
const longestWaitMs = 220;
const slowMs = 1500;

export function livePreview(options: PreviewOptions): Preview {
  const { pane, target } = options;
  const notices = element('ul', { class: 'writers-notices', 'aria-label': 'Notes for you' });
  const state = element('p', { class: 'preview-state', role: 'status' });
  pane.querySelector('.writers-notices')?.remove();
  target.before(state);
  target.after(notices);
  notices.hidden = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let running: AbortController | undefined;
  let lastTookMs = 0;
  let lastSent = '';

  async function ask(): Promise<void> {
    const request = JSON.stringify(options.request());
    if (pane.hidden || request === lastSent) return;
    const number = ++asked;
    running?.abort();
    running = new AbortController();
    const began = performance.now();
    const slow = setTimeout(() => {
      state.textContent = 'The preview takes a moment …';
    }, slowMs);
    try {
      const answer = await fetch(options.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: request,
        signal: running.signal,
      });
      const json: unknown = await answer.json();
      if (number !== asked) return;
      if (!answer.ok) throw new Error((json as { detail?: string }).detail ?? 'The server refused it.');
      lastSent = request;
      lastTookMs = performance.now() - began;
      show(json as Answer);
      state.textContent = '';
    } catch (error) {
      if (number !== asked || (error as Error).name === 'AbortError') return;
      state.textContent = navigator.onLine
        ? `There is no preview: ${error instanceof TypeError ? 'the wiki does not answer.' : (error as Error).message}`
        : 'You are offline. Your text is kept in this browser.';
    } finally {
      clearTimeout(slow);
    }
  }

  function show({ markup, notices: sentences, location }: Answer): void {
    // Where the text says the page is: the map of the form begins there.
    if (location) Object.assign(target.dataset, location);
    const next = fromServer(markup);
    // In a gallery the box of a missing picture holds its name alone.
    for (const missing of next.querySelectorAll('.missing-file, .gallerybox .thumb:not(:has(*))')) {
      const name = missing.textContent ?? '';
      const picture = options.heldPicture(name);
      if (!picture) continue;
      const image = element('img', { src: picture, alt: name });
      missing.replaceWith(missing.matches('.thumb') ? element('div', { class: 'thumb' }, image) : image);
    }
    // Following a link would leave the text behind: it opens beside.
    for (const link of next.querySelectorAll('a[href]'))
      if (!link.getAttribute('href')?.startsWith('#')) link.setAttribute('target', '_blank');
    // The site does the same to pages: times in its own words, no list role for mere indentation, a name for a picture's link.
    for (const list of next.querySelectorAll('dl:not(:has(> dt))')) list.setAttribute('role', 'presentation');
    for (const link of next.querySelectorAll(
      'a[href^="/files/"]:not([title]):has(> img[alt=""]:only-child)',
    )) {
      const name = decodeURIComponent(link.getAttribute('href') ?? '').replace(
        /^\/files\/(\d+-[0-9a-f]+-)?/,
        '',
      );
      link.setAttribute('aria-label', `Picture: ${name}`);
    }
    tellListedTimes(next);
    patch(target, next);
    notices.replaceChildren(...sentences.map((sentence) => element('li', {}, sentence)));
    notices.hidden = sentences.length === 0;
    anchors = undefined;
  }

  let anchors: Anchor[] | undefined;
  function follow(view: EditorView): void {
    if (pane.hidden) return;
    const scroller = view.scrollDOM;
    const room = scroller.scrollHeight - scroller.clientHeight;
    if (scroller.scrollTop <= 1) return void target.parentElement?.scrollTo({ top: 0 });
    const box = scrollBoxOf(target);
    if (room > 0 && scroller.scrollTop >= room - 1) return void box.scrollTo({ top: box.scrollHeight });
    anchors ??= anchorsOf(view, target);
    const line = view.state.doc.lineAt(view.lineBlockAtHeight(scroller.scrollTop).from).number;
    box.scrollTo({ top: heightOf(line, anchors, box) });
  }

  return {
    later() {
      anchors = undefined;
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), Math.min(longestWaitMs, Math.max(shortestWaitMs, lastTookMs)));
    },
    async now() {
      clearTimeout(timer);
      lastSent = '';
      await ask();
    },
    follow,
  };
}

/** Keeps what is the same at both ends and replaces what lies between. */
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

/** A line of the source and the block of the preview that came of it. */
interface Anchor {
  line: number;
  block: HTMLElement;
}

/** Finds for each block of the preview the next line that holds its first words, going down both once. */
function anchorsOf(view: EditorView, target: HTMLElement): Anchor[] {
  const { doc } = view.state;
  const lines = Array.from(doc.iterLines(), bare);
  const found: Anchor[] = [];
  let line = 1;
  for (const block of target.querySelectorAll<HTMLElement>(
    ':scope > *, :scope > ul > li, :scope > ol > li',
  )) {
    const words = bare(block.textContent ?? '').slice(0, 18);
    if (words.length < 4) continue;
    for (let number = line; number <= Math.min(doc.lines, line + 400); number++) {
      if (!lines[number - 1]?.includes(words)) continue;
      found.push({ line: number, block });
      line = number;
      break;
    }
  }
  return found;
}

function bare(text: string): string {
  return text
    .slice(0, 400)
    .toLowerCase()
    .replace(/\[\[[^\]|]*\|/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function heightOf(line: number, anchors: Anchor[], box: HTMLElement): number {
  const top = (anchor: Anchor) =>
    anchor.block.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  const next = anchors.findIndex((anchor) => anchor.line > line);
  const [before, after] = next < 0 ? [anchors.at(-1), undefined] : [anchors[next - 1], anchors[next]];
  const from = before ? { line: before.line, top: top(before) } : { line: 1, top: 0 };
  const to = after ? { line: after.line, top: top(after) } : undefined;
  if (!to) return from.top + (line - from.line) * 24;
  return from.top + ((to.top - from.top) * (line - from.line)) / Math.max(1, to.line - from.line);
}

function scrollBoxOf(target: HTMLElement): HTMLElement {
  return target.closest<HTMLElement>('.preview-scroll') ?? target;
}
