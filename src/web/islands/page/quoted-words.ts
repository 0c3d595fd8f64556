/**
 * Words of the text: the selected ones as a quote with its context, and quotes as ranges, which the browser marks without changing
 * the text (CSS Custom Highlight API).
 */
import { contextLength, locate, squeeze } from '#core/content/quotes.ts';

export interface Selected {
  text: string;
  before: string;
  after: string;
  box: DOMRect;
}

const maxLength = 2000;

/** The text as the wiki knows it, and the node and offset of each of its characters. */
interface Read {
  text: string;
  nodes: { node: Text; start: number }[];
}

/** Links for editing sections are not part of the text. */
function read(root: HTMLElement): Read {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('[data-edit-section], annotation, style, script')
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const nodes: Read['nodes'] = [];
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  return { text, nodes };
}

export function selectedIn(root: HTMLElement): Selected | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return undefined;
  const { text, nodes } = read(root);
  let [start, end] = [Number.POSITIVE_INFINITY, 0];
  for (const { node, start: at } of nodes) {
    if (!range.intersectsNode(node)) continue;
    start = Math.min(start, at + (node === range.startContainer ? range.startOffset : 0));
    end = Math.max(end, at + (node === range.endContainer ? range.endOffset : node.length));
  }
  const words = text.slice(start, end);
  if (words.trim() === '' || words.length > maxLength) return undefined;
  return {
    text: words.trim(),
    before: text.slice(Math.max(0, start - contextLength), start),
    after: text.slice(end, end + contextLength),
    box: range.getBoundingClientRect(),
  };
}

const marked: { range: Range; thread: HTMLElement }[] = [];

/** Marks the words of all open threads. */
export function markQuotes(root: HTMLElement, threads: HTMLElement): void {
  marked.length = 0;
  const { text, nodes } = read(root);
  const squeezed = squeeze(text);
  for (const thread of threads.querySelectorAll<HTMLElement>('.thread[data-words]:not(.is-resolved)')) {
    const { words = '', before = '', after = '' } = thread.dataset;
    const found = locate(squeezed, { text: words, before, after });
    const range = found && rangeOf(nodes, found);
    if (range) marked.push({ range, thread });
  }
  if ('highlights' in CSS) CSS.highlights.set('quoted', new Highlight(...marked.map(({ range }) => range)));
}

function rangeOf(nodes: Read['nodes'], { start, end }: { start: number; end: number }): Range | undefined {
  const at = (position: number) => nodes.findLast(({ start }) => start <= position);
  const [first, last] = [at(start), at(end - 1)];
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.node, start - first.start);
  range.setEnd(last.node, end - last.start);
  return range;
}

/** The thread about the words at this point of the window. */
export function threadAt(x: number, y: number): HTMLElement | undefined {
  return marked.find(({ range }) =>
    [...range.getClientRects()].some(
      ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
    ),
  )?.thread;
}
