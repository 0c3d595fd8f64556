/** Converts blocks of a page to Markdown blocks. Inline nodes between blocks become paragraphs. */
import type { ElementNode, ExtensionNode, HeadingNode, Node, Resolved, Tree } from '@coppice/wikitext';
import { anchor, inlineText, isBlockNode } from '@coppice/wikitext/build';
import type { ListItem } from 'mdast';
import { isHidden, isTag, paragraph, trimmed, verbatim } from './lines.ts';
import { listing } from './listing.ts';
import { figure, gallery } from './media.ts';
import { Notes } from './notes.ts';
import { Phrasing } from './phrasing.ts';
import { table } from './table.ts';
import type { DefinitionList } from './write.ts';
import type { Block, ToMarkdownOptions, Writer } from './writer.ts';

/**
 * Maximum nesting of quotes and lists. Each level indents all lines inside it, so output grows with the square of the depth.
 */
const deepest = 50;

export class Flow implements Writer {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly options: ToMarkdownOptions;
  readonly notes: Notes;
  readonly phrasing: Phrasing;
  readonly #holdsBlocks = new WeakMap<Node, boolean>();
  #depth = 0;

  constructor(tree: Tree, resolved: Resolved, options: ToMarkdownOptions) {
    this.tree = tree;
    this.resolved = resolved;
    this.options = options;
    this.notes = new Notes(this);
    this.phrasing = new Phrasing(this);
  }

  blocks(nodes: readonly Node[]): Block[] {
    if (this.#depth >= deepest) return paragraph([{ type: 'text', value: inlineText(nodes).trim() }]);
    this.#depth++;
    const blocks: Block[] = [];
    let line: Node[] = [];
    const endLine = () => {
      if (line.length > 0) blocks.push(...paragraph(this.phrasing.of(line)));
      line = [];
    };
    for (const node of nodes) {
      if (!this.holdsBlocks(node)) line.push(node);
      else {
        endLine();
        if (!isHidden(node)) blocks.push(...this.#block(node));
      }
    }
    endLine();
    this.#depth--;
    return blocks;
  }

  holdsBlocks(node: Node): boolean {
    if (isBlockNode(node) || (node.type === 'extension' && node.name === 'markdown')) return true;
    if (node.type !== 'element' || node.children.length === 0) return false;
    let holds = this.#holdsBlocks.get(node);
    if (holds === undefined) {
      holds = node.children.some((child) => this.holdsBlocks(child));
      this.#holdsBlocks.set(node, holds);
    }
    return holds;
  }

  #block(node: Node): Block[] {
    switch (node.type) {
      case 'heading':
        return this.#heading(node, node.level);
      case 'file':
        return figure(this, node);
      case 'extension':
        return this.#extension(node);
      case 'element':
        return this.#element(node);
      default:
        return [];
    }
  }

  #heading(node: HeadingNode | ElementNode, level: number): Block[] {
    const children = trimmed(this.phrasing.onOneLine(node.children));
    const depth = Math.min(Math.max(level, 1), 6) as 1 | 2 | 3 | 4 | 5 | 6;
    if (children.length === 0) return [];
    // Links reach a heading by the IDs that both languages derive from its text. Any other ID, such as that of a repeated
    // heading, is written out.
    if (
      node.type === 'heading' &&
      node.id !== anchor(inlineText(node.children)) &&
      /^[^\s{}]{1,200}$/.test(node.id)
    )
      children.push({ type: 'html', value: ` {#${node.id}}` });
    return [{ type: 'heading', depth, children }];
  }

