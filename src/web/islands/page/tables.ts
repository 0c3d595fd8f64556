/** Characters from which a cell holds sentences. */
const textFrom = 60;

/**
 * Keeps the header row of tables in sight. One that fits the text gives up its own scroll box, so that its header stays at
 * the top of the window; one that is too wide keeps the box, and gets no higher than the window.
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

/** Elements wider than the text scroll in a box of their own, which not every browser makes reachable by keyboard. */
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
