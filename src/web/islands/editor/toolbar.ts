/** Toolbar above the text: one tab stop, arrow keys within (ARIA: toolbar). */
import { html } from '#web/html.ts';
import { button, element, fromServer } from '../element.ts';
import { say } from '../words.ts';

/** A button of the toolbar for a kind of view: of the source, or of the visual editor. */
export interface Tool<View> {
  /** The same in every language: for style sheets, and for scripts that look for the button. */
  id: string;
  label: string;
  /** More than the label says, shown with the pointer over the button. */
  hint?: string;
  /** Label of the button: letters or a 20 × 20 drawing. */
  sign: string | { path: string };
  /** Key in CodeMirror's notation; `Mod` is Ctrl, or ⌘ on a Mac. */
  key?: string;
  run(view: View): void;
  /** Whether it applies at the caret; only for tools with two states. */
  isOn?(view: View): boolean;
  /** Whether it can be used now; always if absent. */
  mayRun?(view: View): boolean;
}

/** Drawings of 20 × 20. */
export const signs = {
  link: {
    path: 'M8 12l4-4M9 6l1.500-1.500a3.200 3.200 0 014.600 4.600L13.500 10.600M11 14l-1.500 1.500a3.200 3.200 0 01-4.600-4.600L6.500 9.400',
  },
  list: { path: 'M8 5h9M8 10h9M8 15h9M3.500 5h.01M3.500 10h.01M3.500 15h.01' },
  numbers: { path: 'M9 5h8M9 10h8M9 15h8M3 3.500h1.200V7M2.800 12.800c.2-1.200 2.400-1 2 .4L2.800 16H5' },
  reference: { path: 'M7 4H4v12h3M13 4h3v12h-3M10 7.500v5' },
  table: { path: 'M3 4h14v12H3zM3 8h14M3 12h14M10 4v12' },
  picture: { path: 'M3 4h14v12H3zM3 14l4-4 3 3 3-3.500 4 4M7 7.500h.01' },
  undo: { path: 'M4 8h8.500a4 4 0 010 8H8M4 8l3.500-3.500M4 8l3.500 3.500' },
  redo: { path: 'M16 8H7.500a4 4 0 000 8H12M16 8l-3.500-3.500M16 8l-3.500 3.500' },
  quote: { path: 'M4 5v10M8 6h9M8 10h9M8 14h6' },
  template: { path: 'M4 4h12v12H4zM4 8h12M8 8v8' },
  more: { path: 'M10 4v12M4 10h12' },
} as const;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export interface Toolbar {
  dom: HTMLElement;
  /** Shows the state at the caret. */
  update(): void;
}

/** `controls`: ID of the text that it acts on. */
export function toolbar<View>(view: () => View, tools: readonly Tool<View>[], controls: string): Toolbar {
  const bar = element('div', {
    class: 'tools',
    role: 'toolbar',
    'aria-label': say('editorToolbar.formatting'),
    'aria-controls': controls,
  });
  const made = tools.map((tool, index) => {
    const name = tool.hint ?? tool.label;
    const words = tool.key ? `${name} (${shownKey(tool.key)})` : name;
    const one = button(
      '',
      {
        class: 'tool',
        'data-tool': tool.id,
        title: words,
        'aria-label': tool.label,
        tabindex: index === 0 ? 0 : -1,
        'aria-keyshortcuts': tool.key && ariaKey(tool.key),
      },
      () => void tool.run(view()),
    );
    if (tool.isOn) one.setAttribute('aria-pressed', 'false');
    one.append(
      typeof tool.sign === 'string'
        ? element('span', { 'aria-hidden': 'true' }, tool.sign)
        : drawing(tool.sign.path),
    );
    bar.append(one);
    return { tool, one };
  });
  // The text keeps the focus, and phones their keyboard.
  bar.addEventListener(
    'mousedown',
    (event) => event.target instanceof HTMLSelectElement || event.preventDefault(),
  );
  bar.addEventListener('keydown', (event) => {
    const buttons = [...bar.querySelectorAll<HTMLElement>('button, select')];
    const at = buttons.indexOf(event.target as HTMLElement);
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
  return {
    dom: bar,
    update() {
      for (const { tool, one } of made) {
        if (tool.isOn) one.setAttribute('aria-pressed', String(tool.isOn(view())));
        // Stays in the order of arrow keys, as removing the focus would lose the place.
        if (tool.mayRun) one.setAttribute('aria-disabled', String(!tool.mayRun(view())));
      }
    },
  };
}

/** A drawing of 20 × 20 units in lines. */
export function drawing(path: string): DocumentFragment {
  const svg = html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"
stroke-linejoin="round"><path d="${path}"/></svg>`;
  return fromServer(svg.text);
}

/** A key in the notation of this system: Ctrl+B or ⌘B. */
export function shownKey(key: string): string {
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
