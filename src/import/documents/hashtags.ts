/**
 * Tags within texts: `#tree`, `#tree/oak`, and in Logseq `#[[old tree]]`. They become tags in the front matter, besides those
 * that it has; the text stays. In code, headings, comments, formulas, links and addresses a number sign makes no tag.
 */
import { readFrontMatter } from '@coppice/markdown';
import { isSeq, parseDocument } from 'yaml';
import type { Approximation, Kind } from '../source.ts';
import { outsideCode } from './terms/tags.ts';

/** Programs in which a number sign makes a tag. */
const programs: ReadonlySet<Kind> = new Set<Kind>(['obsidian', 'quartz', 'foam', 'dendron', 'logseq']);
const maxTags = 500;
const heading = /^[ \t>*+-]*#{1,6}(?:[ \t].*|$)/gm;
/** Comments and formulas. */
const closed = [
  ['%%', '%%'],
  ['<!--', '-->'],
  ['$$', '$$'],
] as const;
/** Priorities of tasks, formulas in a line, links and addresses, which may hold number signs. */
const other =
  /\[#[A-Z]\]|\$[^$\n]{1,300}\$|(?<!#)\[\[[^[\]\n]{0,300}\]\]|\]\([^()\n]{0,500}\)|\b[a-z][a-z\d+.-]{1,20}:\/\/\S{1,2000}|<[^<>\n]{1,300}>/gi;
const tag =
  /(?<![^\s([{,;«“"'])#(?:\[\[([^[\]#|\n]{1,100})\]\]|([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]{1,100}))/gu;

export function withHashtags(body: string, kind: Kind, approximated: Approximation[]): string {
  if (!programs.has(kind) || !body.includes('#')) return body;
  const front = readFrontMatter(body);
  const found = hashtagsIn(body.slice(front?.end ?? 0), kind);
  if (found.length === 0) return body;
  const known = new Set(namesOf(front?.facts.tags).map(folded));
  const added = found.filter((name) => !known.has(folded(name)));
  if (added.length === 0) return body;
  const after = withTags(body, front?.end, added);
  if (after === undefined) return body;
  approximated.push({
    construct: 'tags in the text, which are now also tags of the page',
    before: added.map((name) => `#${name}`).join(' '),
    after: `tags: [${added.join(', ')}]`,
  });
  return after;
}

export function hashtagsIn(text: string, kind: Kind): string[] {
  const found = new Map<string, string>();
  outsideCode(withoutIndentedCode(text), (part) => {
    const visible = closed.reduce((rest, [open, close]) => without(rest, open, close), part);
    const plain = visible.replace(other, ' x ').replace(heading, '');
    for (const [, long, short = ''] of plain.matchAll(tag)) {
      const name = (long ?? short).trim().replace(/^\/+|\/+$/g, '');
      // A number alone is no tag, and words in brackets are one only in Logseq.
      if (name === '' || /^\p{N}+$/u.test(name) || (long !== undefined && kind !== 'logseq')) continue;
      if (found.size < maxTags && !found.has(folded(name))) found.set(folded(name), name);
    }
    return part;
  });
  return [...found.values()];
}

function without(text: string, open: string, close: string): string {
  let out = '';
  for (let at = 0; ; ) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return out + text.slice(at);
    out += `${text.slice(at, start)} x `;
    at = end + close.length;
  }
}

/** Indented lines after an empty one are code, unless they belong to a list. */
function withoutIndentedCode(text: string): string {
  let [isList, isAfterEmpty] = [false, true];
  const lines = text.split('\n').filter((line) => {
    if (line.trim() === '') {
      isAfterEmpty = true;
      return true;
    }
    const isIndented = /^(?: {4}|\t)/.test(line);
    if (!isIndented) isList = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(line) || (isList && /^ /.test(line));
    const isCode = isIndented && isAfterEmpty && !isList;
    if (!isCode) isAfterEmpty = false;
    return !isCode;
  });
  return lines.join('\n');
}

/** Undefined if the front matter is none of YAML. */
function withTags(body: string, end: number | undefined, added: readonly string[]): string | undefined {
  if (end === undefined) return `---\ntags: ${JSON.stringify(added)}\n---\n\n${body}`;
  const [, yaml = ''] = /^---[ \t]*\n([\s\S]*?)^---[ \t]*$/m.exec(body.slice(0, end)) ?? [];
  if (!body.startsWith('---')) return undefined;
  const document = parseDocument(yaml);
  if (document.errors.length > 0) return undefined;
  const tags = document.get('tags');
  if (isSeq(tags)) for (const name of added) tags.add(document.createNode(name));
  else document.set('tags', [...namesOf(tags), ...added]);
  return `---\n${document.toString({ lineWidth: 0 })}---\n${body.slice(end)}`;
}

function namesOf(tags: unknown): string[] {
  const list = typeof tags === 'string' ? tags.split(/[,\s]+/) : [tags].flat();
  return list.flatMap((one) => (typeof one === 'string' ? one.replace(/^#/, '').trim() || [] : []));
}

function folded(name: string): string {
  return name.toLowerCase();
}
