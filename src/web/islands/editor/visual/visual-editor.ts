/**
 * The visual editor: the page as it will look, written in place. It has no text of its own: after every change it asks the server
 * for the source and hands that to the form, so that saving, drafts, conflicts and previews work as with the source view.
 */
import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { EditorState, NodeSelection, type Plugin, Selection } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { isPictureName } from '../pending-files.ts';
import { shownKey, type Toolbar, toolbar } from '../toolbar.ts';
import { adopt } from './adopt.ts';
import { atomNames, CardView, openAtom } from './cards.ts';
import { caretMenu } from './caret-menu.ts';
import { columnAlignment } from './column-alignment.ts';
import { countWords, insertBlock, insertPicture, nodeType } from './commands.ts';
import type { DocumentJson } from './document-json.ts';
import { emptyHint } from './empty-hint.ts';
import { Exchange } from './exchange.ts';
import { FigureView, openFigure, TaskView } from './figures.ts';
import { FindBar, finding } from './find.ts';
import { fitting } from './fitting.ts';
import { openHelp } from './help.ts';
import { entriesFor, type Insert, insertsOf } from './inserts.ts';
import { followKeyboard } from './keyboard-bar.ts';
import { keyPlugins } from './keys.ts';
import { openLibrary } from './library-card.ts';
import { editLink, linkEntries, linkLine } from './links.ts';
import { openMenu } from './more-menu.ts';
import { pastingProps } from './pasting.ts';
import { documentPlace, sourcePlace } from './position.ts';
import { RefusalNotice } from './refusal-notice.ts';
import type { AskedDocument } from './requests.ts';
import { roomBelow } from './room-below.ts';
import { jump, stillBlocks, stillViews, wake } from './still-blocks.ts';
import { TableBar } from './table-bar.ts';
import { insertTemplate } from './template-picker.ts';
import { typedSigns } from './typed-signs.ts';
import type { VisualOptions } from './visual-options.ts';
import { styleSelect, visualTools } from './visual-tools.ts';

/** Text without a source yet, in the form that drafts keep. `pending` writes it. */
interface Kept {
  source: string;
  document: DocumentJson;
}

/** Pause of writing after which the source is asked for: longer where the wiki takes long. */
const waitMs = { least: 350, most: 8000, ofLast: 3 };

export class VisualEditor {
  readonly dom: HTMLElement;
  readonly #options: VisualOptions;
  readonly #exchange: Exchange;
  readonly #bar: Toolbar;
  readonly #style: ReturnType<typeof styleSelect>;
  readonly #tableBar: TableBar;
  readonly #find = new FindBar(() => this.#view);
  readonly #notice: RefusalNotice;
  readonly #words = element('span', { class: 'visual-words' });
  readonly #inserts: Insert[];
  readonly #view: EditorView;
  readonly #stopFollowing: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitMs = waitMs.least;
  #writing: Promise<boolean> | undefined;
  #still: ReadonlySet<Node> = new Set();
  /** The document whose source the form has. */
  #written: Node;

