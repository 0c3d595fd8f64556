/** CodeMirror in place of the form's text area, which stays in the form and is what is sent. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { say } from '../words.ts';
import { type CompletionSources, completion } from './completion.ts';
import { conflictMarks } from './conflict-marks.ts';
import type { Format } from './marks.ts';
import { type PasteOptions, pasting } from './paste/pasting.ts';
import { highlighting } from './wikitext-tokens.ts';

export interface SourceOptions {
  textarea: HTMLTextAreaElement;
  format: Format;
  /** Nonce that permits CodeMirror's style sheet. */
  nonce: string;
  keys: KeyBinding[];
  completion: CompletionSources;
  onChange(): void;
  onScroll(): void;
  paste: PasteOptions;
  /** Earlier view, whose undo history and cursor are kept if the text is the same. */
  before?: EditorView | undefined;
}

export interface Source {
  view: EditorView;
  text(): string;
  setText(text: string): void;
  setFormat(format: Format): void;
}

/**
 * Input of at least this length, for example from dictation or a text expander, is inserted like pasted text: otherwise the
 * browser would first add each line to the view, which takes half a minute or more for 200,000 characters.
 */
const longInput = 1000;

const phrases = {
  next: say('editorSourceView.next'),
  previous: say('editorSourceView.previous'),
  all: say('editorSourceView.selectAll'),
  replace: say('editorSourceView.replace'),
  'replace all': say('editorSourceView.replaceAll'),
  close: say('editorSourceView.close'),
  'match case': say('editorSourceView.matchCase'),
  regexp: say('editorSourceView.regularExpression'),
  'by word': say('editorSourceView.wholeWords'),
};

export function sourceView(options: SourceOptions): Source {
  const { textarea } = options;
  const language = new Compartment();
  const text = textarea.value;
  const describedBy = textarea.getAttribute('aria-describedby');
  const extensions: Extension[] = [
    EditorView.cspNonce.of(options.nonce),
    EditorState.lineSeparator.of('\n'),
    EditorState.phrases.of(phrases),
    history(),
    drawSelection({ drawRangeCursor: true }),
    dropCursor(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    search({ top: true }),
    closeBrackets(),
    completion(options.completion),
    // The server names the other author beside the form.
    conflictMarks(document.querySelector<HTMLElement>('.conflict')?.dataset.them),
    pasting(options.paste),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    language.of(highlighting(options.format)),
    EditorView.contentAttributes.of({
      id: 'source-view',
      tabindex: '0',
      'aria-label': say('editorSourceView.text'),
      spellcheck: 'true',
      autocapitalize: 'sentences',
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      ...(textarea.getAttribute('aria-invalid') ? { 'aria-invalid': 'true' } : {}),
    }),
    // Tab moves the focus, as everywhere on a page (WCAG 2.1.2).
    keymap.of([
      ...options.keys,
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorState.languageData.of(() => [{ closeBrackets: { brackets: ['(', '[', '{', '"'] } }]),
    EditorView.updateListener.of(({ docChanged, selectionSet, view }) => {
      if (docChanged) options.onChange();
      if (selectionSet && view.hasFocus) requestAnimationFrame(() => uncoverCursor(view));
    }),
    EditorView.domEventHandlers({
      scroll: options.onScroll,
      beforeinput: (event, view) => {
        const text = event.inputType === 'insertText' && !event.isComposing ? event.data : null;
        if (text === null || text.length < longInput) return false;
        event.preventDefault();
        view.dispatch({
          ...view.state.replaceSelection(text.replace(/\r\n?/g, '\n')),
          userEvent: 'input',
          scrollIntoView: true,
        });
        return true;
      },
      drop: (event, view) => {
        const files = event.dataTransfer?.files;
        if (!files?.length) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at !== null) view.dispatch({ selection: { anchor: at } });
        event.preventDefault();
        return options.paste.takeFiles(files, view);
      },
    }),
  ];
  const kept = options.before?.state;
  const isSame = kept !== undefined && kept.doc.toString() === text;
  // If the user is already typing, focus and cursor are kept.
  const isWriting = document.activeElement === textarea;
  const writtenAt = { anchor: textarea.selectionStart, head: textarea.selectionEnd };
  const selection = isSame ? kept.selection : isWriting ? writtenAt : undefined;
  const view = new EditorView({
    state: EditorState.create({ doc: text, extensions, ...(selection ? { selection } : {}) }),
  });
  textarea.before(view.dom);
  if (isWriting) view.focus();
  textarea.hidden = true;
  const label = document.querySelector(`label[for="${textarea.id}"]`);
  label?.addEventListener('click', (event) => {
    event.preventDefault();
    view.focus();
  });
  return {
    view,
    text: () => view.state.doc.toString(),
    setText(next) {
      const before = view.state.doc.toString();
      const [from, kept] = sharedEnds(before, next);
      const changes = { from, to: before.length - kept, insert: next.slice(from, next.length - kept) };
      if (before !== next) view.dispatch({ changes, userEvent: 'input' });
    },
    setFormat(format) {
      view.dispatch({ effects: language.reconfigure(highlighting(format)) });
    },
  };
}

/** Numbers of equal characters at the start and at the end of two texts. */
function sharedEnds(a: string, b: string): [number, number] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}

/** CodeMirror scrolls the cursor into the window but does not know the bar at its bottom. */
function uncoverCursor(view: EditorView): void {
  const bar = document.querySelector('.save-bar');
  const cursor = view.coordsAtPos(view.state.selection.main.head);
  if (!bar || !cursor) return;
  const lowest = Math.min(cursor.bottom + 8, view.dom.getBoundingClientRect().bottom);
  scrollBy(0, Math.max(0, lowest - bar.getBoundingClientRect().top));
}
