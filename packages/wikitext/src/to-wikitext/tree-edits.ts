/**
 * Compares the rendered HTML with the edited one, element by element, and collects the changes of the source.
 */

import type { Rules } from '../options.ts';
import { type HtmlElement, type HtmlNode, hasClass, isElement } from './html-tree.ts';
import { noteSources, type Range, rangeOf, textOfNote } from './source-blocks.ts';
import { SourceText } from './source-text.ts';
import { AlignedTexts, type Change, withTexts } from './text-edits.ts';

/** Each text is aligned with a part of the source, so their number bounds the work. */
const mostEdits = 50;

/** Returns the source with the changed texts; undefined if more than texts has changed or a place is uncertain. */
export function editTexts(
  source: string,
  before: readonly HtmlNode[],
  after: readonly HtmlNode[],
  rules: Rules,
): string | undefined {
  const text = new SourceText(source, rules);
  const edits = new TreeEdits(text, before);
  const changes = edits.compare(before, after, { start: 0, end: source.length });
  return changes && withTexts(text, changes, rules);
}

type Leaf = { old: string; now: string };

class TreeEdits {
  readonly #text: SourceText;
  readonly #notes: ReadonlyMap<string, Range>;
  #count = 0;

  constructor(text: SourceText, before: readonly HtmlNode[]) {
    this.#text = text;
    this.#notes = noteSources(before, text.source);
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
        if (!isElement(other, node.name) || !hasSameAttributes(node, other)) return false;
        // The renderer writes contents anew, whatever they say.
        if (hasClass(node, 'toc')) return true;
        const note = this.#notes.get(node.attributes.id ?? '');
        if (note) return add(this.compare(textOfNote(node).children, textOfNote(other).children, note));
        const range = rangeOf(node);
        // Elements from a call, or from a note with calls, state the range of the whole.
        if (!range || (range.start <= within.start && range.end >= within.end))
          return visit(node.children, other.children);
        if (!add(this.compare(node.children, other.children, range)) || !endRun(range.start)) return false;
        from = Math.max(from, range.end);
        return true;
      });
    return visit(before, after) && endRun(within.end) ? changes : undefined;
  }

  /** Returns the changes of texts that come from one part of the source. */
  #texts(leaves: readonly Leaf[], within: Range): Change[] | undefined {
    if (leaves.every(({ old, now }) => old === now)) return [];
    const aligned = new AlignedTexts(
      this.#text,
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

function hasSameAttributes(one: HtmlElement, other: HtmlElement): boolean {
  return JSON.stringify(one.attributes) === JSON.stringify(other.attributes);
}
