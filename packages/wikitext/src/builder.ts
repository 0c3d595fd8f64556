/**
 * Tags in any order → a tree that is balanced and nested as a browser would nest it.
 *
 * The rules are those of the HTML standard's tree construction (§13.2.6), cut down to the elements that pages may use:
 * implied end tags, formatting that is opened again after blocks and cells, the adoption agency, foster parenting of
 * what stands in a table but in no cell. Open elements are at most `limits.nesting`, formatting to reopen at most
 * `limits.reopened`, so the work per token is bounded.
 *
 * The list of formatting is in `formats.ts`, what an open element is in `open-element.ts`.
 * The rules are one long file, as all work on the one stack and read best beside each other, in the order of the standard.
 */
import { type Context, mayAddNode } from './context.ts';
import { decodeEntities } from './entities.ts';
import { Formats } from './formats.ts';
import { limits } from './limits.ts';
import {
  addChild,
  append,
  bringsLinks,
  type Container,
  detach,
  emptyCopy,
  isContainer,
  isWhiteSpace,
  mayStandInTable,
  type Open,
} from './open-element.ts';
import { type Prepared, sourceOffset } from './prepared.ts';
import type { Token } from './token.ts';
import { trait, traitsOf } from './traits.ts';
import type { Attributes, ElementNode, Node } from './tree.ts';

