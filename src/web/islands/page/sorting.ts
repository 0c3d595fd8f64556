/**
 * Sorts table rows by a column, compatible with MediaWiki's `sortable` tables: `unsortable` columns have no button, `sorttop`
 * and `sortbottom` rows stay, `data-sort-value` and `data-sort-type` define the key. Without scripts the table stays as
 * written.
 */
import { element } from '../element.ts';
import { say } from '../words.ts';

type Order = 'ascending' | 'descending';

export function sortTables(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('.markup table.sortable')) prepare(table);
}

function prepare(table: HTMLTableElement): void {
  const rows = [...table.rows].filter((row) => row.closest('table') === table);
  const isHead = (row: HTMLTableRowElement) => [...row.cells].every(({ tagName }) => tagName === 'TH');
  const from = rows.findIndex((row) => !isHead(row));
  if (from < 1) return;
  const body = rows.slice(from).filter((row) => !row.matches('.sorttop, .sortbottom'));
  while (body.length > 0 && isHead(body[body.length - 1] as HTMLTableRowElement)) body.pop();
  if (body.length < 2) return;
  const heads = headsOf(rows.slice(0, from));
  heads.forEach((head, column) => {
    if (head.matches('.unsortable') || heads.indexOf(head) !== column) return;
    const name = head.textContent?.trim() ?? '';
    const button = element('button', {
      type: 'button',
      'aria-label': say('scriptSorting.sortBy', { name }),
      title: say('scriptSorting.sortBy', { name }),
    });
    head.append(' ', button);
    button.addEventListener('click', () => {
      const order: Order | undefined =
        head.ariaSort === 'ascending' ? 'descending' : head.ariaSort ? undefined : 'ascending';
      for (const other of heads) other.ariaSort = null;
      if (order) head.ariaSort = order;
      splitRows(body);
      // Fixed rows keep their positions; the others are permuted among themselves.
      const moving = new Set(body);
      const places = [...table.rows]
        .filter((row) => moving.has(row))
        .map((row) => {
          const place = document.createComment('');
          row.replaceWith(place);
          return place;
        });
      const sorted = order ? sortedRows(body, column, order, head.dataset.sortType) : body;
      places.forEach((place, index) => {
        place.replaceWith(sorted[index] as HTMLTableRowElement);
      });
    });
  });
}

/** The lowest heading of each column. */
function headsOf(rows: readonly HTMLTableRowElement[]): HTMLTableCellElement[] {
  const heads: HTMLTableCellElement[] = [];
  const until: number[] = [];
  rows.forEach((row, index) => {
    let column = 0;
    for (const cell of row.cells) {
      while ((until[column] ?? 0) > index) column++;
      for (let left = Math.min(cell.colSpan, 1000); left > 0; left--, column++) {
        heads[column] = cell;
        until[column] = index + cell.rowSpan;
      }
    }
  });
  return heads;
}

/** Cells that span rows are repeated in each of them. */
function splitRows(rows: readonly HTMLTableRowElement[]): void {
  rows.forEach((row, index) => {
    for (const cell of [...row.cells]) {
      const span = Math.min(cell.rowSpan, rows.length - index);
      const at = columnOf(cell);
      cell.rowSpan = 1;
      for (const below of rows.slice(index + 1, index + span)) {
        const next = [...below.cells].find((other) => columnOf(other) >= at);
        below.insertBefore(cell.cloneNode(true), next ?? null);
      }
    }
  });
}

function columnOf(cell: HTMLTableCellElement): number {
  let column = 0;
  for (const before of cell.parentElement?.children ?? []) {
    if (before === cell) break;
    column += (before as HTMLTableCellElement).colSpan;
  }
  return column;
}

function sortedRows(
  rows: readonly HTMLTableRowElement[],
  column: number,
  order: Order,
  type: string | undefined,
): HTMLTableRowElement[] {
  const texts = rows.map((row) =>
    textOf([...row.cells].find((cell) => columnOf(cell) + cell.colSpan > column)),
  );
  const compared = comparer(texts, document.documentElement.lang || 'en', type, order);
  return rows
    .map((_, index) => index)
    .sort(compared)
    .map((index) => rows[index] as HTMLTableRowElement);
}

function textOf(cell: HTMLTableCellElement | undefined): string {
  const own =
    cell?.dataset.sortValue ?? cell?.querySelector<HTMLElement>('[data-sort-value]')?.dataset.sortValue;
  if (own !== undefined || !cell) return own?.trim() ?? '';
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const note of copy.querySelectorAll('.reference, style')) note.remove();
  return (copy.textContent ?? '').trim();
}

/**
 * Comparison function for indices of texts: numeric or by date if `type` says so or all texts are such, otherwise alphabetical.
 * Other texts come last in both orders; equal ones keep their order.
 */
export function comparer(
  texts: readonly string[],
  language: string,
  type: string | undefined,
  order: Order,
): (a: number, b: number) => number {
  const direction = order === 'ascending' ? 1 : -1;
  const values = valuesOf(texts, language, type);
  if (!values) {
    const { compare } = new Intl.Collator(language, { numeric: true });
    return (a, b) => direction * compare(texts[a] ?? '', texts[b] ?? '') || a - b;
  }
  return (a, b) => {
    const [one = Number.NaN, other = Number.NaN] = [values[a], values[b]];
    const isLast = Number(Number.isNaN(one)) - Number(Number.isNaN(other));
    return isLast || direction * (one - other || 0) || a - b;
  };
}

function valuesOf(
  texts: readonly string[],
  language: string,
  type: string | undefined,
): number[] | undefined {
  const readers: Readonly<Record<string, (text: string) => number>> = {
    number: numberReader(language),
    date: (text) => (/\d/.test(text) && /\d{3}|[/.-]/.test(text) ? Date.parse(text) : Number.NaN),
  };
  const named =
    { currency: 'number', isodate: 'date', uslongdate: 'date', usldate: 'date' }[type?.toLowerCase() ?? ''] ??
    type;
  if (named !== undefined) return readers[named] && texts.map(readers[named]);
  return Object.values(readers)
    .map((read) => texts.map((text) => (text === '' ? undefined : read(text))))
    .find(
      (values) =>
        values.some((value) => value !== undefined) && values.every((value) => !Number.isNaN(value ?? 0)),
    )
    ?.map((value) => value ?? Number.NaN);
}

/** Parses numbers with currency signs before and one-word units after, using the language's separators. */
function numberReader(language: string): (text: string) => number {
  const parts = new Map(
    new Intl.NumberFormat(language, { numberingSystem: 'latn' })
      .formatToParts(-12345.6)
      .map(({ type, value }) => [type, value]),
  );
  const [group = ',', decimal = '.'] = [parts.get('group'), parts.get('decimal')];
  return (text) => {
    const plain = text
      .replace(/[\s\u00a0\u202f'’]/g, '')
      .replaceAll('\u2212', '-')
      .replaceAll(group.trim() || ' ', '')
      .replaceAll(decimal, '.');
    const [, number] =
      /^[\p{Sc}~≈<>]*([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(?:%|‰|°|\p{Sc}|\p{L}{1,5}[²³]?)?$/iu.exec(
        plain,
      ) ?? [];
    return number === undefined ? Number.NaN : Number(number);
  };
}
