/**
 * Compares the rendered HTML with the edited one, element by element, and collects the changes of the source. Texts are changed
 * word by word, rows, cells and items are put in and taken out, and where inline content has changed, only the part between
 * the unchanged ends is written anew.
 */
import type { Editing } from './editing.ts';
import { lists } from './elements.ts';
import { editGallery } from './gallery-edits.ts';
import { findElement, type HtmlElement, type HtmlNode, hasClass, isElement, isSameBut } from './html-tree.ts';
import { editInline } from './inline-edits.ts';
import { editItems } from './list-edits.ts';
import { marksChanges } from './marks-edits.ts';
import { longestMatch } from './match.ts';
import { keyOf, type Notes, noteSources, notesOf, type Range, rangeOf, textOfNote } from './source-blocks.ts';
import { SourceText } from './source-text.ts';
import { editTable } from './table-edits.ts';
import { AlignedTexts, type Change, withChanges, writtenTexts } from './text-edits.ts';
import type { Writer } from './writer.ts';

/** Each text is aligned with a part of the source, and each block is read again, so their number bounds the work. */
const mostEdits = 50;
const mostBlocks = 20;

type Leaf = { old: string; now: string };

export class TreeEdits implements Editing {
  readonly text: SourceText;
  readonly writer: Writer;
  readonly #notes: ReadonlyMap<string, Range>;
  readonly #notesBefore: Notes;
  readonly #notesAfter: Notes;
  #count = 0;
  #blocks = 0;

  constructor(text: SourceText, before: readonly HtmlNode[], after: readonly HtmlNode[], writer: Writer) {
    this.text = text;
    this.writer = writer;
    this.#notes = noteSources(before, text.source);
    this.#notesBefore = notesOf(before);
    this.#notesAfter = notesOf(after);
  }

  /** Returns the source with the changed texts; undefined if more than texts has changed or a place is uncertain. */
  texts(before: readonly HtmlNode[], after: readonly HtmlNode[]): string | undefined {
    const changes = this.compare(before, after, { start: 0, end: this.text.source.length });
    const written = changes && writtenTexts(this.text, changes, this.writer.rules);
    return written && withChanges(this.text.source, written);
  }

  /** Returns the new source of an edited block; undefined if only parts of it that are not known to be right could be changed. */
  block(old: HtmlNode, now: HtmlNode, within: Range): string | undefined {
    if (!isElement(old) || !isElement(now) || ++this.#blocks > mostBlocks) return undefined;
    const { source } = this.text;
    const changes = this.edit(old, now, within, 1);
    if (!changes?.every(({ start, end }) => start >= within.start && end <= within.end)) return undefined;
    const texts = changes.filter(({ isPlain }) => isPlain);
    const plain = texts.length === 0 ? [] : writtenTexts(this.text, texts, this.writer.rules);
    if (!plain) return undefined;
    const all = [...plain, ...changes.filter(({ isPlain }) => !isPlain)].sort(
      (one, other) => one.start - other.start || one.end - other.end,
    );
    const result = withChanges(source, all);
    if (result === undefined || !this.#keepsOthers(all, result)) return undefined;
    const written = result.slice(within.start, within.end + result.length - source.length);
    return written.trim() === '' ? undefined : written;
  }

  /** Whether all that lies before and after the changes means the same as before. */
  #keepsOthers(changes: readonly Change[], result: string): boolean {
    const { text } = this;
    const first = text.indexes({ start: 0, end: changes[0]?.start ?? 0 }).end;
    const last = text.indexes({ start: changes.at(-1)?.end ?? 0, end: text.source.length }).start;
    const { outline } = new SourceText(result, this.writer.rules);
    const before = text.outline.slice(0, (text.characters[first - 1]?.inOutline ?? -1) + 1);
    const after = text.outline.slice(text.characters[last]?.inOutline ?? text.outline.length);
    const dense = outline.replace(/\s/g, '');
    return dense.startsWith(before.replace(/\s/g, '')) && dense.endsWith(after.replace(/\s/g, ''));
  }

  edit(old: HtmlElement, now: HtmlElement, within: Range, level: number): Change[] | undefined {
    if (this.#isBare(old, within)) return undefined;
    if (!isSameBut(old, now)) {
      const marks = marksChanges(this.text.source, old, now, within);
      const same = { ...now, name: old.name, attributes: old.attributes };
      const isSame = this.keyBefore(old) === this.keyAfter(same);
      const found = marks && (isSame ? [] : this.edit(old, same, within, level));
      return found && [...marks, ...found];
    }
    // Without its link, nothing of a redirect is left.
    if (hasClass(old, 'redirect') && !findElement(now.children, ({ name }) => name === 'a')) return undefined;
    const texts = this.compare(old.children, now.children, within);
    // If neither elements nor texts differ, the text of a note does, which stands elsewhere.
    if (texts) return texts.length > 0 ? texts : undefined;
    if (old.name === 'table') return editTable(this, old, now, within);
    if (hasClass(old, 'gallery')) return editGallery(this, old, now, within);
    if (lists.has(old.name)) return editItems(this, { old, now }, within, level);
    return this.contents(old, now, within, level);
  }

  /** Returns the changes for contents between which and the source nothing stands but text and elements with a range. */
  contents(old: HtmlElement, now: HtmlElement, within: Range, level: number): Change[] | undefined {
    const matched = longestMatch(
      old.children.map((node) => this.keyBefore(node)),
      now.children.map((node) => this.keyAfter(node)),
    );
    const changes: Change[] = [];
    let passed = 0;
    let to = 0;
    for (let from = 0; from <= old.children.length; from++) {
      const match = from === old.children.length ? now.children.length : matched.get(from);
      if (match === undefined) continue;
      if (passed < from || match > to) {
        const found =
          this.#pairs(old.children.slice(passed, from), now.children.slice(to, match), within, level) ??
          editInline(this, { old, now, within, from: passed, to: from, nowFrom: to, nowTo: match });
        if (!found) return undefined;
        changes.push(...found);
      }
      passed = from + 1;
      to = match + 1;
    }
    return changes;
  }

  /** Returns the changes of elements that were edited one by one. */
  #pairs(
    old: readonly HtmlNode[],
    now: readonly HtmlNode[],
    within: Range,
    level: number,
  ): Change[] | undefined {
    if (old.length !== now.length) return undefined;
    const changes: Change[] = [];
    for (const [index, node] of old.entries()) {
      const other = now[index];
      if (node.type === 'text' && other?.type === 'text' && node.value.trim() === other.value.trim())
        continue;
      // The caption of a picture has no range of its own.
      const range = isElement(node, 'figcaption') ? within : rangeOf(node);
      if (!range || !isElement(node) || !isElement(other)) return undefined;
      const inside = { start: range.start, end: Math.min(range.end, within.end) };
      const found = this.edit(node, other, inside, lists.has(node.name) ? level + 1 : 1);
      if (!found) return undefined;
      changes.push(...found);
    }
    return changes;
  }

  /** Whether an element is a link without a label, whose text is its target, too. */
  #isBare({ name }: HtmlElement, { start, end }: Range): boolean {
    const source = this.text.source.slice(start, end);
    return name === 'a' && !(source.startsWith('[[') ? source.includes('|') : source.startsWith('['));
  }

