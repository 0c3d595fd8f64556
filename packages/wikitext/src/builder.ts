/**
 * Builds a balanced tree from tags in any order, nested as a browser would nest them.
 * The rules are those of the HTML standard's tree construction (§13.2.6), reduced to the elements that pages may use: implied
 * end tags, formatting reopened after blocks and cells, the adoption agency, and foster parenting. Open elements are limited by
 * `limits.nesting` and formatting to reopen by `limits.reopened`, so the work per token is bounded.
 * `stack.ts` looks up open elements, `formats.ts` lists the active formatting, `adoption.ts` has the adoption agency.
 */
import { adoptBlock } from './adoption.ts';
import { isBlockNode } from './blocks/block-node.ts';
import { ImpliedParagraphs } from './blocks/wrap.ts';
import { addHeading, type Context, mayAddNode } from './context.ts';
import { Formats } from './formats.ts';
import { fosterNode } from './foster.ts';
import { limits } from './limits.ts';
import {
  addChild,
  bringsLinks,
  type Container,
  currentPlace,
  emptyCopy,
  endAfter,
  endLinkAt,
  isContainer,
  isWhiteSpace,
  mayStandInTable,
  nodeOf,
  type Open,
  type Place,
  placeOf,
  settle,
} from './open-element.ts';
import type { Prepared } from './prepared.ts';
import { closesInRuby } from './ruby.ts';
import { findHeading, findItem, findOpen, findTablePart, tableContext, topName, topTraits } from './stack.ts';
import { isInvisible } from './text.ts';
import { type TextPart, Texts, textsOf } from './text-nodes.ts';
import type { Token } from './token.ts';
import { trait, traitsOf } from './traits.ts';
import type { Attributes, ElementNode, Node, Range } from './tree.ts';

/** Never throws; elements deeper than `limits.nesting` leave only their content. */
export class Builder {
  readonly #root: Place;
  readonly #implied: ImpliedParagraphs;
  readonly #wraps: 'page' | 'quotes' | 'nothing';
  readonly #context: Context;
  readonly #prepared: Prepared;
  readonly #stack: Open[] = [];
  readonly #formats = new Formats();
  /** Number of tags per name that were refused because of depth. As many end tags are refused. */
  #refused: Map<string, number> | undefined;
  #needsReopening = false;
  /** Pending text that is not in the tree yet, as offsets in the prepared text. More text may extend it. */
  #textStart = 0;
  #textEnd = 0;
  #endsWithNewline = false;
  readonly #texts = new Texts();

  /** Offsets given to the builder refer to `prepared`. `wraps`: where bare text is wrapped in paragraphs. */
  constructor(context: Context, prepared: Prepared, wraps: 'page' | 'quotes' | 'nothing' = 'nothing') {
    this.#context = context;
    this.#prepared = prepared;
    this.#wraps = wraps;
    this.#implied = new ImpliedParagraphs(context);
    this.#root = placeOf({ children: [] }, wraps === 'page');
  }

