/**
 * Reorders dates: `{{#formatdate: 25 dec 2009 | mdy }}` is December 25, 2009. Text that is not a complete date stays as it is.
 *
 *   25 December 2009    December 25, 2009    2009 December 25    2009-12-25    25 December    44 BC March 15
 */
import { escapeHtml } from '../html.ts';
import { months } from './time-format.ts';

const monthName = `(?<month>${months.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})`;
const dayMonth = `(?<day>\\d{1,2}) ${monthName}`;
const monthDay = `${monthName} (?<day>\\d{1,2})`;
const year = '(?<year>\\d{1,4}(?: BC)?)';
const gap = '(?: *, *| +)';

/** How to read and write each order. */
const orders: Readonly<
  Record<string, readonly [RegExp, (day: string, month: string, year: string) => string]>
> = {
  dmy: [pattern(dayMonth, gap, year), (day, month, year) => `${day} ${month} ${year}`.trim()],
  mdy: [
    pattern(monthDay, gap, year),
    (day, month, year) => `${month} ${day}${year === '' ? '' : ', '}${year}`,
  ],
  ymd: [pattern(year, gap, monthDay), (day, month, year) => `${year} ${month} ${day}`],
  ydm: [pattern(year, gap, dayMonth), (day, month, year) => `${year}, ${day} ${month}`],
  dm: [pattern(dayMonth), (day, month) => `${day} ${month}`],
  md: [pattern(monthDay), (day, month) => `${month} ${day}`],
};

function pattern(...parts: string[]): RegExp {
  return new RegExp(`^${parts.join('')}$`, 'i');
}

/** Returns the HTML of a date in the given order, if that order exists. */
export function orderDate(written: string, wanted: string): string {
  const [, chosen] = /^(dmy|mdy|ymd)$/.test(wanted) ? (orders[wanted] ?? []) : [];
  const iso = /^(-?\d{4})-(\d\d)-(\d\d)$/.exec(written);
  if (iso) {
    const [, isoYear = '', month = '', day = ''] = iso;
    const name = months[Number(month) - 1];
    if (!chosen) return marked(written, written);
    if (name === undefined) return written;
    const number = Number(isoYear);
    return marked(
      written,
      chosen(String(Number(day)), name, number < 0 ? `${1 - number} BC` : String(number)),
    );
  }
  for (const [read, write] of Object.values(orders)) {
    const { day, month, year = '' } = read.exec(written)?.groups ?? {};
    if (day === undefined || month === undefined) continue;
    const index = months.findIndex(
      (name) => name.slice(0, 3).toLowerCase() === month.slice(0, 3).toLowerCase(),
    );
    const isoYear = year.endsWith('BC') ? 1 - Number.parseInt(year, 10) : Number(year);
    const padded = `${isoYear < 0 ? '-' : ''}${String(Math.abs(isoYear)).padStart(4, '0')}-`;
    const iso = `${year === '' ? '' : padded}${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (year !== '' && wanted === 'ISO 8601') return marked(iso, iso);
    // A date without a year cannot be written with the year first.
    const order = year === '' && wanted === 'ymd' ? write : (chosen ?? write);
    return marked(iso, order(day, months[index] ?? month, year));
  }
  return written;
}

function marked(title: string, text: string): string {
  return `<span class="mw-formatted-date" title="${escapeHtml(title)}">${text}</span>`;
}
