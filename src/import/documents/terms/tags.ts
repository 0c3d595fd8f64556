/**
 * Converts paired tags in Markdown outside code: `{% hint %}…{% endhint %}`, `<Note>…</Note>`, `{{< figure >}}`. One pass with a
 * stack; what is not converted, or is never closed, stays as it is written.
 */
import { codeIn, commonMarkHtml } from '@coppice/markdown';
import type { Approximation } from '../../source.ts';

export interface FoundTag {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Converted content; undefined for a tag that stands alone. */
  inner: string | undefined;
  written: string;
}

interface TagSyntax {
  /** Groups `close`, `name`, `rest` and `self`. */
  pattern: RegExp;
  /** Whether a tag of this name, which does not close itself, has content. */
  isPaired(name: string): boolean;
  /** Noun before the name of such a tag in the certificate. */
  kind: string;
}

/** Returns undefined to keep the tag. */
type ConvertTag = (tag: FoundTag) => string | undefined;

interface Open {
  name: string;
  rest: string;
  written: string;
  out: string;
}

export function convertTags(
  text: string,
  { pattern, isPaired, kind }: TagSyntax,
  convert: ConvertTag,
  approximated: Approximation[],
): string {
  const open: Open[] = [{ name: '', rest: '', written: '', out: '' }];
  const top = () => open.at(-1) as Open;
  const put = (found: FoundTag, kept: string) => {
    const after = convert(found);
    const before = found.written.slice(0, 500);
    approximated.push({
      construct: `${kind} ${found.name}`,
      before,
      after: (after ?? before).slice(0, 500),
    });
    top().out += after ?? kept;
  };
  let at = 0;
  const plain = (end: number) => {
    top().out += text.slice(at, end);
    at = end;
  };
  for (const [from, to] of partsOutsideCode(text)) {
    plain(from);
    for (const match of text.slice(from, to).matchAll(pattern)) {
      const { close, name = '', rest = '', self } = match.groups ?? {};
      plain(from + match.index);
      at += match[0].length;
      const written = match[0];
      if (!close) {
        if (!self && isPaired(name) && open.length < 100) open.push({ name, rest, written, out: '' });
        else put({ name, attributes: attributesIn(rest), inner: undefined, written }, written);
        continue;
      }
      const opened = open.findLastIndex((one) => one.name === name);
      if (opened < 1) {
        top().out += written;
        continue;
      }
      while (open.length - 1 > opened) giveUp(open);
      const { rest: given, written: begun, out } = open.pop() as Open;
      const found = {
        name,
        attributes: attributesIn(given),
        inner: out,
        written: `${begun}${out}${written}`,
      };
      put(found, found.written);
    }
    plain(to);
  }
  plain(text.length);
  while (open.length > 1) giveUp(open);
  return top().out;
}

/** A tag that is never closed is text. */
function giveUp(open: Open[]): void {
  const { written, out } = open.pop() as Open;
  (open.at(-1) as Open).out += written + out;
}

/** Applies a change to the text outside code. */
export function outsideCode(text: string, change: (part: string) => string): string {
  return changed(text, change, () => true);
}

/** Applies a change to whole lines outside blocks of code; lines may hold code spans. */
export function outsideFences(text: string, change: (part: string) => string): string {
  return changed(text, change, (code) => code.includes('\n'));
}

function changed(text: string, change: (part: string) => string, isKept: (code: string) => boolean): string {
  let out = '';
  let at = 0;
  for (const [from, to] of partsOutsideCode(text, isKept)) {
    out += text.slice(at, from) + change(text.slice(from, to));
    at = to;
  }
  return out + text.slice(at);
}

function* partsOutsideCode(
  text: string,
  isKept: (code: string) => boolean = () => true,
): Generator<[start: number, end: number]> {
  let at = 0;
  for (const [start, end] of codeIn(text)) {
    if (!isKept(text.slice(start, end))) continue;
    if (at < start) yield [at, start];
    at = end;
  }
  if (at < text.length) yield [at, text.length];
}

/** `a="b" c='d' e={f} g=h`; values without names are called by their number, from 0. */
export function attributesIn(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  let number = 0;
  const pattern =
    /(?:([\w:.-]{1,100})\s*=\s*)?(?:"([^"]*)"|'([^']*)'|`([^`]*)`|\{["'`]?([^{}]*?)["'`]?\}|([^\s"'`{}=]+))/g;
  for (const [, name, double, single, tick, braced, bare] of text.matchAll(pattern)) {
    const value = double ?? single ?? tick ?? braced ?? bare ?? '';
    found[name ?? String(number++)] = value;
  }
  return found;
}

/** A callout around Markdown. */
export function boxOf(name: string, title: string | undefined, inner: string): string {
  const lines = undented(inner).split('\n');
  const quoted = lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
  return `\n\n> [!${name}]${title ? ` ${title}` : ''}\n${quoted}\n\n`;
}

/** Without blank lines around it, and without the indentation that all lines share. */
export function undented(text: string): string {
  const lines = text
    .trimEnd()
    .replace(/^(?:[ \t]*\n)+/, '')
    .split('\n');
  const used = lines.filter((line) => line.trim() !== '');
  const shared = used.reduce(
    (least, line) => Math.min(least, /^[ \t]*/.exec(line)?.[0].length ?? 0),
    Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(shared) ? lines.map((line) => line.slice(shared)).join('\n') : '';
}

/** A heading for content that the source shows in a tab. */
export function tabOf(title: string, inner: string): string {
  return `\n\n#### ${title.replace(/\s+/g, ' ')}\n\n${undented(inner)}\n\n`;
}

/** Markdown is not read in the line of a summary, so it is written as HTML. */
export function summaryOf(title: string): string {
  const html = commonMarkHtml(title.trim())
    .trim()
    .replace(/^<p>|<\/p>$/g, '');
  return `<summary>${html}</summary>`;
}
