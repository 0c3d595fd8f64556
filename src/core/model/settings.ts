/**
 * Settings of the site that administrators change while it runs, in contrast to those that only the environment decides. This file
 * has their types and rules; every way to write a setting goes through `problemOf`.
 */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { languageOf } from './language-tag.ts';
import type { Format } from './page.ts';
import { readPath } from './path.ts';
import { allInvalid, fieldError, Problem } from './problem.ts';
import { pictureBytes, readSitePicture, type SitePicture } from './site-picture.ts';
import { maxSynonymGroups, maxSynonymLength, maxSynonymsOfGroup, readSynonyms } from './synonyms.ts';
import { phraseIn } from './terms.ts';

export const signUpModes = ['invitation', 'approval', 'open'] as const;
/** Kinds of submissions from people without an account; moderators decide. */
export const strangerModes = ['off', 'comments', 'proposals'] as const;
export const siteFormats = ['wikitext', 'markdown'] as const satisfies Format[];
/** Fonts of texts and headings: bundled ones, or that of the reader's device. */
export const siteFonts = ['serif', 'sans', 'device'] as const;

/** `to`: path of a page, such as `/handbook`, or an address with `https:`, `http:` or `mailto:`. */
export interface SiteLink {
  label: string;
  to: string;
}

export interface Announcement {
  text: string;
  /** ISO 8601; null: until somebody removes it. */
  until: string | null;
}

export interface Settings {
  name: string;
  /** Language of the wiki's texts, BCP 47. */
  language: string;
  /** Whether only members read anything: the world's digit of every page counts as 0. */
  private: boolean;
  /** Whether a running server refuses all writes but changes of settings. Commands still write. */
  readOnly: boolean;
  /** Path of the page shown at `/`. */
  home: string;
  /** Format of new pages that state none. */
  format: Format;
  signUp: (typeof signUpModes)[number];
  /** `comments`: people without an account may comment; `proposals`: they may also propose changes. */
  strangers: (typeof strangerModes)[number];
  /** `#rrggbb`; null: the colour of Coppice. */
  accent: string | null;
  font: (typeof siteFonts)[number];
  /** Rules after the style sheet of the site. */
  css: string;
  /** Links in the header. */
  menu: SiteLink[];
  /** Links in the footer. */
  footer: SiteLink[];
  /** Licence of the contents. */
  licence: { name: string; url: string } | null;
  /** Page or address that says who is responsible for the site. */
  imprint: string | null;
  /** Page or address that says how personal data is treated. */
  privacy: string | null;
  announcement: Announcement | null;
  /** Whether reads of pages and searches that find nothing are counted for the reports. */
  statistics: boolean;
  /** Whether links to other sites are checked for the reports. */
  checkLinks: boolean;
  /** Groups of words or phrases that mean the same, separated by commas: a search for one of a group finds the others. */
  synonyms: string[];
  /** Shown beside the name, in the light theme and where the dark one has none. */
  logo: SitePicture | null;
  logoDark: SitePicture | null;
  /** Icon of browser tabs. */
  icon: SitePicture | null;
}

export type SettingName = keyof Settings;

interface Rule<T> {
  initial: T;
  /** Value that counts instead of a damaged one, if it is not the initial one. */
  ifDamaged?: T;
  /** A sentence about why a value cannot be this setting; undefined if it can. */
  problemOf(value: unknown): Words | undefined;
}

export const maxLinks = 20;
const maxCssLength = 50_000;

