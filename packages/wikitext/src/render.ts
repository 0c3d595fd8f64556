/**
 * Tree + what its references resolve to → HTML and plain text. Pure: the same input gives the same output, and nothing is
 * fetched. What the page wrote reaches the output through `html.ts` only.
 */
import { sections } from './headings.ts';
import { escapeText, writeAttributes } from './html.ts';
import { Citations } from './output/cite.ts';
import { fileHtml } from './output/file.ts';
import { galleryHtml } from './output/gallery.ts';
import { externalLinkHtml, linkHtml } from './output/link.ts';
import { listingHtml } from './output/listing.ts';
import { contentsHtml, hasContents } from './output/toc.ts';
import type { Writer } from './output/writer.ts';
import { parse } from './parse.ts';
import { safeAttribute, voidElements } from './sanitize.ts';
import { blockText } from './text.ts';
import type { ElementNode, ExtensionNode, Node, Rendered, Resolved, Section, Tree } from './tree.ts';

const deepest = 400;
const verbatim = new Set(['pre', 'code', 'kbd', 'samp', 'tt']);

export function render(tree: Tree, resolved: Resolved): Rendered {
  const outline = sections(tree);
  const notices = new Set(tree.notices);
  const renderer = new Renderer(tree, resolved, notices, outline);
  let html = renderer.html(tree.children) + renderer.citations.rest();
  for (const notice of notices) html += `<p class="error wikitext-notice">${escapeText(notice)}</p>`;
  let text: string | undefined;
  return {
    html,
    // Not every reader of the HTML wants the text.
    get text() {
      text ??= blockText(tree.children);
      return text;
    },
    outline,
    notices: [...notices],
  };
}

/** The text of a page without its markup; what templates would add is left out. */
export function plainText(source: string): string {
  return blockText(parse(source).children);
}

class Renderer implements Writer {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly notices: Set<string>;
  readonly citations: Citations;
  readonly #outline: readonly Section[];
  #contents: string;
  #depth = 0;
  #verbatim = 0;

  constructor(tree: Tree, resolved: Resolved, notices: Set<string>, outline: readonly Section[]) {
    this.tree = tree;
    this.resolved = resolved;
    this.notices = notices;
    this.#outline = outline;
    this.citations = new Citations((nodes) => this.html(nodes));
    this.#contents = hasContents(tree) === 'before first heading' ? contentsHtml(outline) : '';
  }

  html(nodes: readonly Node[]): string {
    if (this.#depth > deepest) return '';
    this.#depth++;
    let out = '';
    for (const node of nodes) out += this.#node(node);
    this.#depth--;
    return out;
  }

  #node(node: Node): string {
    switch (node.type) {
      case 'text':
        return escapeText(this.#verbatim > 0 ? node.value : withFixedSpaces(node.value));
      case 'element': {
        if (node.name === 'p' && isEmptyParagraph(node)) return '';
        const open = `<${node.name}${node.attributes ? writeAttributes(node.attributes) : ''}>`;
        if (voidElements.has(node.name)) return open;
        const isVerbatim = verbatim.has(node.name);
        if (isVerbatim) this.#verbatim++;
        const inside = this.html(node.children);
        if (isVerbatim) this.#verbatim--;
        return `${open}${inside}</${node.name}>`;
      }
      case 'heading': {
        const contents = this.#contents;
        this.#contents = '';
        const attributes = writeAttributes({ ...node.attributes, id: node.id });
        return `${contents}<${node.name}${attributes}>${this.html(node.children)}</${node.name}>`;
      }
      case 'link':
        return linkHtml(this, node);
      case 'external-link':
        return externalLinkHtml(this, node);
      case 'file':
        return fileHtml(this, node);
      case 'extension':
        return this.#extension(node);
      case 'template':
        return escapeText(this.tree.source.slice(node.start, node.end));
      default:
        return '';
    }
  }

  #extension(node: ExtensionNode): string {
    const { body, attributes, name } = node;
    switch (name) {
      case 'pre':
        return `<pre${writeAttributes(preAttributes(node))}>${escapeText(body ?? '')}</pre>`;
      case 'ref':
        return this.citations.mark(node);
      case 'references':
        return this.citations.list(node);
      case 'gallery':
        return galleryHtml(this, node);
      case 'poem':
        return `<div class="poem">${this.html(node.children ?? [])}</div>`;
      case 'syntaxhighlight':
        return this.#code(body ?? '', attributes.lang ?? '', attributes.inline !== undefined);
      case 'math':
        return this.#formula(body ?? '', attributes.display === 'block');
      case 'listing':
        return listingHtml(attributes.name ?? '', this.resolved.listings?.get(attributes.key ?? ''));
      case 'toc':
        return this.#outline.length > 0 ? contentsHtml(this.#outline) : '';
      default:
        return '';
    }
  }

  #code(body: string, language: string, isInline: boolean): string {
    const code = isInline ? body.trim() : body.replace(/^\n+/, '').trimEnd();
    const inside = this.resolved.highlight?.(code, language) ?? escapeText(code);
    const attributes = writeAttributes({ class: language === '' ? undefined : `language-${language}` });
    if (isInline) return `<code${attributes}>${inside}</code>`;
    return `<div class="mw-highlight"><pre><code${attributes}>${inside}</code></pre></div>`;
  }

  #formula(body: string, isDisplay: boolean): string {
    const inside = this.resolved.math?.(body.trim(), isDisplay);
    if (isDisplay)
      return `<div class="math math-display">${inside ?? `<code>${escapeText(body)}</code>`}</div>`;
    return `<span class="math">${inside ?? `<code>${escapeText(body)}</code>`}</span>`;
  }
}

/** Stray `</p>` and the like: nothing to see, and nothing to leave a gap for. */
function isEmptyParagraph(node: ElementNode): boolean {
  if (node.attributes) return false;
  return node.children.every(
    (child) =>
      child.type === 'marker' ||
      (child.type === 'text' && child.value.trim() === '' && !child.value.includes('\u00a0')),
  );
}

function preAttributes(node: ExtensionNode): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(node.attributes)) {
    const safe = safeAttribute('pre', name, value);
    if (safe !== undefined) result[name] = safe;
  }
  return result;
}

/** No line begins with the punctuation that French sets apart by a space. */
function withFixedSpaces(text: string): string {
  if (!/ [?:;!%»›]|[«‹] /.test(text)) return text;
  return text.replace(/ (?=[?:;!%»›](?!\w))/g, '\u00a0').replace(/([«‹]) /g, '$1\u00a0');
}
