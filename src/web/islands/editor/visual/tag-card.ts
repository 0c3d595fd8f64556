/** Tags of the page: `[[Season:summer]]` in the source, and a card with two fields here. */
import type { EditorView } from 'prosemirror-view';
import { Combobox } from '../../combobox.ts';
import { element } from '../../element.ts';
import { say } from '../../words.ts';
import { vocabulary } from '../vocabulary.ts';
import { type CardOptions, cardField, openCard } from './card.ts';
import { nodeType } from './commands.ts';

export interface Tag {
  key: string;
  value: string;
}

/** Prefixes that mean something else. */
const others = /^(?:file|image|media|category|template|special|help|user|talk|module|location|type)$/i;

export function tagIn(source: string): Tag | undefined {
  const [, key = '', value = ''] =
    /^\[\[([^[\]|{}<>#:/\n]{1,80}):([^[\]|{}<>\n]{1,200})\]\]$/.exec(source) ?? [];
  return key.trim() === '' || value.trim() === '' || others.test(key.trim())
    ? undefined
    : { key: key.trim(), value: value.trim() };
}

export function openTag(
  before: Tag | undefined,
  take: (source: string) => void,
  card: Pick<CardOptions, 'anchor' | 'others' | 'closed'>,
): void {
  const key = element('input', { value: before?.key ?? '', required: true, dir: 'auto', maxlength: 80 });
  const value = element('input', { value: before?.value ?? '', required: true, dir: 'auto', maxlength: 200 });
  openCard({
    ...card,
    title: say('visualInserts.tag'),
    content: [
      cardField(say('visualTags.name'), key, say('visualTags.nameExample')),
      cardField(say('visualTags.value'), value, say('visualTags.valueExample')),
    ],
    done() {
      const source = `[[${key.value.trim()}:${value.value.trim()}]]`;
      if (!tagIn(source)) {
        const wrong = /[[\]|{}<>#:/]/.test(key.value) || others.test(key.value.trim()) ? key : value;
        wrong.setCustomValidity(say('visualTags.chooseOtherWords'));
        wrong.reportValidity();
        wrong.addEventListener('input', () => wrong.setCustomValidity(''), { once: true });
        return false;
      }
      take(source);
      return true;
    },
  });
  suggest(
    key,
    ({ key }) => key,
    () => true,
  );
  suggest(
    value,
    ({ value }) => value,
    (tag) => tag.key.toLowerCase() === key.value.trim().toLowerCase(),
  );
  key.focus();
}

function suggest(field: HTMLInputElement, wordOf: (tag: Tag) => string, fits: (tag: Tag) => boolean): void {
  new Combobox(field, {
    opensEmpty: true,
    async suggest(text) {
      const { tags } = await vocabulary();
      const words = new Set(tags.filter(fits).map(wordOf));
      return [...words]
        .filter((word) => word !== text && word.toLowerCase().includes(text.toLowerCase()))
        .slice(0, 8)
        .map((label) => ({ label }));
    },
    onPick: () => {},
  }).connect();
}

/** Puts a tag at the caret. */
export function insertTag(view: EditorView): void {
  openTag(
    undefined,
    (text) =>
      view.dispatch(view.state.tr.replaceSelectionWith(nodeType('inlineSource').create({ text }), false)),
    { anchor: view.coordsAtPos(view.state.selection.from), closed: () => view.focus() },
  );
}
