/** Search box in the header: suggests titles; `/` or Ctrl+K (⌘K) focuses it. */
import { Combobox, suggestPages } from '../combobox.ts';
import { say } from '../words.ts';

export function completeSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-complete]');
  const input = form?.querySelector('input');
  if (!form || !input) return;
  const url = form.dataset.complete ?? '';
  new Combobox(input, {
    async suggest(text, signal) {
      const pages = await suggestPages(url, text, signal);
      return [
        ...pages.slice(0, 8),
        {
          label: say('scriptSearchBox.searchFor', { text }),
          href: `/search?text=${encodeURIComponent(text)}`,
        },
      ];
    },
    onPick: ({ href }) => {
      if (href) location.assign(href);
    },
  }).connect();
  input.setAttribute('aria-keyshortcuts', '/ Control+K Meta+K');
  addEventListener('keydown', (event) => {
    if (event.altKey || event.defaultPrevented) return;
    const { target } = event;
    const hasModifier = event.ctrlKey || event.metaKey;
    // In the editor Ctrl+K makes a link and is handled before.
    const isShortcut = hasModifier ? event.key === 'k' && !event.shiftKey : event.key === '/';
    const isTyping =
      target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('input, textarea, select'));
    if (!isShortcut || (isTyping && !hasModifier)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}
