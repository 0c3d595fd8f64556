/**
 * Arranges the rows of a list (`data-order`: address of its order in the API) by dragging, and saves each change at once. Rows have
 * the path of their page in `data-path`. In a tree, a row that is dropped on the middle of another one leads to the preview of its
 * move there.
 */
import { announce } from './element.ts';
import { say } from './words.ts';

/** Rows that can be dragged, among all lists within this element, also those that load later. */
export function arrangeByDragging(within: HTMLElement, isTree = false): void {
  let dragged: HTMLElement | undefined;
  let before: HTMLElement[] = [];
  let target: HTMLElement | undefined;
  const aim = (row?: HTMLElement) => {
    target?.classList.remove('is-target');
    target = row;
    row?.classList.add('is-target');
  };
  within.addEventListener('dragstart', (event) => {
    const row = rowOf(event.target);
    if (!row) return;
    dragged = row;
    before = rowsOf(row.parentElement as HTMLElement);
    event.dataTransfer?.setData('text/plain', row.dataset.path ?? '');
    row.classList.add('is-dragged');
  });
  within.addEventListener('dragover', (event) => {
    const row = rowOf(event.target);
    if (!dragged || !row || (!isTree && row.parentElement !== dragged.parentElement)) return;
    event.preventDefault();
    aim();
    if (row === dragged) return;
    // A branch is as high as all that is open below it.
    const { top, height } = (row.querySelector(':scope > a') ?? row).getBoundingClientRect();
    const part = (event.clientY - top) / height;
    const isBeside =
      row.parentElement === dragged.parentElement && row.parentElement?.dataset.order !== undefined;
    if (isTree && !dragged.contains(row) && !(isBeside && (part < 0.25 || part > 0.75))) return aim(row);
    if (!isBeside) return;
    row[event.clientY < top + height / 2 ? 'before' : 'after'](dragged);
  });
  within.addEventListener('drop', (event) => {
    if (!dragged) return;
    event.preventDefault();
    if (target) {
      const path = dragged.dataset.path?.split('/').map(encodeURIComponent).join('/');
      location.assign(`/move${path}?parent=${encodeURIComponent(target.dataset.path ?? '')}`);
      return;
    }
    const list = dragged.parentElement as HTMLElement;
    const former = before;
    before = [];
    if (rowsOf(list).some((row, at) => row !== former[at])) void save(list, former);
  });
  within.addEventListener('dragend', () => {
    dragged?.classList.remove('is-dragged');
    aim();
    // Dropped elsewhere: everything is as it was.
    if (before.length > 0) dragged?.parentElement?.prepend(...before);
    [dragged, before] = [undefined, []];
  });
}

/** Moves a row by one place. */
export function moveRow(row: HTMLElement, step: -1 | 1): void {
  const list = row.parentElement as HTMLElement;
  const former = rowsOf(list);
  const other = former[former.indexOf(row) + step];
  if (!other) return;
  other[step < 0 ? 'before' : 'after'](row);
  void save(list, former);
}

export function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(':scope > [data-path]')];
}

let saving: Promise<unknown> = Promise.resolve();

/** Saves the order of the rows, one save after the other. Rows of a refused order go back to where they were. */
async function save(list: HTMLElement, former: HTMLElement[]): Promise<void> {
  changed(list);
  const children = rowsOf(list).map(({ dataset }) => dataset.path);
  const saved = saving.then(() => refusalOf(list.dataset.order ?? '', children));
  saving = saved;
  const refusal = await saved;
  announce(refusal ?? say('scriptArrange.orderSaved'));
  if (refusal === undefined) return;
  list.prepend(...former);
  changed(list);
}

function changed(list: HTMLElement): void {
  list.dispatchEvent(new CustomEvent('arranged', { bubbles: true }));
}

async function refusalOf(url: string, children: (string | undefined)[]): Promise<string | undefined> {
  const failed = say('scriptArrange.theOrderCouldNotBeSaved');
  try {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ children }) });
    if (answer.ok) return undefined;
    return ((await answer.json()) as { detail?: string }).detail ?? failed;
  } catch {
    return failed;
  }
}

function rowOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element
    ? (target.closest<HTMLElement>('[data-path][draggable]') ?? undefined)
    : undefined;
}
