/** HTML in a page: allowed elements become part of the tree, other tags become text, and comments are dropped. */
import type { Attributes, HeadingNode, Node } from '@coppice/wikitext';
import {
  type Builder,
  type Context,
  decodeEntities,
  imageTag,
  readAnyAttributes,
  readAttributes,
  readTag,
} from '@coppice/wikitext/build';

/** Tags that have no effect of their own and are skipped, such as `<picture>`, whose `<img>` is shown. */
const ignored = /^<\/?(?:picture|source|thead|tbody|tfoot|colgroup|noinclude|onlyinclude)(?=[\s/>])[^<>]*>/i;
const hidden = /^<(?:!--|\?|!\[CDATA\[|![a-z])/i;
const anchor = /^<(\/?)a(?=[\s/>])([^<>]*)>/i;

/** Receiver of parsed HTML. `Phrases` implements it, because it opens and closes HTML links as it does Markdown's. */
export type HtmlSink = {
  readonly builder: Builder;
  readonly context: Context;
  text(value: string, start: number): void;
  /** Returns text as written, with the source of replaced spans restored. */
  raw(text: string): string;
  picture(node: Node | undefined, alt: string, start: number, end: number): void;
  openAnchor(
    href: string | undefined,
    title: string | undefined,
    id: string | undefined,
    start: number,
    end: number,
  ): void;
  closeAnchor(start: number, end: number): void;
};

export function writeHtml(sink: HtmlSink, text: string, base: number): void {
  let from = 0;
  let at = text.indexOf('<');
  while (at >= 0) {
    const end = tagAt(sink, text, at, base, () => {
      writeText(sink, text.slice(from, at), base + from);
    });
    if (end > 0) from = end;
    at = text.indexOf('<', Math.max(end, at + 1));
  }
  writeText(sink, text.slice(from), base + from);
}

function writeText(sink: HtmlSink, text: string, start: number): void {
  if (text !== '') sink.text(decodeEntities(text), start);
}

/**
 * Writes the tag or comment at `at` and returns the offset after it, or 0 if it is text. Calls `begin` before it writes
 * anything.
 */
function tagAt(sink: HtmlSink, text: string, at: number, base: number, begin: () => void): number {
  const head = text.slice(at, at + 10);
  if (hidden.test(head)) {
    const end = endOfHidden(text, at);
    begin();
    return end;
  }
  const { builder, context } = sink;
  const tag = readTag({ text, elements: [], base }, at, text.length, 0, context.rules);
  const [start, end] = [base + at, base + (tag?.end ?? 0)];
  if (!tag) {
    const close = text.indexOf('>', at) + 1;
    if (close === 0 || !/^<\/?[a-z]/i.test(head)) return 0;
    const written = text.slice(at, close);
    if (ignored.test(written)) {
      begin();
      return close;
    }
    const link = anchor.exec(written);
    if (!link) return 0;
    begin();
    writeAnchor(sink, link[1] === '/', link[2] ?? '', base + at, base + close);
    return close;
  }
  begin();
  const written = sink.raw(tag.attributes);
  if (tag.name === 'img') {
    const attributes = readAnyAttributes(written);
    const node = tag.isClosing ? undefined : imageTag(attributes, start, end);
    if (node) sink.picture(node, attributes.alt ?? '', start, end);
    return tag.end;
  }
  if (tag.isClosing && tag.name !== 'br') {
    builder.close(tag.name, start, end);
    return tag.end;
  }
  const attributes = readAttributes(written.endsWith('/') ? written.slice(0, -1) : written, tag.name);
  builder.open(tag.name, attributes, start, end, headingOf(tag.name, attributes, start, end));
  return tag.end;
}

function headingOf(
  name: string,
  attributes: Attributes | undefined,
  start: number,
  end: number,
): HeadingNode | undefined {
  if (!/^h[1-6]$/.test(name)) return undefined;
  return { type: 'heading', name, attributes, level: Number(name[1]), id: '', children: [], start, end };
}

/** `<a href>` becomes a link as `[…](…)` does; `<a name>` becomes an anchor. */
function writeAnchor(sink: HtmlSink, isClosing: boolean, written: string, start: number, end: number): void {
  if (isClosing) {
    sink.closeAnchor(start, end);
    return;
  }
  const { href, title, name, id } = readAnyAttributes(sink.raw(written));
  sink.openAnchor(href, title, id ?? name, start, end);
}

function endOfHidden(text: string, at: number): number {
  const [open, close] = text.startsWith('<!--', at)
    ? ['<!--', '-->']
    : text.startsWith('<![CDATA[', at)
      ? ['<![CDATA[', ']]>']
      : text.startsWith('<?', at)
        ? ['<?', '?>']
        : ['<!', '>'];
  const found = text.indexOf(close, at + open.length);
  return found < 0 ? text.length : found + close.length;
}