  token(token: Token): void {
    switch (token.kind) {
      case 'open':
        this.open(token.name, token, token.attributes, token.node);
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

  /** Adds the prepared text between two offsets. */
  text(start: number, end: number): void {
    if (start < end) this.#addText(start, end, false);
  }

  /** Adds the line end at `offset` of the prepared text. It does not extend the source range of the element that it ends. */
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
    const [start, end] = [this.#textStart, this.#textEnd];
    if (start === end) return;
    this.#textStart = end;
    for (const part of textsOf(this.#prepared, start, end, this.#endsWithNewline))
      this.#characters(part, false);
  }

  /** Adds plain text that is already decoded. */
  characters(value: string, start: number, end: number): void {
    this.#writeText();
    this.#characters({ value, start, end }, false);
  }

  #characters(text: TextPart, isWhole: boolean): void {
    const { value, start } = text;
    const top = this.#stack[this.#stack.length - 1];
    if (top && top.traits & trait.holdsTableParts) {
      if (isWhiteSpace(value)) this.#texts.append(nodeOf(top), text, isWhole);
      else {
        this.#reopen(start);
        this.#insert({ type: 'text', value, start, end: text.end }, 0);
      }
      return;
    }
    if (this.#needsReopening) this.#reopen(start);
    const last = this.#stack[this.#stack.length - 1];
    const inside = last ? currentPlace(last) : this.#root;
    const { node } = this.#implied.forText(inside, isWhiteSpace(value), start);
    this.#texts.append(node, text, isWhole);
  }

  leaf(node: Node, isBlock: boolean): void {
    this.#writeText();
    if (node.type === 'text' && !isBlock) {
      this.#characters(node, true);
      return;
    }
    if (!mayAddNode(this.#context, node)) return;
    if (bringsLinks(node) && this.#formats.find('a')) this.#closeOpenLink(node.start);
    if (isBlock) this.#closeParagraph(node.start);
    else if (node.type !== 'marker') this.#reopen(node.start);
    this.#insert(node, isBlockNode(node) ? 0 : trait.inline);
  }

  /** `node` is filled instead of a plain element, if it can hold content. */
  open(name: string, at: Range, attributes?: Attributes, node?: Node): void {
    const { start } = at;
    this.#writeText();
    const traits = traitsOf(name);
    if (traits & trait.tablePart && name !== 'table') {
      this.#openTablePart(name, traits, at, attributes);
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
      while (closesInRuby(this.#stack, name)) this.#pop(start);
    }
    if (name === 'a' && this.#formats.find('a')) this.#closeOpenLink(start);
    if (!(traits & trait.special) || traits & trait.void) this.#reopen(start);
    this.#push(name, traits, at, isContainer(node) ? node : elementAt(name, at, attributes));
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
      this.open('br', { start, end });
    } else if (name === 'p' && findOpen(this.#stack, 'p', trait.scopeEnd) < 0) {
      // An end tag without an open paragraph adds an empty paragraph, which separates the text on both sides.
      this.open('p', { start, end });
      this.#pop(end);
    } else if (traits & trait.formatting) {
      this.#adopt(name, start, end);
    } else if (traits & trait.heading) {
      this.#popTo(findHeading(this.#stack), start, end);
    } else if (name === 'li') {
      this.#popTo(findOpen(this.#stack, 'li', trait.listScopeEnd), start, end);
    } else if (traits & trait.tablePart) {
      this.#closeTablePart(name, start, end);
    } else {
      // End tags of other elements do not close blocks.
      const reach = traits & trait.special ? trait.scopeEnd : trait.special;
      this.#popTo(findOpen(this.#stack, name, reach), start, end);
    }
  }

  finish(end: number): Node[] {
    this.#writeText();
    while (this.#stack.length > 0) this.#pop(end);
    this.#implied.finish();
    return this.#root.node.children;
  }

  // Inserting -----------------------------------------------------------------------------------------------------

  /** Adds a node to the innermost element or, if that is a table, before it. Returns the node's new place. */
  #insert(node: Node, traits: number): Place {
    return this.#put(node, traits, this.#stack[this.#stack.length - 1]);
  }

  #put(node: Node, traits: number, outer: Open | undefined): Place {
    if (outer && outer.traits & trait.holdsTableParts && !mayStandInTable(node))
      return fosterNode(this.#stack, this.#root, node);
    const place = outer ? currentPlace(outer) : this.#root;
    let parent = place.open ?? place;
    if (!(traits & trait.metadata) && !isInvisible(node))
      parent = this.#implied.forElement(place, (traits & trait.inline) !== 0, node.start);
    addChild(parent.node, node);
    return parent;
  }

  /** `at`: the tag, which is shown as written if elements are nested too deep. */
  #push(name: string, traits: number, at: Range, node: Container): void {
    const isVoid = (traits & trait.void) !== 0;
    if (!mayAddNode(this.#context)) return;
    if (!isVoid && this.#stack.length >= limits.nesting) {
      this.#context.notices.add(
        `Elements are nested more than ${limits.nesting} deep; inner ones are shown as written.`,
      );
      this.#refused ??= new Map();
      this.#refused.set(name, (this.#refused.get(name) ?? 0) + 1);
      this.characters(this.#context.source.slice(at.start, at.end), at.start, at.end);
      return;
    }
    const parent = this.#insert(node, traits);
    if (isVoid) return;
    if (node.type === 'heading') addHeading(this.#context, node);
    const open = this.#opened(name, traits, node, parent);
    this.#stack.push(open);
    if (traits & trait.formatting) this.#formats.add(open);
  }

  #opened(name: string, traits: number, node: Container, parent: Place): Open {
    const place = placeOf(node, name === 'blockquote' && this.#wraps !== 'nothing');
    const open = { name, traits, place };
    settle(open, parent);
    return open;
  }

  // Closing -------------------------------------------------------------------------------------------------------

  #pop(end: number): void {
    const open = this.#stack.pop();
    if (!open) return;
    endLinkAt(nodeOf(open), end);
    endAfter(nodeOf(open), end);
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

  #openTablePart(name: string, traits: number, at: Range, attributes: Attributes | undefined): void {
    const { start } = at;
    for (;;) {
      const context = tableContext(this.#stack);
      if (context === '') return;
      if (context === 'td' || context === 'th' || context === 'caption') {
        this.#closeTablePart(context, start, start);
      } else if (context === 'tr' && name !== 'td' && name !== 'th') {
        this.#closeTablePart('tr', start, start);
      } else if (context === 'table' && (name === 'td' || name === 'th')) {
        this.#openTablePart('tr', traitsOf('tr'), { start, end: start }, undefined);
        if (topName(this.#stack) !== 'tr') return;
      } else {
        this.#clearTo(context, start);
        break;
      }
    }
    const depth = this.#stack.length;
    this.#push(name, traits, at, elementAt(name, at, attributes));
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

  #reopen(at: number): void {
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
      const node = emptyCopy(nodeOf(open), at);
      const copy = this.#opened(open.name, open.traits, node, this.#insert(node, open.traits));
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
    endLinkAt(nodeOf(open), at);
  }

  /** Runs the adoption agency, which ends formatting that blocks were opened inside. */
  #adopt(name: string, start: number, end: number): void {
    const top = this.#stack[this.#stack.length - 1];
    if (top?.name === name && this.#formats.list.at(-1) === top) {
      this.#stack.pop();
      this.#formats.list.pop();
      endAfter(nodeOf(top), end);
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
      this.#needsReopening = true;
      const put = (open: Open, outer: Open | undefined) =>
        settle(open, this.#put(nodeOf(open), open.traits, outer));
      if (!adoptBlock(this.#stack, this.#formats.list, formatIndex, put)) {
        this.#popTo(formatIndex, start, end);
        this.#formats.remove(format);
        return;
      }
    }
  }
}

function elementAt(name: string, { start, end }: Range, attributes: Attributes | undefined): ElementNode {
  return { type: 'element', name, attributes, children: [], start, end };
}
