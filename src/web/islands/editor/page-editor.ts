/** Turns the plain form into the editor, and repeats that when the server returns the form again. */
import { markedConflicts, yourSide } from '#core/content/conflict-marks.ts';
import { Controller } from '../controller.ts';
import { element } from '../element.ts';
import { say } from '../words.ts';
import { offerChoices } from './conflict-choices.ts';
import { DraftKeeper } from './draft-keeper.ts';
import { DropZone } from './drop-zone.ts';
import { EditorEvents } from './editor-events.ts';
import type { Before, EditorElements } from './editor-parts.ts';
import { Fields, fieldOf, isChanged, setField } from './fields.ts';
import { FormSaver } from './form-saver.ts';
import type { Format } from './marks.ts';
import { Meanwhile } from './meanwhile.ts';
import { PageText } from './page-text.ts';
import { placePanels, showText } from './panels.ts';
import { PaneLayout } from './panes.ts';
import { fileNameOf, PendingFiles } from './pending-files.ts';
import { LivePreview } from './preview.ts';
import { stayAwake } from './stay-awake.ts';
import { offerTemplateData } from './template-data-form.ts';
import { ViewSwitch, type ViewSwitchOptions } from './view-switch.ts';
import { WhoIsHere } from './who-is-here.ts';
import type { Written, WrittenForm } from './written.ts';

const usualMaxUpload = 25_000_000;

/** Creates the editor for the form; undefined if the form has no text or preview. */
export function openEditor(form: HTMLFormElement, before?: Before): PageEditor | undefined {
  const names = ['.panes', '#source-pane', '#preview-pane', '#preview'];
  const [panes, sourcePane, previewPane, preview] = names.map((name) =>
    form.querySelector<HTMLElement>(name),
  );
  const textarea = form.querySelector<HTMLTextAreaElement>('#body');
  if (!textarea || !panes || !sourcePane || !previewPane || !preview) return undefined;
  return new PageEditor({ form, textarea, panes, sourcePane, previewPane, preview }, before).connect();
}

