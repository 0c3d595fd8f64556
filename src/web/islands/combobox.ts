/**
 * A text field with a list of suggestions below it, as ARIA describes the editable combobox: the focus stays in the field,
 * arrows move through the list, Enter takes, Escape closes, and screen readers are told how many there are.
 */
import { announce, element } from './element.ts';

export interface Suggestion {
  label: string;
  detail?: string;
  /** Where it leads, if taking it means going there. */
  href?: string;
  /** Value of the field afterwards; `label` if left out. */
  value?: string;
}

export interface ComboboxOptions {
  suggest(text: string, signal: AbortSignal): Promise<Suggestion[]>;
  onPick(suggestion: Suggestion): void;
  /** Suggest at once when the field gets the focus, before anything is typed. */
  opensEmpty?: boolean;
  waitMs?: number;
}

let made = 0;

export function combobox(input: HTMLInputElement, options: ComboboxOptions): void {
  const id = `suggestions-${++made}`;
  const list = element('ul', { class: 'suggestions', role: 'listbox', id, 'aria-label': 'Suggestions' });
  list.hidden = true;
  // The list lies over what follows, so it hangs on the nearest box that it can be placed in.
  const holder = element('div', { class: 'suggestions-holder' }, list);
  input.after(holder);
  // A search field is no combobox to ARIA; it looks the same without the type.
  if (input.type === 'search') {
    input.type = 'text';
    input.inputMode = 'search';
    input.setAttribute('enterkeyhint', 'search');
  }
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': id,
    autocomplete: 'off',
  })) {
    input.setAttribute(name, value);
  }

  let shown: Suggestion[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  let isPicking = false;

  input.addEventListener('input', () => {
    if (isPicking) return;
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), options.waitMs ?? 90);
  });
  input.addEventListener('focus', () => {
    if (options.opensEmpty) void ask();
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) return void ask();
      move(event.key === 'ArrowDown' ? active + 1 : active - 1);
    } else if (event.key === 'Enter' && active >= 0 && !list.hidden) {
      event.preventDefault();
      pick(active);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') close();
  });
  list.addEventListener('pointerdown', (event) => {
    // Before the field loses the focus, which would close the list.
    const index = optionAt(event.target);
    if (index < 0 || event.button !== 0 || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => {
    const index = optionAt(event.target);
    if (index >= 0) pick(index);
  });

  async function ask(): Promise<void> {
    running?.abort();
    const text = input.value.trim();
    if (text === '' && !options.opensEmpty) return close();
    running = new AbortController();
    const { signal } = running;
    try {
      const found = await options.suggest(text, signal);
      if (!signal.aborted && document.activeElement === input) show(found);
    } catch {
      // Offline, or the next key came first: the field works without suggestions.
      if (!signal.aborted) close();
    }
  }

  function show(found: Suggestion[]): void {
    const chosen = shown[active];
    shown = found;
    active = -1;
    list.replaceChildren(
      ...found.map(({ label, detail }, index) =>
        element(
          'li',
          { role: 'option', id: `${id}-${index}`, 'aria-selected': 'false' },
          element('span', { dir: 'auto' }, label),
          detail ? ' ' : undefined,
          detail ? element('span', { class: 'suggestion-detail', dir: 'auto' }, detail) : undefined,
        ),
      ),
    );
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    input.removeAttribute('aria-activedescendant');
    // An answer that comes late does not take away what somebody has already moved to.
    const again = chosen
      ? found.findIndex(({ label, detail }) => label === chosen.label && detail === chosen.detail)
      : -1;
    if (again >= 0) move(again);
    if (found.length > 0) announce(found.length === 1 ? '1 suggestion' : `${found.length} suggestions`);
  }

  function move(to: number): void {
    // Beyond either end lies the field itself, as it was typed.
    active = to < -1 ? shown.length - 1 : to >= shown.length ? -1 : to;
    for (const [index, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(index === active));
    if (active < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${id}-${active}`);
    list.children[active]?.scrollIntoView({ block: 'nearest' });
  }

  function pick(index: number): void {
    const suggestion = shown[index];
    if (!suggestion) return;
    close();
    if (suggestion.href === undefined) {
      isPicking = true;
      input.value = suggestion.value ?? suggestion.label;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      isPicking = false;
    }
    options.onPick(suggestion);
  }

  function close(): void {
    clearTimeout(timer);
    running?.abort();
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function optionAt(target: EventTarget | null): number {
    const option = target instanceof Element ? target.closest('[role=option]') : null;
    return option ? [...list.children].indexOf(option) : -1;
  }
}

/** Pages by what is typed of their title or path, as far as the reader may see them. */
export async function suggestPages(
  url: string,
  text: string,
  signal: AbortSignal,
): Promise<(Suggestion & { path: string })[]> {
  const answer = await fetch(`${url}?text=${encodeURIComponent(text)}`, {
    signal,
    headers: { accept: 'application/json' },
  });
  if (!answer.ok) return [];
  const { pages } = (await answer.json()) as { pages: { title: string; path: string; url: string }[] };
  return pages.map(({ title, path, url }) => ({ label: title, detail: path, href: url, path }));
}
