/**
 * Single edits of documents as an editor makes them, chosen at random. Each says which part of the source it may touch. Used by
 * the tests of both languages and by the benchmark.
 */
import type { DocumentMark, DocumentNode } from '../src/document/index.ts';

export type Step = {
  kind: string;
  document: DocumentNode;
  /** Range of the source that may change. */
  touches: [number, number];
};

type Found = {
  node: DocumentNode;
  parent: DocumentNode | undefined;
  index: number;
  above: readonly DocumentNode[];
};

/** Returns numbers from 0 up to but not including `below`. */
export type Random = (below: number) => number;

/** The same sequence for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const lines = new Set(['paragraph', 'heading', 'term', 'caption', 'figure']);

function find(root: DocumentNode, isIt: (found: Found) => boolean): Found[] {
  const all: Found[] = [];
  const visit = (node: DocumentNode, above: readonly DocumentNode[], index: number) => {
    const found = { node, parent: above.at(-1), index, above };
    if (isIt(found)) all.push(found);
    for (const [at, child] of (node.content ?? []).entries()) visit(child, [...above, node], at);
  };
  visit(root, [], 0);
  return all;
}

function originOf(node: DocumentNode | undefined): [number, number] | undefined {
  return node?.attrs?.origin as [number, number] | undefined;
}

/** The smallest range that has an origin, from a node up. */
function rangeOf({ node, above }: Found): [number, number] {
  for (const one of [node, ...above.toReversed()]) {
    const origin = originOf(one);
    if (origin) return origin;
  }
  return [0, Number.MAX_SAFE_INTEGER];
}

function sides({ node, parent, index }: Found, container: [number, number]): [number, number] {
  const before = originOf(parent?.content?.[index - 1]);
  const after = originOf(parent?.content?.[index + 1]);
  const own = originOf(node) ?? container;
  return [before?.[1] ?? Math.min(container[0], own[0]), after?.[0] ?? container[1]];
}

const plain = (text: string): DocumentNode => ({ type: 'text', text });
const paragraph = (text: string): DocumentNode => ({
  type: 'paragraph',
  content: text === '' ? [] : [plain(text)],
});

/** Words that a person may type, some of which look like markup. */
const typed = 'oak elm ash 42 yes no.'.split(' ');

type Make = (document: DocumentNode, pick: Random) => Omit<Step, 'document' | 'kind'> | undefined;

function oneOf<T>(list: readonly T[], pick: Random): T | undefined {
  return list[pick(list.length)];
}

function isWord(one: Found): boolean {
  return (
    one.node.type === 'text' &&
    /[\p{L}\p{N}]{2}/u.test(one.node.text ?? '') &&
    one.parent !== undefined &&
    lines.has(one.parent.type)
  );
}

/** Splits a text node around one of its words. */
function word(text: string, pick: Random): [string, string, string] {
  const words = [...text.matchAll(/[\p{L}\p{N}]{2,}/gu)];
  const { 0: one, index } = words[pick(words.length)] as RegExpMatchArray & { index: number };
  return [text.slice(0, index), one, text.slice(index + one.length)];
}

function inLine(within: (found: Found) => boolean): Make {
  return (document, pick) => {
    const found = oneOf(
      find(document, (one) => isWord(one) && within(one)),
      pick,
    );
    if (!found) return undefined;
    const [before, one, after] = word(found.node.text ?? '', pick);
    const now = oneOf(typed, pick) ?? '';
    found.node.text =
      oneOf(
        [`${before}${now}${after}`, `${before}${one} ${now}${after}`, `${before}${now} ${one}${after}`],
        pick,
      ) ?? '';
    return { touches: rangeOf(found) };
  };
}

function has(one: Found, type: string): boolean {
  return one.above.some((node) => node.type === type);
}

function marking(type: string): Make {
  return (document, pick) => {
    const found = oneOf(find(document, isWord), pick);
    if (!found?.parent?.content) return undefined;
    const [before, one, after] = word(found.node.text ?? '', pick);
    const marks = found.node.marks ?? [];
    const mark: DocumentMark = { type };
    const toggled = marks.some((other) => other.type === type)
      ? marks.filter((other) => other.type !== type)
      : [...marks, mark];
    const parts = [before, after].map((text) => ({ ...plain(text), marks }));
    const inside = { ...plain(one), marks: toggled };
    const pieces = [parts[0], inside, parts[1]].filter((part) => part && part.text !== '') as DocumentNode[];
    found.parent.content.splice(found.index, 1, ...pieces);
    return { touches: rangeOf({ ...found, node: found.parent, above: found.above.slice(0, -1) }) };
  };
}

