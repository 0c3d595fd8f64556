/** Pictures: a figure with its caption beneath, which is written in place, and pictures within a line. */
import { closeHistory } from 'prosemirror-history';
import type { Attrs, Node } from 'prosemirror-model';
import { NodeSelection } from 'prosemirror-state';
import type { EditorView, NodeView } from 'prosemirror-view';
import { button, element, fromServer } from '../../element.ts';
import { say } from '../../words.ts';
import { cardField, openCard } from './card.ts';
import { anchorOf } from './cards.ts';
import type { Exchange } from './exchange.ts';

interface FigureOptions {
  /** URL of a pending picture by file name. */
  pictureUrl(name: string): string | undefined;
  exchange: Exchange;
}

export class FigureView implements NodeView {
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement | undefined;
  readonly #options: FigureOptions;
  readonly #picture = element('span', { class: 'visual-picture', contenteditable: 'false' });
  #node: Node;

  constructor(node: Node, view: EditorView, get: () => number | undefined, options: FigureOptions) {
    this.#node = node;
    this.#options = options;
    const open = () => {
      const at = get();
      if (at !== undefined) openFigure(view, at);
    };
    if (node.isInline) {
      this.dom = element('span', { class: 'visual-inline-picture' }, this.#picture);
    } else {
      this.contentDOM = element('figcaption', {});
      const edit = button(
        say('visualFigures.picture'),
        { class: 'figure-edit', contenteditable: 'false' },
        open,
      );
      this.#picture.append(edit, this.#grip(view, get));
      this.dom = element('figure', {}, this.#picture, this.contentDOM);
    }
    this.#draw();
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    this.#node = node;
    this.#draw();
    return true;
  }

  ignoreMutation(mutation: { target: globalThis.Node }): boolean {
    return this.contentDOM === undefined || !this.contentDOM.contains(mutation.target);
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('.figure-edit, .figure-grip') !== null;
  }

  /** Changes the size by dragging; the card of the picture does it by keys. */
  #grip(view: EditorView, get: () => number | undefined): HTMLElement {
    const grip = element('span', {
      class: 'figure-grip',
      'aria-hidden': 'true',
      title: say('visualFigures.dragToResize'),
    });
    grip.addEventListener('pointerdown', (event) => {
      const image = this.#picture.querySelector('img');
      if (!image || event.button !== 0) return;
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      const { left, width: before } = image.getBoundingClientRect();
      // At the right of the picture it grows to the right, at the left to the left.
      const sign = event.clientX < left + before / 2 ? -1 : 1;
      let width = before;
      const end = new AbortController();
      const { signal } = end;
      grip.addEventListener(
        'pointermove',
        ({ clientX }) => {
          width = Math.round(Math.min(4000, Math.max(20, before + sign * (clientX - event.clientX))));
          image.style.width = `${width}px`;
        },
        { signal },
      );
      grip.addEventListener(
        'lostpointercapture',
        () => {
          end.abort();
          const at = get();
          const now = at === undefined ? null : view.state.doc.nodeAt(at);
          if (at === undefined || !now || width === before) return this.#draw();
          view.dispatch(closeHistory(view.state.tr).setNodeMarkup(at, null, { ...now.attrs, width }));
        },
        { signal },
      );
    });
    return grip;
  }

  #draw(): void {
    const { file, alt, width, height, side, kind, src } = this.#node.attrs;
    if (this.contentDOM) {
      const place = side === null ? '' : `mw-halign-${side}`;
      this.dom.className = place;
      this.dom.setAttribute(
        'typeof',
        kind === 'plain'
          ? 'mw:File'
          : `mw:File/${kind === 'frame' ? 'Frame' : kind === 'frameless' ? 'Frameless' : 'Thumb'}`,
      );
      this.contentDOM.classList.toggle('is-empty', this.#node.content.size === 0);
    }
    const usual = kind === 'thumb' || kind === 'frameless' ? 250 : undefined;
    const wide = width ?? usual;
    const style = `${wide ? `width: ${wide}px` : ''}${height ? `; max-height: ${height}px` : ''}`;
    const show = (url: string | undefined) => {
      this.#picture.querySelector('img, .visual-chip')?.remove();
      this.#picture.prepend(
        url
          ? element('img', { src: url, alt: alt ?? '', draggable: false, style })
          : element('span', { class: 'visual-chip' }, file),
      );
    };
    const url = this.#options.pictureUrl(file) ?? src ?? undefined;
    if (url !== undefined || !this.#picture.querySelector('img')) show(url);
    if (url === undefined)
      void this.#find(file).then((found) => this.#node.attrs.file === file && show(found));
  }

  /** Address of a file of the wiki. */
  async #find(file: string): Promise<string | undefined> {
    const html = await this.#options.exchange.shown(`[[File:${file}|frameless|600px]]`);
    return html === undefined
      ? undefined
      : (fromServer(html).querySelector('img')?.getAttribute('src') ?? undefined);
  }
}

