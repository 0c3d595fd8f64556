/** Parts of addresses that site generators have in common: folders, names, permalinks with placeholders. */
import { type Facts, listIn } from './settings.ts';

export interface SiteDocument {
  /** Relative to the folder of the pages. */
  path: string;
  /** Front matter. */
  facts: Facts;
}

const ending = /\.(?:md|mdx|markdown|org|textile|html?)$/i;

/** An address in the form in which two of them are compared. */
export function addressKey(address: string): string {
  return address
    .normalize('NFC')
    .toLowerCase()
    .replace(/^\/+/, '')
    .replace(/(?:^|\/)index(?:\.html?)?$/, '/')
    .replace(/\.(?:html?|md|mdx|markdown|org|textile)$/, '')
    .replace(/^\/+|\/+$/g, '');
}

export interface Placeholders {
  facts: Facts;
  slug: string;
  section?: string;
  folder: string;
  /** Date in the file's name. */
  date?: string | undefined;
  collection?: string;
}

/** `/:year/:month/:title/`, as Hugo and Jekyll write permalinks. */
export function filledPermalink(
  pattern: string,
  { facts, slug, section, folder, date, collection }: Placeholders,
): string {
  const at = new Date(date ?? dateIn(facts) ?? Number.NaN);
  const part = (take: (at: Date) => number, length: number) =>
    Number.isNaN(at.getTime()) ? '' : String(take(at)).padStart(length, '0');
  const categories = [
    ...listIn(facts, 'category'),
    ...listIn(facts, 'categories').flatMap((one) => one.split(/\s+/)),
  ];
  const values: Record<string, string> = {
    year: part((at) => at.getUTCFullYear(), 4),
    short_year: part((at) => at.getUTCFullYear() % 100, 2),
    month: part((at) => at.getUTCMonth() + 1, 2),
    i_month: part((at) => at.getUTCMonth() + 1, 1),
    day: part((at) => at.getUTCDate(), 2),
    i_day: part((at) => at.getUTCDate(), 1),
    title: slug,
    slug,
    slugorfilename: slug,
    filename: slug,
    slugorcontentbasename: slug,
    contentbasename: slug,
    name: slug,
    path: `${folder}${slug}`,
    section: section ?? '',
    sections: folder.replace(/\/$/, ''),
    categories: categories.map((one) => one.toLowerCase()).join('/'),
    collection: collection ?? '',
    output_ext: '.html',
  };
  return pattern
    .replace(/:([a-z_]+)(?:\[[^\]]*\])?/g, (whole, name: string) => values[name] ?? whole)
    .replace(/\/{2,}/g, '/')
    .replace(/^\//, '');
}

function dateIn(facts: Facts): string | number | undefined {
  const { date } = facts;
  if (date instanceof Date) return date.getTime();
  return typeof date === 'string' ? date : undefined;
}

/** Without ending; files that are the page of their folder are called `index`. */
export function withIndex(path: string, isIndex: RegExp): string {
  const bare = path.replace(ending, '');
  return isIndex.test(nameOf(bare)) ? `${folderOf(bare)}index` : bare;
}

/** A folder for each document; an index is that of its own folder. */
export function folderAddress(path: string, isIndex: RegExp): string {
  const bare = path.replace(ending, '');
  return isIndex.test(nameOf(bare)) ? folderOf(bare) : `${bare}/`;
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Without a number that only defines the order. Dates and versions are no such numbers. */
export function withoutNumber(name: string): string {
  return positionInName(name) === undefined ? name : name.replace(/^\d{1,4}[-_.]\s*/, '');
}

/** The number before a name, in folders where it only defines the order. */
export function positionInName(name: string): number | undefined {
  const number = /^(\d{1,4})[-_.]\s*[^\s\d]/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Without the day on which the document was written. */
export function withoutDay(name: string): string {
  return name.replace(/^\d{4}-\d{2}-\d{2}-(?=\S)/, '');
}

/** Time of the day before the name of a document or of its folder, in milliseconds. */
export function dateInName(path: string): number | undefined {
  const day = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})[-/][^/]+(?:\/index\.\w+)?$/.exec(path);
  const at = day ? Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : 0;
  return at > 0 ? at : undefined;
}

/** Last segment without ending; a slash at the end is passed over. */
export function nameOf(path: string): string {
  const bare = path.replace(/\/$/, '').replace(ending, '');
  return bare.slice(bare.lastIndexOf('/') + 1);
}

/** Beginnings of addresses that mean the top: the whole address, and its path. */
export function basesOf(address: string | undefined): string[] {
  if (address === undefined || address === '' || address === '/') return [];
  const whole = /^[a-z][a-z0-9+.-]*:\/\/[^/]+(.*)$/i.exec(address);
  const withSlash = (text: string) => `${text.replace(/\/+$/, '')}/`;
  const path = (whole ? (whole[1] ?? '') : address).replace(/^\/+/, '');
  return [
    ...(whole ? [withSlash(address)] : []),
    ...(path.replaceAll('/', '') === '' ? [] : [withSlash(path)]),
  ];
}
