/** Links: a card to make and change them, a line beneath the link at the caret, and pages to link to after `[[`. */
import type { EditorState } from 'prosemirror-state';
import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { Combobox, suggestPages } from '../../combobox.ts';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { cardField, openCard } from './card.ts';
import type { MenuEntry } from './caret-menu.ts';
import { markType } from './commands.ts';

interface LinkOptions {
  /** `/search/titles` */
  titlesUrl: string;
}

interface LinkAt {
  from: number;
  to: number;
  target: string;
  kind: 'page' | 'address';
}

/** The whole link around the caret or at the start of the selection. */
export function linkAt({ selection, doc }: EditorState): LinkAt | undefined {
  const type = markType('link');
  const { $from } = selection;
  // At either end of a link as well.
  const [mark] = [$from.marks(), $from.nodeAfter?.marks ?? [], $from.nodeBefore?.marks ?? []].flatMap(
    (marks) => type.isInSet(marks) ?? [],
  );
  if (!mark) return undefined;
  const { parent } = $from;
  const start = $from.start();
  let [from, to] = [-1, -1];
  parent.forEach((child, offset) => {
    const at = start + offset;
    if (!mark.isInSet(child.marks)) return;
    // A run of the same link that ends before the caret is another one.
    if (to !== at) {
      if (from >= 0 && to >= $from.pos) return;
      from = at;
    }
    to = at + child.nodeSize;
  });
  if (from < 0 || doc.resolve(from).parent !== parent) return undefined;
  return { from, to, target: mark.attrs.to, kind: mark.attrs.kind };
}

const isAddress = (text: string) => /^(https?:\/\/|mailto:|tel:|www\.)\S+$/i.test(text);

/** The selection without spaces at its ends, which stay outside the link. */
function withoutSpaces({ doc, selection: { from, to } }: EditorState): { from: number; to: number } {
  const text = doc.textBetween(from, to, ' ', ' ');
  // Each character of plain text is one position.
  if (text.trim() === '' || text.length !== to - from) return { from, to };
  return { from: from + text.length - text.trimStart().length, to: to - text.length + text.trimEnd().length };
}

/** Makes a link of the selected words, changes the one at the caret, or puts a new one there. */
export function editLink(view: EditorView, { titlesUrl }: LinkOptions): void {
  const { state } = view;
  const found = linkAt(state);
  const { from, to } = found ?? withoutSpaces(state);
  const before = state.doc.textBetween(from, to, ' ');
  let picked: { label: string; target: string } | undefined;
  const target = element('input', {
    value: found?.target ?? (isAddress(before) ? before : ''),
    dir: 'auto',
    autocomplete: 'off',
    required: true,
  });
  const words = element('input', {
    value: before,
    dir: 'auto',
    placeholder: say('visualLinks.asThePageIsCalled'),
  });
  const others = [
    ...(found ? [{ words: say('visualLinks.unlink'), run: () => unlink(view, found) }] : []),
    ...(found ? [{ words: say('visualLinks.open'), run: () => openLink(found) }] : []),
  ];
  const card = openCard({
    title: say('visualLinks.link'),
    anchor: view.coordsAtPos(from),
    content: [
      cardField(say('visualLinks.pageOrAddress'), target),
      cardField(say('visualLinks.words'), words),
    ],
    others,
    done() {
      const typed = target.value.trim();
      if (typed === '') return false;
      const kind = isAddress(typed) ? 'address' : 'page';
      const wanted =
        picked?.label === typed ? picked.target : /^www\./i.test(typed) ? `https://${typed}` : typed;
      const mark = markType('link').create({ to: wanted, kind });
      const { tr } = view.state;
      const text = words.value.trim() || typed;
      if (text === before) tr.removeMark(from, to, markType('link')).addMark(from, to, mark);
      else tr.replaceWith(from, to, state.schema.text(text, mark.addToSet(state.doc.resolve(from).marks())));
      view.dispatch(tr.removeStoredMark(markType('link')).scrollIntoView());
      return true;
    },
    closed: () => view.focus(),
  });
  new Combobox(target, {
    async suggest(text, signal) {
      if (isAddress(text)) return [];
      const pages = await suggestPages(titlesUrl, text, signal);
      return pages.map(({ label, path }) => ({ label, detail: path, value: label }));
    },
    onPick({ label, detail }) {
      picked = { label, target: targetOf(label, detail ?? '') };
      // With words chosen, nothing is left to be said.
      if (words.value.trim() !== '') card.querySelector('form')?.requestSubmit();
    },
  }).connect();
  target.focus();
  target.select();
}

