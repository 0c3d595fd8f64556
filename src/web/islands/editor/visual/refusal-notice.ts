/** Says above the text why it has no source, and offers ways out: undo, the source of the part, or another try. */
import { undo } from 'prosemirror-history';
import type { EditorView } from 'prosemirror-view';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { nodeType } from './commands.ts';
import { positionOf } from './position.ts';
import type { Refusal } from './requests.ts';

interface NoticeOptions {
  view(): EditorView;
  /** The source that the document was made from. */
  source(): string;
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
    const own = $at.nodeAfter?.attrs.origin ? 0 : undefined;
    let depth = $at.depth;
    while (own === undefined && depth > 0 && !$at.node(depth).attrs.origin) depth--;
    if (own === undefined && depth === 0) return;
    const node = own === 0 ? $at.nodeAfter : $at.node(depth);
    const from = own === 0 ? at : $at.before(depth);
    if (!node?.isBlock || !$at.doc.resolve(from).parent.type.contentMatch.matchType(nodeType('source')))
      return;
    const [start, end] = node.attrs.origin as [number, number];
    this.dom.append(
      ' ',
      button(say('visualRefusalNotice.putBackItsSource'), {}, () => {
        const text = this.#options.source().slice(start, end);
        const made = nodeType('source').create({ text, origin: [start, end] });
        const { doc, tr } = view.state;
        if (doc.nodeAt(from)?.eq(node)) view.dispatch(tr.replaceWith(from, from + node.nodeSize, made));
        view.focus();
      }),
    );
  }
}
