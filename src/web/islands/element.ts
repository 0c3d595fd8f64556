/** Creates elements from text only, so that no text can become markup. */

type Child = Node | string | undefined | null | false;

/** Attributes by name; `true` is an empty one, `false` and `undefined` are omitted. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

export function button(
  words: string,
  attributes: Record<string, string | number | boolean | undefined>,
  onClick: () => void,
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, words);
  made.addEventListener('click', onClick);
  return made;
}

/** Parses markup that the server has rendered and sanitised. */
export function fromServer(markup: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return template.content;
}

/** Loads one of the site's style sheets; resolves when it applies. */
export function loadStyle(name: string): Promise<void> {
  const href = `${document.body.dataset.assets ?? '/assets/'}${name}`;
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = element('link', { rel: 'stylesheet', href });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}

let announcer: HTMLElement | undefined;

/** Announces a sentence to screen readers. The live region must exist beforehand, so it is created in advance. */
export function announce(sentence: string): void {
  announcer ??= document.body.appendChild(
    element('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' }),
  );
  announcer.textContent = '';
  const region = announcer;
  setTimeout(() => {
    region.textContent = sentence;
  }, 50);
}
