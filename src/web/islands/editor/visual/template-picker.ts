/** Choosing a template by name. Its form opens once it is in the text. */
import type { EditorView } from 'prosemirror-view';
import { ask } from '../../ask.ts';
import { Combobox } from '../../combobox.ts';
import { element } from '../../element.ts';
import { say } from '../../words.ts';
import { cardField, openCard } from './card.ts';
import { insertBlock, nodeType } from './commands.ts';
import { openMade } from './position.ts';

/** `open`: shows the form of the template at a position. */
export function insertTemplate(view: EditorView, open: (view: EditorView, at: number) => void): void {
  const name = element('input', { autocomplete: 'off', dir: 'auto', required: true });
  const card = openCard({
    title: say('visualTemplatePicker.template'),
    anchor: view.coordsAtPos(view.state.selection.from),
    content: [cardField(say('visualTemplatePicker.name'), name)],
    done() {
      const chosen = name.value.trim().replace(/^template:\s*/i, '');
      if (chosen === '') return false;
      const isAlone = view.state.selection.$from.parent.content.size === 0;
      const made = nodeType(isAlone ? 'call' : 'inlineCall').create({ name: chosen });
      if (isAlone) insertBlock(made)(view.state, view.dispatch);
      else view.dispatch(view.state.tr.replaceSelectionWith(made, false));
      openMade(view, made, open);
      return true;
    },
    closed: () => view.focus(),
  });
  new Combobox(name, {
    opensEmpty: true,
    async suggest(text, signal) {
      const query = new URLSearchParams({
        type: 'Template',
        limit: '10',
        history: 'none',
        order: 'alphabetical',
      });
      if (text !== '') query.set('title', text);
      const found = await ask<{ title: string; path: string }[]>(`/v1/pages?${query}`, { signal });
      return (found ?? []).map(({ title, path }) => ({ label: title, detail: path }));
    },
    onPick: () => card.querySelector('form')?.requestSubmit(),
  }).connect();
  name.focus();
}
