/** Toolbar above the source: one tab stop, arrow keys within (ARIA: toolbar). */
import { redo, undo } from '@codemirror/commands';
import type { EditorView, KeyBinding } from '@codemirror/view';
import { html } from '#web/html.ts';
import { button, element, fromServer } from '../element.ts';
import { type Format, insertLink, insertTable, toggleHeading, toggleList, toggleWrap } from './marks.ts';

export interface Tool {
  label: string;
  /** More than the label says, shown with the pointer over the button. */
  hint?: string;
  /** Label of the button: letters or a 20 × 20 drawing. */
  sign: string | { path: string };
  /** Key in CodeMirror's notation; `Mod` is Ctrl, or ⌘ on a Mac. */
  key?: string;
  run(view: EditorView): void;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function toolsOf(format: () => Format, pickFiles: () => void): Tool[] {
  return [
    { label: 'Bold', sign: 'B', key: 'Mod-b', run: (view) => toggleWrap(view, format(), 'bold') },
    { label: 'Italic', sign: 'I', key: 'Mod-i', run: (view) => toggleWrap(view, format(), 'italic') },
    {
      label: 'Link',
      sign: {
        path: 'M8 12l4-4M9 6l1.500-1.500a3.200 3.200 0 014.600 4.600L13.500 10.600M11 14l-1.500 1.500a3.200 3.200 0 01-4.600-4.600L6.500 9.400',
      },
      key: 'Mod-k',
      run: insertLink,
    },
    { label: 'Heading', sign: 'H', key: 'Mod-Alt-2', run: (view) => toggleHeading(view, format(), 2) },
    {
      label: 'Smaller heading',
      sign: 'h',
      key: 'Mod-Alt-3',
      run: (view) => toggleHeading(view, format(), 3),
    },
    {
      label: 'List',
      sign: { path: 'M8 5h9M8 10h9M8 15h9M3.500 5h.01M3.500 10h.01M3.500 15h.01' },
      key: 'Mod-Shift-8',
      run: (view) => toggleList(view, format(), 'bullets'),
    },
    {
      label: 'Numbered list',
      sign: { path: 'M9 5h8M9 10h8M9 15h8M3 3.500h1.200V7M2.800 12.800c.2-1.200 2.400-1 2 .4L2.800 16H5' },
      key: 'Mod-Shift-7',
      run: (view) => toggleList(view, format(), 'numbers'),
    },
    {
      label: 'Reference',
      sign: { path: 'M7 4H4v12h3M13 4h3v12h-3M10 7.500v5' },
      key: 'Mod-Shift-f',
      run: (view) => toggleWrap(view, format(), 'reference'),
    },
    {
      label: 'Table',
      sign: { path: 'M3 4h14v12H3zM3 8h14M3 12h14M10 4v12' },
      run: (view) => insertTable(view, format()),
    },
    {
      label: 'Picture',
      hint: 'Picture or other file',
      sign: { path: 'M3 4h14v12H3zM3 14l4-4 3 3 3-3.500 4 4M7 7.500h.01' },
      run: pickFiles,
    },
    {
      label: 'Undo',
      sign: { path: 'M4 8h8.500a4 4 0 010 8H8M4 8l3.500-3.500M4 8l3.500 3.500' },
      key: 'Mod-z',
      run: undo,
    },
    {
      label: 'Redo',
      sign: { path: 'M16 8H7.500a4 4 0 000 8H12M16 8l-3.500-3.500M16 8l-3.500 3.500' },
      key: 'Mod-Shift-z',
      run: redo,
    },
  ];
}

/** Shortcuts of tools and of other commands; the browser's own action for these keys is prevented. */
export function keysOf(tools: Pick<Tool, 'key' | 'run'>[]): KeyBinding[] {
  const taking = (run: Tool['run']) => (view: EditorView) => {
    run(view);
    return true;
  };
  return tools.flatMap(({ key, run }) => (key ? { key, run: taking(run), preventDefault: true } : []));
}

export function toolbar(view: () => EditorView, tools: Tool[]): HTMLElement {
  const bar = element('div', {
    class: 'tools',
    role: 'toolbar',
    'aria-label': 'Formatting',
    'aria-controls': 'source-view',
  });
  for (const [index, tool] of tools.entries()) {
    const name = tool.hint ?? tool.label;
    const words = tool.key ? `${name} (${shown(tool.key)})` : name;
    const made = button(
      '',
      {
        class: `tool tool-${index}`,
        title: words,
        'aria-label': tool.label,
        tabindex: index === 0 ? 0 : -1,
        'aria-keyshortcuts': tool.key && ariaKey(tool.key),
      },
      () => void tool.run(view()),
    );
    made.append(
      typeof tool.sign === 'string'
        ? element('span', { 'aria-hidden': 'true' }, tool.sign)
        : drawing(tool.sign.path),
    );
    bar.append(made);
  }
  bar.addEventListener('keydown', (event) => {
    const buttons = [...bar.querySelectorAll('button')];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const isRtl = getComputedStyle(bar).direction === 'rtl';
    const to = {
      ArrowRight: at + (isRtl ? -1 : 1),
      ArrowLeft: at + (isRtl ? 1 : -1),
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = buttons[(to + buttons.length) % buttons.length];
    for (const one of buttons) one.tabIndex = one === next ? 0 : -1;
    next?.focus();
  });
  return bar;
}

function drawing(path: string): DocumentFragment {
  const svg = html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;
  return fromServer(svg.text);
}

function shown(key: string): string {
  const names: Record<string, string> = isMac
    ? { Mod: '⌘', Alt: '⌥', Shift: '⇧' }
    : { Mod: 'Ctrl', Alt: 'Alt', Shift: 'Shift' };
  return key
    .split('-')
    .map((part) => names[part] ?? part.toUpperCase())
    .join(isMac ? '' : '+');
}

function ariaKey(key: string): string {
  return key.replace('Mod', isMac ? 'Meta' : 'Control').replaceAll('-', '+');
}
