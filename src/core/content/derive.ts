/**
 * Data derived from a page's content: links, tags, type, location, description, search terms. Derived only here, stored in the
 * transaction of the change, and rebuilt from the changes by `coppice rebuild`.
 */

import { moduleName, namedModules } from '@coppice/scribunto/names';
import { plainText, type References, references, type Tree } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { DerivedContent, DerivedFields, DerivedLink, ReadText } from '../model/derived.ts';
import { joinedStemsOf } from '../model/stems.ts';
import { joinedTermsOf } from '../model/terms.ts';
import { describe } from './description.ts';
import { programOf, shownBody } from './module-body.ts';
import { parseBody } from './parse-body.ts';

/**
 * Derives from the page's own source. Templates are recorded but not expanded, so a change affects only one page. Only the
 * links depend on the path, and only if `followsPath`.
 */
export function derive(content: DerivedFields, dialect: Dialect): DerivedContent {
  return deriveFrom(content, readContent(content, dialect), dialect);
}

/** Like `derive`, together with the parsed text, so that rendering need not parse it again. */
export function deriveAndRead(content: DerivedFields, dialect: Dialect): DerivedContent & { read: ReadText } {
  const read = readContent(content, dialect);
  return { ...deriveFrom(content, read, dialect), read };
}

function deriveFrom(
  content: DerivedFields,
  { tree, references: named }: ReadText,
  dialect: Dialect,
): DerivedContent {
  const language = content.language ?? dialect.language;
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
      stems: { title: joinedStemsOf(content.title, language), body: joinedStemsOf(text, language) },
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
