/**
 * `<references group="g"/>`: the list of a group's notes. Notes inside `<references>…</references>` are defined there and
 * referenced elsewhere by name.
 */
import type { Context } from '../context.ts';
import { takeNotesMark } from '../nested-tags.ts';
import { listProblem, nestedList } from '../output/cite-problems.ts';
import type { ExtensionPlace, Reader } from '../reader.ts';
import type { ExtensionNode, ListedNote, Node } from '../tree.ts';
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
    takeNotesMark(node);
    const { body = '' } = node;
    const problems: string[] = [];
    const hasBody = body.trim() !== '';
    if (hasBody && node.notesWithin && /<references\b/i.test(body)) {
      const children = reader.text(body, at.body, 'inline');
      return problemsNode(node, [nestedList], { children });
    }
    if (hasBody) readListed(reader, node, at, problems);
    // A list inside a list is not shown as a second list.
    if (context.listing) return undefined;
    const { children, listed = [] } = node;
    const problem = listProblem(node.attributes);
    if (problem !== undefined) return problemsNode(node, [problem], { children, listed });
    const isShown = takeOpen(context, node.attributes.group ?? '');
    if (problems.length === 0) return isShown ? node : undefined;
    return isShown
      ? [node, problemsNode(node, problems, {})]
      : [undefined, problemsNode(node, problems, { children, listed })];
  },
  render: (writer, node) => writer.citations.list(node),
};

/** Whether there are notes to list. Always true before expansion, because templates may contain notes. */
function takeOpen({ openNotes, isExpanded }: Context, group: string): boolean {
  const isOpen = openNotes.delete(group);
  return isOpen || !isExpanded;
}

function readListed(reader: Reader, node: ExtensionNode, at: ExtensionPlace, problems: string[]): void {
  const { context } = reader;
  const { listing: outer } = context;
  const notes: ListedNote[] = [];
  node.listed = notes;
  context.listing ??= {
    group: node.attributes.group ?? '',
    notes,
    problems,
    isOfTag: node.notesWithin === 'earlier',
  };
  node.children = reader.text(node.body ?? '', at.body, 'inline');
  context.listing = outer;
}

/** Turns the node of a list into one that shows the problems. */
function problemsNode(
  node: ExtensionNode,
  problems: string[],
  { children, listed = [] }: { children?: Node[] | undefined; listed?: ListedNote[] },
): ExtensionNode {
  return { ...node, name: 'note-problems', isBlock: false, body: undefined, children, listed, problems };
}

/** Errors in the notes defined inside a list, shown after it. */
export const noteProblems: Extension = {
  name: 'note-problems',
  isText: false,
  render: (writer, node) => writer.citations.problems(node),
};

/** Error for a group of notes that the page does not list, shown at its end. */
export const unlisted: Extension = {
  name: 'unlisted',
  render: (writer, node) => writer.citations.unlisted(node.attributes.group ?? ''),
};
