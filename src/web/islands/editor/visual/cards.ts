/**
 * Atoms of the text: templates, formulas, notes, comments, and any other markup. Each shows how it looks and opens as what it is
 * written with. Node views of ProseMirror.
 */
import type { Attrs, Node } from 'prosemirror-model';
import type { EditorView, NodeView } from 'prosemirror-view';
import { element, fromServer } from '../../element.ts';
import { say } from '../../words.ts';
import { cardField, openCard, textArea } from './card.ts';
import { nodeType } from './commands.ts';
import type { Exchange } from './exchange.ts';
import { galleryIn, openGallery } from './gallery-card.ts';
import { definitionIn, openNote } from './note-card.ts';
import { caretAfter } from './position.ts';
import { openTag, tagIn } from './tag-card.ts';
import { openTemplateForm } from './template-form.ts';

/** Names of atoms, and of the attribute with their source. */
const sourceOf: Record<string, 'text' | 'source'> = {
  source: 'text',
  inlineSource: 'text',
  note: 'text',
  comment: 'text',
  formula: 'source',
  inlineFormula: 'source',
};

/** Types of nodes that are shown as cards. */
export const atomNames = [...Object.keys(sourceOf), 'call', 'inlineCall'];

const titles: Record<string, string> = {
  source: say('visualCards.sourceOfThisPart'),
  inlineSource: say('visualCards.sourceOfThisPart'),
  note: say('visualCards.note'),
  comment: say('visualCards.commentForWriters'),
  formula: say('visualCards.formulaInTex'),
  inlineFormula: say('visualCards.formulaInTex'),
};

export function isTemplate({ type: { name } }: Node): boolean {
  return name === 'call' || name === 'inlineCall';
}

export class CardView implements NodeView {
  readonly dom: HTMLElement;
  #node: Node;
  readonly #exchange: Exchange;

