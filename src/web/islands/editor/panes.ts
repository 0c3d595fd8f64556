/**
 * Source and preview side by side with a splitter that can be dragged or moved by keys (ARIA: window splitter); either can be
 * hidden; tabs on narrow screens. The choice is remembered.
 */
import { Controller } from '../controller.ts';
import { button, element } from '../element.ts';
import { recall, remember } from '../remembered.ts';
import { say } from '../words.ts';
import type { EditorEvents } from './editor-events.ts';

interface PaneElements {
  /** Container of both panes. */
  panes: HTMLElement;
  source: HTMLElement;
  preview: HTMLElement;
}

type PaneName = 'source' | 'preview';

const narrow = matchMedia('(max-width: 899px)');
const shareKey = 'coppice:editor-share';
const shownKey = 'coppice:editor-preview';

export class PaneLayout extends Controller {
  readonly #elements: PaneElements;
  readonly #events: EditorEvents;
  readonly #divider = element('div', {
    class: 'divider',
    role: 'separator',
    tabindex: 0,
    'aria-label': say('editorPanes.widthOfTheText'),
    'aria-orientation': 'vertical',
    'aria-controls': 'source-pane',
    'aria-valuemin': 20,
    'aria-valuemax': 80,
  });
  /** Shows or hides the preview; stands in the toolbar of the source. */
  readonly toggle = button(
    say('editorPanes.preview'),
    {
      class: 'tool-preview',
      'aria-pressed': 'true',
      'aria-controls': 'preview-pane',
      title: say('editorPanes.showOrHideThePreview'),
    },
    () => this.togglePreview(),
  );
  readonly #tabs = element('div', {
    class: 'pane-tabs',
    role: 'tablist',
    'aria-label': say('editorPanes.textAndPreview'),
  });
  readonly #tabOf = {
    source: this.#newTab('source', say('editorPanes.text')),
    preview: this.#newTab('preview', say('editorPanes.preview')),
  };
  /** Width of the source in percent. */
  #share = clamp(Number(recall(shareKey)) || 50);
  #isShown = recall(shownKey) !== 'no';
  #tab: PaneName = 'source';
  #isAlone = false;

  constructor(elements: PaneElements, events: EditorEvents) {
    super();
    this.#elements = elements;
    this.#events = events;
    elements.source.after(this.#divider);
    this.#tabs.append(this.#tabOf.source, this.#tabOf.preview);
    elements.panes.before(this.#tabs);
    this.#arrange();
  }

  protected listen(signal: AbortSignal): void {
    narrow.addEventListener('change', () => this.#arrange(), { signal });
    this.on(this.#tabs, 'keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      event.preventDefault();
      this.#openTab(this.#otherTab());
      this.#tabOf[this.#tab].focus();
    });
    const divider = this.#divider;
    divider.addEventListener('pointerdown', (event) => this.#drag(event), { signal });
    divider.addEventListener(
      'keydown',
      (event) => {
        const step = { ArrowLeft: -5, ArrowRight: 5, Home: -100, End: 100 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        this.#setShare(this.#share + step);
      },
      { signal },
    );
    divider.addEventListener('dblclick', () => this.#setShare(50), { signal });
  }

  togglePreview(): void {
    if (narrow.matches) {
      this.#openTab(this.#otherTab());
      return;
    }
    this.#isShown = !this.#isShown;
    remember(shownKey, this.#isShown ? 'yes' : 'no');
    this.#arrange();
    if (this.#isShown) this.#events.emit('preview-shown');
  }

  /** Hides the preview beside a text that is its own preview. */
  showAlone(isAlone: boolean): void {
    if (isAlone === this.#isAlone) return;
    this.#isAlone = isAlone;
    this.#arrange();
    if (!isAlone && !this.#elements.preview.hidden) this.#events.emit('preview-shown');
  }

  #newTab(name: PaneName, words: string): HTMLButtonElement {
    return button(words, { role: 'tab', id: `tab-${name}`, 'aria-controls': `${name}-pane` }, () =>
      this.#openTab(name),
    );
  }

  #otherTab(): PaneName {
    return this.#tab === 'source' ? 'preview' : 'source';
  }

  #openTab(name: PaneName): void {
    this.#tab = name;
    this.#arrange();
    if (name === 'preview') this.#events.emit('preview-shown');
  }

  #drag(event: PointerEvent): void {
    const divider = this.#divider;
    event.preventDefault();
    divider.setPointerCapture(event.pointerId);
    const end = new AbortController();
    divider.addEventListener(
      'pointermove',
      ({ clientX }) => {
        const { panes } = this.#elements;
        const { left, right, width } = panes.getBoundingClientRect();
        const isRtl = getComputedStyle(panes).direction === 'rtl';
        this.#setShare(((isRtl ? right - clientX : clientX - left) / width) * 100);
      },
      { signal: end.signal },
    );
    divider.addEventListener('lostpointercapture', () => end.abort(), { once: true });
  }

  #setShare(percent: number): void {
    this.#share = clamp(percent);
    remember(shareKey, String(Math.round(this.#share)));
    this.#arrange();
  }

  #arrange(): void {
    const { panes, source, preview } = this.#elements;
    const isAlone = this.#isAlone;
    const isNarrow = narrow.matches;
    const isSplit = !isNarrow && !isAlone && this.#isShown;
    this.#tabs.hidden = !isNarrow || isAlone;
    this.toggle.hidden = isNarrow;
    this.#divider.hidden = !isSplit;
    source.hidden = isNarrow && !isAlone && this.#tab !== 'source';
    preview.hidden = isNarrow && !isAlone ? this.#tab !== 'preview' : !isSplit;
    for (const [name, pane] of [
      ['source', source],
      ['preview', preview],
    ] as const) {
      const tab = this.#tabOf[name];
      tab.setAttribute('aria-selected', String(this.#tab === name));
      tab.tabIndex = this.#tab === name ? 0 : -1;
      // The panes are regions in columns, and tab panels as tabs.
      pane.setAttribute('role', isNarrow ? 'tabpanel' : 'region');
      if (isNarrow) pane.setAttribute('aria-labelledby', tab.id);
      else pane.removeAttribute('aria-labelledby');
    }
    this.toggle.setAttribute('aria-pressed', String(this.#isShown));
    panes.classList.toggle('is-split', isSplit);
    // Set on the container, because panels over the preview have the same width.
    panes.parentElement?.style.setProperty('--share', `${this.#share}%`);
    this.#divider.setAttribute('aria-valuenow', String(Math.round(this.#share)));
  }
}

function clamp(percent: number): number {
  return Math.min(80, Math.max(20, percent));
}
