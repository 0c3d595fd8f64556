/**
 * Renders a tree and its resolved references to HTML, and a tree to plain text. Pure: equal input gives equal output, and
 * nothing is fetched. Text from the page reaches the output only through `html.ts`.
 */
import { extensionNamed } from './extension-node.ts';
import { hostTag } from './extensions/host.ts';
import { sections } from './headings.ts';
import { escapeText, writeAttributes } from './html.ts';
import { limits } from './limits.ts';
import { Citations } from './output/cite.ts';
import { fileHtml } from './output/file.ts';
import { externalLinkTag, linkTag } from './output/link.ts';
import { sourceRange, withSource } from './output/origin.ts';
import { contentsHtml, hasContents } from './output/toc.ts';
import type { Writer } from './output/writer.ts';
import { parse } from './parse.ts';
import type { Tree } from './parsed-page.ts';
import { voidElements } from './sanitize.ts';
import { blockText, isInvisible } from './text.ts';
import type { ElementNode, Node, Origin, Rendered, Resolved, Section } from './tree.ts';

const deepest = 400;
/** Cache of tags without attributes, by element name. */
const known = new Map<string, Tags>();
const verbatim = new Set(['pre', 'code', 'kbd', 'samp', 'tt']);

type Tags = { open: string; close: string; isVoid: boolean; isVerbatim: boolean };

/**
 * Returns HTML that is safe to show: tags and attributes outside the allow-list are text, and addresses have known schemes. Targets
 * that `resolved` lacks become links to missing pages. Never throws; what exceeds `limits.output` characters is cut, with a notice.
 */
export function render(tree: Tree, resolved: Resolved): Rendered {
  const outline = sections(tree);
  const notices = new Set(tree.notices);
  const renderer = new Renderer(tree, resolved, notices, outline);
  let html = renderer.page();
  for (const notice of notices) html += `<p class="error wikitext-notice">${escapeText(notice)}</p>`;
  return { html, outline, notices: [...notices] };
}

/**
 * Returns the text of a page without markup, blocks separated by a newline, for descriptions and search. Text from templates is
 * left out.
 */
export function plainText(page: string | Tree): string {
  const tree = typeof page === 'string' ? parse(page) : page;
  return blockText(tree.children);
}

class Renderer implements Writer {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly notices: Set<string>;
  readonly citations: Citations;
  readonly outline: readonly Section[];
  #contents: string;
  #out = '';
  #depth = 0;
  #verbatim = 0;
  /** Characters of open outer parts, and of parts that were finished. */
  #elsewhere = 0;

  constructor(tree: Tree, resolved: Resolved, notices: Set<string>, outline: readonly Section[]) {
    this.tree = tree;
    this.resolved = resolved;
    this.notices = notices;
    this.outline = outline;
    this.citations = new Citations(
      (nodes) => this.html(nodes),
      tree.rules.hasLooseNotes,
      (length) => this.#hasRoom(length),
    );
    this.#contents = hasContents(tree) === 'before first heading' ? contentsHtml(outline) : '';
    if (tree.keepsSpaces) this.#verbatim = 1;
  }

  page(): string {
    this.#write(this.tree.children);
    return this.#out + this.citations.rest();
  }

  html(nodes: readonly Node[]): string {
    const outer = this.#out;
    this.#elsewhere += outer.length;
    this.#out = '';
    this.#write(nodes);
    const html = this.#out;
    this.#elsewhere += html.length - outer.length;
    this.#out = outer;
    return html;
  }

  /** Counts characters that do not go through `#out`. Returns false once the page is as long as it may be. */
  #hasRoom(length = 0): boolean {
    this.#elsewhere += length;
    if (this.#elsewhere + this.#out.length < limits.output) return true;
    this.notices.add(
      `The page is longer than ${limits.output} characters when it is shown; the rest is left out.`,
    );
    return false;
  }

