/** Minimum length of a cell that contains sentences. */
const textFrom = 60;

/**
 * Keeps header rows of tables visible. A table that fits loses its scroll box, so that its header sticks to the window; a wider
 * one keeps the box, limited to the height of the window.
 */
export function keepTableHeads(): void {
  whenResized('.markup table:not(.markup table table)', (table) => {
    const fits = table.scrollWidth <= table.clientWidth;
    table.toggleAttribute('data-fits', fits);
    table.toggleAttribute('data-wide', !fits);
    if (fits) return;
    // A table that scrolls need not squeeze its text.
    for (const cell of table.querySelectorAll('td'))
      cell.toggleAttribute('data-is-text', (cell.textContent?.length ?? 0) > textFrom);
  });
}

/** Makes scroll boxes focusable, because not every browser makes them reachable by keyboard. */
export function stopAtScrollBoxes(): void {
  whenResized('.markup, .markup :is(pre, table)', (box) => {
    const isWide = box.scrollWidth > box.clientWidth;
    if (box.matches('.markup')) box.toggleAttribute('data-wide', isWide);
    if (isWide) box.setAttribute('tabindex', '0');
    else box.removeAttribute('tabindex');
  });
}

function whenResized(selector: string, adapt: (box: Element) => void): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) adapt(target);
  });
  for (const box of document.querySelectorAll(selector)) observer.observe(box);
}
