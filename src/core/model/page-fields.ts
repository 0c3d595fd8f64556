/**
 * Fields of a page's content: for each its initial value, how a given value is parsed, which stored values are valid, and
 * whether a rollback restores it. Input, comparison, rollback and verification are based on this table.
 */

import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { hasMoreBytes, hasMoreCharacters } from './bytes.ts';
import { withoutInvisible } from './invisible.ts';
import { languageOf } from './language-tag.ts';
import type { Content, Data, Format, Location } from './page.ts';
import { readNewPath, readPath } from './path.ts';
import { defaultPermissions, defaultPermissionsIn, readPermissionCode, type Wiki } from './permission.ts';
import { Problem } from './problem.ts';

export const maxTitleLength = 255;
export const maxDescriptionLength = 280;
const maxTypeLength = 255;
export const maxMessageLength = 1000;
const maxImageLength = 2048;
const maxDataBytes = 1_000_000;
/** Parsing that much takes one or two seconds, during which no other request is answered. */
export const maxBodyBytes = 4_000_000;
type Refuse = (detail: Words) => void;

interface PageField<Stored> {
  /** Value on a new page if none is given. */
  initial: Stored;
  /** Checks and normalises a value given by a caller. Absent if the field is given in another way. */
  read?(given: never, refuse: Refuse): Stored;
  /** An empty text counts as not given. */
  isIgnoredIfEmpty?: true;
  /** Whether a stored value is valid for this field. */
  isUsable(stored: unknown): boolean;
  /** Whether a rollback restores the value. It must not move a page or give access to others. */
  isRestored: boolean;
}

const isText = (stored: unknown) => typeof stored === 'string';
const isTextOrNone = (stored: unknown) => stored === null || isText(stored);
const isAnything = () => true;
const isDate = (stored: unknown) =>
  stored === undefined ||
  stored === null ||
  (typeof stored === 'string' &&
    /^[1-9]\d{3}-\d\d-\d\d$/.test(stored) &&
    new Date(`${stored}T00:00:00Z`).toJSON()?.slice(0, 10) === stored);
const isLanguage = (stored: unknown) =>
  stored === undefined || stored === null || (typeof stored === 'string' && languageOf(stored) === stored);

/** In the order in which changes are shown. */
export const pageFields = {
  title: { initial: '', read: readTitle, isUsable: isText, isRestored: true },
  slug: { initial: '', read: readSlug, isIgnoredIfEmpty: true, isUsable: isText, isRestored: false },
  path: { initial: '', read: readGivenPath, isIgnoredIfEmpty: true, isUsable: isText, isRestored: false },
  parent: { initial: null, isUsable: isTextOrNone, isRestored: false },
  description: { initial: null, read: readDescription, isUsable: isTextOrNone, isRestored: true },
  type: { initial: null, read: readType, isUsable: isTextOrNone, isRestored: true },
  permissions: {
    initial: defaultPermissions,
    read: readPermissions,
    isUsable: Number.isInteger,
    isRestored: false,
  },
  location: { initial: null, read: readLocation, isUsable: isAnything, isRestored: true },
  format: { initial: 'wikitext', read: (format: Format) => format, isUsable: isAnything, isRestored: true },
  data: { initial: {}, read: readData, isUsable: isAnything, isRestored: true },
  image: { initial: null, read: readImage, isUsable: isTextOrNone, isRestored: true },
  language: { initial: null, read: readLanguage, isUsable: isLanguage, isRestored: true },
  reviewBy: { initial: null, read: readDate, isUsable: isDate, isRestored: false },
  verifiedOn: { initial: null, read: readDate, isUsable: isDate, isRestored: false },
  responsible: {
    initial: null,
    read: (id: number | null) => id,
    isUsable: (stored) => stored === undefined || stored === null || Number.isSafeInteger(stored),
    isRestored: false,
  },
  comments: {
    initial: undefined,
    read: readCommenters,
    isUsable: (stored) => stored === undefined || stored === 'off' || stored === 'writers',
    isRestored: false,
  },
  body: { initial: '', read: readBody, isUsable: isText, isRestored: true },
  msg: { initial: '', read: readMessage, isUsable: isText, isRestored: false },
} satisfies { [F in FieldName]: PageField<Content[F]> };

/** Files are changed by `attach-files.ts`, groups by `page-group.ts`, grants by `features/access`. */
export type FieldName = Exclude<keyof Content, 'files' | 'group' | 'defaults' | 'grants'>;
export const fieldNames = Object.keys(pageFields) as FieldName[];

type GivenName = Exclude<FieldName, 'parent'>;
/** Fields as callers give them: null or an empty text means that the value follows from the body. */
export type GivenFields = { [F in GivenName]?: Parameters<(typeof pageFields)[F]['read']>[0] };

/** Content of a new page for which nobody gave anything. */
export function initialContent(wiki: Wiki): Pick<Content, FieldName> {
  const entries = fieldNames.map((name) => [name, structuredClone(pageFields[name].initial)]);
  return { ...Object.fromEntries(entries), permissions: defaultPermissionsIn(wiki) };
}