const sizes: [string, string][] = [
  ['', say('visualFigures.asUsual')],
  ['120', say('visualFigures.small')],
  ['360', say('visualFigures.halfAsWide')],
  ['720', say('visualFigures.asWideAsTheText')],
];

const sides: [string, string][] = [
  ['', say('visualFigures.asUsual')],
  ['left', say('visualFigures.leftTextFlowsAround')],
  ['center', say('visualFigures.inTheMiddle')],
  ['right', say('visualFigures.rightTextFlowsAround')],
  ['none', say('visualFigures.onItsOwnLine')],
];

/** Alternative text, width and side of a picture. */
export function openFigure(view: EditorView, at: number): void {
  const node = view.state.doc.nodeAt(at);
  if (!node) return;
  const alt = element('input', { value: node.attrs.alt ?? '', dir: 'auto' });
  const width = element('input', {
    type: 'number',
    min: 20,
    max: 4000,
    value: node.attrs.width ?? '',
    inputmode: 'numeric',
  });
  const side = element(
    'select',
    {},
    ...sides.map(([value, words]) =>
      element('option', { value, selected: (node.attrs.side ?? '') === value }, words),
    ),
  );
  const size = element(
    'select',
    {},
    ...sizes.map(([value, words]) =>
      element('option', { value, selected: String(node.attrs.width ?? '') === value }, words),
    ),
    element(
      'option',
      { value: 'other', selected: !sizes.some(([one]) => one === width.value) },
      say('visualFigures.otherSize'),
    ),
  );
  size.addEventListener('change', () => {
    if (size.value !== 'other') width.value = size.value;
  });
  width.addEventListener('input', () => {
    size.value = sizes.some(([one]) => one === width.value) ? width.value : 'other';
  });
  const isFigure = node.type.name === 'figure';
  openCard({
    title: say('visualFigures.picture2'),
    anchor: anchorOf(view, at),
    content: [
      element('p', { class: 'hint', dir: 'auto' }, node.attrs.file),
      cardField(say('visualFigures.alternativeText'), alt, say('visualFigures.describesThePictureToPeople')),
      cardField(say('visualFigures.size'), size),
      cardField(say('visualFigures.widthInPixels'), width, say('visualFigures.emptyTheUsualWidth')),
      isFigure ? cardField(say('visualFigures.side'), side) : undefined,
    ],
    others: [
      {
        words: say('visualFigures.remove'),
        run() {
          view.dispatch(view.state.tr.delete(at, at + node.nodeSize).scrollIntoView());
          view.focus();
        },
      },
    ],
    done() {
      const now = view.state.doc.nodeAt(at);
      if (now?.type !== node.type) return true;
      const attrs: Attrs = {
        ...now.attrs,
        alt: alt.value.trim() === '' ? null : alt.value.trim(),
        width: width.value === '' ? null : Number(width.value),
        ...(isFigure ? { side: side.value === '' ? null : side.value } : {}),
      };
      const tr = closeHistory(view.state.tr);
      tr.setNodeMarkup(at, null, attrs);
      if (!isFigure) tr.setSelection(NodeSelection.create(tr.doc, at));
      view.dispatch(tr);
      return true;
    },
    closed: () => view.focus(),
  });
  alt.focus();
}

/** An item of a list of tasks with its box. */
export class TaskView implements NodeView {
  readonly dom: HTMLElement;
  readonly contentDOM = element('div', {});
  readonly #box = element('input', { type: 'checkbox', 'aria-label': say('visualFigures.done') });

  constructor(node: Node, view: EditorView, get: () => number | undefined) {
    this.dom = element(
      'li',
      { class: 'visual-task' },
      element('span', { contenteditable: 'false' }, this.#box),
      this.contentDOM,
    );
    this.#box.checked = node.attrs.checked;
    this.#box.addEventListener('change', () => {
      const at = get();
      const now = at === undefined ? null : view.state.doc.nodeAt(at);
      if (at === undefined || !now) return;
      view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...now.attrs, checked: this.#box.checked }));
    });
  }

  update(node: Node): boolean {
    if (node.type.name !== 'taskItem') return false;
    this.#box.checked = node.attrs.checked;
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#box;
  }

  ignoreMutation(mutation: { target: globalThis.Node }): boolean {
    return !this.contentDOM.contains(mutation.target);
  }
}
