/** Names of pages in a Logseq graph: namespaces in file names, titles of journals, aliases. */
import { percentDecoded } from '#core/model/path.ts';
import { listIn } from './settings.ts';
import { nameOf, type SiteDocument } from './site-address.ts';

const journal = /^(?:.*\/)?journals\/(\d{4})[-_](\d{2})[-_](\d{2})\.\w+$/;

/** The file `Trees___Oak.md` is the page `Trees/Oak`; older graphs write `Trees%2FOak.md`. */
function logseqName(name: string): string {
  return percentDecoded(name.replaceAll('___', '/')).replace(/\p{Cc}/gu, ' ');
}

export function logseqPlace(relative: string): string[] {
  const segments = relative.split('/');
  const name = logseqName(segments.pop() ?? '');
  const above = segments[0] === 'pages' ? segments.slice(1) : segments;
  return [...above, ...name.split('/').filter((part) => part.trim() !== '')];
}

export function logseqNames({ path, facts }: SiteDocument, journalTitle: string): string[] {
  const own = logseqName(nameOf(path));
  const [, year, month, day] = journal.exec(path) ?? [];
  const date = year === undefined ? [] : journalNames([year, month, day].map(Number), journalTitle);
  const stated = ['title', 'alias', 'aliases'].flatMap((name) => listIn(facts, name));
  const names = stated
    .flatMap((one) => one.split(/[,，]/))
    .map((one) => one.trim().replace(/^\[\[(.*)\]\]$/, '$1'));
  return [own, own.replaceAll('.', '/'), ...date, ...names];
}

/** A journal is titled by its day, in the form of the graph's setting. */
export function journalTitleOf(path: string, format: string): string | undefined {
  const [, ...day] = journal.exec(path) ?? [];
  return day.length === 0 ? undefined : journalNames(day.map(Number), format)[0];
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The title by the graph's setting, and the usual ones, which links keep after the setting was changed. */
function journalNames([year = 0, month = 1, day = 1]: readonly number[], format: string): string[] {
  const name = months[month - 1] ?? '';
  const weekday = days[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '';
  const two = (number: number) => String(number).padStart(2, '0');
  const rest = day % 100 > 10 && day % 100 < 14 ? 0 : day % 10;
  const ordinal = `${day}${['th', 'st', 'nd', 'rd'][rest] ?? 'th'}`;
  const parts: Record<string, string> = {
    yyyy: String(year),
    yy: two(year % 100),
    MMMM: name,
    MMM: name.slice(0, 3),
    MM: two(month),
    M: String(month),
    do: ordinal,
    dd: two(day),
    d: String(day),
    EEEE: weekday,
    EEE: weekday.slice(0, 3),
    EE: weekday.slice(0, 3),
    E: weekday.slice(0, 3),
  };
  const formats = [format, 'MMM do, yyyy', 'yyyy-MM-dd', 'yyyy_MM_dd'];
  return formats.map((one) =>
    one.replace(/yyyy|yy|MMMM|MMM|MM|M|do|dd|d|EEEE|EEE|EE|E/g, (part) => parts[part] ?? part),
  );
}
