/**
 * The card of a note: its words, or another note of the page that is to be used again. A note that is used more than once has a
 * name. Its words stand at its first use in wikitext, and in a block of their own in Markdown: `[^name]: words`.
 */
import type { Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { element } from '../../element.ts';
import { say } from '../../words.ts';
import { type CardOptions, cardField, openCard, textArea } from './card.ts';
import { nodeType } from './commands.ts';
import { caretAfter } from './position.ts';

/** Words of a note at the position of the node that has them. */
interface Words {
  at: number;
  name: string | null;
  text: string;
  isDefinition: boolean;
}

/** Notes listed for another use, in the order of the text. */
const mostOffered = 100;

/** The note that a block of source defines. */
export function definitionIn(node: Node): { name: string; text: string } | undefined {
  if (node.type.name !== 'source') return undefined;
  const [, name, text] = /^\[\^([^\]\s]{1,100})\]:[ \t]*([\s\S]*)$/.exec(String(node.attrs.text)) ?? [];
  return name === undefined || text === undefined ? undefined : { name, text };
}

/** A note that is used again changes its words wherever it stands. */
export function openNote(
  view: EditorView,
  at: number,
  card: Pick<CardOptions, 'anchor' | 'others' | 'closed'>,
): void {
  const node = view.state.doc.nodeAt(at);
  if (!node) return;
  const all = wordsIn(view.state.doc);
  const own = all.find((one) => one.at === at || (node.attrs.text === null && one.name === node.attrs.name));
  const others = definitionIn(node) ? [] : all.filter((one) => one.at !== at).slice(0, mostOffered);
  const words = textArea(own?.text ?? '', { spellcheck: 'true' });
  const which = element(
    'select',
    {},
    element('option', { value: '' }, say('visualNotes.noteOfItsOwn')),
    ...others.map((one, index) =>
      element(
        'option',
        { value: index, selected: one === own },
        one.text.trim().slice(0, 60) || say('visualNotes.withoutWords'),
      ),
    ),
  );
  const chosen = () => (which.value === '' ? undefined : others[Number(which.value)]);
  which.addEventListener('change', () => {
    words.value = chosen()?.text ?? words.value;
  });
  openCard({
    ...card,
    title: say('visualCards.note'),
    content: [
      cardField(say('visualNotes.words'), words),
      others.length > 0 ? cardField(say('visualNotes.which'), which) : undefined,
    ],
    done() {
      const { tr } = view.state;
      if (tr.doc.nodeAt(at)?.type !== node.type) return true;
      const again = chosen();
      if (again) {
        const name = again.name ?? freeName(all);
        setWords(tr, again, { name, text: words.value, isApart: view.dom.classList.contains('in-markdown') });
        if (node.attrs.text !== null || node.attrs.name !== name) setAttrs(tr, at, { name, text: null });
      } else if (own?.at === at) setWords(tr, own, { name: own.name, text: words.value, isApart: false });
      else setAttrs(tr, at, { name: null, text: words.value });
      if (tr.docChanged) view.dispatch(caretAfter(tr, at));
      return true;
    },
  });
  words.focus();
}

function setWords(
  tr: Transaction,
  { at, isDefinition, ...before }: Words,
  { name, text, isApart }: { name: string | null; text: string; isApart: boolean },
): void {
  if (isDefinition) {
    if (before.text !== text) setAttrs(tr, at, { text: `[^${name}]: ${text}` });
  } else if (isApart) {
    setAttrs(tr, at, { name, text: null });
    tr.insert(tr.doc.content.size, nodeType('source').create({ text: `[^${name}]: ${text.trim()}` }));
  } else if (before.text !== text || before.name !== name) setAttrs(tr, at, { name, text });
}

function setAttrs(tr: Transaction, at: number, attrs: object): void {
  tr.setNodeMarkup(at, null, { ...tr.doc.nodeAt(at)?.attrs, ...attrs, html: '' });
}

function wordsIn(document: Node): Words[] {
  const found: Words[] = [];
  document.descendants((node, at) => {
    const defined = definitionIn(node);
    if (defined) found.push({ at, ...defined, isDefinition: true });
    else if (node.type.name === 'note' && node.attrs.text !== null)
      found.push({ at, name: node.attrs.name, text: String(node.attrs.text), isDefinition: false });
  });
  return found;
}

function freeName(all: Words[]): string {
  const taken = new Set(all.map(({ name }) => name));
  let count = 1;
  while (taken.has(`note-${count}`)) count++;
  return `note-${count}`;
}
