/** Toolbar of the visual editor, which shows the state at the caret. */
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import type { Command } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { element } from '../../element.ts';
import { say } from '../../words.ts';
import { signs, type Tool } from '../toolbar.ts';
import {
  around,
  hasMark,
  type MarkName,
  toggle,
  toggleCodeBlock,
  toggleHeading,
  toggleList,
  toggleQuote,
  toParagraph,
} from './commands.ts';
import { insertTable } from './inserts.ts';

type VisualTool = Tool<EditorView>;

interface ToolActions {
  pickFiles(): void;
  editLink(view: EditorView): void;
  openMenu(view: EditorView): void;
}

function by(command: Command): (view: EditorView) => void {
  return (view) => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
}

function markTool(label: string, name: MarkName, sign: string, key: string): VisualTool {
  return { id: name, label, sign, key, run: by(toggle(name)), isOn: ({ state }) => hasMark(state, name) };
}

export function visualTools(actions: ToolActions): VisualTool[] {
  return [
    {
      id: 'undo',
      label: say('visualVisualTools.undo'),
      sign: signs.undo,
      key: 'Mod-z',
      run: by(undo),
      mayRun: ({ state }) => undoDepth(state) > 0,
    },
    {
      id: 'redo',
      label: say('visualVisualTools.redo'),
      sign: signs.redo,
      key: 'Mod-Shift-z',
      run: by(redo),
      mayRun: ({ state }) => redoDepth(state) > 0,
    },
    markTool(say('visualVisualTools.bold'), 'bold', 'B', 'Mod-b'),
    markTool(say('visualVisualTools.italic'), 'italic', 'I', 'Mod-i'),
    {
      id: 'link',
      label: say('visualVisualTools.link'),
      sign: signs.link,
      key: 'Mod-k',
      run: actions.editLink,
      isOn: ({ state }) => hasMark(state, 'link'),
    },
    {
      id: 'list',
      label: say('visualVisualTools.list'),
      sign: signs.list,
      key: 'Mod-Shift-8',
      run: by(toggleList('bulletList')),
      isOn: ({ state }) => around(state, 'bulletList', 'orderedList')?.node.type.name === 'bulletList',
    },
    {
      id: 'numberedList',
      label: say('visualVisualTools.numberedList'),
      sign: signs.numbers,
      key: 'Mod-Shift-7',
      run: by(toggleList('orderedList')),
      isOn: ({ state }) => around(state, 'bulletList', 'orderedList')?.node.type.name === 'orderedList',
    },
    {
      id: 'quote',
      label: say('visualVisualTools.quote'),
      sign: signs.quote,
      key: 'Mod-Shift-9',
      run: by(toggleQuote()),
      isOn: ({ state }) => around(state, 'quote') !== undefined,
    },
    {
      id: 'picture',
      label: say('visualVisualTools.picture'),
      hint: say('visualVisualTools.pictureOrOtherFile'),
      sign: signs.picture,
      run: actions.pickFiles,
    },
    {
      id: 'table',
      label: say('visualVisualTools.table'),
      sign: signs.table,
      run: by(insertTable()),
    },
    {
      id: 'more',
      label: say('visualVisualTools.more'),
      hint: say('visualVisualTools.moreToInsertAndOtherFormats'),
      sign: signs.more,
      run: actions.openMenu,
    },
  ];
}

const styles: [string, string, Command][] = [
  ['paragraph', say('visualVisualTools.text'), toParagraph()],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, string, Command] => [
    `heading ${level}`,
    level === 1
      ? say('visualVisualTools.title')
      : say('visualVisualTools.headingLevel', { level: level - 1 }),
    toggleHeading(level),
  ]),
  ['codeBlock', say('visualVisualTools.code'), toggleCodeBlock()],
];

/** Chooses what the block at the caret is. */
export function styleSelect(view: () => EditorView): { dom: HTMLSelectElement; update(): void } {
  const dom = element(
    'select',
    {
      class: 'tool-style',
      'aria-label': say('visualVisualTools.styleOfTheParagraph'),
      title: say('visualVisualTools.styleOfTheParagraph'),
      tabindex: -1,
    },
    ...styles.map(([value, words]) => element('option', { value }, words)),
  );
  dom.addEventListener('change', () => {
    const chosen = styles.find(([value]) => value === dom.value);
    if (chosen) by(chosen[2])(view());
  });
  return {
    dom,
    update() {
      const { parent } = view().state.selection.$from;
      const { name } = parent.type;
      const value = name === 'heading' ? `heading ${parent.attrs.level}` : name;
      dom.value = styles.some(([one]) => one === value) ? value : 'paragraph';
    },
  };
}

export const formats: { label: string; name: MarkName; key: string }[] = [
  { label: say('visualVisualTools.codeInTheLine'), name: 'code', key: 'Mod-e' },
  { label: say('visualVisualTools.underlined'), name: 'underline', key: 'Mod-u' },
  { label: say('visualVisualTools.struckOut'), name: 'strike', key: 'Mod-Shift-x' },
  { label: say('visualVisualTools.subscript'), name: 'sub', key: 'Mod-,' },
  { label: say('visualVisualTools.superscript'), name: 'sup', key: 'Mod-.' },
];
