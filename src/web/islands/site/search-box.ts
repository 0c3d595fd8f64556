/** The header's search box: titles as they are typed, `/` to get there. */
import { combobox, suggestPages } from '../combobox.ts';

export function completeSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-complete]');
  const input = form?.querySelector('input');
  if (!form || !input) return;
  const url = form.dataset.complete ?? '';
  combobox(input, {
    async suggest(text, signal) {
      const pages = await suggestPages(url, text, signal);
      return [
        ...pages.slice(0, 8),
        { label: `Search for “${text}”`, href: `/search?text=${encodeURIComponent(text)}` },
      ];
    },
    onPick: ({ href }) => {
      if (href) location.assign(href);
    },
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    if (
      target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('input, textarea, select'))
    )
      return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}
