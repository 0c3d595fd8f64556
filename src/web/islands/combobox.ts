/**
 * A text field with suggestions, following ARIA's editable combobox: focus stays in the field, arrow keys move through the
 * list, Enter accepts, Escape closes, and the number of suggestions is announced. In a text of several lines it completes a part of
 * the text while one is being typed; keys keep their meaning otherwise.
 */
import { ask } from './ask.ts';
import { Controller } from './controller.ts';
import { announce, element } from './element.ts';
import { say } from './words.ts';

interface Suggestion {
  label: string;
  detail?: string;
  /** URL to go to when the suggestion is accepted. */
  href?: string;
  /** Value of the field afterwards; defaults to `label`. */
  value?: string;
}

interface ComboboxOptions {
  suggest(text: string, signal: AbortSignal): Promise<Suggestion[]>;
  onPick(suggestion: Suggestion): void;
  /** Whether to suggest on focus, before anything is typed. */
  opensEmpty?: boolean;
  /** Finds the part before the caret that is completed; by default the whole field is. */
  partOf?(before: string): string | undefined;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const waitMs = 90;
let made = 0;

export class Combobox extends Controller {
  readonly #input: Field;
  readonly #options: ComboboxOptions;
  readonly #list: HTMLElement;
  #shown: Suggestion[] = [];
  #active = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;
  #isPicking = false;

  constructor(input: Field, options: ComboboxOptions) {
    super();
    this.#input = input;
    this.#options = options;
    const id = `suggestions-${++made}`;
    this.#list = element('ul', {
      class: 'suggestions',
      role: 'listbox',
      id,
      'aria-label': say('scriptCombobox.suggestions'),
    });
    this.#list.hidden = true;
    // Placed in a box of its own, because the list overlays the following content.
    input.after(element('div', { class: 'suggestions-holder' }, this.#list));
    // ARIA has no combobox role for search fields, so the type is changed.
    if (input instanceof HTMLInputElement && input.type === 'search') {
      input.type = 'text';
      input.inputMode = 'search';
      input.setAttribute('enterkeyhint', 'search');
    }
    const isText = input instanceof HTMLTextAreaElement;
    for (const [name, value] of Object.entries({
      'aria-autocomplete': 'list',
      'aria-controls': id,
      autocomplete: 'off',
      // A text of several lines can have no other role.
      ...(isText ? { 'aria-haspopup': 'listbox' } : { role: 'combobox', 'aria-expanded': 'false' }),
    })) {
      input.setAttribute(name, value);
    }
  }

  #text(): string | undefined {
    const { value, selectionStart } = this.#input;
    if (this.#options.partOf) return this.#options.partOf(value.slice(0, selectionStart ?? 0));
    const text = value.trim();
    return text === '' && !this.#options.opensEmpty ? undefined : text;
  }

  #sayExpanded(isExpanded: boolean): void {
    if (this.#input instanceof HTMLInputElement)
      this.#input.setAttribute('aria-expanded', String(isExpanded));
  }

  protected listen(): void {
    const input = this.#input;
    this.on(input, 'input', () => this.#askLater());
    this.on(input, 'focus', () => this.#options.opensEmpty && void this.#ask());
    this.on(input, 'blur', () => this.#close());
    this.on(input, 'keydown', (event) => this.#press(event));
    this.on(this.#list, 'pointerdown', (event) => {
      // Handled before the field loses the focus, which would close the list.
      const index = this.#optionAt(event.target);
      if (index < 0 || event.button !== 0 || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
    });
    this.on(this.#list, 'click', ({ target }) => this.#pick(this.#optionAt(target)));
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const isOpen = !this.#list.hidden;
    if (!isOpen && this.#options.partOf) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (isOpen) this.#move(event.key === 'ArrowDown' ? this.#active + 1 : this.#active - 1);
      else void this.#ask();
    } else if (event.key === 'Enter' && this.#active >= 0 && isOpen) {
      event.preventDefault();
      this.#pick(this.#active);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    } else if (event.key === 'Tab') this.#close();
  }

  #askLater(): void {
    if (this.#isPicking) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), waitMs);
  }

  async #ask(): Promise<void> {
    this.#running?.abort();
    const text = this.#text();
    if (text === undefined) return this.#close();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const found = await this.#options.suggest(text, signal);
    // Offline there are no suggestions, and the field works without them.
    if (!signal.aborted && document.activeElement === this.#input) this.#show(found);
  }

  #show(found: Suggestion[]): void {
    const chosen = this.#shown[this.#active];
    this.#shown = found;
    this.#active = -1;
    this.#list.replaceChildren(
      ...found.map(({ label, detail }, index) =>
        element(
          'li',
          { role: 'option', id: `${this.#list.id}-${index}`, 'aria-selected': 'false' },
          element('span', { dir: 'auto' }, label),
          detail ? ' ' : undefined,
          detail ? element('span', { class: 'suggestion-detail', dir: 'auto' }, detail) : undefined,
        ),
      ),
    );
    this.#list.hidden = found.length === 0;
    this.#sayExpanded(found.length > 0);
    this.#input.removeAttribute('aria-activedescendant');
    // A late response keeps the suggestion that is already selected.
    const again = chosen
      ? found.findIndex(({ label, detail }) => label === chosen.label && detail === chosen.detail)
      : -1;
    if (again >= 0) this.#move(again);
    else if (this.#options.partOf && found.length > 0) this.#move(0);
    if (found.length > 0)
      announce(found.length === 1 ? '1 suggestion' : say('scriptCombobox.found', { count: found.length }));
  }

  #move(to: number): void {
    const last = this.#shown.length - 1;
    // Beyond either end, the field shows the typed text again.
    this.#active = to < -1 ? last : to > last ? -1 : to;
    for (const [index, option] of [...this.#list.children].entries())
      option.setAttribute('aria-selected', String(index === this.#active));
    if (this.#active < 0) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', `${this.#list.id}-${this.#active}`);
    this.#list.children[this.#active]?.scrollIntoView({ block: 'nearest' });
  }

  #pick(index: number): void {
    const suggestion = this.#shown[index];
    if (!suggestion) return;
    const part = this.#options.partOf && this.#text();
    this.#close();
    if (suggestion.href === undefined) {
      this.#isPicking = true;
      const value = suggestion.value ?? suggestion.label;
      const caret = this.#input.selectionStart ?? 0;
      if (part === undefined) this.#input.value = value;
      else this.#input.setRangeText(value, caret - part.length, caret, 'end');
      this.#input.dispatchEvent(new Event('input', { bubbles: true }));
      this.#isPicking = false;
    }
    this.#options.onPick(suggestion);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#list.hidden = true;
    this.#active = -1;
    this.#sayExpanded(false);
    this.#input.removeAttribute('aria-activedescendant');
  }

  #optionAt(target: EventTarget | null): number {
    const option = target instanceof Element ? target.closest('[role=option]') : null;
    return option ? [...this.#list.children].indexOf(option) : -1;
  }
}

/** Readable pages whose title or path matches the typed text. */
export async function suggestPages(
  url: string,
  text: string,
  signal?: AbortSignal,
): Promise<(Suggestion & { path: string })[]> {
  const found = await ask<{ pages: { title: string; path: string; url: string }[] }>(
    `${url}?text=${encodeURIComponent(text)}`,
    signal && { signal },
  );
  return (found?.pages ?? []).map(({ title, path, url }) => ({
    label: title,
    detail: path,
    href: url,
    path,
  }));
}
