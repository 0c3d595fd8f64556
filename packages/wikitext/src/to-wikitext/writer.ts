/**
 * Converts an HTML tree to wikitext, block by block. Between two blocks, `gapBetween` allows a range of line ends; within that
 * range, the HTML's own number is kept. Where wikitext allows only one line (items, terms, headings), blocks are written as
 * tags.
 */
import type { Rules } from '../options.ts';
import {
  attributesOf,
  Blocks,
  headings,
  isBox,
  isDropped,
  isNew,
  lists,
  mayBeTag,
  wasTag,
} from './elements.ts';
import { writeEmphasis } from './emphasis.ts';
import { comment, escapeAttribute, escapeText } from './escape.ts';
import { codeBlock, extension, isExtension, isTransclusion, transclusion } from './extension.ts';
import {
  type Container,
  gapBetween,
  type Kind,
  kindOf,
  spacesAround,
  trimmedRun,
  withoutEndNewline,
} from './gap.ts';
import {
  findElement,
  type HtmlElement,
  type HtmlNode,
  hasClass,
  isElement,
  jsonOf,
  textOf,
} from './html-tree.ts';
import { includeMarker, inline, invisible } from './inline.ts';
import { list, mayBeList } from './list.ts';
import { gallery, isMedia, isPlainFigure, media } from './media.ts';
import { isNote, Notes } from './notes.ts';
import { defaultRules, type Options } from './options.ts';
import { Output } from './output.ts';
import { table } from './table.ts';
import type { Place, Writing } from './writing.ts';

/** Blocks that are written one after the other. `begin` writes the line ends before one; `visit` writes a child in its place. */
type Flow = {
  container: Container;
  begin: (kind: Kind, node: HtmlElement) => void;
  visit: (node: HtmlNode) => void;
};

export class Writer implements Writing {
  readonly options: Options;
  readonly rules: Rules;
  readonly blocks = new Blocks();
  readonly out = new Output();
  readonly read: (html: string) => HtmlNode[];
  readonly #root: readonly HtmlNode[];
  /** `about` of each group of nodes that one template call produced and that was written at its first node. */
  readonly #skipped = new Set<string>();
  #kept = new WeakSet<HtmlElement>();
  #ids: Map<string, HtmlElement> | undefined;
  readonly notes = new Notes();
  readonly #keptParts: string[] = [];
  /** Returns the source of an element if it is known and the element was not edited. */
  keptSource: (node: HtmlElement) => string | undefined = () => undefined;

  contentsOf: (node: HtmlElement) => string | undefined = () => undefined;

  constructor(root: readonly HtmlNode[], options: Options, read: (html: string) => HtmlNode[]) {
    this.#root = root;
    this.options = options;
    this.rules = options.rules ?? defaultRules;
    this.read = read;
  }

  /** Returns the wikitext of blocks that form a page. */
  page(nodes: readonly HtmlNode[]): string {
    const text = this.out.capture(() => {
      this.out.isLineStart = true;
      this.write(nodes, 'page');
    });
    return this.#finished(text);
  }

  /** Returns what `write` writes, from the start of a line on. */
  lines(write: () => void): string {
    return this.#finished(this.out.capture(write));
  }

  /** Writes the source of an unedited element. Returns false if there is none. */
  putKept(node: HtmlElement): boolean {
    const source = this.keptSource(node);
    if (source === undefined) return false;
    if (isNote(node) && !this.notes.mayKeep(node, source)) return false;
    const last = source.endsWith(']]') ? 'link' : /^\w+:\/\/\S*$/.test(source) ? 'url' : '';
    this.out.put(this.#standIn(source), last);
    return true;
  }

  keptContents(node: HtmlElement): string | undefined {
    const source = this.contentsOf(node);
    return source && this.#standIn(source);
  }

  /** Stands for a source, because its apostrophes are not part of the emphasis around it. */
  #standIn(source: string): string {
    return `\u0005${this.#keptParts.push(source) - 1}\u0006`;
  }