export class Builder {
  readonly root: { children: Node[] } = { children: [] };
  /** Every `<blockquote>`, for paragraphs to be put into. */
  readonly quotes: ElementNode[] = [];
  /** What was moved before a table: it stays as bare as it was. */
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
      const context = this.#tableContext();
      if (context === 'table' || context === 'tr') this.close('table', start, start);
    }
    if (name === 'li') this.#closeItem(start, 'li', 'li');
    else if (name === 'dd' || name === 'dt') this.#closeItem(start, 'dd', 'dt');
    if (traits & trait.closesParagraph) this.#closeParagraph(start);
    if (traits & trait.heading && this.#topTraits() & trait.heading) this.#pop(start);
    if (traits & trait.rubyPart && this.#find('ruby', trait.scopeEnd) >= 0) {
      while (this.#topTraits() & trait.impliedEnd) this.#pop(start);
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
      const index = this.#findHeading();
      if (index >= 0) this.#popTo(index, start, end);
    } else if (name === 'li') {
      this.#popTo(this.#find('li', trait.listScopeEnd), start, end);
    } else if (traits & trait.tablePart) {
      this.#closeTablePart(name, start, end);
    } else if (traits & trait.special) {
      this.#popTo(this.#find(name, trait.scopeEnd), start, end);
    } else this.#closeOther(name, start, end);
  }

  finish(end: number): Node[] {
    this.#writeText();
    while (this.#stack.length > 0) this.#pop(end);
    return this.root.children;
  }

  // Position ------------------------------------------------------------------------------------------------------

  #current(): { children: Node[] } {
    return this.#stack[this.#stack.length - 1]?.node ?? this.root;
  }

  #topTraits(): number {
    return this.#stack[this.#stack.length - 1]?.traits ?? 0;
  }

  #topName(): string {
    return this.#stack[this.#stack.length - 1]?.name ?? '';
  }

  /** Index of the innermost open `name` with nothing of the trait `end` inside it, or -1. */
  #find(name: string, end: number): number {
    for (let index = this.#stack.length - 1; index >= 0; index--) {
      const open = this.#stack[index];
      if (open?.name === name) return index;
      if (open && open.traits & end) return -1;
    }
    return -1;
  }

  #findHeading(): number {
    for (let index = this.#stack.length - 1; index >= 0; index--) {
      const traits = this.#stack[index]?.traits ?? 0;
      if (traits & trait.heading) return index;
      if (traits & trait.scopeEnd) return -1;
    }
    return -1;
  }

  #tableContext(): string {
    for (let index = this.#stack.length - 1; index >= 0; index--) {
      const open = this.#stack[index];
      if (open && open.traits & trait.tablePart) return open.name;
    }
    return '';
  }

  // Inserting -----------------------------------------------------------------------------------------------------

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
    for (let index = this.#stack.length - 1; index >= 0; index--) {
      const open = this.#stack[index];
      if (open?.name !== 'table') continue;
      const { children } = open.parent;
      const at = children.lastIndexOf(open.node);
      const before = children[at - 1];
      if (node.type === 'text' && before?.type === 'text' && this.fostered.has(before)) {
        const joined: Node = { ...before, value: before.value + node.value, end: node.end };
        children[at - 1] = joined;
        this.fostered.add(joined);
      } else {
        children.splice(at < 0 ? children.length : at, 0, node);
        this.fostered.add(node);
      }
      return open.parent;
    }
    this.root.children.push(node);
    return this.root;
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
    this.#popTo(this.#find('p', trait.scopeEnd), at, at);
  }

  /** Closes the innermost item of either name. */
  #closeItem(at: number, name: string, other: string): void {
    for (let index = this.#stack.length - 1; index >= 0; index--) {
      const open = this.#stack[index];
      if (!open) return;
      if (open.name === name || open.name === other) {
        this.#popTo(index, at, at);
        return;
      }
      if (open.traits & trait.special && open.name !== 'div' && open.name !== 'p') return;
    }
  }

  #closeOther(name: string, start: number, end: number): void {
    for (let index = this.#stack.length - 1; index >= 0; index--) {
      const open = this.#stack[index];
      if (open?.name === name) {
        this.#popTo(index, start, end);
        return;
      }
      if (open && open.traits & trait.special) return;
    }
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
      const context = this.#tableContext();
      if (context === '') return;
      if (context === 'td' || context === 'th' || context === 'caption') {
        this.#closeTablePart(context, start, start);
      } else if (context === 'tr' && name !== 'td' && name !== 'th') {
        this.#closeTablePart('tr', start, start);
      } else if (context === 'table' && (name === 'td' || name === 'th')) {
        this.#clearTo('table', start);
        this.#push('tr', traitsOf('tr'), undefined, start, start, undefined);
        if (this.#topName() !== 'tr') return;
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
    let index = this.#stack.length - 1;
    while (index >= 0 && this.#stack[index]?.name !== name) {
      if (this.#stack[index]?.name === 'table') return;
      index--;
    }
    if (index < 0) return;
    while (this.#stack.length > index) {
      const open = this.#topName();
      this.#pop(this.#stack.length - 1 === index ? end : start);
      if (open !== 'td' && open !== 'th' && open !== 'caption') continue;
      this.#formats.clearToBorder();
      this.#needsReopening = true;
    }
  }

  #clearTo(name: string, at: number): void {
    while (this.#stack.length > 0 && this.#topName() !== name) this.#pop(at);
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
        if (round === 0) this.#closeOther(name, start, end);
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
      this.#adoptBlock(format, formatIndex, blockIndex);
    }
  }

  #adoptBlock(format: Open, formatIndex: number, blockIndex: number): void {
    const stack = this.#stack;
    const { list } = this.#formats;
    const block = stack[blockIndex];
    const ancestor = stack[formatIndex - 1];
    if (!block) return;
    let bookmark = list.indexOf(format);
    let last = block;
    let steps = 0;
    for (let index = blockIndex - 1; index > formatIndex; index--) {
      const open = stack[index];
      if (!open) break;
      steps++;
      let place = list.indexOf(open);
      if (steps > 3 && place >= 0) {
        list.splice(place, 1);
        if (place < bookmark) bookmark--;
        place = -1;
      }
      if (place < 0) {
        stack.splice(index, 1);
        continue;
      }
      const copy: Open = { ...open, node: emptyCopy(open.node) };
      list[place] = copy;
      stack[index] = copy;
      if (last === block) bookmark = place + 1;
      detach(last);
      copy.node.children.push(last.node);
      last.parent = copy.node;
      last = copy;
    }
    detach(last);
    last.parent = this.#place(last.node, ancestor);
    const copy: Open = { ...format, node: emptyCopy(format.node), parent: block.node };
    copy.node.children = block.node.children;
    block.node.children = [copy.node];
    for (const open of stack) if (open.parent === block.node) open.parent = copy.node;
    const place = list.indexOf(format);
    if (place >= 0) {
      list.splice(place, 1);
      if (place < bookmark) bookmark--;
    }
    list.splice(bookmark, 0, copy);
    stack.splice(stack.indexOf(format), 1);
    stack.splice(stack.indexOf(block) + 1, 0, copy);
    this.#needsReopening = true;
  }

  #place(node: Node, ancestor: Open | undefined): { children: Node[] } {
    if (ancestor && ancestor.traits & trait.holdsTableParts) return this.#foster(node);
    const parent = ancestor?.node ?? this.root;
    parent.children.push(node);
    return parent;
  }
}