  #element(node: ElementNode): Block[] {
    const { name, children } = node;
    switch (name) {
      case 'ul':
      case 'ol':
        return this.#list(node);
      case 'dl':
        return this.#definitions(node);
      case 'table':
        return table(this, node);
      case 'pre':
        return [{ type: 'code', value: verbatim(children).replace(/\n$/, '') }];
      case 'blockquote': {
        const inside = this.blocks(children);
        return inside.length === 0 ? [] : [{ type: 'blockquote', children: inside }];
      }
      case 'hr':
        return [{ type: 'thematicBreak' }];
      case 'summary':
        return paragraph(this.phrasing.of(children), 'strong');
      case 'caption':
      case 'figcaption':
        return paragraph(this.phrasing.of(children), 'emphasis');
      default:
        if (/^h[1-6]$/.test(name)) return this.#heading(node, Number(name[1]));
        return this.blocks(children);
    }
  }

  #list({ name, attributes, children }: ElementNode): Block[] {
    const items: ListItem[] = [];
    for (const child of children) {
      if (child.type === 'element' && child.name === 'li') {
        const inside = this.blocks(child.children);
        const box = checkbox(child);
        const texts = inside.filter(({ type }) => type === 'paragraph').length;
        items.push({
          type: 'listItem',
          spread: texts > 1,
          ...(box === undefined ? {} : { checked: box }),
          children: inside,
        });
      } else {
        // A list directly inside a list belongs to the item before it.
        const inside = this.blocks([child]);
        const last = items.at(-1);
        if (inside.length === 0) continue;
        if (last) last.children.push(...inside);
        else items.push({ type: 'listItem', spread: false, children: inside });
      }
    }
    if (items.length === 0) return [];
    const start = Number(attributes?.start ?? 1);
    return [
      {
        type: 'list',
        ordered: name === 'ol',
        start: Number.isSafeInteger(start) && start >= 0 ? start : 1,
        spread: items.some(({ spread }) => spread),
        children: items,
      },
    ];
  }

  /** Lines that are only indented by colons, as in replies, become quotes instead of definitions. */
  #definitions({ children }: ElementNode): Block[] {
    const parts = children.filter((child) => child.type === 'element');
    if (!parts.some(({ name }) => name === 'dt')) {
      const inside = this.blocks(children.flatMap((child) => (isTag(child, 'dd') ? [child] : [])));
      return inside.length === 0 ? [] : [{ type: 'blockquote', children: inside }];
    }
    const entries = parts.flatMap((part): DefinitionList['children'] => {
      if (part.name === 'dt') {
        const term = trimmed(this.phrasing.onOneLine(part.children));
        return term.length === 0 ? [] : [{ type: 'paragraph', children: term }];
      }
      const inside = this.blocks(part.children);
      return inside.length === 0 ? [] : [{ type: 'definitionDescription', children: inside }];
    });
    return entries.length === 0 ? [] : [{ type: 'definitionList', children: entries }];
  }

  #extension(node: ExtensionNode): Block[] {
    const { name, body = '', attributes, children = [] } = node;
    switch (name) {
      case 'pre':
        return [{ type: 'code', value: body.replace(/^\n|\n$/g, '') }];
      case 'syntaxhighlight':
      case 'code-block':
        return [{ type: 'code', lang: language(attributes.lang), value: body.replace(/^\n+/, '').trimEnd() }];
      case 'math':
        return [{ type: 'html', value: `$$\n${body.trim()}\n$$` }];
      case 'references':
        return this.notes.list(node);
      case 'gallery':
        return gallery(this, node);
      case 'listing':
        return listing(this, node);
      default:
        if (children.length > 0) return this.blocks(children);
        // The table of contents is generated from the headings when the page is shown.
        return name !== 'toc' && this.tree.rules.tags?.has(name)
          ? [{ type: 'code', lang: language(name), value: body.trim() }]
          : [];
    }
  }
}

function checkbox(item: ElementNode): boolean | undefined {
  const [first] = item.children;
  const box = first && isTag(first, 'p') ? first.children[0] : first;
  if (!box || !isTag(box, 'input')) return undefined;
  return box.attributes?.checked !== undefined;
}

/** Returns a language name that cannot end the fence line. */
function language(name = ''): string | null {
  return /^[\w+#.-]{1,40}$/.test(name) ? name : null;
}