  constructor(node: Node, exchange: Exchange) {
    this.#node = node;
    this.#exchange = exchange;
    this.dom = element(node.isInline ? 'span' : 'div', {
      class: `visual-atom is-${node.type.name}`,
      contenteditable: 'false',
      role: 'button',
      'aria-haspopup': 'dialog',
    });
    this.#draw();
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    const isSame = node.sameMarkup(this.#node);
    this.#node = node;
    if (!isSame) this.#draw();
    return true;
  }

  /** Links and disclosure inside are shown, not used. */
  stopEvent(event: Event): boolean {
    if (event.type === 'click') event.preventDefault();
    return false;
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#exchange.forget(this.dom);
  }

  #draw(): void {
    this.dom.setAttribute('aria-label', labelOf(this.#node));
    this.dom.title = say('visualCards.howToEdit', { label: labelOf(this.#node) });
    const { name } = this.#node.type;
    const html = String(this.#node.attrs.html ?? '');
    if (html !== '') {
      this.#show(html);
      return;
    }
    if (this.dom.childElementCount === 0)
      this.dom.replaceChildren(element('span', { class: 'visual-chip' }, chipOf(this.#node)));
    if (name === 'comment' || name === 'note') {
      this.#show('');
      return;
    }
    // Asked only for what is seen.
    this.#exchange.whenSeen(this.dom, () => void this.#ask());
  }

  #show(html: string): void {
    const markup = fromServer(html);
    for (const one of markup.querySelectorAll('[id]')) one.removeAttribute('id');
    for (const one of markup.querySelectorAll('a, button, input, summary, [tabindex]'))
      one.setAttribute('tabindex', '-1');
    const isEmpty =
      (markup.textContent ?? '').trim() === '' && !markup.querySelector('img, svg, math, hr, table');
    this.dom.classList.toggle('is-invisible', isEmpty);
    const words = chipOf(this.#node);
    if (isEmpty)
      this.dom.replaceChildren(words === '' ? '' : element('span', { class: 'visual-chip' }, words));
    else this.dom.replaceChildren(markup);
  }

  async #ask(): Promise<void> {
    const node = this.#node;
    const source = await sourceFor(node, this.#exchange);
    const html = source === undefined ? undefined : await this.#exchange.shown(source);
    if (this.#node !== node || html === undefined) return;
    this.#show(node.isInline ? html.replace(/^\s*<p>([\s\S]*)<\/p>\s*$/, '$1') : html);
  }
}

/** Source of an atom that the user may have changed. */
async function sourceFor(node: Node, exchange: Exchange): Promise<string | undefined> {
  if (/^(inlineS|s)ource$/.test(node.type.name)) return String(node.attrs.text);
  const bare = withoutOrigin(node);
  if (!node.isInline) return exchange.sourceOf(nodeType('doc').create(null, bare));
  // Alone in its paragraph, a call would be a block.
  const letter = node.type.schema.text('a');
  const paragraph = nodeType('paragraph').create(null, [letter, bare, letter]);
  return (await exchange.sourceOf(nodeType('doc').create(null, paragraph)))?.slice(1, -1);
}

function withoutOrigin(node: Node): Node {
  if (node.isText) return node;
  const children: Node[] = [];
  node.forEach((child) => void children.push(withoutOrigin(child)));
  return node.type.create({ ...node.attrs, origin: null }, children, node.marks);
}

function tagOf({ type, attrs }: Node) {
  return type.name === 'inlineSource' ? tagIn(String(attrs.text)) : undefined;
}

function labelOf(node: Node): string {
  const { name } = node.type;
  const tag = tagOf(node);
  if (tag) return say('visualCards.tagNamed', { tag: `${tag.key}: ${tag.value}` });
  const note = definitionIn(node);
  if (note) return say('visualCards.noteNamed', { words: note.text });
  if (name === 'source' && galleryIn(String(node.attrs.text))) return say('visualGallery.gallery');
  if (isTemplate(node)) return say('visualCards.templateNamed', { name: String(node.attrs.name) });
  if (name === 'note' && node.attrs.text === null)
    return say('visualCards.noteUsedAgain', { name: String(node.attrs.name) });
  return name === 'note' || name === 'comment'
    ? `${titles[name]}: ${node.attrs.text}`
    : (titles[name] ?? name);
}

/** Words in place of what shows nothing to readers. */
function chipOf(node: Node): string {
  const { name } = node.type;
  if (isTemplate(node)) return String(node.attrs.name);
  if (name === 'note') return say('visualCards.note').toLowerCase();
  const tag = tagOf(node);
  if (tag) return `${tag.key}: ${tag.value}`;
  const note = definitionIn(node);
  if (note) return say('visualCards.noteNamed', { words: note.text.trim().slice(0, 60) });
  if (name === 'source' && galleryIn(String(node.attrs.text))) return say('visualGallery.gallery');
  const text = String(node.attrs[sourceOf[name] ?? 'text'] ?? '').trim();
  return name === 'comment' ? `✎ ${text.slice(0, 40)}` : text.slice(0, 60);
}

/**
 * Opens the atom at this position for editing: a template's form, or the source of anything else. `isNew`: it was inserted to be
 * filled in, and goes again if that is cancelled.
 */
export function openAtom(
  view: EditorView,
  at: number,
  { addFiles, path }: { addFiles(files: Iterable<File>): File[]; path: string | undefined },
  isNew = false,
): void {
  const node = view.state.doc.nodeAt(at);
  if (!node) return;
  const change = (attrs: Attrs) => {
    const now = view.state.doc.nodeAt(at);
    if (now?.type !== node.type) return;
    const { tr } = view.state;
    tr.setNodeMarkup(at, null, { ...now.attrs, ...attrs, ...('html' in now.attrs ? { html: '' } : {}) });
    view.dispatch(caretAfter(tr, at));
  };
  const remove = () => {
    view.dispatch(view.state.tr.delete(at, at + node.nodeSize).scrollIntoView());
    view.focus();
  };
  const anchor = anchorOf(view, at);
  const closed = (isDone: boolean) => {
    if (isNew && !isDone && view.state.doc.nodeAt(at)?.sameMarkup(node)) remove();
    else view.focus();
  };
  if (isTemplate(node)) return void openTemplateForm({ node, anchor, change, remove, closed });
  const name = sourceOf[node.type.name];
  if (name === undefined) return;
  const card = {
    anchor,
    others: [{ words: say('visualCards.remove'), run: remove }],
    closed,
  };
  if (node.type.name === 'note' || definitionIn(node)) {
    openNote(view, at, card);
    return;
  }
  const gallery = node.type.name === 'source' ? galleryIn(String(node.attrs.text)) : undefined;
  if (gallery) {
    openGallery(gallery, { addFiles, path }, (text) => change({ text }), card);
    return;
  }
  const tag = tagOf(node);
  if (tag) {
    openTag(tag, (text) => change({ text }), card);
    return;
  }
  const before = String(node.attrs[name] ?? '');
  const field = textArea(before, { spellcheck: 'true', class: 'source-field' });
  openCard({
    ...card,
    title: titles[node.type.name] ?? say('visualCards.source'),
    content: [cardField(titles[node.type.name] ?? say('visualCards.source'), field)],
    done() {
      if (field.value !== before) change({ [name]: field.value });
      return true;
    },
  });
  field.focus();
}

/** Place in the window of the node at this position. */
export function anchorOf(view: EditorView, at: number): { left: number; top: number; bottom: number } {
  const dom = view.nodeDOM(at);
  if (dom instanceof HTMLElement) return dom.getBoundingClientRect();
  return view.coordsAtPos(at);
}