  constructor(options: VisualOptions) {
    this.#options = options;
    this.#exchange = new Exchange({ format: options.format, path: options.path });
    const actions = {
      pickFiles: options.pickFiles,
      openLibrary: (view: EditorView) =>
        openLibrary(options.path, (name) => this.insertFile(name), {
          anchor: view.coordsAtPos(view.state.selection.from),
          closed: () => view.focus(),
        }),
      openNew: (view: EditorView, at: number) => openAtom(view, at, options, true),
      insertTemplate: (view: EditorView) => insertTemplate(view, actions.openNew),
      insertLink: (view: EditorView) => editLink(view, options),
      editLink: (view: EditorView) => editLink(view, options),
      openMenu: (view: EditorView) => openMenu(view, this.#bar.dom, this.#insertsNow()),
    };
    this.#inserts = insertsOf(actions).filter(({ run }) => options.mayAddFiles || run !== actions.pickFiles);
    const tools = visualTools(actions).filter(({ id }) => options.mayAddFiles || id !== 'picture');
    this.#bar = toolbar(() => this.#view, tools, 'visual-text');
    this.#style = styleSelect(() => this.#view);
    this.#bar.dom.querySelector('[data-tool="bold"]')?.before(this.#style.dom);
    this.#bar.dom.append(
      button(
        say('visualVisualEditor.save'),
        { class: 'tool-save', title: say('visualVisualEditor.savePage') },
        options.save,
      ),
    );
    this.#tableBar = new TableBar(() => this.#view);
    this.#notice = new RefusalNotice({
      view: () => this.#view,
      sourceOf: (node) => this.#exchange.sourceOfNode(node),
      tryAgain: () => void this.settle(),
    });
    const scroller = element('div', { class: 'visual-scroll' });
    this.dom = element(
      'div',
      { class: 'visual' },
      this.#bar.dom,
      element(
        'div',
        { class: 'visual-line' },
        this.#tableBar.dom,
        this.#words,
        button(
          say('visualVisualEditor.find'),
          { title: say('visualVisualEditor.findAndReplace', { key: shownKey('Mod-f') }) },
          () => this.#find.open(),
        ),
        button(
          '?',
          {
            'aria-label': say('visualVisualEditor.help'),
            title: say('visualVisualEditor.helpKey', { key: shownKey('Mod-/') }),
          },
          () => openHelp(this.#view),
        ),
      ),
      this.#find.dom,
      this.#notice.dom,
      scroller,
    );
    this.#view = new EditorView({ mount: scroller.appendChild(element('div', {})) }, this.#props());
    this.#written = this.#view.state.doc;
    // The room below the text belongs to it as well.
    scroller.addEventListener('mousedown', (event) => {
      if (event.target !== scroller) return;
      event.preventDefault();
      this.#view.dispatch(this.#view.state.tr.setSelection(Selection.atEnd(this.#view.state.doc)));
      this.#view.focus();
    });
    options.place.prepend(this.dom);
    this.#stopFollowing = followKeyboard(this.dom);
  }

  /** The toolbar, for the button that shows the source. */
  get tools(): HTMLElement {
    return this.#bar.dom;
  }

  /** Shows a source, which may have been asked for already. Throws an error with a sentence for the user, and then shows what it did before. */
  async read(source: string, asked?: AskedDocument): Promise<void> {
    const isAsked = asked?.source === source && asked.format === this.#options.format();
    this.#start(await this.#exchange.read(isAsked ? asked : this.#exchange.ask(source)));
  }

  /**
   * Shows another source in the place of the one that it shows now. One's own steps can still be undone, and carets stay. False,
   * without an effect, if something was written meanwhile.
   */
  async replace(source: string): Promise<boolean> {
    const { doc } = this.#view.state;
    const { document, start } = await this.#exchange.readNext(source);
    const view = this.#view;
    if (view.composing || view.state.doc !== doc || doc !== this.#written) return false;
    start();
    this.#show(document, (shown) => view.state.apply(adopt(view.state.tr, shown)));
    wake(view, view.state.tr);
    return true;
  }

  /** Goes on with what a draft kept: `pending` of the editor that wrote it. */
  resume(pending: string): void {
    const { source, document } = JSON.parse(pending) as Kept;
    this.#start(this.#exchange.resume(source, document));
    this.#written = nodeType('doc').create();
    this.#changed();
  }

  /** Text that has no source yet, for a draft; undefined if the form's text is complete. */
  pending(): string | undefined {
    const { doc } = this.#view.state;
    if (doc === this.#written) return undefined;
    const { source } = this.#exchange;
    return `{"source":${JSON.stringify(source)},"document":${this.#exchange.textOf(doc)}}`;
  }

  /** Resolves to true once the form's text is what is written here; false if it has no source, which the editor then says. */
  async settle(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (this.#writing) await this.#writing;
    if (this.#view.state.doc === this.#written) return true;
    this.#writing = this.#write();
    const isDone = await this.#writing;
    this.#writing = undefined;
    this.dom.classList.toggle('is-unsent', isDone && this.#view.state.doc !== this.#written);
    return isDone && this.#view.state.doc !== this.#written ? this.settle() : isDone;
  }

  insertFile(name: string): void {
    const view = this.#view;
    if (isPictureName(name) && this.#options.format() === 'markdown') {
      insertPicture(name)(view.state, view.dispatch);
      view.focus();
      return;
    }
    const made = isPictureName(name)
      ? nodeType('figure').create({ file: name })
      : nodeType('inlineSource').create({ text: `[[File:${name}]]` });
    if (made.isInline) view.dispatch(view.state.tr.replaceSelectionWith(made).scrollIntoView());
    else insertBlock(made)(view.state, view.dispatch);
    view.focus();
  }

  /** Puts the caret where a place of the source is. */
  focusAt(place: number): void {
    const { doc, tr } = this.#view.state;
    this.#view.dispatch(
      tr.setSelection(Selection.near(doc.resolve(documentPlace(doc, place)))).scrollIntoView(),
    );
    this.#view.focus();
  }

  /** Place of the caret in the source. */
  placeIn(source: string): number {
    const { doc, selection } = this.#view.state;
    return sourcePlace(doc, selection.head, this.#exchange.source, source);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#stopFollowing();
    this.#view.destroy();
    this.dom.remove();
  }

  #props() {
    const options = this.#options;
    const exchange = this.#exchange;
    const figure = (node: Node, view: EditorView, get: () => number | undefined) =>
      new FigureView(node, view, get, { pictureUrl: options.pictureUrl, exchange });
    return {
      state: EditorState.create({ doc: nodeType('doc').create(null, nodeType('paragraph').create()) }),
      nodeViews: {
        ...stillViews((node) => this.#still.has(node)),
        ...Object.fromEntries(atomNames.map((name) => [name, (node: Node) => new CardView(node, exchange)])),
        figure,
        image: figure,
        taskItem: (node: Node, view: EditorView, get: () => number | undefined) =>
          new TaskView(node, view, get),
      },
      attributes: () => ({
        id: 'visual-text',
        class: `markup in-${options.format()}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': say('visualVisualEditor.text'),
        spellcheck: 'true',
        autocapitalize: 'sentences',
        dir: 'auto',
        ...(options.describedBy ? { 'aria-describedby': options.describedBy } : {}),
      }),
      handleDoubleClickOn: (view: EditorView, _pos: number, node: Node, at: number) =>
        this.#open(view, node, at),
      handleKeyDown: (view: EditorView, event: KeyboardEvent) => {
        const { selection } = view.state;
        if (event.key !== 'Enter' || event.isComposing || !(selection instanceof NodeSelection)) return false;
        return this.#open(view, selection.node, selection.from);
      },
      ...pastingProps({
        ...options,
        insertFiles: (files) => {
          for (const { name } of options.addFiles(files)) this.insertFile(name);
        },
      }),
      dispatchTransaction: (tr: Parameters<EditorView['updateState']>[0]['tr']) => {
        const before = this.#view.state.doc;
        wake(this.#view, tr);
        this.#view.updateState(this.#view.state.apply(tr));
        if (this.#view.state.doc !== before) this.#changed();
        this.#showState();
      },
    };
  }

  #insertsNow = () => this.#inserts.filter(({ only }) => !only || only === this.#options.format());

  #open(view: EditorView, node: Node, at: number): boolean {
    if (node.type.name === 'figure' || node.type.name === 'image') openFigure(view, at);
    else if (node.isAtom && 'origin' in node.attrs && node.type.name !== 'rule')
      openAtom(view, at, this.#options);
    else return false;
    return true;
  }

  #plugins(): Plugin[] {
    const options = this.#options;
    return [
      caretMenu([
        {
          pattern: /(?:^|\s)\/([\p{L} ]{0,24})$/u,
          entries: (typed) => entriesFor(this.#insertsNow(), typed),
        },
        { pattern: /\[\[([^[\]\n|]{0,100})$/, entries: (typed) => linkEntries(options, typed) },
      ]),
      typedSigns(options.format()),
      ...keyPlugins({
        'Mod-s': () => {
          options.save();
          return true;
        },
        'Mod-k': (_state, _dispatch, view) => {
          if (view) editLink(view, options);
          return true;
        },
        'Mod-f': () => {
          this.#find.open();
          return true;
        },
        'Mod-/': (_state, _dispatch, view) => {
          if (view) openHelp(view);
          return true;
        },
        'Mod-Home': jump(-1, () => this.#still.size > 0),
        'Mod-End': jump(1, () => this.#still.size > 0),
        'Mod-Alt-s': () => {
          options.showSource();
          return true;
        },
      }),
      linkLine(options),
      finding(),
      history(),
      dropCursor(),
      gapCursor(),
      tableEditing(),
      columnAlignment(),
      roomBelow(),
      emptyHint(),
      fitting(options.format),
    ];
  }

  #start(document: Node): void {
    this.#show(document, (doc) => EditorState.create({ doc, plugins: this.#plugins() }));
  }

  #show(document: Node, stateWith: (shown: Node) => EditorState): void {
    this.#still = stillBlocks(document);
    this.#view.updateState(stateWith(document));
    this.#written = this.#view.state.doc;
    this.#notice.hide();
    this.#showState();
    this.#count();
  }

  #changed(): void {
    this.#notice.hide();
    this.dom.classList.add('is-unsent');
    this.#options.onChange();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#count();
      void this.settle();
    }, this.#waitMs);
  }

  async #write(): Promise<boolean> {
    const { doc } = this.#view.state;
    const since = performance.now();
    const source = await this.#exchange.write(doc);
    const wanted = waitMs.ofLast * (performance.now() - since);
    this.#waitMs = Math.min(waitMs.most, Math.max(waitMs.least, wanted));
    if (typeof source !== 'string') {
      this.#notice.show(source);
      return false;
    }
    this.#written = doc;
    this.#options.setText(source);
    this.#options.onSource();
    return true;
  }

  /** Goes through the whole text, so not after each key. */
  #count(): void {
    this.#words.textContent = say('count.words', { count: countWords(this.#view.state.doc) });
  }

  #showState(): void {
    this.#bar.update();
    this.#style.update();
    this.#tableBar.update();
  }
}
