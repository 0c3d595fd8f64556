/** Notice left by a page saved by script for the next one. */

const key = 'coppice:notice';

export function leaveNotice(words: string): void {
  try {
    sessionStorage.setItem(key, words);
  } catch {
    // The page itself then shows that it was saved.
  }
}

export function showLateNotice(): void {
  // Shown once: it is removed when navigating back.
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
