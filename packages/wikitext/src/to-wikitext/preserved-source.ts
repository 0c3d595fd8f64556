/**
 * Source of elements that an edit left as they were. If a part of the page is written anew, they are put there as the source has
 * them: calls, references, links, formulas.
 */
import { lists } from './elements.ts';
import { type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';
import { isMedia } from './media.ts';
import { isNote } from './notes.ts';
import { callsAtEnd, keyOf, type Notes, notesOf, type Range, rangeOf, usesOf } from './source-blocks.ts';
import type { SourceText } from './source-text.ts';

/** An element of the rendered HTML. `within`: range of what contains it; `outer`: range of the nearest ancestor but paragraphs. */
type Known = { element: HtmlElement; siblings: readonly HtmlNode[]; within: Range; outer: Range | undefined };

export class PreservedSource {
  readonly #text: SourceText;
  /** Elements by their `data-source`. */
  readonly #before = new Map<string, Known[]>();
  readonly #found = new WeakMap<HtmlElement, string | undefined>();
  readonly #notesBefore: Notes;
  readonly #notesAfter: Notes;

  constructor(text: SourceText, before: readonly HtmlNode[], after: readonly HtmlNode[]) {
    this.#text = text;
    this.#notesBefore = notesOf(before);
    this.#notesAfter = notesOf(after);
    this.#collect(before, { start: 0, end: text.source.length }, undefined);
  }

  #collect(siblings: readonly HtmlNode[], within: Range, outer: Range | undefined): void {
    for (const element of siblings) {
      if (element.type !== 'element') continue;
      const range = rangeOf(element);
      const place = element.attributes['data-source'] ?? '';
      if (range) {
        const known = this.#before.get(place) ?? [];
        known.push({ element, siblings, within, outer });
        this.#before.set(place, known);
      }
      this.#collect(element.children, range ?? within, element.name === 'p' ? outer : (range ?? outer));
    }
  }

  /** Returns the source of an unedited element; undefined if it was edited, or if a call brought more than the element. */
  of(node: HtmlElement): string | undefined {
    if (node.attributes['data-source'] === undefined) return undefined;
    if (!this.#found.has(node)) this.#found.set(node, this.#find(node));
    return this.#found.get(node);
  }

  /**
   * Returns the source of the cells of a row, or of an item's words without its marks and the lists below them, wherever the row or
   * item stands now; undefined if they were edited or do not have lines of their own.
   */
  contents(node: HtmlElement): string | undefined {
    const range = rangeOf(node);
    const key = keyOf(withoutLists(node), this.#notesAfter);
    const known = this.#before
      .get(node.attributes['data-source'] ?? '')
      ?.find(({ element }) => keyOf(withoutLists(element), this.#notesBefore) === key);
    const { source } = this.#text;
    if (!range || !known || (range.start > 0 && source[range.start - 1] !== '\n')) return undefined;
    const { element, siblings } = known;
    const next = siblings.slice(siblings.indexOf(element) + 1).find((one) => rangeOf(one));
    // A call in it may have brought what follows, too.
    if ((rangeOf(next)?.start ?? range.end) < range.end) return undefined;
    const below = rangeOf(element.children.find((child) => isElement(child) && lists.has(child.name)));
    const end = below ? below.start - 1 : callsAtEnd(source, range.start, range.end);
    const written = source.slice(range.start, end);
    if (usesOf(node).length > 0 && /<ref\b[^<>]*\/>/i.test(written)) return undefined;
    if (node.name === 'tr') return /^[|!]/.test(written) ? written.trim() : undefined;
    const marks = /^[*#:;]+/.exec(written)?.[0];
    return marks && written.slice(marks.length).trim();
  }

  #find(node: HtmlElement): string | undefined {
    const range = rangeOf(node);
    const all = this.#before.get(node.attributes['data-source'] ?? '');
    if (!range || !all) return undefined;
    const key = keyOf(node, this.#notesAfter);
    const known = all.find(({ element }) => keyOf(element, this.#notesBefore) === key);
    const source = this.#text.source.slice(range.start, range.end);
    // A reference without text may need the text of a note that stood elsewhere, so it is written by itself.
    if (!isNote(node) && !isMedia(node) && usesOf(node).length > 0 && /<ref\b[^<>]*\/>/i.test(source))
      return undefined;
    // The marks of an item or an inner list belong to the list around it.
    if (/^(?:li|d[dt])$/.test(node.name) ? /^[*#:;]/.test(source) : /^[*#:;]{2}/.test(source))
      return undefined;
    // Emphasis is written together with that beside it.
    if (!known || source.startsWith("''") || isSame(known.outer, range)) return undefined;
    return source.startsWith('{{') && !this.#isWhole(known, range)
      ? undefined
      : source.replace(/(?<!\n)\n+$/, '');
  }

  /** Whether the text beside the result of a call is that of the source, so that the element is all of the result. */
  #isWhole({ element, siblings, within }: Known, range: Range): boolean {
    const at = siblings.indexOf(element);
    const isOther = (node: HtmlNode) => {
      const other = rangeOf(node);
      return other !== undefined && !isSame(other, range);
    };
    const before = siblings.findLastIndex((node, index) => index < at && isOther(node));
    const after = siblings.findIndex((node, index) => index > at && isOther(node));
    const run = siblings.slice(before + 1, after < 0 ? undefined : after);
    if (run.some((node) => node !== element && rangeOf(node))) return false;
    const shown = this.#text.indexes({
      start: rangeOf(siblings[before])?.end ?? within.start,
      end: rangeOf(siblings[after])?.start ?? within.end,
    });
    const written = this.#text.characters.slice(shown.start, shown.end).map(({ value }) => value);
    const texts = run.map((node) => (node.type === 'text' ? node.value : node === element ? '' : '\0'));
    return squeezed(texts.join('')) === squeezed(written.join(''));
  }
}

function withoutLists(node: HtmlElement): HtmlElement {
  return { ...node, children: node.children.filter((child) => !isElement(child) || !lists.has(child.name)) };
}

function isSame(one: Range | undefined, other: Range): boolean {
  return one?.start === other.start && one.end === other.end;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
