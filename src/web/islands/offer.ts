/** A button beside selected words. There is one at a time. */
import { button } from './element.ts';

let shown: HTMLButtonElement | undefined;

/** `box`: place of the words in the window. */
export function offerBeside({ right, bottom }: DOMRect, words: string, act: () => void): void {
  hideOffer();
  const made = button(words, { class: 'button comment-offer' }, act);
  // Keeps the selection.
  made.onpointerdown = (event) => event.preventDefault();
  made.style.top = `${bottom + scrollY + 6}px`;
  made.style.left = `${Math.max(8, Math.min(right + scrollX - 40, innerWidth - 120))}px`;
  shown = document.body.appendChild(made);
}

export function hideOffer(): void {
  shown?.remove();
  shown = undefined;
}