/** Settings in the order in which they are listed. Damage never opens a wiki. */
export const settingRules: { [N in SettingName]: Rule<Settings[N]> } = {
  name: { initial: 'Coppice', problemOf: (value) => textProblem(value, 'name', 100) },
  language: {
    initial: 'en',
    problemOf: (value) =>
      typeof value === 'string' && languageOf(value) === value
        ? undefined
        : say('problem.aLanguageMustBeATagSuch'),
  },
  private: {
    initial: false,
    ifDamaged: true,
    problemOf: flagProblem,
  },
  readOnly: {
    initial: false,
    problemOf: flagProblem,
  },
  home: { initial: '/home', problemOf: pathProblem },
  format: { initial: 'wikitext', problemOf: (value) => choiceProblem(value, siteFormats) },
  signUp: { initial: 'invitation', problemOf: (value) => choiceProblem(value, signUpModes) },
  strangers: { initial: 'off', problemOf: (value) => choiceProblem(value, strangerModes) },
  accent: {
    initial: null,
    problemOf: (value) =>
      unless(
        value === null || (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)),
        say('problem.aColourMustBeAndSixHexadecimal'),
      ),
  },
  font: { initial: 'serif', problemOf: (value) => choiceProblem(value, siteFonts) },
  css: { initial: '', problemOf: cssProblem },
  menu: { initial: [], problemOf: linksProblem },
  footer: { initial: [], problemOf: linksProblem },
  licence: { initial: null, problemOf: (value) => (value === null ? undefined : licenceProblem(value)) },
  imprint: { initial: null, problemOf: (value) => (value === null ? undefined : targetProblem(value)) },
  privacy: { initial: null, problemOf: (value) => (value === null ? undefined : targetProblem(value)) },
  announcement: {
    initial: null,
    problemOf: (value) => (value === null ? undefined : announcementProblem(value)),
  },
  statistics: { initial: false, problemOf: flagProblem },
  checkLinks: { initial: false, problemOf: flagProblem },
  synonyms: { initial: [], problemOf: synonymsProblem },
  logo: { initial: null, problemOf: pictureProblem },
  logoDark: { initial: null, problemOf: pictureProblem },
  icon: { initial: null, problemOf: pictureProblem },
};

/**
 * Settings that an export of the whole wiki takes along: those that somebody chose. A wiki that is read-only for an update is not
 * so elsewhere.
 */