class PageEditor extends Controller implements WrittenForm {
  readonly form: HTMLFormElement;
  readonly saveButton: HTMLButtonElement | null;
  readonly text: PageText;
  readonly files: PendingFiles | undefined;
  readonly drafts: DraftKeeper;
  readonly nonce: string;
  readonly #parts: EditorElements;
  readonly #before: Before | undefined;
  readonly #events = new EditorEvents();
  /** Has no name, because its files are pending files once they are chosen. */
  readonly #picker = element('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    'aria-label': say('editorPageEditor.picture'),
  });
  /** Names of files that the page has already. */
  readonly #attached: string[];
  readonly #fields: Fields;
  readonly #panes: PaneLayout;
  readonly #controllers: Controller[];
  readonly #saver = new FormSaver(this);
  readonly #switch: ViewSwitch;
  readonly #settledText = async () => ((await this.settle()) ? this.text.get() : undefined);
  /** Whether the window is scrolled to the text once that has its place. */
  #showsText = false;

  constructor(parts: EditorElements, before?: Before) {
    super();
    const { form, sourcePane, previewPane, preview } = parts;
    this.#parts = parts;
    this.#before = before;
    this.form = form;
    // The tab's own files take precedence; with the server's references they would be sent twice.
    if (before) form.querySelector('#sent-files')?.remove();
    this.nonce = before?.nonce ?? form.dataset.styleNonce ?? '';
    const isWrittenAlready = [...form.elements].some(isChanged);
    this.saveButton = form.querySelector('button[name=intent][value=save]');
    this.#attached = [...form.querySelectorAll<HTMLElement>('[data-insert-file]')].map(
      ({ dataset }) => dataset.insertFile ?? '',
    );
    this.files = this.#pendingFiles();
    const livePreview = this.#livePreview();
    this.text = new PageText(parts.textarea);
    parts.textarea.before(this.#picker);
    const scroller = element('div', {
      class: 'preview-scroll',
      tabindex: 0,
      role: 'group',
      'aria-label': say('editorPageEditor.preview'),
    });
    preview.replaceWith(scroller);
    scroller.append(preview);
    this.#panes = new PaneLayout(
      { panes: parts.panes, source: sourcePane, preview: previewPane },
      this.#events,
    );
    this.#switch = new ViewSwitch({
      pane: sourcePane,
      panes: this.#panes,
      text: this.text,
      sourceOptions: () => this.#sourceOptions(),
      visualOptions: () => this.#visualOptions(),
      opened: () => {
        if (this.#showsText) showText();
      },
    });
    this.#fields = new Fields(form, () => this.files?.all().length ?? 0, this.#events);
    // The live preview replaces the button, which is for use without scripts.
    form.querySelector('button[name=intent][value=preview]')?.remove();

    if (before) {
      this.drafts = before.drafts;
      this.drafts.form = this;
    } else {
      this.drafts = new DraftKeeper({
        key: form.dataset.path ? `page ${form.dataset.pageId} ${form.dataset.section ?? ''}` : 'new',
        author: document.body.dataset.member ?? '',
        form: this,
        place: form,
      }).connect();
      stayAwake(() => this.drafts.isDirty());
      if (isWrittenAlready) this.drafts.carryOn();
    }
    const dropZone = this.files && new DropZone(this.#fileField() ?? form, this.files);
    this.#controllers = [
      this.files,
      dropZone,
      this.#panes,
      this.#fields,
      livePreview,
      new Meanwhile({
        form,
        settledText: this.#settledText,
        takeOver: (from, merged) => this.#takeOver(from, merged),
        idleMs: () => this.#events.idleMs,
      }),
      new WhoIsHere(form),
    ].filter((controller) => controller !== undefined);
  }

  protected listen(signal: AbortSignal): void {
    const { form, panes } = this.#parts;
    this.#events.on(['text', 'field', 'files'], () => this.drafts.touch(), signal);
    this.#events.on(['format'], () => this.#followFormat(), signal);
    this.on(form, 'input', () => this.#events.emit('field'));
    fieldOf(form, 'format')?.addEventListener('change', () => this.#events.emit('format'), { signal });
    this.on(form, 'formdata', ({ formData }) => formData.set('body', this.text.get()));
    this.on(window, 'pagehide', () => this.text.fillTextarea());
    this.on(form, 'submit', (event) => {
      event.preventDefault();
      const pressed = event.submitter;
      if (pressed instanceof HTMLButtonElement && 'propose' in pressed.dataset)
        return void this.#propose(pressed);
      if (pressed instanceof HTMLButtonElement && pressed.name === 'use-path')
        setField(form, 'path', pressed.value);
      this.#saver.save();
    });
    for (const one of form.querySelectorAll<HTMLElement>('[data-insert-file]'))
      this.on(one, 'click', () => this.#insertFile(one.dataset.insertFile ?? ''));
    this.on(this.#picker, 'change', () => {
      this.#insertFiles([...(this.#picker.files ?? [])]);
      this.#picker.value = '';
    });
    this.files?.add(this.#before?.files ?? []);
    this.#events.on(['text'], () => this.text.pane?.countConflicts(), signal);
    placePanels(form, panes);
    const takeOver = (from: string, changed: string) => this.#takeOver(from, changed, true);
    offerTemplateData({ form, settledText: this.#settledText, takeOver }, signal);
    // First, so that no preview is asked for beside a text that is its own.
    this.#open();
    for (const controller of this.#controllers) controller.connect();
    form.classList.add('has-editor');
    this.#showsText = this.#before !== undefined || (scrollY === 0 && !location.hash);
    if (!this.#before && this.#showsText) showText();
  }

  override disconnect(): void {
    super.disconnect();
    this.#switch.destroy();
    for (const controller of this.#controllers) controller.disconnect();
  }

  /** Conflicts are solved first: as they look, or in the source by those who prefer it. */
  #open(): void {
    const section = document.querySelector<HTMLElement>('.conflict-choices');
    const { form } = this.#parts;
    if (section && !this.#switch.prefersSource) {
      offerChoices({ section, form, text: this.text, open: (isSource) => this.#switch.start(isSource) });
      return;
    }
    section?.remove();
    this.#switch.start(markedConflicts(this.text.get()).length > 0);
  }

  /** Resolves to true once the form's text is what is written; false if that has no source, which the editor then says. */
  settle(): Promise<boolean> {
    return this.#switch.settle();
  }

  read(): Written {
    const pending = this.#switch.visual?.pending();
    return {
      ...(pending === undefined ? {} : { pending }),
      base: fieldOf(this.form, 'base')?.value ?? '',
      fields: [...new FormData(this.form)].flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
      files: this.files?.all() ?? [],
    };
  }

  write({ fields, files, pending }: Written): void {
    const { form, text } = this;
    for (const [name, value] of fields) {
      if (name === 'body') text.set(value.replace(/\r\n?/g, '\n'));
      else if (name !== 'pending-file' && name !== 'drop-file') setField(form, name, value);
    }
    text.fillTextarea();
    this.files?.clear();
    this.files?.add(files);
    this.#events.emit('files');
    this.#events.emit('format');
    // Updates the resulting address.
    fieldOf(form, 'title')?.dispatchEvent(new Event('input'));
    if (this.#switch.visual || pending !== undefined) this.#switch.reload(pending);
    else text.pane?.focusAt(text.get().length);
  }

  /** Sends the form to the proposals. The draft stays in the browser, in case they refuse it. */
  async #propose({ name, value, formAction }: HTMLButtonElement): Promise<void> {
    const { form } = this;
    if (!(await this.settle())) return;
    await this.drafts.keepLast();
    const pressed = Object.assign(document.createElement('input'), { type: 'hidden', name, value });
    form.append(pressed);
    form.action = formAction;
    form.submit();
  }

  /** `isOwn`: the new text is work of the person here, and not what somebody else saved. */
  async #takeOver(from: string, merged: string, isOwn = false): Promise<boolean> {
    const wasDirty = this.drafts.isDirty();
    const isTaken = await this.#switch.replace(from, merged);
    if (isTaken && isOwn) this.#events.emit('text');
    else if (isTaken) this.drafts.rebase(wasDirty);
    return isTaken;
  }

  /** Path according to the fields; empty if there is none yet. */
  address(): string {
    return this.#fields.address();
  }

  /** Continues in the editor of the server's response. */
  replaceBy(form: HTMLFormElement): PageEditor | undefined {
    const { text, drafts, nonce } = this;
    const next = openEditor(form, { text, files: this.files?.all() ?? [], drafts, nonce });
    drafts.carryOn();
    text.pane?.destroy();
    return next;
  }

  #format(): Format {
    const chosen = fieldOf(this.form, 'format')?.value || this.#parts.textarea.dataset.format;
    return chosen === 'markdown' ? 'markdown' : 'wikitext';
  }

  #followFormat(): void {
    this.#switch.reload();
    this.text.pane?.setFormat(this.#format());
    for (const hint of this.form.querySelectorAll<HTMLElement>('[data-hint-of]'))
      hint.hidden = hint.dataset.hintOf !== this.#format();
  }

  #pendingFiles(): PendingFiles | undefined {
    const { form } = this;
    const input = form.querySelector<HTMLInputElement>('#file');
    const list = form.querySelector<HTMLElement>('#upload-list');
    if (!input || !list) return undefined;
    const panel = input.closest('details');
    return new PendingFiles({
      input,
      list,
      maxBytes: Number(form.dataset.maxUpload) || usualMaxUpload,
      attached: this.#attached,
      insert: (file) => this.#insertFile(file.name),
      onChange: () => {
        // Pending files must be visible.
        if (panel && this.files && this.files.all().length > 0) panel.open = true;
        this.#events.emit('files');
      },
    });
  }

  /** Drop target for files. */
  #fileField(): HTMLElement | null | undefined {
    const { form } = this;
    return form.querySelector('#file')?.closest<HTMLElement>('.field') ?? form.querySelector('#upload-list');
  }

  #livePreview(): LivePreview {
    const { form, previewPane, preview } = this.#parts;
    return new LivePreview(
      {
        url: form.dataset.previewUrl ?? '/v1/preview',
        pane: previewPane,
        target: preview,
        request: () => {
          const title = fieldOf(form, 'title')?.value.trim();
          return {
            body: yourSide(this.text.get()),
            format: this.#format(),
            ...(form.dataset.path ? { path: form.dataset.path } : {}),
            ...(title ? { title } : {}),
          };
        },
        pictureUrl: (name) => this.files?.pictureUrl(name),
        source: () => this.text.pane?.view,
      },
      this.#events,
    );
  }

  #sourceOptions(): ReturnType<ViewSwitchOptions['sourceOptions']> {
    const { form, textarea } = this.#parts;
    return {
      textarea,
      format: () => this.#format(),
      nonce: this.nonce,
      mayAddFiles: this.files !== undefined,
      pickFiles: () => this.#picker.click(),
      save: () => form.requestSubmit(this.saveButton ?? undefined),
      togglePreview: () => this.#panes.togglePreview(),
      previewButton: this.#panes.toggle,
      completion: {
        titlesUrl: form.dataset.completeUrl ?? '/search/titles',
        fileNames: () => [...new Set([...this.#attached, ...this.read().files.map(({ name }) => name)])],
      },
      onChange: () => this.#events.emit('text'),
      onScroll: () => this.#events.emit('scroll'),
      paste: {
        format: () => this.#format(),
        fileName: (url) => this.#fileName(url),
        takeFiles: (list) => {
          if (!this.files) return false;
          this.#insertFiles([...list]);
          return true;
        },
      },
      before: this.#before?.text.pane?.view,
    };
  }

  #visualOptions(): ReturnType<ViewSwitchOptions['visualOptions']> {
    const { form, textarea } = this.#parts;
    return {
      format: () => this.#format(),
      path: form.dataset.path || undefined,
      titlesUrl: form.dataset.completeUrl ?? '/search/titles',
      describedBy: textarea.getAttribute('aria-describedby'),
      mayAddFiles: this.files !== undefined,
      pickFiles: () => this.#picker.click(),
      addFiles: (list) => this.#addShown([...list]),
      fileName: (url) => this.#fileName(url),
      pictureUrl: (name) => this.files?.pictureUrl(name),
      save: () => form.requestSubmit(this.saveButton ?? undefined),
      onChange: () => this.#events.emit('text'),
      onSource: () => this.drafts.touch(),
    };
  }

  #fileName(url: string): string | undefined {
    return fileNameOf(url, this.form.dataset.pageId ?? '', (file) => this.#addShown([file])[0]?.name);
  }

  /** Puts files where the cursor is; the panel of files lists them as well. */
  #insertFiles(list: File[]): void {
    for (const file of this.#addShown(list)) this.#insertFile(file.name);
    if (!this.#switch.visual) this.text.pane?.view.focus();
  }

  /** The panel stays closed for files that are visible in the text, unless one was refused. */
  #addShown(list: File[]): File[] {
    const panel = this.form.querySelector('#upload-list')?.closest('details');
    const wasOpen = panel?.open;
    const added = this.files?.add(list) ?? [];
    if (panel && !wasOpen) panel.open = added.length < list.length;
    // The reason of a refusal has to be in sight, even if the panel is far below.
    if (added.length < list.length) panel?.querySelector('.mistake')?.scrollIntoView({ block: 'nearest' });
    return added;
  }

  #insertFile(name: string): void {
    (this.#switch.visual ?? this.text.pane)?.insertFile(name);
  }
}
