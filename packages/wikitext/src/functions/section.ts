/**
 * Functions that include parts of pages.
 *
 *   {{#lst: Page | x}}     what stands in Page between <section begin=x/> and <section end=x/>, every such part of it
 *   {{#lst: Page | x | y}} from the beginning of x to the end of y
 *   {{#lstx: Page | x | instead}}   the page without x
 *   {{#lsth: Page | Heading}}       the section below a heading; {{#lsth: Page}} what stands before the first one;
 *   {{#lsth: Page | A | B}}         from below A to B
 *   {{#part: Page | Heading}}       a section with its heading; of Markdown also a block that is named: {{#part: Page | ^name}}
 *
 * The functions of MediaWiki's extension Labeled Section Transclusion, with its longer names, and `#part`, to which
 * `![[Page#Heading]]` in Markdown is converted. The host finds headings: it is asked for the template `Page#Heading`.
 */
import type { Call, Functions } from './call.ts';

export const section: Functions = {
  '#lst': (call) => included(call, (text) => labelled(text, call.text(1), call.text(2))),
  '#section': (call) => included(call, (text) => labelled(text, call.text(1), call.text(2))),
  '#lstx': (call) => included(call, (text) => without(text, call.text(1), call.text(2))),
  '#section-x': (call) => included(call, (text) => without(text, call.text(1), call.text(2))),
  '#lsth': underHeading,
  '#section-h': underHeading,
  '#part': (call) => (call.text(1) === '' ? included(call, (text) => text) : partOf(call, call.text(1))),
};

/** Matches these functions with the page they name, as far as the name is written out. */
export const sectionCall = /^#(?:lst[hx]?|section(?:-[hx])?|part):(.+)$/is;

function pageOf(call: Call): string | undefined {
  const { rules, path } = call.expander;
  return rules.template(`:${call.text(0)}`, path);
}

function included(call: Call, select: (text: string) => string): string | undefined {
  const name = pageOf(call);
  return name === undefined
    ? ''
    : call.expander.include({ name, select: inMarkdown(select) }, [], call.frame);
}

function partOf(call: Call, part: string, select?: (text: string) => string): string {
  const name = pageOf(call);
  return name === undefined
    ? ''
    : call.expander.include(
        { name: `${name}#${part}`, select: select && inMarkdown(select) },
        [],
        call.frame,
      );
}

function underHeading(call: Call): string {
  const [from, to] = [call.text(1), call.text(2)];
  return partOf(call, to === '' ? from : `${from}\n${to}`, from === '' ? undefined : withoutHeading);
}

/** A template in Markdown is wrapped in a tag, which must also wrap the selected part. */
function inMarkdown(select: (text: string) => string): (source: string) => string {
  const [open, close] = ['<markdown>', '</markdown>'];
  return (source) =>
    source.startsWith(open) && source.endsWith(close)
      ? open + select(source.slice(open.length, -close.length)) + close
      : select(source);
}

/** Removes the heading: the first line and, in Markdown, its underline. The message for a missing section has no heading. */
function withoutHeading(text: string): string {
  return /^[=#]|^[^\n]*\n(?:=+|-+)[ \t]*(?:\n|$)/.test(text)
    ? text.replace(/^[^\n]*(?:\n|$)(?:(?:=+|-+)[ \t]*(?:\n|$))?/, '')
    : text;
}

type Mark = { isBegin: boolean; label: string; start: number; end: number };

const mark = /<section\s+(begin|end)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>/]+))\s*\/?>/gi;

function marksIn(text: string): Mark[] {
  return [...text.matchAll(mark)].map((found) => ({
    isBegin: found[1]?.toLowerCase() === 'begin',
    label: (found[2] ?? found[3] ?? found[4] ?? '').trim(),
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** Returns the ranges from the beginning of one label to the end of another, by default of the same label. */
function partsBetween(text: string, from: string, to: string): [number, number][] {
  const parts: [number, number][] = [];
  let open: number | undefined;
  for (const { isBegin, label, start, end } of marksIn(text)) {
    if (isBegin && label === from) open ??= end;
    else if (!isBegin && label === (to || from) && open !== undefined) {
      parts.push([open, start]);
      open = undefined;
    }
  }
  // A section without an end tag extends to the end of the page.
  if (open !== undefined) parts.push([open, text.length]);
  return parts;
}

function labelled(text: string, from: string, to: string): string {
  if (from === '') return text;
  return partsBetween(text, from, to)
    .map(([start, end]) => text.slice(start, end))
    .join('');
}

function without(text: string, label: string, instead: string): string {
  let out = '';
  let at = 0;
  for (const [start, end] of label === '' ? [] : partsBetween(text, label, '')) {
    out += text.slice(at, start) + instead;
    at = end;
  }
  return out + text.slice(at);
}
