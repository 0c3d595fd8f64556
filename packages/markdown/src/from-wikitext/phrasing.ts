/** Converts inline nodes to Markdown. Runs of white space become one space, and marks have no space at their edges. */
import type { ElementNode, ExtensionNode, LinkNode, Node } from '@coppice/wikitext';
import { anchor, isBlockNode, pathHref, safeUrl } from '@coppice/wikitext/build';
import type { PhrasingContent } from 'mdast';
import { isHidden, linkTo, trimmed, verbatim } from './lines.ts';
import { picture } from './media.ts';
import type { Writer } from './writer.ts';

/** Elements that Markdown has no mark for and that are written as HTML. */
const taken = new Set(['sub', 'sup', 'u', 'ins', 'kbd', 'mark']);
const bold = new Set(['b', 'strong']);
const italic = new Set(['i', 'em', 'cite', 'dfn', 'var', 'address']);
const struck = new Set(['s', 'strike', 'del']);
const monospaced = new Set(['code', 'tt', 'samp']);
const deepest = 100;

export class Phrasing {
  readonly #writer: Writer;
  #depth = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  of(nodes: readonly Node[]): PhrasingContent[] {
    if (this.#depth >= deepest) return [];
    this.#depth++;
    const found = merged(nodes.flatMap((node) => this.#node(node)));
    this.#depth--;
    return found;
  }

  onOneLine(nodes: readonly Node[]): PhrasingContent[] {
    return merged(unbroken(this.of(nodes)));
  }

  #node(node: Node): PhrasingContent[] {
    if (isHidden(node)) return [];
    switch (node.type) {
      case 'text':
        return [{ type: 'text', value: node.value.replace(/[ \t\r\n]+/g, ' ') }];
      case 'element':
        return this.#element(node);
      case 'link':
        return this.#link(node);
      case 'external-link': {
        const url = safeUrl(node.url);
        const label = node.kind === 'numbered' ? [] : trimmed(this.of(node.children));
        if (url === undefined) return label;
        return [linkTo(url, label.length > 0 ? label : [{ type: 'text', value: url }], node.title)];
      }
      case 'file':
        return picture(this.#writer, node);
      case 'template':
        return [{ type: 'html', value: this.#writer.tree.source.slice(node.start, node.end) }];
      case 'extension':
        return this.#extension(node);
      case 'heading':
        return this.of(node.children);
      default:
        return [];
    }
  }

  #element(node: ElementNode): PhrasingContent[] {
    const { name, children } = node;
    if (name === 'br') return [{ type: 'break' }];
    if (name === 'input') return [];
    if (monospaced.has(name) && children.every((child) => child.type === 'text')) {
      const value = verbatim(children).replace(/\s+/g, ' ').trim();
      return value === '' ? [] : [{ type: 'inlineCode', value }];
    }
    const inside = this.of(children);
    // A line cannot hold blocks, so they are separated by spaces at least.
    if (isBlockNode(node)) return [{ type: 'text', value: ' ' }, ...inside, { type: 'text', value: ' ' }];
    if (name === 'q') return [{ type: 'text', value: '“' }, ...inside, { type: 'text', value: '”' }];
    if (taken.has(name)) return marked(inside, (core) => tagged(name, core));
    if (bold.has(name)) return marked(inside, (children) => [{ type: 'strong', children }]);
    if (italic.has(name)) return marked(inside, (children) => [{ type: 'emphasis', children }]);
    if (struck.has(name)) return marked(inside, (children) => [{ type: 'delete', children }]);
    return inside;
  }

  #link(node: LinkNode): PhrasingContent[] {
    const label = this.of(node.children);
    const url = this.href(node);
    if (url === undefined) return this.#writer.options.page ? label : wantedLink(node, label);
    return marked(label, (children) => [linkTo(url, children, node.title)]);
  }

  href(node: LinkNode): string | undefined {
    const { options, resolved } = this.#writer;
    const page = node.target === '' ? resolved.page : resolved.pages.get(node.target);
    if (options.page) return options.page(node, page);
    if (!page) return undefined;
    const { fragment = '' } = node;
    const anchorOf = `${fragment.startsWith('_') ? '_' : ''}${anchor(fragment)}`;
    const hash = fragment === '' ? '' : `#${encodeURI(anchorOf).replace(/[()]/g, encodeURIComponent)}`;
    return `${options.origin ?? ''}${pathHref(page.path)}${hash}`;
  }

  #extension(node: ExtensionNode): PhrasingContent[] {
    const { name, body = '', attributes, children } = node;
    switch (name) {
      case 'ref':
        return this.#writer.notes.mark(node);
      case 'math':
        return body.trim() === '' || body.includes('$') || /\n\s*\n/.test(body)
          ? code(body)
          : [{ type: 'html', value: `$${body.trim().replace(/\s+/g, ' ')}$` }];
      case 'unsupported':
        return attributes.silent === undefined ? [{ type: 'text', value: attributes.name ?? '' }] : [];
      case 'references':
      case 'toc':
      case 'listing':
        return [];
      default:
        return children ? this.of(children) : code(body);
    }
  }
}

/** A link to a missing page, in the form that Markdown pages use: `[[Title]]`. Its label has no formatting. */
function wantedLink({ target, fragment, children }: LinkNode, shown: PhrasingContent[]): PhrasingContent[] {
  const label = verbatim(children).replace(/\s+/g, ' ').trim();
  if (label === '' || /[[\]<>]/.test(label)) return shown;
  const name = `${target}${fragment ? `#${fragment}` : ''}`;
  // A leading colon keeps a title with a colon from being read as a namespace or tag.
  const written = `${name.includes(':') ? ':' : ''}${name}`;
  return [{ type: 'html', value: label === name ? `[[${written}]]` : `[[${written}|${label}]]` }];
}

/** White space at the edges of a mark is moved outside; an empty mark is dropped. */
function marked(
  inside: PhrasingContent[],
  mark: (core: PhrasingContent[]) => PhrasingContent[],
): PhrasingContent[] {
  const core = trimmed(inside);
  const [first] = inside;
  const last = inside.at(-1);
  const space: PhrasingContent[] = [{ type: 'text', value: ' ' }];
  if (core.length === 0) return inside.length > 0 ? space : [];
  return [
    ...(first?.type === 'text' && first.value.startsWith(' ') ? space : []),
    ...mark(core),
    ...(last?.type === 'text' && last.value.endsWith(' ') ? space : []),
  ];
}

function tagged(name: string, inside: PhrasingContent[]): PhrasingContent[] {
  return [{ type: 'html', value: `<${name}>` }, ...inside, { type: 'html', value: `</${name}>` }];
}

function code(body: string): PhrasingContent[] {
  const value = body.replace(/\s+/g, ' ').trim();
  return value === '' ? [] : [{ type: 'inlineCode', value }];
}

/** Merges adjacent texts, with one space between them where either had some, and no space at a line break. */
function merged(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  // Kept apart, because asking the merged text would copy all of it each time.
  let endsInSpace = false;
  for (const node of nodes) {
    const last = out.at(-1);
    if (node.type !== 'text') {
      if (node.type === 'break' && last?.type === 'text') last.value = last.value.trimEnd();
      out.push(node);
      continue;
    }
    let { value } = node;
    if (last?.type === 'break' || (last?.type === 'text' && endsInSpace)) value = value.replace(/^ +/, '');
    if (value === '') continue;
    if (last?.type === 'text') last.value += value;
    else out.push({ type: 'text', value });
    endsInSpace = value.endsWith(' ');
  }
  return out.filter((node) => node.type !== 'text' || node.value !== '');
}

function unbroken(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node) => {
    if (node.type === 'break') return { type: 'text', value: ' ' };
    if (!('children' in node)) return node;
    return { ...node, children: unbroken(node.children as PhrasingContent[]) } as PhrasingContent;
  });
}
