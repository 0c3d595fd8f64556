/** Scrolls the preview along with the source: to the block made from the top visible line. */
import type { EditorView } from '@codemirror/view';

export class ScrollSync {
  readonly #target: HTMLElement;
  #anchors: Anchor[] | undefined;

  constructor(target: HTMLElement) {
    this.#target = target;
  }

  /** Called when text or preview has changed. */
  forget(): void {
    this.#anchors = undefined;
  }

  follow(view: EditorView): void {
    const target = this.#target;
    const scroller = view.scrollDOM;
    const room = scroller.scrollHeight - scroller.clientHeight;
    if (scroller.scrollTop <= 1) return void target.parentElement?.scrollTo({ top: 0 });
    const box = target.closest<HTMLElement>('.preview-scroll') ?? target;
    if (room > 0 && scroller.scrollTop >= room - 1) return void box.scrollTo({ top: box.scrollHeight });
    this.#anchors ??= anchorsOf(view, target);
    const line = view.state.doc.lineAt(view.lineBlockAtHeight(scroller.scrollTop).from).number;
    box.scrollTo({ top: heightOf(line, this.#anchors, box) });
  }
}

/** A source line and the preview block made from it. */
interface Anchor {
  line: number;
  block: HTMLElement;
}

/** For each block of the preview finds the next line with its first words, in one pass over both. */
function anchorsOf(view: EditorView, target: HTMLElement): Anchor[] {
  const { doc } = view.state;
  const lines = Array.from(doc.iterLines(), bare);
  const found: Anchor[] = [];
  let line = 1;
  for (const block of target.querySelectorAll<HTMLElement>(
    ':scope > *, :scope > ul > li, :scope > ol > li',
  )) {
    const words = bare(block.textContent ?? '').slice(0, 18);
    if (words.length < 4) continue;
    for (let number = line; number <= Math.min(doc.lines, line + 400); number++) {
      if (!lines[number - 1]?.includes(words)) continue;
      found.push({ line: number, block });
      line = number;
      break;
    }
  }
  return found;
}

function bare(text: string): string {
  return text
    .slice(0, 400)
    .toLowerCase()
    .replace(/\[\[[^\]|]*\|/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function heightOf(line: number, anchors: Anchor[], box: HTMLElement): number {
  const top = (anchor: Anchor) =>
    anchor.block.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  const next = anchors.findIndex((anchor) => anchor.line > line);
  const [before, after] = next < 0 ? [anchors.at(-1), undefined] : [anchors[next - 1], anchors[next]];
  const from = before ? { line: before.line, top: top(before) } : { line: 1, top: 0 };
  const to = after ? { line: after.line, top: top(after) } : undefined;
  if (!to) return from.top + (line - from.line) * 24;
  return from.top + ((to.top - from.top) * (line - from.line)) / Math.max(1, to.line - from.line);
}