export function chosenSettings(settings: Readonly<Settings>): Partial<Settings> {
  const names = settingNames.filter(
    (name) => name !== 'readOnly' && !isSame(settings[name], settingRules[name].initial),
  );
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/**
 * The settings of an export that a wiki takes over, with a sentence about each one that it does not. Opens no private wiki, makes none
 * read-only, and changes nothing that the environment decides.
 */
export function readExported(
  given: Readonly<Record<string, unknown>>,
  current: Readonly<Settings>,
  fixed: Readonly<Partial<Settings>>,
): { taken: Partial<Settings>; refused: { name: string; why: string }[] } {
  const taken: Partial<Settings> = {};
  const refused: { name: string; why: string }[] = [];
  for (const [name, value] of Object.entries(given)) {
    const one = { [name]: value } as Partial<Settings>;
    try {
      if (!Object.hasOwn(settingRules, name)) refused.push({ name, why: 'this version has no such setting' });
      else if (name !== 'readOnly' && (name !== 'private' || value !== false))
        Object.assign(taken, changedSettings(one, current, fixed));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.push({ name, why: error.errors?.[0]?.detail ?? error.message });
    }
  }
  return { taken, refused };
}

/** Environment variables that can decide a setting instead of administrators. */
export const settingVariables: Partial<Record<SettingName, string>> = {
  name: 'COPPICE_NAME',
  language: 'COPPICE_LANGUAGE',
  private: 'COPPICE_PRIVATE',
  home: 'COPPICE_HOME',
  format: 'COPPICE_FORMAT',
  signUp: 'COPPICE_SIGN_UP',
};

export const settingNames = Object.keys(settingRules) as SettingName[];

export const initialSettings = Object.fromEntries(
  settingNames.map((name) => [name, settingRules[name].initial]),
) as unknown as Settings;

/**
 * The given settings that differ from the current ones, in their usual form. Refuses `invalid`, naming every setting that is wrong
 * or that the environment decides otherwise. `pointerTo`: how the caller's form names its fields.
 */
export function changedSettings(
  given: Readonly<Partial<Settings>>,
  current: Readonly<Settings>,
  fixed: Readonly<Partial<Settings>>,
  pointerTo = '/',
): Partial<Settings> {
  const names = settingNames.filter((name) => given[name] !== undefined);
  const tidied = names.map((name) => [name, tidy(name, given[name])] as const);
  const errors = tidied.flatMap(([name, value]) => {
    const detail = settingRules[name].problemOf(value) ?? fixedProblem(name, value, fixed);
    return detail === undefined ? [] : [fieldError(`${pointerTo}${name}`, detail)];
  });
  if (errors.length > 0) throw allInvalid(errors);
  return Object.fromEntries(tidied.filter(([name, value]) => !isSame(value, current[name])));
}

function fixedProblem(
  name: SettingName,
  value: unknown,
  fixed: Readonly<Partial<Settings>>,
): Words | undefined {
  if (fixed[name] === undefined || isSame(value, fixed[name])) return undefined;
  return say('problem.anEnvironmentVariableDefinesThisSetting', { variable: settingVariables[name] });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The usual form of a value: people write `start` for `/start`, and `pt-br` for `pt-BR`. */
function tidy(name: SettingName, value: unknown): unknown {
  if (name === 'css') return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;
  if (isPicture(name))
    return value === null || 'problem' in readSitePicture(value) ? value : readSitePicture(value);
  if (name === 'synonyms') return tidySynonyms(value);
  if (Array.isArray(value)) return value.slice(0, maxLinks + 1).map((one) => trimmed(one));
  if (typeof value !== 'string') return trimmed(value);
  const text = value.trim();
  if (name === 'language') return languageOf(text) ?? text;
  if (name === 'accent') return text.toLowerCase();
  const read = name === 'home' ? readPath(text) : undefined;
  return read && 'path' in read ? read.path : text;
}

/** The known fields of an object, without spaces around their text. An announcement without an end has `until: null`. */
function trimmed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { until = null, ...others } = value as Record<string, unknown>;
  const named = ['label', 'to', 'name', 'url', 'text'].flatMap((key) => {
    const text = others[key];
    return text === undefined ? [] : [[key, typeof text === 'string' ? text.trim() : text]];
  });
  return Object.fromEntries([...named, ...('text' in others ? [['until', until]] : [])]);
}

/** The announcement, unless it has ended. */
export function announcementAt({ announcement }: Settings, now: number): Announcement | undefined {
  if (announcement === null) return undefined;
  return announcement.until === null || Date.parse(announcement.until) > now ? announcement : undefined;
}

/** A setting for the audit log: short, and without line breaks. */
export function shortSetting(value: Settings[SettingName]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (value !== null && typeof value === 'object' && 'data' in value)
    return `${value.type}, ${pictureBytes(value)} bytes`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^(?:|null|\[\])$/.test(text)) return 'none';
  const line = text.replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line;
}

export const pictureNames = ['logo', 'logoDark', 'icon'] as const satisfies SettingName[];

/** Whether the setting is a picture, which is uploaded and not written. */
export function isPicture(name: string): name is (typeof pictureNames)[number] {
  return (pictureNames as readonly string[]).includes(name);
}

function pictureProblem(value: unknown): Words | undefined {
  if (value === null) return undefined;
  const read = readSitePicture(value);
  return 'problem' in read ? read.problem : undefined;
}

function unless(isRight: boolean, problem: Words): Words | undefined {
  return isRight ? undefined : problem;
}

function flagProblem(value: unknown): Words | undefined {
  return unless(typeof value === 'boolean', say('problem.thisMustBeTrueOrFalse'));
}

function choiceProblem(value: unknown, choices: readonly string[]): Words | undefined {
  return unless(
    choices.includes(value as string),
    say('problem.thisMustBeOneOf', { choices: choices.join(', ') }),
  );
}

type NamedText = 'name' | 'link' | 'licence' | 'announcement';

function textProblem(value: unknown, what: NamedText, maxLength: number): Words | undefined {
  if (typeof value !== 'string' || value.trim() === '') return say('problem.textIsRequired', { what });
  if ([...value].length > maxLength) return say('problem.textCanHaveAtMost', { what, maxLength });
  return unless(
    !/\p{Cc}/u.test(value) && value.isWellFormed(),
    say('problem.textCannotContainControlCharacters', { what }),
  );
}

