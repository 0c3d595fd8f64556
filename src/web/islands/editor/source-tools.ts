/** Tools and keys of the source view. */
import { redo, undo } from '@codemirror/commands';
import type { EditorView, KeyBinding } from '@codemirror/view';
import { say } from '../words.ts';
import { type Format, insertLink, insertTable, toggleHeading, toggleList, toggleWrap } from './marks.ts';
import { signs, type Tool } from './toolbar.ts';

type SourceTool = Tool<EditorView>;

export function toolsOf(format: () => Format, pickFiles: () => void): SourceTool[] {
  return [
    {
      id: 'bold',
      label: say('editorSourceTools.bold'),
      sign: 'B',
      key: 'Mod-b',
      run: (view) => toggleWrap(view, format(), 'bold'),
    },
    {
      id: 'italic',
      label: say('editorSourceTools.italic'),
      sign: 'I',
      key: 'Mod-i',
      run: (view) => toggleWrap(view, format(), 'italic'),
    },
    {
      id: 'link',
      label: say('editorSourceTools.link'),
      sign: signs.link,
      key: 'Mod-k',
      run: insertLink,
    },
    {
      id: 'heading',
      label: say('editorSourceTools.heading'),
      sign: 'H',
      key: 'Mod-Alt-2',
      run: (view) => toggleHeading(view, format(), 2),
    },
    {
      id: 'smallerHeading',
      label: say('editorSourceTools.smallerHeading'),
      sign: 'h',
      key: 'Mod-Alt-3',
      run: (view) => toggleHeading(view, format(), 3),
    },
    {
      id: 'list',
      label: say('editorSourceTools.list'),
      sign: signs.list,
      key: 'Mod-Shift-8',
      run: (view) => toggleList(view, format(), 'bullets'),
    },
    {
      id: 'numberedList',
      label: say('editorSourceTools.numberedList'),
      sign: signs.numbers,
      key: 'Mod-Shift-7',
      run: (view) => toggleList(view, format(), 'numbers'),
    },
    {
      id: 'reference',
      label: say('editorSourceTools.reference'),
      sign: signs.reference,
      key: 'Mod-Shift-f',
      run: (view) => toggleWrap(view, format(), 'reference'),
    },
    {
      id: 'table',
      label: say('editorSourceTools.table'),
      sign: signs.table,
      run: (view) => insertTable(view, format()),
    },
    {
      id: 'picture',
      label: say('editorSourceTools.picture'),
      hint: say('editorSourceTools.pictureOrOtherFile'),
      sign: signs.picture,
      run: pickFiles,
    },
    {
      id: 'undo',
      label: say('editorSourceTools.undo'),
      sign: signs.undo,
      key: 'Mod-z',
      run: undo,
    },
    {
      id: 'redo',
      label: say('editorSourceTools.redo'),
      sign: signs.redo,
      key: 'Mod-Shift-z',
      run: redo,
    },
  ];
}

/** Shortcuts of tools and of other commands; the browser's own action for these keys is prevented. */
export function keysOf(tools: Pick<SourceTool, 'key' | 'run'>[]): KeyBinding[] {
  const taking = (run: SourceTool['run']) => (view: EditorView) => {
    run(view);
    return true;
  };
  return tools.flatMap(({ key, run }) => (key ? { key, run: taking(run), preventDefault: true } : []));
}
