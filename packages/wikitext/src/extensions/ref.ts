/**
 * `<ref name="a" group="g" details="page 7">note</ref>`: a note, marked here and listed by `<references/>`.
 *
 * The node's `children` are the note, its `details` the part of it that is meant. Numbers and lists are in `output/cite.ts`.
 */
import { placeAt } from '../place-at.ts';
import { expandInside } from './expand-inside.ts';
import type { Extension } from './extension.ts';

export const ref: Extension = {
  name: 'ref',
  isText: false,
  nests: true,
  inside: 'wikitext',
  expand: (tag) => expandInside(tag, (attributes) => /\sdetails\s*=/i.test(attributes)),
  parse(reader, node, at) {
    const { attributes, body } = node;
    reader.context.openNotes.add(attributes.group ?? '');
    if (attributes.details) {
      node.details = reader.text(attributes.details, at.start, 'inline');
      // The parsed text differs from the source.
      placeAt(node.details, at.start, at.end);
    }
    if (body !== undefined)
      node.children = reader.text(body, at.body, isMoreThanText(body) ? 'item' : 'inline');
    return node;
  },
  render: (writer, node) => writer.citations.mark(node),
};

/** Whether a note has several lines, or begins with what would be a heading, a rule or a table at the start of a page. */
function isMoreThanText(body: string): boolean {
  return /\n|^(?:=|----|[ \t:]*\{\|)/.test(body);
}
