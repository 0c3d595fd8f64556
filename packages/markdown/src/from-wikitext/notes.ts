/**
 * Notes as footnotes: `[^1]` in the text, and `[^1]: …` where the page lists its notes, or at its end if it does not. Numbers
 * follow the text. A grouped note has its group's name before the number. Details of a note become a separate footnote that
 * names it.
 */
import type { ExtensionNode, Node } from '@coppice/wikitext';
import { inlineText } from '@coppice/wikitext/build';
import type { FootnoteDefinition, PhrasingContent } from 'mdast';
import type { Block, Writer } from './writer.ts';

type Group = { named: Map<string, Note>; notes: Note[]; count: number };
type Note = { label: string; content: Block[]; parts: Map<string, Note> };

export class Notes {
  readonly #writer: Writer;
  readonly #groups = new Map<string, Group>();

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  mark(node: ExtensionNode): PhrasingContent[] {
    const { name, group = '', follow } = node.attributes;
    const content = this.#content(node);
    const known = this.#groupOf(group).named.get(follow || name || '');
    if (follow) {
      known?.content.push(...content);
      return known ? [] : content.flatMap((block) => (block.type === 'paragraph' ? block.children : []));
    }
    if (!name && content.length === 0) return [];
    const note = known ?? this.#add(group, name);
    if (note.content.length === 0) note.content = content;
    return [reference(node.details ? this.#part(group, note, node.details) : note)];
  }

  list(node: ExtensionNode): Block[] {
    const { group = '' } = node.attributes;
    for (const child of node.children ?? []) {
      if (child.type !== 'extension' || child.name !== 'ref') continue;
      const note = this.#groupOf(group).named.get(child.attributes.name ?? '');
      if (note?.content.length === 0) note.content = this.#content(child);
    }
    return this.#definitions(group);
  }

  rest(): Block[] {
    return [...this.#groups.keys()].flatMap((group) => this.#definitions(group));
  }

  #content({ children = [] }: ExtensionNode): Block[] {
    return this.#writer.blocks(children);
  }

  #part(group: string, whole: Note, details: readonly Node[]): Note {
    const key = inlineText(details).trim();
    let part = whole.parts.get(key);
    if (!part) {
      part = this.#add(group, undefined, `${whole.label}.${whole.parts.size + 1}`);
      const space: PhrasingContent = { type: 'text', value: ' ' };
      const children = [...this.#writer.phrasing.of(details), space, reference(whole)];
      part.content = [{ type: 'paragraph', children }];
      whole.parts.set(key, part);
    }
    return part;
  }

  #add(groupName: string, name: string | undefined, own?: string): Note {
    const group = this.#groupOf(groupName);
    if (own === undefined) group.count++;
    const prefix = groupName === '' ? '' : `${groupName.replace(/[^\p{L}\p{N}-]+/gu, '-')}-`;
    const note: Note = { label: own ?? `${prefix}${group.count}`, content: [], parts: new Map() };
    group.notes.push(note);
    if (name) group.named.set(name, note);
    return note;
  }

  #groupOf(name: string): Group {
    const group: Group = this.#groups.get(name) ?? { named: new Map(), notes: [], count: 0 };
    this.#groups.set(name, group);
    return group;
  }

  /** Numbering continues after a list, and a note that is used again later keeps its number. */
  #definitions(groupName: string): Block[] {
    const group = this.#groupOf(groupName);
    const listed = group.notes.filter(({ content }) => content.length > 0);
    group.notes = group.notes.filter(({ content }) => content.length === 0);
    return listed.map(
      ({ label, content }): FootnoteDefinition => ({
        type: 'footnoteDefinition',
        identifier: label,
        label,
        children: content,
      }),
    );
  }
}

function reference({ label }: Note): PhrasingContent {
  return { type: 'footnoteReference', identifier: label, label };
}
