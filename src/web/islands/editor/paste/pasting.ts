/**
 * Pasting: HTML comes in the language of the page, an address pasted over words links them, and Ctrl+Shift+V pastes plain
 * text. The plain text stands in the page at once; converted HTML takes its place, so that undoing once gives it back.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Format } from '../marks.ts';
import { markdownLink, wikitextLink, withoutOrigin } from './page-link.ts';

export interface PasteOptions {
  format(): Format;
  /** Name of the file that shows the picture at this address in the page, if there is one. */
  fileName(url: string): string | undefined;
  /** Files on the clipboard; true if they were taken. */
  takeFiles(files: FileList, view: EditorView): boolean;
}

/** Beyond this HTML is pasted as its text. */
const maxLength = 8_000_000;

export function pasting(options: PasteOptions): Extension {
  let isPlain = false;
  return EditorView.domEventHandlers({
    keydown: (event) => {
      // Not every browser leaves the HTML out by itself.
      isPlain = event.key.toLowerCase() === 'v' && event.shiftKey && (event.ctrlKey || event.metaKey);
    },
    keyup: () => {
      isPlain = false;
    },
    paste: (event, view) => {
      const data = event.clipboardData;
      if (!data || isPlain) return false;
      // A cell copied from a table comes as text and as a picture of it: the text is meant.
      if (data.files.length > 0 && !data.types.includes('text/plain')) {
        event.preventDefault();
        return options.takeFiles(data.files, view);
      }
      const text = data.getData('text/plain').replace(/\r\n?/g, '\n');
      const html = data.getData('text/html');
      if (linkSelection(view, text.trim(), options.format())) {
        event.preventDefault();
        return true;
      }
      if (html === '' || html.length > maxLength) return false;
      event.preventDefault();
      void pasteHtml(view, html, text, options);
      return true;
    },
  });
}

function linkSelection(view: EditorView, url: string, format: Format): boolean {
  const { from, to } = view.state.selection.main;
  const words = view.state.sliceDoc(from, to);
  const isLink = URL.canParse(url) && /^(https?:\/\/|mailto:)\S+$/i.test(url);
  if (!isLink || words.trim() === '' || /[[\]\n|]/.test(words) || URL.canParse(words.trim())) return false;
  const href = withoutOrigin(url, location.origin);
  const insert = format === 'markdown' ? markdownLink(href, words) : wikitextLink(href, words);
  if (insert === words) return false;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.paste',
  });
  return true;
}

async function pasteHtml(view: EditorView, html: string, text: string, options: PasteOptions): Promise<void> {
  view.dispatch({ ...view.state.replaceSelection(text), userEvent: 'input.paste', scrollIntoView: true });
  const end = view.state.selection.main.head;
  const start = end - text.length;
  try {
    const { convert } = await import('./convert.ts');
    const converted = await convert(html, options.format(), {
      origin: location.origin,
      fileName: options.fileName,
    });
    // Somebody may have gone on writing before it.
    if (!converted || view.state.sliceDoc(start, end) !== text) return;
    const insert = converted.isInline ? converted.text : asBlock(view, converted.text, start, end);
    view.dispatch({
      changes: { from: start, to: end, insert },
      selection: { anchor: start + insert.length },
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
  } catch {
    // Offline, or HTML that cannot be read: the plain text stands there.
  }
}

/** Blocks stand on lines of their own, with an empty line to what is beside them. */
function asBlock({ state: { doc } }: EditorView, text: string, start: number, end: number): string {
  const before = doc.sliceString(Math.max(0, start - 2), start);
  const after = doc.sliceString(end, end + 2);
  const above = /^\n?$|\n\n$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const below = /^\n?$|^\n\n/.test(after) ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  return above + text + below;
}
