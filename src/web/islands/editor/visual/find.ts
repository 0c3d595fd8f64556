/** Finding and replacing in the visual text: a bar above it, with all places marked. */
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';

interface Found {
  query: string;
  places: { from: number; to: number }[];
}

const key = new PluginKey<Found>('find');
const mostPlaces = 2000;

export function finding(): Plugin<Found> {
  return new Plugin<Found>({
    key,
    state: {
      init: () => ({ query: '', places: [] }),
      apply(tr, before) {
        const query = (tr.getMeta(key) as string | undefined) ?? before.query;
        if (query === before.query && !tr.docChanged) return before;
        return { query, places: placesOf(tr, query) };
      },
    },
    props: {
      decorations(state) {
        const { places } = foundIn(state);
        if (places.length === 0) return null;
        const { from, to } = state.selection;
        return DecorationSet.create(
          state.doc,
          places.map((one) =>
            Decoration.inline(one.from, one.to, {
              class: one.from === from && one.to === to ? 'found is-current' : 'found',
            }),
          ),
        );
      },
    },
  });
}

function foundIn(state: EditorState): Found {
  return key.getState(state) ?? { query: '', places: [] };
}

/** Regardless of case, within one block of text. */
function placesOf({ doc }: Transaction, query: string): Found['places'] {
  const places: Found['places'] = [];
  if (query === '') return places;
  const wanted = query.toLowerCase();
  doc.descendants((node, at) => {
    if (!node.isTextblock) return places.length < mostPlaces;
    // Atoms within count as one letter, as in positions.
    const text = node.textBetween(0, node.content.size, undefined, '\ufffc').toLowerCase();
    if (text.length !== node.content.size) return false;
    for (let found = text.indexOf(wanted); found >= 0; found = text.indexOf(wanted, found + wanted.length)) {
      places.push({ from: at + 1 + found, to: at + 1 + found + query.length });
      if (places.length >= mostPlaces) break;
    }
    return false;
  });
  return places;
}

export class FindBar {
  readonly dom = element('div', {
    class: 'find-bar',
    role: 'search',
    'aria-label': say('visualFind.findAndReplace'),
  });
  readonly #view: () => EditorView;
  readonly #query = element('input', {
    'aria-label': say('visualFind.find'),
    placeholder: say('visualFind.find'),
    dir: 'auto',
  });
  readonly #replacement = element('input', {
    'aria-label': say('visualFind.replaceWith'),
    placeholder: say('visualFind.replaceWith'),
    dir: 'auto',
  });
  readonly #status = element('span', { role: 'status' });

  constructor(view: () => EditorView) {
    this.#view = view;
    this.dom.hidden = true;
    this.dom.append(
      this.#query,
      this.#status,
      button(say('visualFind.next'), {}, () => this.#go(1)),
      button(say('visualFind.previous'), {}, () => this.#go(-1)),
      this.#replacement,
      button(say('visualFind.replace'), {}, () => this.#replace()),
      button(say('visualFind.replaceAll'), {}, () => this.#replaceAll()),
      button('×', { 'aria-label': say('visualFind.close') }, () => this.close()),
    );
    this.#query.addEventListener('input', (event) => {
      event.stopPropagation();
      this.#search(this.#query.value);
      this.#go(0);
    });
    this.dom.addEventListener('input', (event) => event.stopPropagation());
    this.dom.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
      else if (event.key === 'Enter' && event.target === this.#query) this.#go(event.shiftKey ? -1 : 1);
      else if (event.key === 'Enter' && event.target === this.#replacement) this.#replace();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  open(): void {
    const { state } = this.#view();
    const { from, to } = state.selection;
    const words = state.doc.textBetween(from, to, '\n');
    if (words !== '' && !words.includes('\n')) this.#query.value = words;
    this.dom.hidden = false;
    this.#search(this.#query.value);
    this.#query.focus();
    this.#query.select();
  }

  close(): void {
    this.dom.hidden = true;
    this.#search('');
    this.#view().focus();
  }

  #search(query: string): void {
    const view = this.#view();
    view.dispatch(view.state.tr.setMeta(key, query));
    this.#tell();
  }

  #tell(): void {
    const { state } = this.#view();
    const { query, places } = foundIn(state);
    const index = places.findIndex(({ from }) => from === state.selection.from);
    this.#status.textContent =
      query === ''
        ? ''
        : places.length === 0
          ? say('visualFind.notFound')
          : say('visualFind.place', { index: index + 1, total: places.length });
  }

  /** 0: the first place from the caret on. */
  #go(step: -1 | 0 | 1): void {
    const view = this.#view();
    const { places } = foundIn(view.state);
    const { from } = view.state.selection;
    const next =
      step < 0
        ? (places.findLast((one) => one.from < from) ?? places.at(-1))
        : (places.find((one) => (step === 0 ? one.from >= from : one.from > from)) ?? places[0]);
    if (next) {
      view.dispatch(
        view.state.tr.setSelection(TextSelection.create(view.state.doc, next.from, next.to)).scrollIntoView(),
      );
      const dom = view.domAtPos(next.from).node;
      (dom instanceof Element ? dom : dom.parentElement)?.scrollIntoView({ block: 'nearest' });
    }
    this.#tell();
  }

  #replace(): void {
    const view = this.#view();
    const { from, to } = view.state.selection;
    if (foundIn(view.state).places.some((one) => one.from === from && one.to === to))
      view.dispatch(replaced(view.state.tr, from, to, this.#replacement.value));
    this.#go(0);
  }

  #replaceAll(): void {
    const view = this.#view();
    const { tr } = view.state;
    for (const { from, to } of foundIn(view.state).places.toReversed())
      replaced(tr, from, to, this.#replacement.value);
    if (tr.docChanged) view.dispatch(tr);
    this.#tell();
  }
}

/** `insertText` keeps the marks of what it replaces. */
function replaced(tr: Transaction, from: number, to: number, text: string): Transaction {
  return text === '' ? tr.delete(from, to) : tr.insertText(text, from, to);
}