/** A title that would be read as something else is written as a path. */
function targetOf(title: string, path: string): string {
  return /[|#[\]{}<>:\n]|^[./]/.test(title) ? path : title;
}

function unlink(view: EditorView, { from, to }: LinkAt): void {
  view.dispatch(view.state.tr.removeMark(from, to, markType('link')));
  view.focus();
}

function openLink({ target, kind }: LinkAt): void {
  window.open(kind === 'address' ? target : addressOf(target), '_blank', 'noopener');
}

function addressOf(target: string): string {
  return /^[/#]/.test(target) ? target : `/search?text=${encodeURIComponent(target)}`;
}

/** Pages whose title begins as typed, and last the page that is not written yet. */
export async function linkEntries({ titlesUrl }: LinkOptions, typed: string): Promise<MenuEntry[]> {
  if (typed === '') return [];
  const pages = await suggestPages(titlesUrl, typed);
  const titles = pages.map(({ label }) => label.toLowerCase());
  const entry = (label: string, detail: string, target: string): MenuEntry => ({
    label,
    detail,
    run(view, from, to) {
      const mark = markType('link').create({ to: target, kind: 'page' });
      const { tr } = view.state;
      tr.replaceWith(
        from,
        to,
        view.state.schema.text(label, mark.addToSet(view.state.doc.resolve(from).marks())),
      );
      view.dispatch(tr.removeStoredMark(markType('link')).scrollIntoView());
    },
  });
  const entries = pages.map(({ label, path }) => {
    const isShared = titles.filter((one) => one === label.toLowerCase()).length > 1;
    return entry(label, path, isShared ? path : targetOf(label, path));
  });
  if (!titles.includes(typed.toLowerCase()) && !/[#<>{}|]/.test(typed))
    entries.push(entry(typed, say('visualLinks.createNew'), typed));
  return entries;
}

/** A line beneath the link at the caret: where it goes, and what can be done with it. */
export function linkLine(options: LinkOptions): Plugin {
  return new Plugin({
    view(view) {
      const line = new LinkLine(view, options);
      return { update: () => line.update(), destroy: () => line.dom.remove() };
    },
    props: {
      handleClick: (_view, _pos, event) => {
        // A click on a link puts the caret there; with Ctrl it opens the page.
        if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
        return false;
      },
    },
  });
}

class LinkLine {
  readonly dom = element('div', { class: 'link-line', role: 'group', 'aria-label': say('visualLinks.link') });
  readonly #view: EditorView;
  readonly #options: LinkOptions;
  readonly #known = new Map<string, Promise<boolean>>();
  #shown = '';

  constructor(view: EditorView, options: LinkOptions) {
    this.#view = view;
    this.#options = options;
    this.dom.hidden = true;
    this.dom.addEventListener('mousedown', (event) => event.preventDefault());
    document.body.append(this.dom);
  }

  update(): void {
    const view = this.#view;
    const found = view.state.selection.empty && view.hasFocus() ? linkAt(view.state) : undefined;
    this.dom.hidden = !found;
    if (!found) {
      this.#shown = '';
      return;
    }
    if (this.#shown !== found.target) this.#draw(found);
    const { left, bottom } = view.coordsAtPos(found.from);
    this.dom.style.left = `${Math.max(8, Math.min(left, innerWidth - this.dom.offsetWidth - 8))}px`;
    this.dom.style.top = `${bottom + 6}px`;
  }

  #draw(found: LinkAt): void {
    const view = this.#view;
    this.#shown = found.target;
    const mistake = element('span', { class: 'mistake' });
    this.dom.replaceChildren(
      element('span', { class: 'link-target', dir: 'auto' }, found.target),
      mistake,
      button(say('visualLinks.open'), {}, () => openLink(linkAt(view.state) ?? found)),
      button(say('visualLinks.edit'), {}, () => editLink(view, this.#options)),
      button(say('visualLinks.unlink'), {}, () => unlink(view, linkAt(view.state) ?? found)),
    );
    if (found.kind !== 'page' || found.target.startsWith('#')) return;
    void this.#exists(found.target.replace(/#.*$/, '')).then((exists) => {
      if (!exists && this.#shown === found.target) mistake.textContent = say('visualLinks.notWrittenYet');
    });
  }

  #exists(target: string): Promise<boolean> {
    const wanted = target.toLowerCase();
    const asked =
      this.#known.get(wanted) ??
      suggestPages(this.#options.titlesUrl, target).then((pages) =>
        pages.some(({ label, path }) => label.toLowerCase() === wanted || path === target),
      );
    this.#known.set(wanted, asked);
    return asked;
  }
}