function setting(
  isIt: (found: Found) => boolean,
  change: (found: Found, pick: Random) => void,
  isOfParent = false,
): Make {
  return (document, pick) => {
    const found = oneOf(find(document, isIt), pick);
    if (!found) return undefined;
    change(found, pick);
    const around = { ...found, node: found.parent ?? found.node, above: found.above.slice(0, -1) };
    return { touches: rangeOf(isOfParent ? around : found) };
  };
}

/** Puts a new node after one. */
function adding(isIt: (found: Found) => boolean, made: (found: Found) => DocumentNode): Make {
  return (document, pick) => {
    const found = oneOf(find(document, isIt), pick);
    if (!found?.parent?.content) return undefined;
    const container = rangeOf({ ...found, node: found.parent, above: found.above.slice(0, -1) });
    const [, end] = originOf(found.node) ?? container;
    const [, next] = sides(found, container);
    found.parent.content.splice(found.index + 1, 0, made(found));
    return { touches: [end, next] };
  };
}

function removing(isIt: (found: Found) => boolean): Make {
  return (document, pick) => {
    const found = oneOf(find(document, isIt), pick);
    if (!found?.parent?.content) return undefined;
    const touches = sides(found, rangeOf({ ...found, node: found.parent, above: found.above.slice(0, -1) }));
    // The next item of an ordered list gets the number of the first.
    const next = found.parent.content[found.index + 1]?.content?.[0];
    if (found.parent.type === 'orderedList' && next) touches[1] = originOf(next)?.[0] ?? touches[1];
    found.parent.content.splice(found.index, 1);
    return { touches };
  };
}

const isItem = ({ node }: Found) => /^(?:listItem|taskItem)$/.test(node.type);
const isOfDocument = ({ above }: Found) => above.length === 1;
const isRow = ({ node }: Found) =>
  node.type === 'row' && !node.content?.some((cell) => Number(cell.attrs?.rowspan) > 1);

/** A row of cells that another one follows. */
const isMovable = ({ node, parent, index }: Found) => {
  const next = parent?.content?.[index + 1];
  const rows = [node, next].flatMap((row) => row?.content ?? []);
  return (
    next !== undefined && rows.every(({ attrs }) => attrs?.header !== true && !(Number(attrs?.rowspan) > 1))
  );
};

