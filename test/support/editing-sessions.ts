/**
 * Sessions of writing at random in the documents of the visual editor, with its own keys, signs and commands, but without a browser.
 * The server writes each document as source. That source has to show the same text, with the bytes of every block that was not edited.
 */
import { type Documents, NotExpressible } from '@coppice/wikitext/document';
import { history, undo } from 'prosemirror-history';
import { type Node, Slice } from 'prosemirror-model';
import {
  AllSelection,
  type Command,
  EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state';
import { CellSelection, deleteRow, tableEditing } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { columnAlignment } from '#web/islands/editor/visual/column-alignment.ts';
import {
  insertBlock,
  insertPicture,
  markType,
  nodeType,
  toggleCodeBlock,
  toggleHeading,
  toggleList,
  toggleQuote,
  toggleTasks,
  toParagraph,
  wrapInCallout,
} from '#web/islands/editor/visual/commands.ts';
import {
  type DocumentJson,
  documentFrom,
  type Known,
  textOf,
} from '#web/islands/editor/visual/document-json.ts';
import { fitting } from '#web/islands/editor/visual/fitting.ts';
import { keyPlugins } from '#web/islands/editor/visual/keys.ts';
import { withoutOrigins } from '#web/islands/editor/visual/pasting.ts';
import { roomBelow, withRoom } from '#web/islands/editor/visual/room-below.ts';
import { withFilledHoles } from '#web/islands/editor/visual/table-holes.ts';
import { typedSigns } from '#web/islands/editor/visual/typed-signs.ts';
import { attributes, keys, tableCommands, typed } from './editing-choices.ts';

export type Format = 'wikitext' | 'markdown';
/** Returns numbers from 0 up to but not including `below`. */
type Random = (below: number) => number;

/** A session of one person. It offers keys and signs the parts of a view that they need. */
export class Session {
  state: EditorState;
  readonly #start: Node;
  readonly #documents: Documents;
  readonly #format: Format;
  readonly #source: string;
  readonly #pick: Random;
  readonly #known: Known = { written: new WeakMap(), filled: new WeakMap() };
  #clipboard = Slice.empty;
  log: string[] = [];

  constructor(documents: Documents, format: Format, source: string, pick: Random) {
    this.#documents = documents;
    this.#format = format;
    this.#source = source;
    this.#pick = pick;
    const json = JSON.parse(JSON.stringify(documents.documentOf(source))) as DocumentJson;
    const doc = withFilledHoles(withRoom(documentFrom(json, 0)), this.#known.filled);
    this.state = EditorState.create({
      doc,
      plugins: [
        typedSigns(format),
        ...keyPlugins({}),
        history(),
        tableEditing(),
        columnAlignment(),
        roomBelow(),
        fitting(() => format),
      ],
    });
    this.#start = doc;
  }

  composing = false;
  endOfTextblock = (): boolean => {
    const { parentOffset, parent } = this.state.selection.$head;
    return parentOffset === 0 || parentOffset === parent.content.size;
  };

  dispatch = (tr: Transaction): void => {
    this.state = this.state.apply(tr);
  };

  /** Puts the caret before the words, or selects them, in the first block of one of these types that has them. */
  place(words: string, ...types: string[]): { from: number; to: number } {
    const { doc } = this.state;
    let from: number | undefined;
    doc.descendants((node, at, parent) => {
      const isIt =
        types.length === 0 || types.includes(parent?.type.name ?? '') || types.includes(node.type.name);
      if (from !== undefined || !node.isTextblock || !isIt) return;
      node.descendants((part, inside) => {
        const index = part.text?.indexOf(words) ?? -1;
        if (index >= 0) from ??= at + 1 + inside + index;
      });
    });
    if (from === undefined) throw new Error(`No "${words}".`);
    this.dispatch(this.state.tr.setSelection(TextSelection.create(doc, from)));
    return { from, to: from + words.length };
  }

  /** Puts other words in the place of these, with the same marks. */
  write(words: string, now: string, ...types: string[]): void {
    const { from, to } = this.place(words, ...types);
    const { schema, doc, tr } = this.state;
    this.dispatch(tr.replaceWith(from, to, schema.text(now, doc.nodeAt(from)?.marks)));
  }

  undo(): boolean {
    return undo(this.state, this.dispatch);
  }

  /** Selects the node at a position. */
  selectAt(at: number): void {
    this.dispatch(this.state.tr.setSelection(NodeSelection.create(this.state.doc, at)));
  }

  run(name: 'quote' | 'rule' | 'deleteRow'): void {
    const commands = { quote: toggleQuote(), rule: insertBlock(nodeType('rule').create()), deleteRow };
    this.#run(commands[name]);
  }

  /** One thing that a person does, at a place of choice. */
  step(): void {
    const pick = this.#pick;
    if (pick(2) === 0) this.#select();
    const [name, run] = this.#actions[pick(this.#actions.length)] ?? [];
    if (!name || !run) return;
    this.log.push(`${name} @${this.state.selection.from}-${this.state.selection.to}`);
    run();
    this.state.doc.check();
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#pick(list.length)] as T;
  }

  #run(command: Command): void {
    command(this.state, this.dispatch, this as unknown as EditorView);
  }

  readonly #actions: [string, () => void][] = [
    ...Array.from({ length: 10 }, (): [string, () => void] => ['type', () => this.type(this.#one(typed))]),
    ...Array.from({ length: 8 }, (): [string, () => void] => ['key', () => this.#key(this.#one(keys))]),
    ['heading', () => this.#run(toggleHeading(1 + this.#pick(6)))],
    ['paragraph', () => this.#run(toParagraph())],
    ['list', () => this.#run(toggleList(this.#one(['bulletList', 'orderedList'])))],
    ['tasks', () => this.#run(toggleTasks())],
    ['quote', () => this.#run(toggleQuote())],
    ['callout', () => this.#run(wrapInCallout(this.#one(['note', 'tip', 'warning'])))],
    ['code', () => this.#run(toggleCodeBlock())],
    ['insert', () => this.#insert()],
    ['inline', () => this.#insertInline()],
    ['link', () => this.#link()],
    ['attribute', () => this.#attribute()],
    ['copy', () => this.#copy()],
    ['paste', () => this.#paste()],
    ['table', () => this.#table()],
    ['table', () => this.#table()],
    ['delete', () => this.dispatch(this.state.tr.deleteSelection())],
  ];

  #select(): void {
    const { doc } = this.state;
    const pick = this.#pick;
    const at = (size: number) => doc.resolve(Math.min(doc.content.size, Math.max(0, size)));
    const from = pick(doc.content.size + 1);
    const kind = pick(12);
    let selection: Selection = Selection.near(at(from));
    if (kind < 4) selection = TextSelection.between(selection.$from, at(selection.from + pick(12)));
    else if (kind === 4) selection = TextSelection.between(selection.$from, at(from + pick(400)));
    else if (kind === 5) {
      const node = doc.nodeAt(from);
      if (node && NodeSelection.isSelectable(node)) selection = NodeSelection.create(doc, from);
    } else if (kind === 6 && pick(20) === 0) selection = new AllSelection(doc);
    else if (kind < 10) {
      const cells: number[] = [];
      const table = this.#one(this.#places((node) => node.type.name === 'table'));
      if (table !== undefined) {
        doc.nodeAt(table)?.descendants((node, inside) => {
          if (/cell/i.test(node.type.name)) cells.push(table + 1 + inside);
          return node.type.name === 'row';
        });
        if (cells.length > 0 && kind === 7)
          selection = CellSelection.create(doc, this.#one(cells), this.#one(cells));
        else if (cells.length > 0) selection = Selection.near(doc.resolve(this.#one(cells) + 1));
      }
    }
    this.dispatch(this.state.tr.setSelection(selection));
  }

  #places(isIt: (node: Node) => boolean): number[] {
    const found: number[] = [];
    this.state.doc.descendants((node, at) => {
      if (isIt(node)) found.push(at);
    });
    return found;
  }

  type(words: string): void {
    this.log.push(JSON.stringify(words));
    for (const letter of words) {
      const { from, to } = this.state.selection;
      const view = this as unknown as EditorView;
      const isTaken = this.state.plugins.some((plugin) =>
        plugin.props.handleTextInput?.call(plugin, view, from, to, letter, () => this.state.tr),
      );
      if (isTaken) continue;
      if (!(this.state.selection instanceof TextSelection)) return;
      this.dispatch(this.state.tr.insertText(letter));
    }
  }

  #key(name: string): void {
    this.log.push(name);
    const parts = name.split('-');
    const [key = ''] = parts.slice(-1);
    const event = {
      key,
      shiftKey: parts.includes('Shift'),
      ctrlKey: parts.includes('Mod'),
      altKey: false,
    } as KeyboardEvent;
    const view = this as unknown as EditorView;
    const { plugins, selection, tr } = this.state;
    if (plugins.some((plugin) => plugin.props.handleKeyDown?.call(plugin, view, event))) return;
    const { $from, empty } = selection;
    if (!empty || !$from.parent.inlineContent) return;
    const { nodeBefore, nodeAfter, pos } = $from;
    const sizeOf = (node: Node) => (node.isText ? 1 : node.nodeSize);
    if (key === 'Backspace' && nodeBefore) this.dispatch(tr.delete(pos - sizeOf(nodeBefore), pos));
    if (key === 'Delete' && nodeAfter) this.dispatch(tr.delete(pos, pos + sizeOf(nodeAfter)));
  }

  #insert(): void {
    const words = () => this.#one(typed);
    const paragraph = (text = '') =>
      nodeType('paragraph').create(null, text ? this.state.schema.text(text) : null);
    const cell = (name: string) => nodeType(name).create(null, paragraph(words()));
    const made = this.#one<() => Node>([
      () => nodeType('rule').create(),
      () => nodeType('formula').create({ source: 'x^2' }),
      () =>
        nodeType('call').create({ name: 'Note', params: [{ name: '1', value: words(), positional: true }] }),
      () => nodeType('source').create({ text: '<div class="x">y</div>' }),
      () => nodeType('figure').create({ file: 'Oak.jpg', alt: words() }, this.state.schema.text(words())),
      () =>
        nodeType('table').create(
          null,
          ['headerCell', 'cell', 'cell'].map((name) =>
            nodeType('row').create(null, [cell(name), cell(name)]),
          ),
        ),
    ])();
    this.log.push(made.type.name);
    if (this.#format === 'markdown' && made.type.name === 'figure') this.#run(insertPicture('Oak.jpg'));
    else this.#run(insertBlock(made));
  }

  #insertInline(): void {
    const { $from } = this.state.selection;
    if (!$from.parent.inlineContent || $from.parent.type.spec.code) return;
    const made = this.#one<() => Node>([
      () => nodeType('note').create({ text: this.#one(typed) }),
      () => nodeType('inlineFormula').create({ source: 'x_1' }),
      () => nodeType('inlineCall').create({ name: 'x', params: [] }),
      () => nodeType('image').create({ file: 'Oak.jpg', kind: 'plain', alt: this.#one(typed) }),
      () => nodeType('hardBreak').create(),
    ])();
    this.log.push(JSON.stringify(made));
    this.dispatch(this.state.tr.replaceSelectionWith(made));
  }

  #link(): void {
    const { from, to, $from } = this.state.selection;
    const mark = this.#one([
      markType('link').create({ to: this.#one(['Oak tree', '/a/b', 'x#y', '#z']), kind: 'page' }),
      markType('link').create({ to: 'https://example.org/?a=(b)', kind: 'address' }),
    ]);
    if (!$from.parent.type.allowsMarkType(mark.type)) return;
    this.log.push(JSON.stringify(mark));
    if (this.#pick(4) === 0) this.dispatch(this.state.tr.removeMark(from, to, mark.type));
    else if (from < to) this.dispatch(this.state.tr.addMark(from, to, mark));
    else if ($from.parent.inlineContent)
      this.dispatch(
        this.state.tr.insert(from, this.state.schema.text(this.#one(['Oak', 'x y', 'Oak tree']), [mark])),
      );
  }

  #attribute(): void {
    const at = this.#one(this.#places(({ type }) => type.name in attributes));
    const node = at === undefined ? undefined : this.state.doc.nodeAt(at);
    const options = node && attributes[node.type.name];
    if (at === undefined || !node || !options) return;
    const [name, values] = this.#one(Object.entries(options));
    this.log.push(`${node.type.name} ${at} ${name}`);
    let value: unknown = this.#one(values as unknown[]);
    if (name === 'params') {
      const params = structuredClone(node.attrs.params as { value: string }[]);
      const one = this.#one(params);
      if (!one) return;
      one.value = String(value);
      value = params;
    }
    this.dispatch(this.state.tr.setNodeMarkup(at, null, { ...node.attrs, [name]: value }));
  }

  #copy(): void {
    const { content, openStart, openEnd } = this.state.selection.content();
    this.#clipboard = new Slice(withoutOrigins(content), openStart, openEnd);
    if (this.#pick(3) === 0) this.dispatch(this.state.tr.deleteSelection());
  }

  #paste(): void {
    const { tr } = this.state;
    this.dispatch(tr.replaceSelection(this.#clipboard));
  }

  #table(): void {
    const [name, command] = this.#one(Object.entries(tableCommands));
    this.log.push(name);
    this.#run(command);
  }

  /** The source, or the refusal of the language. Throws an error if the source does not say what the document says. */
  check(): { written: string } | { refused: string } {
    const { doc } = this.state;
    const json = JSON.parse(textOf(doc, this.#known, 0)) as unknown;
    let written: string;
    try {
      written = this.#documents.patch(this.#source, json);
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error;
      return { refused: error.message };
    }
    const again = documentFrom(
      JSON.parse(JSON.stringify(this.#documents.documentOf(written))) as DocumentJson,
      0,
    );
    const [shown, read] = [wordsOf(doc), wordsOf(again)];
    if (shown !== read) throw new Error(`Other words:\n${differenceOf(shown, read)}`);
    this.#expectBytes(doc, again, written);
    return { written };
  }

  /** Blocks that are the same nodes as in the beginning have the same bytes. */
  #expectBytes(doc: Node, again: Node, written: string): void {
    const start = new Set(this.#start.children);
    const texts = new Map<string, number>();
    for (const block of again.children) {
      const origin = originOf(block);
      if (!origin) continue;
      const text = written.slice(...origin);
      texts.set(text, (texts.get(text) ?? 0) + 1);
    }
    for (const block of doc.children) {
      const origin = originOf(block);
      if (!start.has(block) || !origin) continue;
      const text = this.#source.slice(...origin);
      const left = texts.get(text) ?? 0;
      if (left === 0) throw new Error(`Changed beyond the edit: ${JSON.stringify(text.slice(0, 200))}`);
      texts.set(text, left - 1);
    }
  }
}

function originOf({ attrs }: Node): [number, number] | undefined {
  return (attrs.origin ?? undefined) as [number, number] | undefined;
}

/** Everything that a document shows, without spaces. */
function wordsOf(doc: Node): string {
  let words = '';
  doc.descendants((node) => {
    if (node.isText) words += node.text ?? '';
    else if (node.isTextblock || node.isAtom) words += ' ';
    // Signs in parameters are written as references.
    const { file, name, text, source } = node.attrs;
    if (node.isAtom || node.type.name === 'figure')
      words += ` ${[file, name, text, source].filter((one) => one).join(' ')} `;
  });
  return words.replace(/\s+/g, '');
}

function differenceOf(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at] && at < one.length) at++;
  return `${one.slice(Math.max(0, at - 40), at + 80)}\n${other.slice(Math.max(0, at - 40), at + 80)}`;
}