/** Values that a rollback to a change restores, including files. */
export function restoredContent(content: Content): Partial<Content> {
  const restored = fieldNames.filter((name) => pageFields[name].isRestored);
  return {
    ...Object.fromEntries(restored.map((name) => [name, content[name]])),
    files: content.files ?? [],
  };
}

/** The given fields, checked and normalised. */
export function readGiven(
  input: GivenFields,
  refuse: (field: FieldName, detail: Words) => void,
): Partial<Pick<Content, GivenName>> {
  const given: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const field: PageField<unknown> = pageFields[name];
    const value = (input as Record<string, unknown>)[name];
    if (value === undefined || !field.read) continue;
    if (field.isIgnoredIfEmpty && String(value).trim() === '') continue;
    const read = field.read(value as never, (detail) => refuse(name, detail));
    given[name] = read;
    // PostgreSQL text cannot contain NUL or unpaired surrogates, so they are refused here. Paths have rules of their own.
    if (name !== 'path' && typeof read === 'string' && !(read.isWellFormed() && !read.includes('\0')))
      refuse(name, say('problem.theTextMustBeWellFormedUnicode'));
  }
  return given;
}

function readTitle(text: string, refuse: Refuse): string {
  const title = withoutInvisible(text).normalize('NFC').trim();
  if (title === '') refuse(say('problem.aPageNeedsATitle'));
  else if (hasMoreCharacters(title, maxTitleLength))
    refuse(say('problem.aTitleCanHaveAtMostCharacters', { maxTitleLength }));
  else if (/\p{Cc}/u.test(title)) refuse(say('problem.aTitleCannotContainControlCharacters'));
  return title;
}

function readDescription(text: string | null, refuse: Refuse): string | null {
  const description = text?.trim() || null;
  if (description && hasMoreCharacters(description, maxDescriptionLength))
    refuse(say('problem.aDescriptionCanHaveAtMostCharacters', { maxDescriptionLength }));
  return description;
}

function readSlug(text: string, refuse: Refuse): string {
  const slug = text.normalize('NFC').trim();
  const read = readNewPath(`/${slug}`);
  if (slug.includes('/')) refuse(say('problem.aSlugIsOneSegmentOfA'));
  else if ('problem' in read) refuse(read.problem);
  return slug;
}

function readGivenPath(text: string, refuse: Refuse): string {
  const read = readPath(text);
  if ('path' in read) return read.path;
  refuse(read.problem);
  return text;
}

function readBody(text: string): string {
  const body = normaliseSource(text);
  if (hasMoreBytes(body, maxBodyBytes)) throw new Problem('too-large', say('problem.theBodyOfAPageCanHave'));
  return body;
}

function readType(text: string | null, refuse: Refuse): string | null {
  const type = text?.normalize('NFC').trim() || null;
  if (type && (hasMoreCharacters(type, maxTypeLength) || /\p{Cc}/u.test(type)))
    refuse(say('problem.aTypeCanHaveAtMostCharacters', { maxTypeLength }));
  return type;
}

function readPermissions(value: number | string, refuse: Refuse): number {
  const code = readPermissionCode(value);
  if (code !== undefined) return code;
  refuse(say('problem.permissionsMustBeThreeOctalDigits0'));
  return 0;
}

/** Nothing is stored for all members, as on pages that were written before there were comments. */
function readCommenters(given: 'off' | 'members' | 'writers'): Content['comments'] {
  return given === 'members' ? undefined : given;
}

function readData(data: Data, refuse: Refuse): Data {
  if (hasMoreBytes(JSON.stringify(data), maxDataBytes))
    refuse(say('problem.structuredDataCanHaveAtMostBytes', { maxDataBytes }));
  return data;
}

function readImage(text: string | null, refuse: Refuse): string | null {
  const image = text?.trim() || null;
  if (image && image.length > maxImageLength)
    refuse(say('problem.anImageAddressCanHaveAtMost', { maxImageLength }));
  return image;
}

/** A day, as `2026-05-01`. */
function readDate(text: string | null, refuse: Refuse): string | null {
  const date = text?.trim() || null;
  if (isDate(date)) return date;
  refuse(say('problem.aDateMustBeADaySuch'));
  return null;
}

function readLanguage(text: string | null, refuse: Refuse): string | null {
  const tag = text?.trim() || null;
  const language = tag && languageOf(tag);
  if (language === undefined) refuse(say('problem.aLanguageMustBeABcp47'));
  return language ?? null;
}

function readLocation(location: Location | false | null, refuse: Refuse): Location | false | null {
  if (!location) return location;
  const { lat, lon } = location;
  const isPoint = Number.isFinite(lat) && Number.isFinite(lon) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  if (!isPoint) refuse(say('problem.aLocationMustBeWithLatFrom'));
  return { lat, lon };
}

function readMessage(msg: string, refuse: Refuse): string {
  if (hasMoreCharacters(msg, maxMessageLength))
    refuse(say('problem.aMessageCanHaveAtMostCharacters', { maxMessageLength }));
  return msg;
}

/** Returns the text without a byte order mark and with `\n` as its only line end. */
export function normaliseSource(text: string): string {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
}

/** Whether two values of a field are equal. Older changes lack fields that are null now. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // Bodies are strings, too long to be written as JSON only to be compared.
  if (typeof a === 'string' && typeof b === 'string') return false;
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
