/** HTML in a page: allowed elements become part of the tree, other tags become text, and comments are dropped. */
import type { Attributes, HeadingNode, Node, Range } from '@coppice/wikitext';
import {
  type Builder,
  type Context,
  decodeEntities,
  type Fragment,
  imageTag,
  readAnyAttributes,
  readAttributes,
  readTag,
} from '@coppice/wikitext/build';

/** Tags that have no effect of their own and are skipped, such as `<picture>`, whose `<img>` is shown. */
const ignored = /^<\/?(?:picture|source|thead|tbody|tfoot|colgroup|noinclude|onlyinclude)(?=[\s/>])[^<>]*>/i;
const hidden = /^<(?:!--|\?|!\[CDATA\[|![a-z])/i;
const anchor = /^<(\/?)a(?=[\s/>])([^<>]*)>/i;

/** Attributes of an `<a>`; those that it lacks are undefined. */
export type Anchor = Record<'href' | 'title' | 'id', string | undefined>;

/** Receiver of parsed HTML. `Phrases` implements it, because it opens and closes HTML links as it does Markdown's. */
export type HtmlSink = {
  readonly builder: Builder;
  readonly context: Context;
  text(value: string, start: number): void;
  /** Returns text as written, with the source of replaced spans restored. */
  raw(text: string): string;
  picture(node: Node | undefined, alt: string, start: number, end: number): void;
  openAnchor(anchor: Anchor, at: Range): void;
  closeAnchor(start: number, end: number): void;
};

/** Writes a text with HTML tags that begins at `base` of the source. */
export function writeHtml(sink: HtmlSink, text: string, base: number): void {
  const fragment = { text, elements: [], base };
  let from = 0;
  let at = text.indexOf('<');
  while (at >= 0) {
    const end = tagAt(sink, fragment, at, () => {
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
function tagAt(sink: HtmlSink, fragment: Fragment, at: number, begin: () => void): number {
  const { text, base } = fragment;
  const head = text.slice(at, at + 10);
  if (hidden.test(head)) {
    const end = endOfHidden(text, at);
    begin();
    return end;
  }
  const { builder, context } = sink;
  const tag = readTag(fragment, at, 0, context.rules);
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
    if (link[1] === '/') sink.closeAnchor(start, base + close);
    else openAnchor(sink, link[2] ?? '', { start, end: base + close });
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
  builder.open(tag.name, { start, end }, attributes, headingOf(tag.name, attributes, start, end));
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
function openAnchor(sink: HtmlSink, attributes: string, at: Range): void {
  const { href, title, name, id } = readAnyAttributes(sink.raw(attributes));
  sink.openAnchor({ href, title, id: id ?? name }, at);
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