  #write(nodes: readonly Node[]): void {
    if (this.#depth > deepest) return;
    this.#depth++;
    const { origins } = this.resolved;
    for (const node of nodes) {
      if (!this.#hasRoom()) break;
      if (!origins || node.type === 'text' || node.type === 'marker') this.#node(node);
      else this.#nodeWithSource(node, origins);
    }
    this.#depth--;
  }

  #nodeWithSource(node: Node, origins: readonly Origin[]): void {
    const outer = this.#out;
    this.#out = '';
    this.#node(node);
    this.#out = outer + withSource(this.#out, sourceRange(origins, node.start, node.end));
  }

  #node(node: Node): void {
    switch (node.type) {
      case 'text':
        this.#out += textHtml(node.value, this.#verbatim > 0);
        break;
      case 'element':
        this.#element(node);
        break;
      case 'heading': {
        const attributes = writeAttributes({ ...node.attributes, id: node.id || undefined });
        this.#out += `${this.#contents}<${node.name}${attributes}>`;
        this.#contents = '';
        for (const alias of node.aliases ?? []) this.#out += `<span${writeAttributes({ id: alias })}></span>`;
        this.#write(node.children);
        this.#out += `</${node.name}>`;
        break;
      }
      case 'link':
        this.#out += linkTag(this, node);
        this.#write(node.children);
        this.#out += '</a>';
        break;
      case 'external-link': {
        const tag = externalLinkTag(node);
        if (tag !== undefined) this.#out += tag;
        if (node.kind === 'numbered') this.#out += `[${node.number}]`;
        else this.#write(node.children);
        if (tag !== undefined) this.#out += '</a>';
        break;
      }
      case 'file':
        this.#out += fileHtml(this, node);
        break;
      case 'extension':
        this.#out += (extensionNamed(node.name) ?? hostTag).render(this, node);
        break;
      case 'template':
        this.#out += escapeText(this.tree.source.slice(node.start, node.end));
        break;
      default:
        break;
    }
  }

  #element(node: ElementNode): void {
    const { name, attributes } = node;
    if (name === 'p' && isEmptyParagraph(node)) {
      // Rendering the hidden content registers its notes, which are listed nevertheless.
      this.html(node.children);
      return;
    }
    const tags = tagsOf(name);
    this.#out += attributes ? `<${name}${writeAttributes(attributes)}>` : tags.open;
    if (tags.isVoid) return;
    if (tags.isVerbatim) this.#verbatim++;
    this.#write(node.children);
    if (tags.isVerbatim) this.#verbatim--;
    this.#out += tags.close;
  }
}

/** A stray `</p>` or similar produces an empty paragraph, which shows nothing and should leave no gap. */
function isEmptyParagraph(node: ElementNode): boolean {
  if (node.attributes) return false;
  return node.children.every(
    (child) =>
      isInvisible(child) ||
      // Wide spaces and no-break spaces are visible.
      (child.type === 'text' && !/[^ \t\n\r\f]/.test(child.value)),
  );
}

/** The map stays small because names come from the allow-list. */
function tagsOf(name: string): Tags {
  let tags = known.get(name);
  if (!tags) {
    tags = {
      open: `<${name}>`,
      close: `</${name}>`,
      isVoid: voidElements.has(name),
      isVerbatim: verbatim.has(name),
    };
    known.set(name, tags);
  }
  return tags;
}

function textHtml(text: string, isVerbatim: boolean): string {
  // A search for one class of characters is much faster than the pattern with the characters before it; most texts have none.
  if (!/[&<>\0«‹»›?:;!%]/.test(text)) return text;
  return escapeText(isVerbatim ? text : withFixedSpaces(text));
}

/** Inserts no-break spaces, so that no line begins with the punctuation that French sets apart by a space. */
function withFixedSpaces(text: string): string {
  return text.replace(/ (?=[?:;!%»›](?!\w))/g, '\u00a0').replace(/([«‹]) /g, '$1\u00a0');
}
