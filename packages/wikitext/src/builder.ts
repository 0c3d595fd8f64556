/**
 * Tags in any order → a tree that is balanced and nested as a browser would nest it.
 *
 * The rules are those of the HTML standard's tree construction (§13.2.6), cut down to the elements that pages may use:
 * implied end tags, formatting that is opened again after blocks and cells, the adoption agency, foster parenting of
 * what stands in a table but in no cell. Open elements are at most `limits.nesting`, formatting to reopen at most
 * `limits.reopened`, so the work per token is bounded.
 *
 * Questions to the stack of open elements are in `stack.ts`, the list of formatting in `formats.ts`, adoption in `adoption.ts`.
 */
import { adoptBlock } from './adoption.ts';
import { type Context, mayAddNode } from './context.ts';
import { decodeEntities } from './entities.ts';
import { Formats } from './formats.ts';
import { limits } from './limits.ts';
import {
  addChild,
  append,
  bringsLinks,
  type Container,
  emptyCopy,
  isContainer,
  isWhiteSpace,
  mayStandInTable,
  type Open,
} from './open-element.ts';
import { type Prepared, sourceOffset } from './prepared.ts';
import { findHeading, findItem, findOpen, findTablePart, tableContext, topName, topTraits } from './stack.ts';
import type { Token } from './token.ts';
import { trait, traitsOf } from './traits.ts';
import type { Attributes, ElementNode, Node } from './tree.ts';

export class Builder {
  readonly root: { children: Node[] } = { children: [] };
  /** Every `<blockquote>`, for paragraphs to be put into. */
  readonly quotes: ElementNode[] = [];
  /** Nodes that were moved before a table: they stay as bare as they were. */
  fostered: Set<Node> | undefined;
  readonly #context: Context;
  readonly #prepared: Prepared;
  readonly #stack: Open[] = [];
  readonly #formats = new Formats();
  /** Tags refused because of depth, whose end tags are refused too. */
  #refused: Map<string, number> | undefined;
  #needsReopening = false;
  /** Text that is not in the tree yet, as offsets in the prepared text: it may go on. */
  #textStart = 0;
  #textEnd = 0;
  #endsWithNewline = false;

  /** All text that is added stands in `prepared`. */
  constructor(context: Context, prepared: Prepared) {
    this.#context = context;
    this.#prepared = prepared;
  }

  token(token: Token): void {
    switch (token.kind) {
      case 'open':
        this.open(token.name, token.attributes, token.start, token.end, token.node);
        break;
      case 'close':
        this.close(token.name, token.start, token.end);
        break;
      case 'leaf':
        if (token.node) this.leaf(token.node, token.effects !== 0);
        break;
      default:
        this.text(token.start, token.end);
    }
  }

  /** The prepared text between two offsets. */
  text(start: number, end: number): void {
    if (start < end) this.#addText(start, end, false);
  }

  /** The line end at `offset` of the prepared text; it does not count into the position of what it ends. */
  newline(offset: number): void {
    this.#addText(offset, offset + 1, true);
  }

