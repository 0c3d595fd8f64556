/** Pasting into the visual editor: HTML as what it means, cells of a spreadsheet as a table, files as pictures at the caret. */
import { Fragment, type Node, Slice } from 'prosemirror-model';
import { TextSelection } from 'prosemirror-state';
import type { EditorProps, EditorView } from 'prosemirror-view';
import { markType, nodeType } from './commands.ts';
import { tidied } from './pasted-html.ts';
import { linkAttrs } from './schema.ts';

interface PasteInto {
  mayAddFiles: boolean;
  fileName(url: string): string | undefined;
  insertFiles(files: Iterable<File>): void;
}

export function pastingProps(options: PasteInto): EditorProps {
  return {
    transformPastedHTML: (html) => tidied(html, options.fileName),
    transformPasted: (slice) => new Slice(withoutOrigins(slice.content), slice.openStart, slice.openEnd),
    clipboardTextParser: (text, _context, isPlain) => (isPlain ? undefined : tableOfText(text)) as Slice,
    handlePaste(view, event) {
      const data = event.clipboardData;
      if (!data) return false;
      // Cells are copied as text and as a picture; the text is preferred.
      if (data.files.length > 0 && !data.types.includes('text/plain') && options.mayAddFiles) {
        options.insertFiles([...data.files]);
        return true;
      }
      return linkSelection(view, data.getData('text/plain').trim());
    },
    handleDrop(view, event) {
      const files = event.dataTransfer?.files;
      if (!files?.length || !options.mayAddFiles) return false;
      event.preventDefault();
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
      if (at) view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(at.pos))));
      options.insertFiles([...files]);
      return true;
    },
  };
}

/** An address pasted over words makes a link of them. */
function linkSelection(view: EditorView, url: string): boolean {
  const { from, to, empty, $from, $to } = view.state.selection;
  if (empty || !$from.sameParent($to) || !/^(https?:\/\/|mailto:)\S+$/i.test(url) || !URL.canParse(url))
    return false;
  if (URL.canParse(view.state.doc.textBetween(from, to))) return false;
  view.dispatch(view.state.tr.addMark(from, to, markType('link').create(linkAttrs(url))));
  return true;
}

/** Copies come from no place of the source. */
export function withoutOrigins(content: Fragment): Fragment {
  const nodes: Node[] = [];
  content.forEach((node) => {
    if (node.isText) nodes.push(node);
    else {
      const attrs = 'origin' in node.attrs ? { ...node.attrs, origin: null } : node.attrs;
      nodes.push(node.type.create(attrs, withoutOrigins(node.content), node.marks));
    }
  });
  return Fragment.fromArray(nodes);
}

/** Text with tabs is cells of a spreadsheet. */
function tableOfText(text: string): Slice | undefined {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const rows = lines.map((line) => line.split('\t'));
  const columns = Math.max(...rows.map(({ length }) => length));
  if (columns < 2 || rows.some(({ length }) => length < 2) || columns > 100 || rows.length > 2000)
    return undefined;
  const cell = (words: string) =>
    nodeType('cell').create(
      null,
      nodeType('paragraph').create(null, words === '' ? [] : [nodeType('paragraph').schema.text(words)]),
    );
  const table = nodeType('table').create(
    null,
    rows.map((row) =>
      nodeType('row').create(
        null,
        Array.from({ length: columns }, (_, column) => cell((row[column] ?? '').trim())),
      ),
    ),
  );
  return new Slice(Fragment.from(table), 0, 0);
}
