/**
 * The menu at the caret: after `/` what can be inserted, after `[[` pages to link to. The focus stays in the text (ARIA: textbox
 * with an active descendant); arrows move, Enter or Tab accepts, Escape closes.
 */
import { type EditorState, Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { announce, element } from '../../element.ts';
import { say } from '../../words.ts';

export interface MenuEntry {
  label: string;
  detail?: string;
  /** `from` and `to` enclose what was typed for the menu. */
  run(view: EditorView, from: number, to: number): void;
}

interface Trigger {
  /** Ends at the caret; its first group is what was typed. */
  pattern: RegExp;
  entries(typed: string): MenuEntry[] | Promise<MenuEntry[]>;
}

interface Typed {
  trigger: Trigger;
  text: string;
  from: number;
  to: number;
}

export function caretMenu(triggers: Trigger[]): Plugin {
  let menu: CaretMenu | undefined;
  return new Plugin({
    view(view) {
      menu = new CaretMenu(view, triggers);
      return {
        update: (_view, before) => menu?.update(before),
        destroy: () => menu?.close(),
      };
    },
    props: {
      handleKeyDown: (_view, event) => menu?.press(event) ?? false,
      handleDOMEvents: {
        blur: () => {
          menu?.close();
          return false;
        },
      },
    },
  });
}

class CaretMenu {
  readonly #view: EditorView;
  readonly #triggers: Trigger[];
  readonly #list = element('ul', {
    class: 'suggestions caret-menu',
    role: 'listbox',
    id: 'caret-menu',
    'aria-label': say('visualCaretMenu.suggestions'),
  });
  #typed: Typed | undefined;
  #entries: MenuEntry[] = [];
  #active = 0;
  #round = 0;
  /** Start of what was typed when Escape was pressed. */
  #dismissedAt: number | undefined;

  constructor(view: EditorView, triggers: Trigger[]) {
    this.#view = view;
    this.#triggers = triggers;
    this.#list.hidden = true;
    this.#list.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const option = (event.target as Element).closest('li');
      if (option) this.#pick([...this.#list.children].indexOf(option));
    });
    document.body.append(this.#list);
  }

  update(before: EditorState): void {
    const { state } = this.#view;
    if (state.doc.eq(before.doc) && state.selection.eq(before.selection)) return;
    const typed = this.#find(state);
    if (typed?.from !== this.#dismissedAt) this.#dismissedAt = undefined;
    // Opens while typing only; a caret that comes back later opens nothing.
    const isTyping = !state.doc.eq(before.doc);
    if (!typed || this.#dismissedAt !== undefined || (!isTyping && !this.#typed)) {
      this.close(false);
      return;
    }
    if (this.#typed?.text === typed.text && this.#typed.trigger === typed.trigger) {
      this.#typed = typed;
      return;
    }
    this.#typed = typed;
    void this.#ask(typed);
  }

  press(event: KeyboardEvent): boolean {
    if (this.#list.hidden || event.isComposing || !this.#typed) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : this.#entries.length - 1;
      this.#activate((this.#active + step) % this.#entries.length);
    } else if (event.key === 'Enter' || event.key === 'Tab') this.#pick(this.#active);
    else if (event.key === 'Escape') {
      this.#dismissedAt = this.#typed.from;
      this.close(false);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  close(isLast = true): void {
    this.#round++;
    this.#typed = undefined;
    this.#list.hidden = true;
    this.#view.dom.removeAttribute('aria-activedescendant');
    this.#view.dom.removeAttribute('aria-controls');
    if (isLast && !this.#view.dom.isConnected) this.#list.remove();
  }

  #find({ selection, doc }: EditorState): Typed | undefined {
    const { $from, empty } = selection;
    if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return undefined;
    const before = doc.textBetween(Math.max($from.start(), $from.pos - 200), $from.pos, '\ufffc', '\ufffc');
    for (const trigger of this.#triggers) {
      const match = trigger.pattern.exec(before);
      if (match)
        return {
          trigger,
          text: match[1] ?? '',
          from: $from.pos - match[0].trimStart().length,
          to: $from.pos,
        };
    }
    return undefined;
  }

  async #ask(typed: Typed): Promise<void> {
    const round = ++this.#round;
    const entries = await typed.trigger.entries(typed.text.trim());
    if (round !== this.#round || this.#typed !== typed) return;
    this.#entries = entries;
    this.#list.replaceChildren(
      ...entries.map(({ label, detail }, index) =>
        element(
          'li',
          { role: 'option', id: `caret-menu-${index}` },
          element('span', { dir: 'auto' }, label),
          detail ? element('span', { class: 'suggestion-detail', dir: 'auto' }, detail) : undefined,
        ),
      ),
    );
    this.#list.hidden = entries.length === 0;
    if (entries.length === 0) return;
    this.#view.dom.setAttribute('aria-controls', 'caret-menu');
    this.#activate(0);
    this.#place(typed.from);
    announce(entries.length === 1 ? '1 suggestion' : say('visualCaretMenu.found', { count: entries.length }));
  }

  #place(at: number): void {
    const { left, top, bottom } = this.#view.coordsAtPos(at);
    const { offsetWidth: width, offsetHeight: height } = this.#list;
    const isBelow = bottom + height + 8 < innerHeight || top < height;
    this.#list.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    this.#list.style.top = `${isBelow ? bottom + 4 : top - height - 4}px`;
  }

  #activate(index: number): void {
    this.#active = index;
    for (const [at, option] of [...this.#list.children].entries())
      option.setAttribute('aria-selected', String(at === index));
    this.#view.dom.setAttribute('aria-activedescendant', `caret-menu-${index}`);
    this.#list.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  #pick(index: number): void {
    const entry = this.#entries[index];
    const typed = this.#typed;
    if (!entry || !typed) return;
    this.close(false);
    entry.run(this.#view, typed.from, typed.to);
  }
}