  #addText(start: number, end: number, isNewline: boolean): void {
    if (this.#textEnd !== start || this.#textStart === this.#textEnd) {
      this.#writeText();
      this.#textStart = start;
    }
    this.#textEnd = end;
    this.#endsWithNewline = isNewline;
  }

  #writeText(): void {
    const start = this.#textStart;
    const end = this.#textEnd;
    if (start === end) return;
    this.#textStart = end;
    const from = sourceOffset(this.#prepared, start);
    const last = end - start === 1 ? from : sourceOffset(this.#prepared, end - 1);
    const to = this.#endsWithNewline ? last : last + 1;
    this.characters(decodeEntities(this.#prepared.text.slice(start, end)), from, to);
  }

  /** Plain text, already decoded. */
  characters(value: string, start: number, end: number): void {
    this.#writeText();
    const top = this.#stack[this.#stack.length - 1];
    if (top && top.traits & trait.holdsTableParts) {
      if (isWhiteSpace(value)) {
        append(top.node, value, start, end);
        return;
      }
      this.#reopen();
      this.#insert({ type: 'text', value, start, end });
      return;
    }
    if (this.#needsReopening) this.#reopen();
    append(this.#current(), value, start, end);
  }

  leaf(node: Node, isBlock: boolean): void {
    this.#writeText();
    if (node.type === 'text' && !isBlock) {
      this.characters(node.value, node.start, node.end);
      return;
    }
    if (!mayAddNode(this.#context)) return;
    if (bringsLinks(node) && this.#formats.find('a')) this.#closeOpenLink(node.start);
    if (isBlock) this.#closeParagraph(node.start);
    else if (node.type !== 'marker') this.#reopen();
    this.#insert(node);
  }

  open(name: string, attributes: Attributes | undefined, start: number, end: number, node?: Node): void {
    this.#writeText();
    const traits = traitsOf(name);
    if (traits & trait.tablePart && name !== 'table') {
      this.#openTablePart(name, traits, attributes, start, end);
      return;
    }
    if (name === 'table') {
      const context = tableContext(this.#stack);
      if (context === 'table' || context === 'tr') this.close('table', start, start);
    }
    if (name === 'li') this.#popTo(findItem(this.#stack, 'li', 'li'), start, start);
    else if (name === 'dd' || name === 'dt') this.#popTo(findItem(this.#stack, 'dd', 'dt'), start, start);
    if (traits & trait.closesParagraph) this.#closeParagraph(start);
    if (traits & trait.heading && topTraits(this.#stack) & trait.heading) this.#pop(start);
    if (traits & trait.rubyPart && findOpen(this.#stack, 'ruby', trait.scopeEnd) >= 0) {
      while (topTraits(this.#stack) & trait.impliedEnd) this.#pop(start);
    }
    if (name === 'a' && this.#formats.find('a')) this.#closeOpenLink(start);
    if (!(traits & trait.special) || traits & trait.void) this.#reopen();
    this.#push(name, traits, attributes, start, end, node);
  }

  close(name: string, start: number, end: number): void {
    this.#writeText();
    const refused = this.#refused?.get(name) ?? 0;
    if (refused > 0) {
      this.#refused?.set(name, refused - 1);
      this.characters(this.#context.source.slice(start, end), start, end);
      return;
    }
    const traits = traitsOf(name);
    if (name === 'br') {
      this.open('br', undefined, start, end);
    } else if (traits & trait.formatting) {
      this.#adopt(name, start, end);
    } else if (traits & trait.heading) {
      this.#popTo(findHeading(this.#stack), start, end);
    } else if (name === 'li') {
      this.#popTo(findOpen(this.#stack, 'li', trait.listScopeEnd), start, end);
    } else if (traits & trait.tablePart) {
      this.#closeTablePart(name, start, end);
    } else {
      // The end tag of anything else does not reach over blocks.
      const reach = traits & trait.special ? trait.scopeEnd : trait.special;
      this.#popTo(findOpen(this.#stack, name, reach), start, end);
    }
  }

  finish(end: number): Node[] {
    this.#writeText();
    while (this.#stack.length > 0) this.#pop(end);
    return this.root.children;
  }

  // Inserting -----------------------------------------------------------------------------------------------------

  #current(): { children: Node[] } {
    return this.#stack[this.#stack.length - 1]?.node ?? this.root;
  }

  #insert(node: Node): { children: Node[] } {
    const top = this.#stack[this.#stack.length - 1];
    if (top && top.traits & trait.holdsTableParts && !mayStandInTable(node)) return this.#foster(node);
    const parent = top?.node ?? this.root;
    if (node.type === 'text') append(parent, node.value, node.start, node.end);
    else addChild(parent, node);
    return parent;
  }

  /** Puts what may not stand in a table before it. */
  #foster(node: Node): { children: Node[] } {
    this.fostered ??= new Set();
    const table = this.#stack[findOpen(this.#stack, 'table', 0)];
    if (!table) {
      this.root.children.push(node);
      return this.root;
    }
    const { children } = table.parent;
    const at = children.lastIndexOf(table.node);
    const before = children[at - 1];
    if (node.type === 'text' && before?.type === 'text' && this.fostered.has(before)) {
      const joined: Node = { ...before, value: before.value + node.value, end: node.end };
      children[at - 1] = joined;
      this.fostered.add(joined);
    } else {
      children.splice(at < 0 ? children.length : at, 0, node);
      this.fostered.add(node);
    }
    return table.parent;
  }

  #push(
    name: string,
    traits: number,
    attributes: Attributes | undefined,
    start: number,
    end: number,
    given: Node | undefined,
  ): void {
    const isVoid = (traits & trait.void) !== 0;
    if (!mayAddNode(this.#context)) return;
    if (!isVoid && this.#stack.length >= limits.nesting) {
      this.#context.notices.add(
        `Elements are nested more than ${limits.nesting} deep; inner ones are shown as written.`,
      );
      this.#refused ??= new Map();
      this.#refused.set(name, (this.#refused.get(name) ?? 0) + 1);
      this.characters(this.#context.source.slice(start, end), start, end);
      return;
    }
    const node: Container = isContainer(given)
      ? given
      : { type: 'element', name, attributes, children: [], start, end };
    const parent = this.#insert(node);
    if (isVoid) return;
    if (node.type === 'heading') this.#context.headings.push(node);
    if (name === 'blockquote' && node.type === 'element') this.quotes.push(node);
    const open: Open = { name, traits, node, parent };
    this.#stack.push(open);
    if (traits & trait.formatting) this.#formats.add(open);
  }

  // Closing -------------------------------------------------------------------------------------------------------

  #pop(end: number): void {
    const open = this.#stack.pop();
    if (!open) return;
    if (open.node.end < end) open.node.end = end;
    if (open.traits & trait.formatting) this.#needsReopening = true;
  }

  /** Pops everything above `index` and the element itself. */
  #popTo(index: number, start: number, end: number): void {
    if (index < 0) return;
    while (this.#stack.length - 1 > index) this.#pop(start);
    this.#pop(end);
  }

  #closeParagraph(at: number): void {
    this.#popTo(findOpen(this.#stack, 'p', trait.scopeEnd), at, at);
  }

  // Tables --------------------------------------------------------------------------------------------------------

  #openTablePart(
    name: string,
    traits: number,
    attributes: Attributes | undefined,
    start: number,
    end: number,
  ): void {
    for (;;) {
      const context = tableContext(this.#stack);
      if (context === '') return;
      if (context === 'td' || context === 'th' || context === 'caption') {
        this.#closeTablePart(context, start, start);
      } else if (context === 'tr' && name !== 'td' && name !== 'th') {
        this.#closeTablePart('tr', start, start);
      } else if (context === 'table' && (name === 'td' || name === 'th')) {
        this.#clearTo('table', start);
        this.#push('tr', traitsOf('tr'), undefined, start, start, undefined);
        if (topName(this.#stack) !== 'tr') return;
      } else {
        this.#clearTo(context, start);
        break;
      }
    }
    const depth = this.#stack.length;
    this.#push(name, traits, attributes, start, end, undefined);
    if (name !== 'tr' && this.#stack.length > depth) this.#formats.addBorder();
  }

  #closeTablePart(name: string, start: number, end: number): void {
    const index = findTablePart(this.#stack, name);
    if (index < 0) return;
    while (this.#stack.length > index) {
      const open = topName(this.#stack);
      this.#pop(this.#stack.length - 1 === index ? end : start);
      if (open !== 'td' && open !== 'th' && open !== 'caption') continue;
      this.#formats.clearToBorder();
      this.#needsReopening = true;
    }
  }

  #clearTo(name: string, at: number): void {
    while (this.#stack.length > 0 && topName(this.#stack) !== name) this.#pop(at);
  }

  // Formatting ----------------------------------------------------------------------------------------------------

  #reopen(): void {
    if (!this.#needsReopening) return;
    this.#needsReopening = false;
    const { list } = this.#formats;
    let index = list.length - 1;
    while (index >= 0) {
      const open = list[index];
      if (!open || this.#stack.includes(open)) break;
      index--;
    }
    for (index++; index < list.length; index++) {
      const open = list[index];
      if (!open || this.#stack.length >= limits.nesting || !mayAddNode(this.#context)) return;
      const node = emptyCopy(open.node);
      const copy: Open = { ...open, node, parent: this.#insert(node) };
      this.#stack.push(copy);
      list[index] = copy;
    }
  }

  #closeOpenLink(at: number): void {
    const open = this.#formats.find('a');
    this.#adopt('a', at, at);
    if (!open) return;
    this.#formats.remove(open);
    const index = this.#stack.indexOf(open);
    if (index >= 0) this.#stack.splice(index, 1);
  }

  /** The adoption agency: ends formatting that blocks were opened inside of. */
  #adopt(name: string, start: number, end: number): void {
    const top = this.#stack[this.#stack.length - 1];
    if (top?.name === name && this.#formats.list.at(-1) === top) {
      this.#stack.pop();
      this.#formats.list.pop();
      if (top.node.end < end) top.node.end = end;
      return;
    }
    if (top?.name === name && !this.#formats.list.includes(top)) {
      this.#pop(end);
      return;
    }
    for (let round = 0; round < 8; round++) {
      const format = this.#formats.find(name);
      if (!format) {
        if (round === 0) this.#popTo(findOpen(this.#stack, name, trait.special), start, end);
        return;
      }
      const formatIndex = this.#stack.indexOf(format);
      if (formatIndex < 0) {
        this.#formats.remove(format);
        return;
      }
      if (this.#stack.slice(formatIndex + 1).some((open) => open.traits & trait.scopeEnd)) return;
      const blockIndex = this.#stack.findIndex(
        (open, index) => index > formatIndex && open.traits & trait.special,
      );
      if (blockIndex < 0) {
        this.#popTo(formatIndex, start, end);
        this.#formats.remove(format);
        this.#needsReopening = true;
        return;
      }
      adoptBlock(this.#stack, this.#formats.list, formatIndex, blockIndex, (node, ancestor) =>
        this.#place(node, ancestor),
      );
      this.#needsReopening = true;
    }
  }

  #place(node: Node, ancestor: Open | undefined): { children: Node[] } {
    if (ancestor && ancestor.traits & trait.holdsTableParts) return this.#foster(node);
    const parent = ancestor?.node ?? this.root;
    parent.children.push(node);
    return parent;
  }
}
