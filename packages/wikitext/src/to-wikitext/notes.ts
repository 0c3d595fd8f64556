/** References to notes. The text of a note is written at its first use. */
import { escapeAttribute } from './escape.ts';
import { noteText } from './extension.ts';
import { findElement, type HtmlElement, hasClass, isElement, textOf } from './html-tree.ts';
import type { Writing } from './writing.ts';

/** Whether an element is the number of a note that leads to its text. */
export function isNote(node: HtmlElement): boolean {
  return (
    node.name === 'sup' &&
    hasClass(node, 'reference') &&
    node.children.some((child) => isElement(child, 'a') && /#cite_note/.test(child.attributes.href ?? ''))
  );
}

export class Notes {
  /** ID of each note that has been written → its group. */
  readonly #written = new Map<string, string>();
  readonly #usedNames = new Set<string>();

  /** Marks notes whose text is in the source before this part. */
  use(names: readonly string[]): void {
    for (const name of names) this.#usedNames.add(name);
  }

  groupOf(id: string): string | undefined {
    return this.#written.get(id);
  }

  /** Whether a reference may stay as the source has it: one without text may not if the text is still to be written. */
  mayKeep(node: HtmlElement, source: string): boolean {
    const { id, name, group } = partsOf(node);
    if (source.endsWith('/>') && this.#isFirst(id, name)) return false;
    this.#written.set(id, group ?? '');
    return true;
  }

  write(writer: Writing, node: HtmlElement): void {
    const { id, name, group } = partsOf(node);
    const attributes =
      (name === undefined ? '' : ` name="${escapeAttribute(name)}"`) +
      (group === undefined ? '' : ` group="${escapeAttribute(group)}"`);
    const item = writer.byId(id);
    const inside =
      item && findElement([item], (one) => /\b(?:mw-)?reference-text\b/.test(one.attributes.class ?? ''));
    const isFirst = this.#isFirst(id, name);
    this.#written.set(id, group ?? '');
    const text = isFirst && inside ? noteText(writer, inside.children) : '';
    // `<ref />` without name and text is an error.
    if (text === '' && name === undefined) return;
    writer.out.put(text === '' ? `<ref${attributes} />` : `<ref${attributes}>${text}</ref>`);
  }

  #isFirst(id: string, name: string | undefined): boolean {
    return !this.#written.has(id) && !(name !== undefined && this.#usedNames.has(`cite_note-${name}`));
  }
}

function partsOf(node: HtmlElement): { id: string; name: string | undefined; group: string | undefined } {
  const link = findElement(node.children, ({ name }) => name === 'a');
  const id = /#(cite_note-.*)$/s.exec(link?.attributes.href ?? '')?.[1] ?? '';
  return {
    id,
    name: /^cite_note-(.+)-\d+$/s.exec(id)?.[1],
    group: /^\[(.+) \d+\]$/s.exec(textOf(node))?.[1],
  };
}
