/** A button beside each value that is shown only once, which copies it. */
import { button } from '../element.ts';
import { say } from '../words.ts';

export function offerCopies(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('[data-copy]')) {
    const copy = button(say('scriptAccount.copy'), { class: 'button' }, async () => {
      field.select();
      if (await isCopied(field.value)) copy.textContent = say('scriptAccount.copied');
    });
    field.after(copy);
  }
}

/** Otherwise the text is selected, so that it can be copied by keyboard. */
async function isCopied(text: string): Promise<boolean> {
  // Browsers have no clipboard for pages over plain HTTP, where the older way still works.
  if (!('clipboard' in navigator)) return document.execCommand('copy');
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
