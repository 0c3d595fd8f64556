/**
 * `<ref name="a" group="g" details="page 7">note</ref>`: a note, marked here and listed by `<references/>`.
 *
 * The node's `children` are the note, its `details` the cited part of it. Numbers and lists are in `output/cite.ts`.
 */

import { markNotes, takeNotesMark } from '../nested-tags.ts';
import { addListed, openNote, problemOf } from '../output/cite-problems.ts';
import { endAt, placeAt } from '../place-at.ts';
import type { ExtensionPlace, Reader } from '../reader.ts';
import type { ExtensionNode, Node } from '../tree.ts';
import { expandInside } from './expand-inside.ts';
import type { Extension, WrittenTag } from './extension.ts';

export const ref: Extension = {
  name: 'ref',
  isText: false,
  nests: true,
  inside: 'wikitext',
  expand: expandNote,
  parse(reader, node, at) {
    const { context } = reader;
    const { openNotes, listing, rules } = context;
    takeNotesMark(node);
    // Notes inside this one are read when it is listed, at which time the notes that are open now have been listed.
    if (node.notesWithin !== 'earlier' && !rules.hasLooseNotes) context.openNotes = new Map();
    if (node.notesWithin !== 'earlier' || listing?.isOfTag) context.listing = undefined;
    readNote(reader, node, at);
    context.openNotes = openNotes;
    context.listing = listing;
    if (listing) addListed(listing, node, openNotes);
    else if (problemOf(node, rules.hasLooseNotes) === undefined) openNote(openNotes, node.attributes);
    return node;
  },
  render: (writer, node) => writer.citations.mark(node),
};

function expandNote(tag: WrittenTag): string {
  const { body } = tag;
  if (body === undefined || !/[{<]/.test(body)) return expandInside(tag, hasDetails);
  // A note without an end tag includes the next one. It stays as it is, so that the parser reports the error.
  const hasNotes = /<ref/i.test(body);
  const inside = (text: string) => {
    const expanded = tag.outer(text);
    if (text !== body) return expanded;
    // A note whose calls expand to nothing does not count as empty.
    if (/^\s*$/.test(expanded)) return /^\s*$/.test(body) ? expanded : '<nowiki/>';
    return hasNotes ? expanded : markNotes(expanded, 'later');
  };
  return expandInside({ ...tag, outer: inside }, hasDetails);
}

function hasDetails(attributes: string): boolean {
  return /\sdetails\s*=/i.test(attributes);
}

function readNote(reader: Reader, node: ExtensionNode, at: ExtensionPlace): void {
  const { attributes, body } = node;
  if (attributes.details) {
    node.details = reader.text(attributes.details, at.start, 'inline');
    // The parsed text differs from the source, so its offsets do not apply.
    placeAt(node.details, at.start, at.end);
  }
  if (body !== undefined) node.children = noteText(reader, body, at.body);
}

/**
 * Returns the nodes of a note. The added `<nowiki/>` keeps its last line from being a heading, because the line continues in
 * the list.
 */
function noteText(reader: Reader, body: string, base: number): Node[] {
  if (!isMoreThanText(body)) return reader.text(body, base, 'inline');
  const text = body.trimEnd();
  const nodes = reader.text(`${text}<nowiki/>`, base, 'item');
  endAt(nodes, base + text.length);
  return nodes;
}

/**
 * Whether a note has several lines, or begins with markup that would be a heading, a rule or a table at the start of a page.
 */
function isMoreThanText(body: string): boolean {
  return /\n|^(?:=|----|[ \t:]*\{\|)/.test(body);
}
