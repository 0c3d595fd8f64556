/** Says above the text why it has no source, and offers ways out: undo, the source of the part, or another try. */
import { undo } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { nodeType } from './commands.ts';
import { positionOf } from './position.ts';
import type { Refusal } from './requests.ts';

interface NoticeOptions {
  view(): EditorView;
  /** The part of the source that a node was made from. */
  sourceOf(node: Node): { origin: [number, number]; text: string } | undefined;
  tryAgain(): void;
}

export class RefusalNotice {
  readonly dom = element('div', { class: 'visual-notice', role: 'status' });
  readonly #options: NoticeOptions;

  constructor(options: NoticeOptions) {
    this.#options = options;
    this.hide();
  }

  hide(): void {
    this.dom.hidden = true;
  }

  show(refusal: Refusal): void {
    const view = this.#options.view();
    this.dom.replaceChildren(refusal.message, ' ');
    if (refusal.kind === 'not-expressible') {
      const at = positionOf(view.state.doc, refusal.path);
      const dom = at === undefined ? null : view.nodeDOM(at);
      if (dom instanceof HTMLElement) dom.scrollIntoView({ block: 'nearest' });
      this.dom.append(
        button(say('visualRefusalNotice.undoTheLastStep'), {}, () => {
          undo(view.state, view.dispatch);
          view.focus();
        }),
      );
      if (at !== undefined) this.#offerRestoring(view, at);
    } else this.dom.append(button(say('visualRefusalNotice.tryAgain'), {}, this.#options.tryAgain));
    this.dom.hidden = false;
  }

  /** Offers the source of the nearest part around a position that came from the source, in place of what was made of it. */
  #offerRestoring(view: EditorView, at: number): void {
    const $at = view.state.doc.resolve(at);
    const { sourceOf } = this.#options;
    const isOwn = $at.nodeAfter !== null && sourceOf($at.nodeAfter) !== undefined;
    let depth = $at.depth;
    while (!isOwn && depth > 0 && !sourceOf($at.node(depth))) depth--;
    if (!isOwn && depth === 0) return;
    const node = isOwn ? $at.nodeAfter : $at.node(depth);
    const from = isOwn ? at : $at.before(depth);
    const source = node ? sourceOf(node) : undefined;
    if (!node?.isBlock || !source) return;
    if (!$at.doc.resolve(from).parent.type.contentMatch.matchType(nodeType('source'))) return;
    this.dom.append(
      ' ',
      button(say('visualRefusalNotice.putBackItsSource'), {}, () => {
        const made = nodeType('source').create(source);
        const { doc, tr } = view.state;
        if (doc.nodeAt(from)?.eq(node)) view.dispatch(tr.replaceWith(from, from + node.nodeSize, made));
        view.focus();
      }),
    );
  }
}
