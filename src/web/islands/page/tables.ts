/** Minimum length of a cell that contains sentences. */
const textFrom = 60;

/**
 * Keeps header rows of tables visible. A table that fits loses its scroll box, so that its header sticks to the window; a wider
 * one keeps the box, limited to the height of the window.
 */
export function keepTableHeads(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const fits = target.scrollWidth <= target.clientWidth;
      target.toggleAttribute('data-fits', fits);
      target.toggleAttribute('data-wide', !fits);
      if (fits) continue;
      // A table that scrolls anyway need not squeeze its text.
      for (const cell of target.querySelectorAll('td'))
        cell.toggleAttribute('data-is-text', (cell.textContent?.length ?? 0) > textFrom);
    }
  });
  for (const table of document.querySelectorAll('.markup table:not(.markup table table)'))
    observer.observe(table);
}

/** Makes scroll boxes focusable, because not every browser makes them reachable by keyboard. */
export function stopAtScrollBoxes(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWide = target.scrollWidth > target.clientWidth;
      if (target.matches('.markup')) target.toggleAttribute('data-wide', isWide);
      if (isWide) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const box of document.querySelectorAll('.markup, .markup :is(pre, table)')) observer.observe(box);
}
