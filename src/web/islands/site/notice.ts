/** The sentence that a page saved by script left for the next one. */

const key = 'coppice:notice';

export function leaveNotice(words: string): void {
  try {
    sessionStorage.setItem(key, words);
  } catch {
    // Then the page itself is what tells that it was saved.
  }
}

export function showLateNotice(): void {
  // Said once: Back shows the page without it.
  addEventListener('pagehide', () => {
    for (const notice of document.querySelectorAll<HTMLElement>('#notice')) notice.hidden = true;
  });
  const words = sessionStorage.getItem(key);
  if (words === null) return;
  sessionStorage.removeItem(key);
  const notice = document.querySelector<HTMLElement>('#notice');
  if (!notice) return;
  notice.textContent = words;
  notice.hidden = false;
}
