/**
 * `<references group="g"/>`: the list of a group's notes. Notes within `<references>…</references>` are defined there and
 * used elsewhere by their names.
 */
import { expandInside } from './expand-inside.ts';
import type { Extension } from './extension.ts';

export const references: Extension = {
  name: 'references',
  isBlock: true,
  isText: false,
  mayLackEnd: true,
  inside: 'wikitext',
  expand: (tag) => expandInside(tag),
  parse(reader, node, at) {
    const { context } = reader;
    const { openNotes } = context;
    const group = node.attributes.group ?? '';
    // A list of nothing is not there. Before templates are expanded, nobody knows what notes there are.
    if (node.body === undefined && context.isExpanded && !openNotes.has(group)) return undefined;
    openNotes.delete(group);
    if (node.body === undefined) return node;
    // Notes written within belong to this list.
    context.openNotes = new Set();
    node.children = reader.text(node.body, at.body, 'inline');
    context.openNotes = openNotes;
    return node;
  },
  render: (writer, node) => writer.citations.list(node),
};

/** Follows a page that lists a group of notes nowhere. */
export const unlisted: Extension = {
  name: 'unlisted',
  render: (writer, node) => writer.citations.unlisted(node.attributes.group ?? ''),
};
