/** Formatters: times, sizes, counts and permissions in plain words. */
import { accessWords, type GrantsInWords } from '#core/model/access-words.ts';
import { groupKey } from '#core/model/group-name.ts';
import type { GroupName } from '#core/model/page.ts';
import { may, type Wiki } from '#core/model/permission.ts';
import type { LocalText } from '#html/html.ts';
import { kept } from '#words/evaluate.ts';
import { inLanguage, say } from '#words/say.ts';
import { type Html, html } from './html.ts';
import { siteLocale, type TimeWords, timeWords } from './time-words.ts';

export { number as plainNumber, size as sizeWords } from '#words/say.ts';

const inUtc = new Map<string, TimeWords>();

function wordsIn(locale: string): TimeWords {
  return kept(inUtc, locale, () => timeWords(locale, 'UTC'));
}

/** `3 hours ago`, with the exact time on hover; a script converts it to the reader's time zone. */
export function timeAgo(at: number, now: number): Html {
  return timeElement(
    at,
    inLanguage((locale) => wordsIn(locale).ago(at, now)),
  );
}

/** `28 October`, with the exact time on hover, for lists grouped by day. */
export function dayOf(at: number, now: number): Html {
  return timeElement(at, dayWords(at, now), 'day');
}

/** `28 October 2026 at 14:32 UTC`, if the minute matters. */
export function momentOf(at: number): Html {
  return timeElement(at, exactTime(at), 'exact');
}

function timeElement(at: number, shown: LocalText, kind?: 'day' | 'exact'): Html {
  return html`<time datetime="${new Date(at).toISOString()}"${kind && html` data-words="${kind}"`} title="${exactTime(at)}">${shown}</time>`;
}

/** Milliseconds, at least half a minute, for which `timeAgo` certainly returns the same. */
export function sameWordsForMs(at: number, now: number): number {
  const words = wordsIn(siteLocale);
  const shown = words.ago(at, now);
  return [dayMs, dayMs / 24, dayMs / 240].find((ms) => words.ago(at, now + ms) === shown) ?? 30_000;
}

const dayMs = 24 * 60 * 60 * 1000;

/** `momentOf` and `dayOf` as plain text. */
export function exactTime(at: number): LocalText {
  return inLanguage((locale) => `${wordsIn(locale).exact(at)} UTC`);
}

export function dayWords(at: number, now: number): LocalText {
  return inLanguage((locale) => wordsIn(locale).day(at, now));
}

/** A language tag as a name in the site's language; null for the language of the wiki. */
export function languageName(tag: string | null): LocalText {
  if (tag === null) return say('format.thatOfTheWiki');
  return inLanguage((locale) => namesIn(locale).of(tag) ?? tag);
}

const languageNames = new Map<string, Intl.DisplayNames>();

function namesIn(locale: string): Intl.DisplayNames {
  return kept(languageNames, locale, () => new Intl.DisplayNames(locale, { type: 'language' }));
}

export function distance(metres: number): LocalText {
  if (metres < 1000) return say('format.metres', { metres: Math.round(metres) });
  const kilometres = metres / 1000;
  const digits = metres < 100_000 ? 1 : 0;
  return say('format.kilometres', {
    kilometres: inLanguage((locale) => numbersIn(locale, digits).format(kilometres)),
  });
}

const numberFormats = new Map<string, Intl.NumberFormat>();

function numbersIn(locale: string, digits: number): Intl.NumberFormat {
  return kept(
    numberFormats,
    `${locale} ${digits}`,
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
}

/** `52.5163° N, 13.4° E`: precise to the metre, without trailing zeros. */
export function coordinates({ lat, lon }: { lat: number; lon: number }): LocalText {
  const degrees = (value: number) => `${Number(Math.abs(value).toFixed(5))}°`;
  return say('format.coordinates', {
    latitude: degrees(lat),
    northOrSouth: lat < 0 ? 'south' : 'north',
    longitude: degrees(lon),
    eastOrWest: lon < 0 ? 'west' : 'east',
  });
}

/** `Anyone can read, members can edit`: what a permission code, and grants beside it, mean for everybody but administrators, who may do everything. */
export function permissionWords(
  permissions: number,
  { group, wiki }: { group: GroupName | null | undefined; wiki: Wiki },
  grants: GrantsInWords = {},
  place: 'sentence' | 'within' = 'sentence',
): LocalText {
  // A group that a form names has no ID yet.
  const granted = [...(grants.groups?.values() ?? [])].find(
    (one) => one && group && groupKey(one.name) === groupKey(group.name),
  );
  return accessWords({ ...grants, permissions, group: granted ?? group ?? null }, wiki, place);
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
): LocalText {
  const access = permissionWords(permissions, { group, wiki }, grants);
  const opens =
    wiki.isPrivate &&
    may(null, 'read', { permissions, ownerId: 1, group: group ?? null }, { isPrivate: false });
  return opens ? say('access.opensOnceTheWikiIsPublic', { access }) : access;
}

/** Formats a permission code as three digits, such as `774` or `044`. */
export function permissionCode(permissions: unknown): string {
  return String(permissions).padStart(3, '0');
}

/** Returns a label such as `PDF` for a file without a thumbnail. */
export function fileKind(filename: string): string {
  return /\.([\p{L}\p{N}]{1,5})$/u.exec(filename)?.[1]?.toUpperCase() ?? 'FILE';
}
