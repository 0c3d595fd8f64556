/** Completes names after `@` in comments; the scripts are loaded when somebody begins to write. */
import { ask } from '../ask.ts';

export function completeMentions(): void {
  const known = new WeakSet<HTMLTextAreaElement>();
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement) || known.has(target)) return;
    const { mentions } = target.dataset;
    if (mentions === undefined) return;
    known.add(target);
    void complete(target, mentions);
  });
}

async function complete(field: HTMLTextAreaElement, url: string): Promise<void> {
  const { Combobox } = await import('../combobox.ts');
  new Combobox(field, {
    partOf: mentionIn,
    async suggest(text, signal) {
      const found = await ask<{ name: string }[]>(`${url}&name=${encodeURIComponent(text.slice(1))}`, {
        signal,
      });
      return (found ?? []).map(({ name }) => ({ label: name, value: `@${name} ` }));
    },
    onPick: () => {},
  }).connect();
  // A name may have been begun while the script was loading.
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The beginning of a name at the end of the text, with its `@`. */
function mentionIn(before: string): string | undefined {
  return /(?<![\p{L}\p{N}_@])@[^\s@][^\n@]{0,39}$/u.exec(before)?.[0];
}
