/**
 * Entry point of the page that arranges pages: its buttons move a row in place and keep the focus, and rows can be dragged. Without
 * scripts the form sends numbers.
 */
import { arrangeByDragging, moveRow, rowsOf } from './arrange.ts';

const list = document.querySelector<HTMLElement>('[data-order]');
if (list) {
  for (const row of rowsOf(list)) row.draggable = true;
  arrangeByDragging(list);
  list.addEventListener('arranged', () => number(list));
  list.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    const row = button?.closest<HTMLElement>('[data-path]');
    if (!button || !row) return;
    event.preventDefault();
    moveRow(row, button.name === 'up' ? -1 : 1);
    // At an end of the list this button is disabled, so the focus goes to the other one.
    const other = row.querySelector<HTMLButtonElement>('button:not([disabled])');
    (button.disabled ? other : button)?.focus();
  });
}

/** Writes the numbers of rows, and disables buttons that would move one past an end. */
function number(list: HTMLElement): void {
  const rows = rowsOf(list);
  for (const [index, row] of rows.entries()) {
    const input = row.querySelector('input');
    if (input) input.value = String(index + 1);
    const isAt = { up: index === 0, down: index === rows.length - 1 };
    for (const name of ['up', 'down'] as const)
      row.querySelector(`[name="${name}"]`)?.toggleAttribute('disabled', isAt[name]);
  }
}
