/**
 * The text that a source shows, each character with its place, read from the language's own tree. Calls are not expanded, so
 * text that they produce is absent. `outline` is the text with the structure around it: if two sources have the same outline,
 * they show the same.
 *
 *   a '''b''' &amp; {{c}}      text: `a b & `      outline: `a <b>b</> & <{{c}}></>`
 */
import { decodeEntities } from '../entities.ts';
import type { Rules } from '../options.ts';
import { parse } from '../parse.ts';
import type { ExtensionNode, Node } from '../tree.ts';
import type { Range } from './source-blocks.ts';

/** A UTF-16 unit of the text: its range in the source, and its index in the outline. */
export type Character = Range & { value: string; inOutline: number };

/** Tags whose body is shown as text. */
const codeTags = new Set(['pre', 'syntaxhighlight']);
/** Fields that hold nodes, or that follow from the text or its place. */
const otherFields = new Set(
  'start end writtenEnd number value children caption arguments listed details id aliases'.split(' '),
);

export class SourceText {
  readonly source: string;
  readonly characters: readonly Character[];
  readonly outline: string;

  constructor(source: string, rules: Rules) {
    const reader = new Reader(source);
    reader.nodes(parse(source, { rules }).children);
    this.source = source;
    this.outline = reader.outline;
    // Misplaced content of a table stands before the table in the tree.
    this.characters = reader.characters.sort((one, other) => one.start - other.start);
  }

  /** Returns the indexes of the first character within a range, and of the first after it. */
  indexes({ start, end }: Range): Range {
    return { start: this.#indexAt(start), end: this.#indexAt(end) };
  }

  #indexAt(offset: number): number {
    let low = 0;
    let high = this.characters.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.characters[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

class Reader {
  readonly characters: Character[] = [];
  outline = '';
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  nodes(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.type === 'text') this.#text(node.value, node.start, node.end);
      else this.#node(node);
    }
  }

  #node(node: Exclude<Node, { type: 'text' }>): void {
    const isCode = node.type === 'extension' && codeTags.has(node.name) && node.body !== undefined;
    const hasNodes = node.type === 'extension' && node.children !== undefined;
    const own = JSON.stringify(node, (field, value: unknown) =>
      otherFields.has(field) || (field === 'body' && (isCode || hasNodes)) ? undefined : value,
    );
    this.outline += `<${own}`;
    if (node.type === 'template') this.outline += this.#source.slice(node.start, node.end);
    this.outline += '>';
    if (isCode) this.#code(node);
    else if (node.type === 'file') this.nodes(node.caption);
    else if (node.type === 'extension') {
      this.nodes(node.children ?? []);
      this.nodes(node.details ?? []);
      this.nodes((node.listed ?? []).map(({ note }) => note));
    } else if ('children' in node) this.nodes(node.children);
    this.outline += '</>';
  }

  #code({ name, body = '', start, end }: ExtensionNode): void {
    const open = this.#source.indexOf('>', start) + 1;
    const inside = this.#source.slice(open, this.#source.lastIndexOf('</', end - 1));
    if (name === 'pre') this.#text(decodeEntities(inside), open, open + inside.length);
    else {
      const from = open + Math.max(0, inside.indexOf(body));
      this.#text(body, from, from + body.length);
    }
  }

  #text(value: string, start: number, end: number): void {
    const spelled = this.#source.slice(start, end);
    if (value.startsWith(spelled)) {
      for (let at = 0; at < spelled.length; at++)
        this.#add(spelled[at] ?? '', start + at, start + at + 1, this.outline.length + at);
    } else this.#spelled(value, spelled, start);
    this.outline += value;
  }

  /** Adds text with character references, or within `<nowiki>`. */
  #spelled(value: string, spelled: string, start: number): void {
    const open = /^<nowiki\b[^>]*>/i.exec(spelled)?.[0].length ?? 0;
    let index = 0;
    for (const { 0: written, index: at } of spelled.slice(open).matchAll(/&#?\w{1,33};|[\s\S]/g)) {
      const shown = decodeEntities(written);
      // The rest is the end tag.
      if (!value.startsWith(shown, index)) return;
      for (const unit of shown.split('')) {
        const from = start + open + at;
        this.#add(unit, from, from + written.length, this.outline.length + index++);
      }
    }
  }

  #add(value: string, start: number, end: number, inOutline: number): void {
    this.characters.push({ value, start, end, inOutline });
  }
}