  keyBefore(node: HtmlNode): string {
    return keyOf(node, this.#notesBefore);
  }

  keyAfter(node: HtmlNode): string {
    return keyOf(node, this.#notesAfter);
  }

  /** Returns the changes of the texts that differ; undefined if anything else does. */
  compare(before: readonly HtmlNode[], after: readonly HtmlNode[], within: Range): Change[] | undefined {
    const changes: Change[] = [];
    let leaves: Leaf[] = [];
    let from = within.start;
    const add = (found: Change[] | undefined): boolean => {
      changes.push(...(found ?? []));
      return found !== undefined;
    };
    const endRun = (to: number): boolean => {
      const run = leaves;
      leaves = [];
      return add(this.#texts(run, { start: from, end: Math.max(from, to) }));
    };
    const visit = (old: readonly HtmlNode[], now: readonly HtmlNode[]): boolean =>
      old.length === now.length &&
      old.every((node, index) => {
        const other = now[index];
        if (node.type !== 'element') {
          if (other?.type !== node.type) return false;
          if (node.type === 'text' && other.type === 'text')
            leaves.push({ old: node.value, now: other.value });
          return node.type === 'text' || node.value === other.value;
        }
        if (!isElement(other) || !isSameBut(node, other)) return false;
        // The renderer writes contents anew, whatever they say.
        if (hasClass(node, 'toc')) return true;
        const note = this.#notes.get(node.attributes.id ?? '');
        if (note) return add(this.compare(textOfNote(node).children, textOfNote(other).children, note));
        const range = rangeOf(node);
        // Elements from a call, or from a note with calls, state the range of the whole.
        if (!range || (range.start <= within.start && range.end >= within.end))
          return visit(node.children, other.children);
        const inside = this.compare(node.children, other.children, range);
        if (inside && inside.length > 0 && this.#isBare(node, range)) return false;
        if (!add(inside) || !endRun(range.start)) return false;
        from = Math.max(from, range.end);
        return true;
      });
    return visit(before, after) && endRun(within.end) ? changes : undefined;
  }

  /** Returns the changes of texts that come from one part of the source. */
  #texts(leaves: readonly Leaf[], within: Range): Change[] | undefined {
    if (leaves.every(({ old, now }) => old === now)) return [];
    const aligned = new AlignedTexts(
      this.text,
      within,
      leaves.map(({ old }) => old),
    );
    const changes: Change[] = [];
    for (const [index, { old, now }] of leaves.entries()) {
      if (old === now) continue;
      const found = ++this.#count > mostEdits ? undefined : aligned.changes(index, now);
      if (!found) return undefined;
      changes.push(...found);
    }
    return changes;
  }
}