function pathProblem(value: unknown): Words | undefined {
  if (typeof value !== 'string') return say('problem.thisMustBeThePathOfA');
  const read = readPath(value);
  if ('problem' in read) return read.problem;
  return unless(read.path === value, say('problem.thisMustBeThePathOfA2', { path: read.path }));
}

/** Other schemes, such as `javascript:`, could run scripts. */
function targetProblem(value: unknown): Words | undefined {
  const problem = say('problem.aLinkMustLeadToAPage');
  if (typeof value !== 'string' || value.length > 1000 || /[\p{Cc}\s\\]/u.test(value)) return problem;
  if (/^\/(?!\/)/.test(value)) return undefined;
  return unless(/^(?:https?:\/\/[^/]|mailto:[^@]+@)/i.test(value) && URL.canParse(value), problem);
}

function linksProblem(value: unknown): Words | undefined {
  if (!Array.isArray(value)) return say('problem.thisMustBeAListOfLinks');
  if (value.length > maxLinks) return say('problem.thereCanBeAtMostLinks', { maxLinks });
  for (const link of value) {
    const { label, to } = (link ?? {}) as Partial<SiteLink>;
    const problem = textProblem(label, 'link', 60) ?? targetProblem(to);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function tidySynonyms(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .slice(0, maxSynonymGroups + 1)
    .map((group) => (typeof group === 'string' ? readSynonyms(group).join(', ') : group));
}

function synonymsProblem(value: unknown): Words | undefined {
  if (!Array.isArray(value) || value.some((group) => typeof group !== 'string'))
    return say('problem.synonymsMustBeGroups');
  if (value.length > maxSynonymGroups)
    return say('problem.tooManyGroupsOfSynonyms', { most: maxSynonymGroups });
  for (const group of value as string[]) {
    const words = readSynonyms(group);
    if (words.length < 2 || words.length > maxSynonymsOfGroup)
      return say('problem.aGroupOfSynonyms', { most: maxSynonymsOfGroup, group: group.slice(0, 100) });
    const wrong = words.find((word) => !isSynonym(word));
    if (wrong !== undefined)
      return say('problem.aSynonymMustBeWords', { most: maxSynonymLength, synonym: wrong.slice(0, 100) });
  }
  return undefined;
}

function isSynonym(word: string): boolean {
  const isPlain = word.isWellFormed() && !/\p{Cc}/u.test(word) && [...word].length <= maxSynonymLength;
  return isPlain && phraseIn(word).terms.length > 0;
}

function licenceProblem(value: unknown): Words | undefined {
  const { name, url } = (value ?? {}) as { name?: unknown; url?: unknown };
  const problem = textProblem(name, 'licence', 100);
  if (problem !== undefined || url) return problem ?? targetProblem(url);
  return say('problem.aLicenceNeedsItsAddress');
}

function announcementProblem(value: unknown): Words | undefined {
  const { text, until } = (value ?? {}) as { text?: unknown; until?: unknown };
  const problem = textProblem(text, 'announcement', 500);
  if (problem !== undefined || until === null) return problem;
  return unless(
    typeof until === 'string' && !Number.isNaN(Date.parse(until)),
    say('problem.theEndOfAnAnnouncementMustBe'),
  );
}

/** The content security policy lets nothing be loaded from elsewhere; rules that try it are refused, so that nobody wonders. */
function cssProblem(value: unknown): Words | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return say('problem.thisMustBeAStyleSheet');
  if (value.length > maxCssLength) return say('problem.aStyleSheetCanHaveAtMost', { maxCssLength });
  const rules = value.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
  if (/@import/i.test(rules)) return say('problem.styleSheetsCannotBeImportedPutThe');
  const isForeign = /url\(\s*["']?\s*(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(
    rules.replace(/url\(\s*["']?\s*data:image\//gi, ''),
  );
  return unless(!isForeign, say('problem.picturesMustComeFromThisWiki'));
}

/** Settings of the wiki. `role`: role of members who sign up. */
export interface SignUpRules {
  readonly mode: Settings['signUp'];
  role: 'reader' | 'writer';
}
