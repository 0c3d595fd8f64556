/**
 * Reads files of Org mode, as graphs of Logseq may have them, as Logseq's Markdown: headlines are blocks.
 *
 *   #+title: Oak                  title:: Oak
 *   * A /tree/ [[Elm][elm]]       - A *tree* [[Elm|elm]]
 *   :PROPERTIES:                    id:: 65a1…
 *   :id: 65a1…
 *   :END:
 *   ** TODO =code= :wood:           - TODO `code` #wood
 */
import type { Approximation } from '../source.ts';

const headline = /^(\*+)[ \t]+(.*?)(?:[ \t]+:([\p{L}\p{N}_@#%:]{1,200}):)?[ \t]*$/u;
const property = /^[ \t]*:([\w.-]{1,100}):(?:[ \t]+(.*?))?[ \t]*$/;
const keyword = /^[ \t]*#\+([\w-]{1,60}):[ \t]*(.*?)[ \t]*$/;
const beginning = /^([ \t]*)#\+begin_(\w+)(.*)$/i;
const isPicture = /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp)$/i;
/** Keywords that Logseq or Org show, or that state facts of the page. */
const facts = /^(?:title|alias|aliases|tags|filetags|description|date|author|public|type)$/i;

/** Each line is indented by its headline. */
const deepest = 40;

type Named = (before: string, after: string) => void;

export function orgToMarkdown(text: string): { text: string; approximated: Approximation[] } {
  const approximated: Approximation[] = [];
  const named: Named = (before, after) => {
    approximated.push({
      construct: 'markup of Org mode',
      before: before.slice(0, 500),
      after: after.slice(0, 500),
    });
  };
  const lines = text.split('\n');
  const endAfter = endsIn(lines);
  const head: string[] = [];
  const out: string[] = [];
  let lead = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, stars = '', words = '', tags = ''] = headline.exec(line) ?? [];
    if (stars !== '') {
      lead = '  '.repeat(Math.min(stars.length, deepest));
      const marks = tags.split(':').filter(Boolean);
      out.push(`${lead.slice(2)}- ${[inMarkdown(words), ...marks.map((tag) => `#${tag}`)].join(' ')}`);
      continue;
    }
    const drawer = /^[ \t]*:(PROPERTIES|LOGBOOK):[ \t]*$/i.exec(line)?.[1]?.toUpperCase();
    const end = drawer === undefined ? undefined : endAfter(':END:', at);
    if (end !== undefined) {
      const stated = drawer === 'PROPERTIES' ? lines.slice(at + 1, end) : [];
      const shown = stated.flatMap((one) => {
        const [, name = '', value = ''] = property.exec(one) ?? [];
        return name === '' ? [] : [`${name.toLowerCase()}:: ${value}`];
      });
      for (const one of shown) (lead === '' ? head : out).push(lead + one);
      if (drawer === 'LOGBOOK') named(lines.slice(at, end + 1).join('\n'), '');
      at = end;
      continue;
    }
    const [, indent = '', name, rest = ''] = beginning.exec(line) ?? [];
    const close = name === undefined ? undefined : endAfter(name, at);
    if (name !== undefined && close !== undefined) {
      const isText = !/^(?:src|example|export|comment)$/i.test(name);
      const inner = lines
        .slice(at + 1, close)
        .map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one))
        .map((one) => (isText ? inMarkdown(one) : one.replace(/^,(?=[*#,])/, '')));
      for (const one of [[`#+BEGIN_${name}${rest}`], inner, [`#+END_${name}`]].flat()) out.push(lead + one);
      at = close;
      continue;
    }
    const [, key, value = ''] = keyword.exec(line) ?? [];
    if (key !== undefined) {
      const fact = /^filetags$/i.test(key) ? 'tags' : key.toLowerCase();
      const list =
        fact === 'tags'
          ? value
              .split(/[:,\s]+/)
              .filter(Boolean)
              .join(', ')
          : value;
      if (facts.test(key)) head.push(`${fact}:: ${list}`);
      else named(line, '');
      continue;
    }
    if (/^[ \t]*#(?:[ \t]|$)/.test(line)) {
      named(line, '');
      continue;
    }
    out.push(
      ...lineInMarkdown(line, {
        before: lines[at - 1] ?? '',
        after: lines[at + 1] ?? '',
        isSecond: isRow(lines[at - 1]) && !isRow(lines[at - 2]),
      }).map((one) => (one === '' ? '' : lead + one)),
    );
  }
  return { text: [...new Set(head), ...(head.length > 0 ? [''] : []), ...out].join('\n'), approximated };
}

/** Finds the next line that ends a drawer, or a block of a name, behind a line. Asked from the top to the bottom. */
function endsIn(lines: readonly string[]): (name: string, at: number) => number | undefined {
  const ends = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const [, drawer, name] = /^[ \t]*(?:(:END:)|#\+end_(\w+))[ \t]*$/i.exec(line) ?? [];
    const key = (drawer ?? name)?.toLowerCase();
    if (key === undefined) continue;
    const known = ends.get(key);
    if (known) known.push(at);
    else ends.set(key, [at]);
  }
  for (const list of ends.values()) list.reverse();
  return (name, at) => {
    const list = ends.get(name.toLowerCase()) ?? [];
    while ((list.at(-1) ?? lines.length) <= at) list.pop();
    return list.at(-1);
  };
}

function isRow(line = ''): boolean {
  return /^[ \t]*\|/.test(line);
}

/** `isSecond`: whether the line is the second of a table. */
function lineInMarkdown(
  line: string,
  { before, after, isSecond }: { before: string; after: string; isSecond: boolean },
): string[] {
  if (/^[ \t]*-{5,}[ \t]*$/.test(line)) return ['', '---', ''];
  const [, fixed] = /^[ \t]*:(?: (.*))?$/.exec(line) ?? [];
  if (/^[ \t]*:(?: |$)/.test(line)) {
    const isInside = (other: string) => /^[ \t]*:(?: |$)/.test(other);
    return [...(isInside(before) ? [] : ['```']), fixed ?? '', ...(isInside(after) ? [] : ['```'])];
  }
  if (isRow(line)) return tableLine(line, { before, after, isSecond });
  const [, note, words = ''] = /^\[fn:([\w-]{1,60})\][ \t]+(.*)$/.exec(line) ?? [];
  if (note !== undefined) return ['', `[^${note}]: ${inMarkdown(words)}`];
  const [, bullet = '', rest = line] =
    /^([ \t]*(?:[-+]|[ \t]\*|\d{1,9}[.)])[ \t]+(?:\[[ xX-]\][ \t]+)?)(.*)$/.exec(line) ?? [];
  const [, term, meaning = ''] = (bullet && /^(.{1,200}?)[ \t]+::(?:[ \t]+(.*))?$/.exec(rest)) || [];
  const text = term === undefined ? inMarkdown(rest) : `**${inMarkdown(term)}**: ${inMarkdown(meaning)}`;
  return [bullet.replace(/\[-\]/, '[ ]') + text];
}

/** A rule below the first row makes it the heading; GitHub's tables have no others. */
function tableLine(
  line: string,
  { before, after, isSecond }: { before: string; after: string; isSecond: boolean },
): string[] {
  const ends = isRow(after) ? [] : [''];
  const isRule = (other: string) => /^[ \t]*\|-/.test(other);
  if (isRule(line)) return isSecond ? [line.trim().replaceAll('+', '|'), ...ends] : ends;
  const row = inMarkdown(line.trim());
  if (isRow(before)) return [row, ...ends];
  const columns = row.replace(/^\||\|$/g, '').split('|').length;
  const cells = (text: string) => `|${Array(columns).fill(text).join('|')}|`;
  return isRule(after) ? ['', row] : ['', cells('   '), cells('---'), row, ...ends];
}

/** Emphasis, code, links and notes within a line. */
export function inMarkdown(text: string): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [written, target, label, verbatim, inlineNote, note] = match;
    out += emphasised(text.slice(at, match.index));
    at = match.index + written.length;
    if (target !== undefined) out += linkTo(target, label);
    else if (verbatim !== undefined) out += `\`${verbatim}\``;
    else if (inlineNote !== undefined) out += `^[${emphasised(inlineNote)}]`;
    else if (note !== undefined) out += `[^${note}]`;
    else out += written;
  }
  return out + emphasised(text.slice(at));
}

const inline =
  /\[\[([^[\]\n]{1,1000})\](?:\[([^[\]\n]{1,1000})\])?\]|(?<![\p{L}\p{N}])[=~](?=\S)([^`\n=~]{1,1000}?)(?<=\S)[=~](?![\p{L}\p{N}])|\[fn::[ \t]*([^[\]\n]{1,1000})\]|\[fn:([\w-]{1,60})\]|\{\{[^{}\n]{1,1000}\}\}|\(\([\da-f-]{36}\)\)|\\\(.{1,1000}?\\\)|\$[^$\n]{1,1000}\$|https?:[^\s<>]{1,1000}/gu;

const marks: Readonly<Record<string, readonly [string, string]>> = {
  '*': ['**', '**'],
  '/': ['*', '*'],
  _: ['<u>', '</u>'],
  '+': ['~~', '~~'],
};
const emphasis = /(?<=^|[\s({'"*/_+-])([*/_+])(?=\S)([^\n]{1,500}?)(?<=\S)\1(?=$|[\s.,;:!?'")}\]*/_+-])/g;

function emphasised(text: string, depth = 0): string {
  const plain = depth > 0 ? text : text.replace(/<(?=[a-z/!])/gi, '&lt;');
  return plain.replace(emphasis, (whole, mark: string, inside: string) => {
    const [open, close] = marks[mark] ?? ['', ''];
    return depth > 3 ? whole : `${open}${emphasised(inside, depth + 1)}${close}`;
  });
}

function linkTo(target: string, label: string | undefined): string {
  const address = target.replace(/^file:/, '');
  const isAddress = /^[a-z][a-z0-9+.-]*:|^\.{0,2}\/|\/.*\.\w{1,5}$/i.test(address) || address !== target;
  if (!isAddress) return label === undefined ? `[[${target}]]` : `[[${target}|${emphasised(label)}]]`;
  const isShown = isPicture.test(address) && (label === undefined || isPicture.test(label));
  if (isShown) return `![](<${address}>)`;
  if (label === undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return `<${address}>`;
  return `[${emphasised(label ?? address.slice(address.lastIndexOf('/') + 1))}](<${address}>)`;
}
