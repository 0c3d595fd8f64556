/**
 * Pasting: HTML is converted to the language of the page, a URL pasted over a selection links it, and Ctrl+Shift+V pastes plain
 * text. Plain text is inserted at once and then replaced by the converted HTML, so that a single undo restores it.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Format } from '../marks.ts';
import { markdownLink, wikitextLink, withoutOrigin } from './page-link.ts';

export interface PasteOptions {
  format(): Format;
  /** Name of the file that shows this picture in the page, if any. */
  fileName(url: string): string | undefined;
  /** Handles files on the clipboard; returns whether they were accepted. */
  takeFiles(files: FileList, view: EditorView): boolean;
}

/** Longer HTML is pasted as plain text. */
const maxLength = 8_000_000;

export function pasting(options: PasteOptions): Extension {
  let isPlain = false;
  return EditorView.domEventHandlers({
    keydown: (event) => {
      // Not every browser drops the HTML itself.
      isPlain = event.key.toLowerCase() === 'v' && event.shiftKey && (event.ctrlKey || event.metaKey);
    },
    keyup: () => {
      isPlain = false;
    },
    paste: (event, view) => {
      const data = event.clipboardData;
      if (!data || isPlain) return false;
      // Table cells are copied as text and as a picture; the text is preferred.
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
    // Not if the user has edited it meanwhile.
    if (!converted || view.state.sliceDoc(start, end) !== text) return;
    const insert = converted.isInline ? converted.text : asBlock(view, converted.text, start, end);
    view.dispatch({
      changes: { from: start, to: end, insert },
      selection: { anchor: start + insert.length },
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
  } catch {
    // Offline, or unreadable HTML: the plain text stays.
  }
}

/** Blocks get lines of their own, separated by empty lines. */
function asBlock({ state: { doc } }: EditorView, text: string, start: number, end: number): string {
  const before = doc.sliceString(Math.max(0, start - 2), start);
  const after = doc.sliceString(end, end + 2);
  const above = /^\n?$|\n\n$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const below = /^\n?$|^\n\n/.test(after) ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  return above + text + below;
}
