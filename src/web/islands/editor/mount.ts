/** Turns the plain form into the editor. Called again when the server answers with the form changed. */
import { yourSide } from '#domain/content/conflict-marks.ts';
import { element } from '../element.ts';
import { countConflicts } from './conflict-marks.ts';
import { type DraftKeeping, keepDrafts, type Written } from './draft-keeping.ts';
import { takeDropped } from './drop-zone.ts';
import { helpFields, isChanged, setField } from './fields.ts';
import { type Before, FormSaver } from './form-saver.ts';
import { fileMarkup, fileNameOf, type HeldFiles, holdFiles, isPictureName } from './held-files.ts';
import { type Format, insertBlock, insertInline } from './marks.ts';
import { placePanels } from './panels.ts';
import { arrangePanes } from './panes.ts';
import { livePreview } from './preview.ts';
import { type Source, sourceView } from './source-view.ts';
import { stayAwake } from './stay-awake.ts';
import { keysOf, toolbar, toolsOf } from './toolbar.ts';

export async function mountEditor(form: HTMLFormElement, before?: Before): Promise<void> {
  const textarea = form.querySelector<HTMLTextAreaElement>('#body');
  const panes = form.querySelector<HTMLElement>('.panes');
  const sourcePane = form.querySelector<HTMLElement>('#source-pane');
  const previewPane = form.querySelector<HTMLElement>('#preview-pane');
  const target = form.querySelector<HTMLElement>('#preview');
  if (!textarea || !panes || !sourcePane || !previewPane || !target) return;

  // The files that this tab holds are the ones that count: the server's references would send them twice.
  if (before) form.querySelector('#sent-files')?.remove();
  const nonce = before?.nonce ?? form.dataset.styleNonce ?? '';
  const field = (name: string) =>
    form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
  const format = (): Format =>
    (field('format')?.value || textarea.dataset.format) === 'markdown' ? 'markdown' : 'wikitext';
  const isWrittenAlready = [...form.elements].some(isChanged);
  let drafts: DraftKeeping;
  let conflicts: { update(): void } | undefined;

  const files = heldFilesOf(
    form,
    (file) => insertFile(file.name),
    () => {
      touched();
      fields.tellSave();
      void preview.now();
    },
  );
  const attached = attachedNames(form);
  const tools = toolsOf({ format, pickFiles: () => form.querySelector<HTMLInputElement>('#file')?.click() });
  const preview = livePreview({
    url: form.dataset.previewUrl ?? '/v1/preview',
    pane: previewPane,
    target,
    request: () => ({
      body: yourSide(source.text()),
      format: format(),
      ...(form.dataset.path ? { path: form.dataset.path } : {}),
      ...(field('title')?.value.trim() ? { title: field('title')?.value.trim() ?? '' } : {}),
    }),
    heldPicture: (name) => files?.pictureUrl(name),
  });
  const source: Source = sourceView({
    textarea,
    format: format(),
    nonce,
    keys: [
      ...keysOf(tools),
      {
        key: 'Mod-s',
        preventDefault: true,
        run: () => {
          form.requestSubmit(saveButton ?? undefined);
          return true;
        },
      },
      {
        key: 'Mod-Alt-p',
        preventDefault: true,
        run: () => {
          arranged.togglePreview();
          return true;
        },
      },
    ],
    completion: {
      titlesUrl: form.dataset.completeUrl ?? '/search/titles',
      fileNames: () => [...new Set([...attached, ...(files?.all().map(({ name }) => name) ?? [])])],
    },
    onChange: () => {
      touched();
      preview.later();
      conflicts?.update();
    },
    onScroll: () => requestAnimationFrame(() => preview.follow(source.view)),
    paste: {
      format,
      fileName: (url) => fileNameOf(url, form.dataset.pageId ?? '', (file) => holdSeen([file])[0]?.name),
      takeFiles: (list, view) => {
        if (!files) return false;
        for (const file of holdSeen([...list])) insertFile(file.name);
        view.focus();
        return true;
      },
    },
    before: before?.source.view,
  });

  const bar = toolbar(() => source.view, files ? tools : tools.filter(({ label }) => label !== 'File'));
  const box = element('div', {
    class: 'preview-scroll',
    tabindex: 0,
    role: 'group',
    'aria-label': 'Preview',
  });
  target.before(box);
  box.append(target);
  const arranged = arrangePanes(panes, sourcePane, previewPane, bar, () => void preview.now());
  (sourcePane.querySelector('label[for="body"]') ?? source.view.dom).after(bar);
  sourcePane.querySelector('.cm-editor')?.before(bar);

  const fields = helpFields({ form, heldCount: () => files?.all().length ?? 0 });
  const saveButton = form.querySelector<HTMLButtonElement>('button[name=intent][value=save]');
  // The preview is live; the button that asks for it is for those without scripts.
  form.querySelector('button[name=intent][value=preview]')?.remove();
  for (const one of form.querySelectorAll<HTMLElement>('[data-insert-file]'))
    one.addEventListener('click', () => insertFile(one.dataset.insertFile ?? ''));
  const followFormat = () => {
    source.setFormat(format());
    for (const hint of form.querySelectorAll<HTMLElement>('[data-hint-of]'))
      hint.hidden = hint.dataset.hintOf !== format();
    void preview.now();
  };
  field('format')?.addEventListener('change', followFormat);

  const read = (): Written => ({
    base: field('base')?.value ?? '',
    fields: [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
    files: files?.all() ?? [],
  });
  form.addEventListener('formdata', ({ formData }) => formData.set('body', source.text()));
  form.addEventListener('input', () => touched());
  const current = currentForm;
  current.read = read;
  current.write = (draft) => {
    for (const [name, value] of draft.fields) {
      if (name === 'body') source.setText(value.replace(/\r\n?/g, '\n'));
      else if (name !== 'held-file' && name !== 'drop-file') setField(form, name, value);
    }
    files?.clear();
    files?.add(draft.files);
    fields.tellSave();
    followFormat();
    // The address that follows from it is told anew.
    field('title')?.dispatchEvent(new Event('input'));
    source.view.dispatch({ selection: { anchor: source.view.state.doc.length }, scrollIntoView: true });
    source.view.focus();
  };
  if (before) {
    drafts = before.drafts;
    files?.add(before.files);
  } else {
    drafts = keepDrafts({
      key: form.dataset.path ? `page ${form.dataset.pageId} ${form.dataset.section ?? ''}` : 'new',
      author: document.body.dataset.member ?? '',
      // The form may have been replaced since.
      read: () => current.read(),
      write: (draft) => current.write(draft),
      place: form,
    });
  }

  if (!before) {
    stayAwake(() => drafts.isDirty());
    if (isWrittenAlready) drafts.carryOn();
  }

  const saver = new FormSaver({
    form,
    saveButton,
    source,
    files,
    drafts,
    nonce,
    read,
    // The form may have been replaced since.
    write: (draft) => current.write(draft),
    address: fields.address,
    mount: mountEditor,
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    saver.save();
  });

  const conflict = document.querySelector<HTMLElement>('.conflict');
  if (conflict) conflicts = countConflicts(conflict, source.view);
  placePanels(form, panes);
  if (previewPane.hidden === false) void preview.now();
  form.classList.add('has-editor');
  source.view.requestMeasure();

  /** Files that are visible in the text need not be shown in the panel at once, unless one was refused. */
  function holdSeen(list: File[]): File[] {
    const panel = form.querySelector('#upload-list')?.closest('details');
    const wasOpen = panel?.open;
    const added = files?.add(list) ?? [];
    if (panel && !wasOpen) panel.open = added.length < list.length;
    return added;
  }

  function touched(): void {
    drafts?.touch();
  }

  function insertFile(name: string): void {
    const markup = fileMarkup(name, isPictureName(name));
    if (isPictureName(name)) insertBlock(source.view, `${markup}\n`);
    else insertInline(source.view, markup);
  }
}

/** Drafts outlive a form that the server's answer replaces, so they ask for the one that is shown. */
const currentForm: { read(): Written; write(draft: Written): void } = {
  read: () => ({ base: '', fields: [], files: [] }),
  write: () => {},
};

function heldFilesOf(
  form: HTMLFormElement,
  insert: (file: File) => void,
  onChange: () => void,
): HeldFiles | undefined {
  const input = form.querySelector<HTMLInputElement>('#file');
  const list = form.querySelector<HTMLElement>('#upload-list');
  if (!input || !list) return undefined;
  const facts = input.closest('details');
  const held = holdFiles({
    input,
    list,
    maxBytes: Number(form.dataset.maxUpload) || 25_000_000,
    attached: attachedNames(form),
    insert,
    onChange: () => {
      // Files that wait to be saved are visible.
      if (facts && held.all().length > 0) facts.open = true;
      onChange();
    },
  });
  takeDropped(input.closest<HTMLElement>('.field') ?? list, held);
  return held;
}

function attachedNames(form: HTMLFormElement): string[] {
  return [...form.querySelectorAll<HTMLElement>('[data-insert-file]')].map(
    ({ dataset }) => dataset.insertFile ?? '',
  );
}
