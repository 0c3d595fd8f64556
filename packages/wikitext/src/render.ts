/**
 * Tree + what its references resolve to → HTML, and tree → plain text. Pure: the same input gives the same output, and nothing is
 * fetched. What the page wrote reaches the output through `html.ts` only.
 */
import { sections } from './headings.ts';
import { escapeText, writeAttributes } from './html.ts';
import { Citations } from './output/cite.ts';
import { fileHtml } from './output/file.ts';
import { galleryHtml } from './output/gallery.ts';
import { externalLinkTag, linkTag } from './output/link.ts';
import { listingHtml } from './output/listing.ts';
import { sourceRange, withSource } from './output/origin.ts';
import { contentsHtml, hasContents } from './output/toc.ts';
import type { Writer } from './output/writer.ts';
import { parse } from './parse.ts';
import type { Tree } from './parsed-page.ts';
import { safeAttribute, voidElements } from './sanitize.ts';
import { blockText, isInvisible } from './text.ts';
import type {
  Attributes,
  ElementNode,
  ExtensionNode,
  Node,
  Origin,
  Rendered,
  Resolved,
  Section,
} from './tree.ts';

const deepest = 400;
/** Tags without attributes, by the element's name: made once. */
const known = new Map<string, Tags>();
const verbatim = new Set(['pre', 'code', 'kbd', 'samp', 'tt']);

type Tags = { open: string; close: string; isVoid: boolean; isVerbatim: boolean };

export function render(tree: Tree, resolved: Resolved): Rendered {
  const outline = sections(tree);
  const notices = new Set(tree.notices);
  const renderer = new Renderer(tree, resolved, notices, outline);
  let html = renderer.html(tree.children) + renderer.citations.rest();
  for (const notice of notices) html += `<p class="error wikitext-notice">${escapeText(notice)}</p>`;
  return { html, outline, notices: [...notices] };
}

/** A page without its markup, blocks apart by a newline, for descriptions and search; what templates would add is left out. */
export function plainText(page: string | Tree): string {
  const tree = typeof page === 'string' ? parse(page) : page;
  return blockText(tree.children);
}

class Renderer implements Writer {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly notices: Set<string>;
  readonly citations: Citations;
  readonly #outline: readonly Section[];
  #contents: string;
  #out = '';
  #depth = 0;
  #verbatim = 0;

  constructor(tree: Tree, resolved: Resolved, notices: Set<string>, outline: readonly Section[]) {
    this.tree = tree;
    this.resolved = resolved;
    this.notices = notices;
    this.#outline = outline;
    this.citations = new Citations((nodes) => this.html(nodes));
    this.#contents = hasContents(tree) === 'before first heading' ? contentsHtml(outline) : '';
    if (tree.keepsSpaces) this.#verbatim = 1;
  }

  html(nodes: readonly Node[]): string {
    const outer = this.#out;
    this.#out = '';
    this.#write(nodes);
    const html = this.#out;
    this.#out = outer;
    return html;
  }

  #write(nodes: readonly Node[]): void {
    if (this.#depth > deepest) return;
    this.#depth++;
    const { origins } = this.resolved;
    for (const node of nodes) {
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
        this.#out += this.#extension(node);
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
      // Notes in it are listed nevertheless.
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

  #extension(node: ExtensionNode): string {
    const { body, attributes, name } = node;
    switch (name) {
      case 'pre':
        return `<pre${writeAttributes(safeAttributes('pre', attributes))}>${escapeText(body ?? '')}</pre>`;
      case 'ref':
        return this.citations.mark(node);
      case 'references':
        return this.citations.list(node);
      case 'unlisted':
        return this.citations.unlisted(attributes.group ?? '');
      case 'gallery':
        return galleryHtml(this, node);
      case 'poem':
        return `<div${writeAttributes(poemAttributes(attributes))}>${this.html(node.children ?? [])}</div>`;
      case 'syntaxhighlight':
        return this.#code(body ?? '', attributes.lang ?? '', attributes.inline !== undefined);
      case 'code-block':
        return this.#codeBlock(body ?? '', attributes.lang ?? '');
      case 'math':
        return this.#formula(body ?? '', attributes.display === 'block');
      case 'markdown':
        return this.html(node.children ?? []);
      case 'listing':
        return listingHtml(attributes.name ?? '', this.resolved.listings?.get(attributes.key ?? ''));
      case 'unsupported':
        return attributes.silent === undefined ? unsupportedHtml(attributes.name ?? '') : '';
      case 'toc':
        return this.#outline.length > 0 ? contentsHtml(this.#outline) : '';
      default:
        if (!this.tree.rules.tags?.has(name)) return '';
        return this.resolved.tags?.(name, attributes, body) ?? escapeText(body ?? '');
    }
  }

  #code(body: string, language: string, isInline: boolean): string {
    const code = isInline ? body.trim() : body.replace(/^\n+/, '').trimEnd();
    const inside = this.resolved.highlight?.(code, language) ?? escapeText(code);
    const attributes = writeAttributes({ class: language === '' ? undefined : `language-${language}` });
    if (isInline) return `<code${attributes}>${inside}</code>`;
    return `<div class="mw-highlight"><pre><code${attributes}>${inside}</code></pre></div>`;
  }

  /** CommonMark's form: every line unchanged, the last line end included. */
  #codeBlock(code: string, language: string): string {
    const inside = language === '' ? undefined : this.resolved.highlight?.(code, language);
    const attributes = writeAttributes({ class: language === '' ? undefined : `language-${language}` });
    return `<pre><code${attributes}>${inside ?? escapeText(code)}</code></pre>`;
  }

  #formula(body: string, isDisplay: boolean): string {
    const inside = this.resolved.math?.(body.trim(), isDisplay);
    if (isDisplay)
      return `<div class="math math-display">${inside ?? `<code>${escapeText(body)}</code>`}</div>`;
    return `<span class="math">${inside ?? `<code>${escapeText(body)}</code>`}</span>`;
  }
}

/** Readers see that something is missing and what, instead of source that is for a program. */
function unsupportedHtml(name: string): string {
  const title = `This wiki has no ${name}.`;
  return `<abbr${writeAttributes({ class: 'unsupported', title })}>${escapeText(name)}</abbr>`;
}

/** Stray `</p>` and the like: nothing to see, and nothing to leave a gap for. */
function isEmptyParagraph(node: ElementNode): boolean {
  if (node.attributes) return false;
  return node.children.every(
    (child) =>
      isInvisible(child) ||
      (child.type === 'text' && child.value.trim() === '' && !child.value.includes('\u00a0')),
  );
}

function safeAttributes(element: string, attributes: Attributes): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const safe = safeAttribute(element, name, value);
    if (safe !== undefined) result[name] = safe;
  }
  return result;
}

function poemAttributes(attributes: Attributes): Record<string, string> {
  const safe = safeAttributes('div', attributes);
  return { ...safe, class: safe.class ? `poem ${safe.class}` : 'poem' };
}

/** Names come from the allow-list, so there are few. */
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
  // One class of characters is looked for much faster than what may stand before them; most texts have none.
  if (!/[&<>\0«‹»›?:;!%]/.test(text)) return text;
  return escapeText(isVerbatim ? text : withFixedSpaces(text));
}

/** No line begins with the punctuation that French sets apart by a space. */
function withFixedSpaces(text: string): string {
  return text.replace(/ (?=[?:;!%»›](?!\w))/g, '\u00a0').replace(/([«‹]) /g, '$1\u00a0');
}
