/** Formatters: times, sizes, counts and permissions in plain words. */
import { accessSentence, type GrantsInWords } from '#core/model/access-words.ts';
import type { GroupName } from '#core/model/page.ts';
import { may, type Wiki } from '#core/model/permission.ts';
import { type Html, html } from './html.ts';
import { siteLocale, timeWords } from './time-words.ts';

const words = timeWords(siteLocale, 'UTC');

/** `3 hours ago`, with the exact time on hover; a script converts it to the reader's time zone and language. */
export function timeAgo(at: number, now: number): Html {
  return timeElement(at, words.ago(at, now));
}

/** `28 October`, with the exact time on hover, for lists grouped by day. */
export function dayOf(at: number, now: number): Html {
  return timeElement(at, words.day(at, now), 'day');
}

/** `28 October 2026 at 14:32 UTC`, if the minute matters. */
export function momentOf(at: number): Html {
  return timeElement(at, exactTime(at), 'exact');
}

function timeElement(at: number, shown: string, kind?: 'day' | 'exact'): Html {
  return html`<time datetime="${new Date(at).toISOString()}"${kind && html` data-words="${kind}"`} title="${exactTime(at)}">${shown}</time>`;
}

/** Milliseconds, at least half a minute, for which `timeAgo` certainly returns the same. */
export function sameWordsForMs(at: number, now: number): number {
  const shown = words.ago(at, now);
  return [dayMs, dayMs / 24, dayMs / 240].find((ms) => words.ago(at, now + ms) === shown) ?? 30_000;
}

const dayMs = 24 * 60 * 60 * 1000;

/** `momentOf` and `dayOf` as plain text. */
export function exactTime(at: number): string {
  return `${words.exact(at)} UTC`;
}

export function dayWords(at: number, now: number): string {
  return words.day(at, now);
}

/** A language tag as a name in the site's language; null for the language of the wiki. */
export function languageName(tag: string | null): string {
  return tag === null ? 'that of the wiki' : (languageNames.of(tag) ?? tag);
}

const languageNames = new Intl.DisplayNames(siteLocale, { type: 'language' });

/** `1 page`, `14 pages`, `1,204 pages`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${number === 1 ? one : many}`;
}

export function plainNumber(number: number): string {
  return numbers.format(number);
}

const numbers = new Intl.NumberFormat('en');

export function distance(metres: number): string {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${metres < 100_000 ? (metres / 1000).toFixed(1) : numbers.format(Math.round(metres / 1000))} km`;
}

/** `52.5163° N, 13.4° E`: precise to the metre, without trailing zeros. */
export function coordinates({ lat, lon }: { lat: number; lon: number }): string {
  const side = (degrees: number, plus: string, minus: string) =>
    `${Number(Math.abs(degrees).toFixed(5))}° ${degrees < 0 ? minus : plus}`;
  return `${side(lat, 'N', 'S')}, ${side(lon, 'E', 'W')}`;
}

/** `Anyone can read, members can edit`: what a permission code, and grants beside it, mean for everybody but administrators, who may do everything. */
export function permissionWords(
  permissions: number,
  group: GroupName | null | undefined,
  wiki: Wiki,
  grants: GrantsInWords = {},
): string {
  return accessSentence({ ...grants, permissions, group: group ?? null }, wiki);
}

/**
 * The same for an option beside others. In a private wiki, a code that lets everybody read says so: it gives members what another
 * code gives them, and opens the page once the wiki is public.
 */
export function permissionChoice(
  permissions: number,
  group: GroupName | null | undefined,
  wiki: Wiki,
  grants: GrantsInWords = {},
): string {
  const words = permissionWords(permissions, group, wiki, grants);
  const opens =
    wiki.isPrivate &&
    may(null, 'read', { permissions, ownerId: 1, group: group ?? null }, { isPrivate: false });
  return opens ? `${words}; anyone can read once the wiki is public` : words;
}

/** Lowers the first letter, for use within a sentence. */
export function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** Formats a permission code as three digits, such as `774` or `044`. */
export function permissionCode(permissions: unknown): string {
  return String(permissions).padStart(3, '0');
}

/** Returns a label such as `PDF` for a file without a thumbnail. */
export function fileKind(filename: string): string {
  return /\.([\p{L}\p{N}]{1,5})$/u.exec(filename)?.[1]?.toUpperCase() ?? 'FILE';
}
