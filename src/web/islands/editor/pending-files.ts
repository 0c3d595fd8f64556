/**
 * Pending files: chosen, dropped or pasted files stay in the browser until the page is saved, so that nothing is published
 * early. Each is shown with a thumbnail, can be inserted into the text, and has a progress bar.
 */
import { cleanFilename } from '#core/model/filename.ts';
import { fileKind } from '#web/format.ts';
import { sizeIn } from '#words/size.ts';
import { Controller } from '../controller.ts';
import { announce, button, element } from '../element.ts';
import { say } from '../words.ts';
import { withoutOrigin } from './paste/page-link.ts';

interface PendingFilesOptions {
  input: HTMLInputElement;
  list: HTMLElement;
  maxBytes: number;
  /** Names of files that the page has already. */
  attached: readonly string[];
  insert(file: File): void;
  onChange(): void;
}

interface PendingFile {
  file: File;
  /** URL of its thumbnail. */
  url: string | undefined;
  row: HTMLElement;
  bar: HTMLProgressElement;
}

export class PendingFiles extends Controller {
  readonly #options: PendingFilesOptions;
  readonly #rows = element('ul', {
    class: 'pending-files',
    'aria-label': say('editorPendingFiles.filesThatAreSavedWithThePage'),
  });
  readonly #refusal = element('p', { class: 'mistake' });
  #pending: PendingFile[] = [];

  constructor(options: PendingFilesOptions) {
    super();
    this.#options = options;
    this.#refusal.hidden = true;
    options.list.removeAttribute('aria-live');
    options.list.replaceChildren(this.#refusal, this.#rows);
  }

  protected listen(): void {
    const { input } = this.#options;
    this.on(input, 'change', () => {
      this.add(input.files ?? []);
      // Cleared, because pending files are sent with the form and would be sent twice.
      input.value = '';
    });
  }

  all(): File[] {
    return this.#pending.map(({ file }) => file);
  }

  /** Adds files within the limits, and returns them under their final names. */
  add(files: Iterable<File>): File[] {
    const { maxBytes, onChange } = this.#options;
    const added: File[] = [];
    this.#refusal.hidden = true;
    for (const given of files) {
      const file = this.#named(given);
      const others = this.#pending.filter((one) => one.file.name !== file.name);
      if (others.reduce((sum, one) => sum + one.file.size, file.size) > maxBytes) {
        this.#refuse(say('editorPendingFiles.tooLarge', { name: file.name, size: shownSize(maxBytes) }));
        continue;
      }
      this.#remove(file.name);
      const one = this.#pendingOf(file);
      this.#pending.push(one);
      this.#rows.append(one.row);
      added.push(file);
    }
    if (added.length > 0) {
      announce(say('editorPendingFiles.willBeSaved', { names: added.map(({ name }) => name).join(', ') }));
      onChange();
    }
    return added;
  }

  clear(): void {
    for (const { file } of this.#pending) this.#remove(file.name);
  }

  /** URL of the picture with this file name, for the preview. */
  pictureUrl(name: string): string | undefined {
    return this.#pending.find(({ file }) => file.name === name)?.url;
  }

  /** `sentBytes`: total over all files in order; undefined if nothing is being sent. */
  showProgress(sentBytes: number | undefined): void {
    let before = 0;
    for (const { file, bar } of this.#pending) {
      bar.hidden = sentBytes === undefined;
      bar.value = Math.min(file.size, Math.max(0, (sentBytes ?? 0) - before));
      before += file.size;
    }
  }

  #refuse(sentence: string): void {
    this.#refusal.textContent = sentence;
    this.#refusal.hidden = false;
    announce(sentence);
  }

  /** Returns the file under its final name; pasted pictures all have the same one. */
  #named(file: File): File {
    if (!/^image\.(png|jpe?g|gif|webp)$/i.test(file.name))
      return new File([file], cleanFilename(file.name) || 'file', { type: file.type });
    const taken = new Set([...this.#options.attached, ...this.all().map(({ name }) => name)]);
    const kind = file.name.slice(file.name.lastIndexOf('.'));
    for (let number = 1; ; number++) {
      const name = `picture-${number}${kind}`;
      if (!taken.has(name)) return new File([file], name, { type: file.type });
    }
  }

  #pendingOf(file: File): PendingFile {
    const { attached, insert, input, onChange } = this.#options;
    const { name, size, type } = file;
    // Only types that browsers draw without executing anything.
    const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(type);
    const url = isPicture ? URL.createObjectURL(file) : undefined;
    const bar = element('progress', {
      max: Math.max(1, size),
      value: 0,
      'aria-label': say('editorPendingFiles.sent', { name }),
    });
    bar.hidden = true;
    const facts = attached.includes(name)
      ? say('editorPendingFiles.replaces', { size: shownSize(size) })
      : shownSize(size);
    const row = element(
      'li',
      {},
      url === undefined
        ? element('span', { class: 'file-kind', 'aria-hidden': 'true' }, fileKind(name))
        : element('img', { src: url, alt: '' }),
      element(
        'span',
        { class: 'pending-name' },
        element('span', { dir: 'auto' }, name),
        ' ',
        element('span', { class: 'quiet' }, facts),
        bar,
      ),
      button(
        say('editorPendingFiles.insertIntoText'),
        { 'aria-label': say('editorPendingFiles.insertName', { name }) },
        () => insert(file),
      ),
      button(
        say('editorPendingFiles.remove'),
        { 'aria-label': say('editorPendingFiles.removeName', { name }) },
        () => {
          this.#remove(name);
          announce(say('editorPendingFiles.willNotBeSaved', { name }));
          onChange();
          input.focus();
        },
      ),
    );
    return { file, url, row, bar };
  }

  #remove(name: string): void {
    const removed = this.#pending.find((one) => one.file.name === name);
    if (!removed) return;
    if (removed.url) URL.revokeObjectURL(removed.url);
    removed.row.remove();
    this.#pending = this.#pending.filter((one) => one !== removed);
  }
}

/** Markup of a file: small pictures, and links to other files. */
export function fileMarkup(name: string, isPicture: boolean): string {
  return isPicture ? `[[File:${name}|thumb]]` : `[[File:${name}]]`;
}

export function isPictureName(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif|svg)$/i.test(name);
}

/** Name of the file for a picture in pasted HTML: a file of the page, or picture data that is added as one. */
export function fileNameOf(
  url: string,
  pageId: string,
  add: (file: File) => string | undefined,
): string | undefined {
  // File names on the server are `<page>-<hash>-<file name>`.
  const [, page, name] =
    /^\/files\/(\d+)-[0-9a-f]+-([^/?#]+)$/.exec(withoutOrigin(url, location.origin)) ?? [];
  if (name !== undefined && page === pageId) return decodeURIComponent(name);
  const [, type, data] = /^data:image\/(png|jpeg|gif|webp);base64,([\w+/=]+)$/.exec(url) ?? [];
  if (type === undefined || data === undefined) return undefined;
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return add(new File([bytes], `image.${type}`, { type: `image/${type}` }));
}

function shownSize(bytes: number): string {
  return sizeIn(document.documentElement.lang, bytes);
}
