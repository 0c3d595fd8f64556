/**
 * Data derived from a page's content: links, tags, type, location, description, search terms. Derived only here, stored in the
 * transaction of the change, and rebuilt from the changes by `coppice rebuild`.
 */
import { moduleName, namedModules } from '@coppice/scribunto/names';
import { plainText, type References, references, type Tree } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { Content, Location } from '../pages/page.ts';
import { joinedTermsOf } from '../search/terms.ts';
import { describe } from './description.ts';
import { programOf, shownBody } from './module-body.ts';
import { parseBody, type ReadText } from './parse-body.ts';

export interface DerivedLink {
  /** `template`: a call of a template, or a call of a module as `Module:X`, by a page or by another module. */
  kind: 'page' | 'template' | 'file';
  /** Target as written, normalised (white space, NFC): a path if it starts with `/`, else a title. */
  target: string;
  /** Number of occurrences on the page. */
  count: number;
}

export interface Derived {
  links: DerivedLink[];
  /** In order of appearance; keys lower case. */
  tags: { key: string; value: string }[];
  /**
   * Search terms in the order of the text, separated by spaces: title first, then the body's plain text, as
   * `domain/search/terms.ts` splits them.
   */
  terms: string;
}

/** Values shown for a page if nobody set them. */
export interface Shown {
  description: string;
  type: string | null;
  location: Location | null;
}

/** Fields from which data is derived. */
export const derivedFields = ['body', 'format', 'path', 'title', 'type', 'location', 'description'] as const;

export type DerivedFields = Pick<Content, (typeof derivedFields)[number]>;

export interface DerivedContent {
  shown: Shown;
  derived: Derived;
  followsPath: boolean;
  /** Sentence about the limit that the text exceeds. */
  excess?: string;
}

/** Derives data on a thread of its own if that takes long. The parsed text is returned only if it was parsed here. */
export type Derive = (content: DerivedFields) => Promise<DerivedContent & { read?: ReadText }>;

/**
 * Derives from the page's own source. Templates are recorded but not expanded, so a change affects only one page. Only the
 * links depend on the path, and only if `followsPath`.
 */
export function derive(content: DerivedFields, dialect: Dialect): DerivedContent {
  return deriveFrom(content, readContent(content, dialect));
}

/** Like `derive`, together with the parsed text, so that rendering need not parse it again. */
export function deriveAndRead(content: DerivedFields, dialect: Dialect): DerivedContent & { read: ReadText } {
  const read = readContent(content, dialect);
  return { ...deriveFrom(content, read), read };
}

function deriveFrom(content: DerivedFields, { tree, references: named }: ReadText): DerivedContent {
  const text = plainText(tree);
  const location = content.location === false ? null : (content.location ?? named.location ?? null);
  const type = content.type ?? named.type ?? (location ? 'Place' : null);
  return {
    shown: {
      description:
        content.description ?? describe(tree.description ?? (leadOf(tree, named, content) || text)),
      type,
      location,
    },
    derived: {
      links: linksOf({ ...content, type }, named),
      tags: named.tags,
      terms: joinedTermsOf(`${content.title}\n${text}`),
    },
    followsPath: named.followsPath,
    ...(tree.excess === undefined ? {} : { excess: tree.excess }),
  };
}

function readContent(content: DerivedFields, dialect: Dialect): ReadText {
  const { format, path } = content;
  const tree = parseBody(shownBody(content), format, path, rulesOf(dialect));
  return { tree, references: references(tree) };
}

/** Text before the first heading, which describes the page; empty if the page begins with a heading. */
function leadOf(tree: Tree, named: References, { format, path }: DerivedFields): string {
  const [first] = named.sections;
  if (!first) return '';
  const at = tree.children.findIndex(({ start }) => start >= first.start);
  const isWithin = tree.children[at] !== tree.headings[0];
  // If the heading is inside another element, the text before it is parsed separately.
  if (isWithin)
    return plainText(parseBody(tree.source.slice(0, first.start), format, path, tree.rules)).trim();
  return plainText({ ...tree, children: tree.children.slice(0, at) }).trim();
}

function linksOf(content: DerivedFields, named: References): DerivedLink[] {
  const called = named.modules.flatMap((name) => moduleName(`Module:${name}`) ?? []);
  const templates = new Set([...named.templates, ...called, ...namedModules(programOf(content))]);
  return [
    ...named.links.map(({ target, count }) => ({ kind: 'page' as const, target, count })),
    ...[...templates].map((target) => ({ kind: 'template' as const, target, count: 1 })),
    ...named.files.map((target) => ({ kind: 'file' as const, target, count: 1 })),
  ];
}

/** Tags in the form of the interface: key → values in order. Keys such as `__proto__` are ordinary keys. */
export function groupTags(tags: { key: string; value: string }[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { key, value } of tags) {
    const values = groups.get(key);
    if (values) values.push(value);
    else groups.set(key, [value]);
  }
  return Object.fromEntries(groups);
}
