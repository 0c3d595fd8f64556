/** The sentence that a page saved by script left for the next one. */
export function showLateNotice(): void {
  const words = sessionStorage.getItem('coppice:notice');
  if (words === null) return;
  sessionStorage.removeItem('coppice:notice');
  const notice = document.querySelector<HTMLElement>('#notice');
  if (!notice) return;
  notice.textContent = words;
  notice.hidden = false;
}
