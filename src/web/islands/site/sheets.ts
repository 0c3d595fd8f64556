/** Menus and sheets close on Escape, on a press outside, and when an item is chosen. */
export function closeSheets(): void {
  const open = () => document.querySelectorAll<HTMLDetailsElement>('details[data-sheet][open]');
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    for (const sheet of open()) {
      const hadFocus = sheet.contains(document.activeElement);
      sheet.open = false;
      if (hadFocus) sheet.querySelector('summary')?.focus();
    }
  });
  addEventListener('pointerdown', ({ target }) => {
    for (const sheet of open()) if (target instanceof Node && !sheet.contains(target)) sheet.open = false;
  });
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('details[data-sheet] a[href^="#"]') : null;
    const sheet = link?.closest<HTMLDetailsElement>('details[data-sheet]');
    if (sheet) sheet.open = false;
  });
}
