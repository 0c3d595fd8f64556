/** The field for the parent page, by title or address, in the forms for editing and moving. */
import { Combobox, suggestPages } from './combobox.ts';
import { element } from './element.ts';
import { say, slot, withElement } from './words.ts';

/** Accepts a title or an address, and shows the title of the chosen page below. */
export function pickParent(form: HTMLFormElement, completeUrl: string): void {
  const input = form.querySelector<HTMLInputElement>('#parent');
  if (!input || completeUrl === '') return;
  const ownPath = form.dataset.path ?? '';
  const hint = form.querySelector('#parent-hint');
  const usual = hint?.cloneNode(true).childNodes;
  new Combobox(input, {
    async suggest(text, signal) {
      if (text === '') return [];
      const pages = await suggestPages(completeUrl, text, signal);
      // Excludes the page itself and its descendants.
      return pages
        .filter(({ path }) => ownPath === '' || (path !== ownPath && !path.startsWith(`${ownPath}/`)))
        .map(({ label, path }) => ({ label, detail: path, value: path }));
    },
    onPick: ({ label }) => hint?.replaceChildren(...belowWords(label)),
  }).connect();
  // A typed title without a selection means the page with that title.
  input.addEventListener('change', async () => {
    const typed = input.value.trim();
    if (typed === '' || typed.startsWith('/')) return;
    const pages = await suggestPages(completeUrl, typed);
    const same = pages.filter(({ label }) => label.toLowerCase() === typed.toLowerCase());
    if (same.length !== 1 || input.value.trim() !== typed) return;
    input.value = same[0]?.path ?? typed;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    hint?.replaceChildren(...belowWords(same[0]?.label ?? ''));
  });
  input.addEventListener('input', () => {
    if (usual) hint?.replaceChildren(...[...usual].map((node) => node.cloneNode(true)));
  });
}

function belowWords(title: string): (Node | string)[] {
  return withElement(
    say('scriptParentPicker.below', { title: slot }),
    element('strong', { dir: 'auto' }, title),
  );
}
