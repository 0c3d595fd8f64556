/**
 * Pasting: HTML is converted to the language of the page, a URL pasted over a selection links it, and Ctrl+Shift+V pastes plain
 * text. Plain text is inserted at once and then replaced by the converted HTML, so that a single undo restores it. The converter
 * is loaded with the first paste; what is typed meanwhile stays where it is.
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

/** Plain text that waits for its conversion, as a range that follows other changes of the document. */
interface Pasted {
  from: number;
  to: number;
}

export function pasting(options: PasteOptions): Extension {
  let isPlain = false;
  const waiting = new Set<Pasted>();
  const follow = EditorView.updateListener.of(({ docChanged, changes }) => {
    if (!docChanged) return;
    for (const range of waiting) {
      // Text typed at either end is not part of what was pasted.
      range.from = changes.mapPos(range.from, 1);
      range.to = changes.mapPos(range.to, -1);
    }
  });
  const handlers = EditorView.domEventHandlers({
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
      void pasteHtml(view, { html, text }, options, waiting);
      return true;
    },
  });
  return [handlers, follow];
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

async function pasteHtml(
  view: EditorView,
  { html, text }: { html: string; text: string },
  options: PasteOptions,
  waiting: Set<Pasted>,
): Promise<void> {
  view.dispatch({ ...view.state.replaceSelection(text), userEvent: 'input.paste', scrollIntoView: true });
  const end = view.state.selection.main.head;
  const pasted = { from: end - text.length, to: end };
  waiting.add(pasted);
  try {
    const { convert } = await import('./convert.ts');
    const converted = await convert(html, options.format(), {
      origin: location.origin,
      fileName: options.fileName,
    });
    const { from, to } = pasted;
    // Not if the user has edited the pasted text itself meanwhile.
    if (!converted || view.state.sliceDoc(from, to) !== text) return;
    const insert = converted.isInline ? converted.text : asBlock(view, converted.text, from, to);
    const { main } = view.state.selection;
    view.dispatch({
      changes: { from, to, insert },
      // A cursor elsewhere stays beside the text that it is in.
      ...(main.empty && main.head === to ? { selection: { anchor: from + insert.length } } : {}),
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
  } catch {
    // Offline, or unreadable HTML: the plain text stays.
  } finally {
    waiting.delete(pasted);
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
