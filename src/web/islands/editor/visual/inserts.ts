/** Entries of the slash menu and of the menu More: blocks and inline atoms, by name. */
import type { Command, Transaction } from 'prosemirror-state';
import { TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { fold } from '#core/model/fold.ts';
import { say } from '../../words.ts';
import type { Format } from '../marks.ts';
import type { MenuEntry } from './caret-menu.ts';
import {
  insertBlock,
  nodeType,
  toggleCodeBlock,
  toggleHeading,
  toggleList,
  toggleQuote,
  toggleTasks,
  toParagraph,
  wrapInCallout,
} from './commands.ts';
import { openMade } from './position.ts';
import { insertTag } from './tag-card.ts';

export interface Insert {
  label: string;
  detail?: string;
  /** Further words by which it is found. */
  also?: string;
  /** Only in this language. */
  only?: Format;
  run(view: EditorView): void;
}

interface InsertActions {
  pickFiles(): void;
  openLibrary(view: EditorView): void;
  /** Opens what was just inserted. */
  openNew(view: EditorView, at: number): void;
  insertTemplate(view: EditorView): void;
  insertLink(view: EditorView): void;
}

function by(command: Command): (view: EditorView) => void {
  return (view) => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
}

/** A table with a header row. The caret is in its first cell. */
export function insertTable(columns = 3, rows = 3): Command {
  const cellsOf = (name: string) =>
    Array.from({ length: columns }, () => nodeType(name).create(null, nodeType('paragraph').create()));
  const table = nodeType('table').create(null, [
    nodeType('row').create(null, cellsOf('headerCell')),
    ...Array.from({ length: rows - 1 }, () => nodeType('row').create(null, cellsOf('cell'))),
  ]);
  return insertBlock(table);
}

/** Puts an inline atom at the caret and opens it. */
function insertAtom(name: string, attrs: Record<string, unknown>, actions: InsertActions) {
  return (view: EditorView) => {
    const { from } = view.state.selection;
    const tr: Transaction = view.state.tr.replaceSelectionWith(nodeType(name).create(attrs), false);
    tr.setSelection(TextSelection.create(tr.doc, from + 1));
    view.dispatch(tr.scrollIntoView());
    actions.openNew(view, from);
  };
}

export function insertsOf(actions: InsertActions): Insert[] {
  return [
    {
      label: say('visualInserts.heading'),
      detail: '##',
      also: 'title section h2',
      run: by(toggleHeading(2)),
    },
    {
      label: say('visualInserts.smallerHeading'),
      detail: '###',
      also: 'subheading h3',
      run: by(toggleHeading(3)),
    },
    { label: say('visualInserts.text'), also: 'paragraph plain', run: by(toParagraph()) },
    {
      label: say('visualInserts.list'),
      detail: '-',
      also: 'bullets unordered',
      run: by(toggleList('bulletList')),
    },
    {
      label: say('visualInserts.numberedList'),
      detail: '1.',
      also: 'ordered steps',
      run: by(toggleList('orderedList')),
    },
    {
      label: say('visualInserts.tasks'),
      also: 'todo checkbox list',
      run: by(toggleTasks()),
    },
    { label: say('visualInserts.table'), also: 'grid rows columns', run: by(insertTable()) },
    { label: say('visualInserts.picture'), also: 'image photo file upload', run: actions.pickFiles },
    {
      label: say('visualLibrary.pictureFromTheWiki'),
      also: 'image photo library',
      run: actions.openLibrary,
    },
    {
      label: say('visualGallery.gallery'),
      also: 'pictures images photos',
      only: 'wikitext',
      run: (view) => {
        const made = nodeType('source').create({ text: '<gallery>\n</gallery>' });
        insertBlock(made)(view.state, view.dispatch);
        openMade(view, made, actions.openNew);
      },
    },
    { label: say('visualInserts.link'), detail: '[[', also: 'page address url', run: actions.insertLink },
    { label: say('visualInserts.template'), also: 'box infobox', run: actions.insertTemplate },
    { label: say('visualInserts.quote'), detail: '>', also: 'blockquote citation', run: by(toggleQuote()) },
    {
      label: say('visualInserts.noteBox'),
      also: 'callout advice hint',
      run: by(wrapInCallout('note')),
    },
    {
      label: say('visualInserts.warningBox'),
      also: 'callout',
      run: by(wrapInCallout('warning')),
    },
    {
      label: say('visualInserts.code'),
      detail: '```',
      also: 'preformatted program',
      run: by(toggleCodeBlock()),
    },
    {
      label: say('visualInserts.note'),
      also: 'footnote reference source',
      run: insertAtom('note', { text: '' }, actions),
    },
    { label: say('visualInserts.tag'), also: 'category keyword property', run: insertTag },
    {
      label: say('visualInserts.formula'),
      also: 'math tex equation',
      run: insertAtom('inlineFormula', { source: '' }, actions),
    },
    {
      label: say('visualInserts.line'),
      detail: '---',
      also: 'rule separator',
      run: by(insertBlock(nodeType('rule').create())),
    },
  ];
}

/** Entries whose name or further words begin with what was typed. */
export function entriesFor(inserts: Insert[], typed: string): MenuEntry[] {
  const wanted = fold(typed);
  const isLike = ({ label, also = '' }: Insert) =>
    fold(label).startsWith(wanted) ||
    fold(`${label} ${also}`)
      .split(' ')
      .some((word) => word.startsWith(wanted));
  return inserts.filter(isLike).map(({ label, detail, run }) => ({
    label,
    ...(detail === undefined ? {} : { detail }),
    run(view, from, to) {
      view.dispatch(view.state.tr.delete(from, to));
      run(view);
    },
  }));
}