const steps: Readonly<Record<string, Make>> = {
  'type a word': inLine((one) => !has(one, 'table')),
  'edit a cell': inLine((one) => has(one, 'cell')),
  'edit a caption': inLine((one) => one.parent?.type === 'figure' || one.parent?.type === 'caption'),
  'edit an item': inLine((one) => has(one, 'listItem') || has(one, 'taskItem')),
  'toggle bold': marking('bold'),
  'toggle italic': marking('italic'),
  'set a link': setting(
    ({ node }) => node.marks?.some(({ type }) => type === 'link') ?? false,
    ({ node }) => {
      node.marks = node.marks?.map((mark) =>
        mark.type === 'link'
          ? {
              ...mark,
              attrs: {
                ...mark.attrs,
                to: mark.attrs?.kind === 'address' ? 'https://example.org/' : 'Elm tree',
              },
            }
          : mark,
      );
    },
    true,
  ),
  'set a parameter': setting(
    ({ node }) =>
      /call/i.test(node.type) && Array.isArray(node.attrs?.params) && node.attrs.params.length > 0,
    ({ node }, pick) => {
      const params = structuredClone(node.attrs?.params) as { value: string }[];
      (oneOf(params, pick) as { value: string }).value = oneOf(typed, pick) ?? '';
      node.attrs = { ...node.attrs, params };
    },
  ),
  'edit a note': setting(
    ({ node }) => node.type === 'note' && node.attrs?.text !== null,
    ({ node }) => {
      node.attrs = { ...node.attrs, text: `${node.attrs?.text} See oaks.` };
    },
  ),
  'set a level': setting(
    ({ node }) => node.type === 'heading',
    ({ node }) => {
      node.attrs = { ...node.attrs, level: node.attrs?.level === 3 ? 4 : 3 };
    },
  ),
  'add a row': adding(isRow, ({ node }) => ({
    type: 'row',
    content: (node.content ?? []).map(({ attrs }) => ({
      type: 'cell',
      attrs: { colspan: attrs?.colspan },
      content: [paragraph('new')],
    })),
  })),
  'remove a row': removing(
    (one) =>
      isRow(one) &&
      !one.node.content?.some(({ attrs }) => attrs?.header === true) &&
      (one.parent?.content?.length ?? 0) > 2,
  ),
  'move a row': (document, pick) => {
    const found = oneOf(
      find(document, (one) => isRow(one) && isMovable(one)),
      pick,
    );
    const rows = found?.parent?.content;
    if (!found || !rows) return undefined;
    rows.splice(found.index + 1, 0, ...rows.splice(found.index, 1));
    return {
      touches: rangeOf({ ...found, node: found.parent ?? found.node, above: found.above.slice(0, -1) }),
    };
  },
  'add a column': (document, pick) => {
    const found = oneOf(
      find(document, ({ node }) => node.type === 'table'),
      pick,
    );
    if (!found) return undefined;
    for (const row of found.node.content ?? [])
      if (row.type === 'row')
        row.content?.push({
          type: 'cell',
          attrs: { header: row.content.at(-1)?.attrs?.header },
          content: [paragraph('new')],
        });
    return { touches: rangeOf(found) };
  },
  'add an item': adding(isItem, ({ node }) => ({ type: node.type, content: [paragraph('a new item')] })),
  'remove an item': removing((one) => isItem(one) && (one.parent?.content?.length ?? 0) > 1),
  'add a paragraph': adding(isOfDocument, () => paragraph('A new paragraph.')),
  'add a heading': adding(isOfDocument, () => ({
    type: 'heading',
    attrs: { level: 2 },
    content: [plain('A new part')],
  })),
  'add a list': adding(isOfDocument, () => ({
    type: 'bulletList',
    content: [
      { type: 'listItem', content: [paragraph('one')] },
      { type: 'listItem', content: [paragraph('two')] },
    ],
  })),
  'add a table': adding(isOfDocument, () => ({
    type: 'table',
    content: [true, false].map((header) => ({
      type: 'row',
      content: ['a', 'b'].map((text) => ({ type: 'cell', attrs: { header }, content: [paragraph(text)] })),
    })),
  })),
  'remove a block': removing((one) => isOfDocument(one) && (one.parent?.content?.length ?? 0) > 1),
  'split a paragraph': (document, pick) => {
    const found = oneOf(
      find(
        document,
        (one) =>
          isOfDocument(one) &&
          one.node.type === 'paragraph' &&
          (one.node.content ?? []).some((part) => / /.test(part.text ?? '')),
      ),
      pick,
    );
    const content = found?.node.content;
    if (!found?.parent?.content || !content) return undefined;
    const at = content.findIndex((part) => /\S \S/.test(part.text ?? ''));
    const part = content[at];
    if (!part?.text) return undefined;
    const space = part.text.search(/(?<=\S) (?=\S)/) + 1;
    const first = {
      ...found.node,
      content: [...content.slice(0, at), { ...part, text: part.text.slice(0, space) }],
    };
    const second = {
      ...found.node,
      content: [{ ...part, text: part.text.slice(space) }, ...content.slice(at + 1)],
    };
    found.parent.content.splice(found.index, 1, first, second);
    return { touches: rangeOf(found) };
  },
};

export const stepKinds = Object.keys(steps);

/** Makes an edit of a kind in a copy of a document, if it has a place for one. */
export function randomStep(document: DocumentNode, kind: string, pick: Random): Step | undefined {
  const copy = structuredClone(document);
  const made = steps[kind]?.(copy, pick);
  return made && { kind, document: copy, ...made };
}

/** Whether only bytes within the range differ. */
export function isWithin(before: string, after: string, [start, end]: [number, number]): boolean {
  const rest = before.slice(end);
  return (
    after.startsWith(before.slice(0, start)) && after.endsWith(rest) && after.length >= start + rest.length
  );
}