  #finished(text: string): string {
    return writeEmphasis(text).replace(
      /\u0005(\d+)\u0006/g,
      (_, index: string) => this.#keptParts[Number(index)] ?? '',
    );
  }

  /** Returns the wikitext of blocks inside another construct. */
  fragment(nodes: readonly HtmlNode[]): string {
    return this.out.capture(() => this.write(nodes, 'page'));
  }

  isSkipped(node: HtmlElement): boolean {
    const { about } = node.attributes;
    return about !== undefined && this.#skipped.has(about) && !this.#kept.has(node);
  }

  /** Skips the other nodes of a group, which is written as a whole at this node. */
  skipRest(node: HtmlElement): void {
    this.#kept.add(node);
    if (node.attributes.about !== undefined) this.#skipped.add(node.attributes.about);
  }

  byId(id: string): HtmlElement | undefined {
    if (!this.#ids) {
      this.#ids = new Map();
      const collect = (nodes: readonly HtmlNode[]): void => {
        for (const node of nodes) {
          if (node.type !== 'element') continue;
          if (node.attributes.id !== undefined) this.#ids?.set(node.attributes.id, node);
          collect(node.children);
        }
      };
      collect(this.#root);
    }
    return this.#ids.get(id);
  }

  note(node: HtmlElement): void {
    this.notes.write(this, node);
  }

  inline(nodes: readonly HtmlNode[], place: Place): void {
    inline(this, nodes, place);
  }

  // Blocks ------------------------------------------------------------------------------------------------------------

  write(nodes: readonly HtmlNode[], container: Container): void {
    const { out } = this;
    let last: Kind = 'start';
    let lastNode: HtmlElement | undefined;
    let run: HtmlNode[] = [];
    const begin = (kind: Kind, node: HtmlElement | undefined) => {
      const before = { kind: last, node: lastNode };
      const [least, most] = gapBetween(before, { kind, node }, container, this.options.layout === 'airy');
      out.gap(least, most);
      last = kind;
      lastNode = node;
    };
    const endRun = () => {
      const trimmed = trimmedRun(run);
      const [before, after] = spacesAround(run);
      run = [];
      if (before !== '') out.space(before);
      if (trimmed.length > 0) {
        begin('text', undefined);
        this.paragraph(trimmed, container === 'page' ? {} : { isOneLine: true });
      }
      if (after !== '') out.space(after);
    };
    const visit = (node: HtmlNode): void => {
      if (node.type === 'element' && (this.isSkipped(node) || (isDropped(node) && !isMedia(node)))) return;
      const isAlone = run.every((one) => one.type === 'text' && one.value.trim() === '');
      const marker = node.type === 'element' ? includeMarker(node) : undefined;
      if ((node.type === 'comment' || marker !== undefined) && isAlone) {
        endRun();
        out.gap(0, 2);
        out.putTransparent(node.type === 'comment' ? comment(node.value) : (marker ?? ''));
        return;
      }
      if (
        marker === undefined &&
        isElement(node, 'link', 'meta') &&
        !isExtension(node) &&
        !isTransclusion(node)
      ) {
        const written = invisible(this, node);
        if (written === undefined) return;
        endRun();
        out.gap(last === 'start' ? 0 : 1, 2);
        out.putTransparent(written);
        out.gap(1, 2);
        return;
      }
      if (node.type !== 'element' || !this.blocks.has(node)) {
        run.push(node);
        return;
      }
      endRun();
      if (isBox(node) && !mayBeTag(node, this.rules)) {
        // Text in a box is a paragraph, separate from the text around it.
        for (const child of node.children) visit(child);
        endRun();
        return;
      }
      this.#block(node, { container, begin, visit }, last);
    };
    for (const node of nodes) visit(node);
    endRun();
  }

  paragraph(nodes: readonly HtmlNode[], place: Partial<Place>): void {
    inline(this, nodes, { isOneLine: false, ...place });
  }

  #block(node: HtmlElement, flow: Flow, last: Kind): void {
    const { begin } = flow;
    const { out } = this;
    const { name, children } = node;
    if (this.keptSource(node) !== undefined) {
      begin(kindOf(node), node);
      this.putKept(node);
    } else if (isTransclusion(node)) {
      begin('tags', node);
      transclusion(this, node);
    } else if (isMedia(node) || isPlainFigure(this, node)) {
      begin('media', node);
      media(this, node, { isOneLine: true });
    } else if (isExtension(node)) {
      begin('tags', node);
      extension(this, node);
    } else if (isReferences(node)) {
      const notes = name === 'ol' ? node : findElement(children, (one) => one.name === 'ol');
      begin('tags', node);
      const listed = notes?.children.find(
        (child) => isElement(child, 'li') && child.attributes.id !== undefined,
      );
      const group =
        notes?.attributes['data-mw-group'] ??
        (listed && this.notes.groupOf((listed as HtmlElement).attributes.id ?? '')) ??
        '';
      out.put(`<references${group === '' ? '' : ` group="${escapeAttribute(group)}"`} />`);
    } else if (name === 'ul' && hasClass(node, 'gallery')) {
      begin('tags', node);
      gallery(this, node);
    } else if (name === 'p' && hasClass(node, 'redirect')) {
      begin('text', node);
      if (findElement(children, (one) => one.name === 'a')) out.put('#REDIRECT ');
      this.paragraph(children, {});
    } else if (wasTag(node)) this.#tags(node, begin);
    else if (name === 'p') this.#paragraph(node, flow, last);
    else if (headings.has(name) && attributesOf(node, 'id') === '') {
      begin('heading', node);
      this.#heading(node);
    } else if (lists.has(name) && mayBeList(this, node)) {
      begin('list', node);
      list(this, node, '');
    } else if (name === 'table') {
      begin('table', node);
      table(this, node);
    } else if (name === 'hr' && attributesOf(node) === '') {
      begin('rule', node);
      const more = jsonOf(node, 'data-parsoid')?.extra_dashes;
      out.put('-'.repeat(4 + (typeof more === 'number' ? Math.min(more, 100) : 0)));
    } else if (codeBlock(node) || name === 'pre') {
      begin('code', node);
      this.#code(node);
    } else this.#tags(node, begin);
  }

  #paragraph(node: HtmlElement, { container, begin, visit }: Flow, last: Kind): void {
    if (attributesOf(node) !== '') {
      this.#tags(node, begin);
      return;
    }
    if (node.children.some((child) => this.blocks.has(child))) {
      for (const child of node.children) visit(child);
      return;
    }
    const { out } = this;
    const content = trimmedRun(node.children);
    const [first] = content;
    const isEmpty = content.length === 0;
    const isGap = isEmpty || (first && isElement(first, 'br') && attributesOf(first) === '');
    // A second empty line shows as a line break at the start of a paragraph, except after a heading.
    const mayGap = container === 'page' && last !== 'heading' && last !== 'start';
    if (isEmpty && (!mayGap || hasClass(node, 'mw-empty-elt'))) return;
    if (isGap && mayGap) {
      const rest = trimmedRun(content.slice(1));
      begin(rest.length === 0 ? 'gap' : 'text', node);
      if (last !== 'gap') out.gap(2, 2);
      out.put('\n');
      if (rest.length > 0) this.paragraph(rest, {});
      return;
    }
    begin('text', node);
    this.paragraph(content, {});
  }

  #heading(node: HtmlElement): void {
    const { out } = this;
    const marks = '='.repeat(Number(node.name[1]));
    const text = out.capture(() => inline(this, node.children, { isOneLine: true })).trim();
    const space = isNew(node) && text !== '' ? ' ' : '';
    const inside =
      text === '' ? '<nowiki/>' : space === '' && /^=|=$/.test(text) ? `<nowiki>${text}</nowiki>` : text;
    out.put(`${marks}${space}${inside}${space}${marks}`);
  }

  #code(node: HtmlElement): void {
    const { out, rules } = this;
    const block = codeBlock(node);
    if (block && !/<\/?syntaxhighlight/i.test(block.code)) {
      const language = block.language === '' ? '' : ` lang="${escapeAttribute(block.language)}"`;
      out.put(`<syntaxhighlight${language}>\n${block.code}\n</syntaxhighlight>`);
      return;
    }
    const text = textOf(node);
    const attributes = attributesOf(node);
    const hasMarkup = node.children.some((child) => child.type === 'element' && child.name !== 'code');
    const lines = text.replace(/^\n|\n$/g, '').split('\n');
    const isSimple = lines.every(
      (line) =>
        line.trim() !== '' && escapeText(line, { rules, isLineStart: false, keepsIndent: true }) === line,
    );
    if (attributes === '' && (hasMarkup || (isSimple && this.options.layout !== 'airy'))) {
      out.put(' ');
      inline(this, withoutEndNewline(node.children), { isOneLine: false, isPre: true });
      return;
    }
    const body = text
      .replace(/&(?=#?\w{1,40};)/g, '&amp;')
      .replace(/<(?=\/pre)/gi, '&lt;')
      .replace(/<(?=\/?nowiki)/gi, '&lt;');
    out.put(
      this.options.layout === 'airy'
        ? `<pre${attributes}>\n${body.replace(/(?<!\n)\n+$/, '')}\n</pre>`
        : `<pre${attributes}>${/^\n/.test(body) ? '\n' : ''}${body}</pre>`,
    );
  }

  /** Writes an element as tags with its contents between them. */
  #tags(node: HtmlElement, begin: (kind: Kind, node: HtmlElement) => void): void {
    const { out } = this;
    const { name, children } = node;
    begin('tags', node);
    const parsoid = jsonOf(node, 'data-parsoid');
    if (!mayBeTag(node, this.rules)) {
      this.write(children, 'page');
      return;
    }
    if (name === 'hr') {
      out.put(`<hr${attributesOf(node)} />`);
      return;
    }
    if (parsoid?.autoInsertedStart !== true) out.put(`<${name}${attributesOf(node)}>`);
    if (name === 'p' || name === 'pre' || headings.has(name))
      inline(this, children, { isOneLine: name !== 'p', keepsIndent: true });
    else {
      this.write(children, 'box');
      out.gap(endsWithText(this, children) ? 0 : 1, 2);
      if (!children.some((child) => this.blocks.has(child))) out.gap(0, 2);
    }
    if (parsoid?.autoInsertedEnd !== true) out.put(`</${name}>`);
  }
}

function isReferences(node: HtmlElement): boolean {
  return (
    (node.name === 'ol' && /\b(?:mw-)?references\b/.test(node.attributes.class ?? '')) ||
    hasClass(node, 'mw-references-wrap')
  );
}

/** Whether the end tag may follow directly: after text, but not after a paragraph, a list or a table. */
function endsWithText({ blocks }: Writer, children: readonly HtmlNode[]): boolean {
  const last = children.findLast(
    (child) => child.type === 'element' || (child.type === 'text' && child.value.trim() !== ''),
  );
  return (
    !last ||
    !blocks.has(last) ||
    (last.type === 'element' && (wasTag(last) || isExtension(last))) ||
    (last.type === 'element' && !/^(?:p|ul|ol|dl|table|h[1-6]|hr|pre)$/.test(last.name))
  );
}
