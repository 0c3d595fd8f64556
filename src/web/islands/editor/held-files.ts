/**
 * Files chosen, dropped or pasted: held in this browser until the page is saved, so that nothing is published by the way.
 * Each is shown with a thumbnail, can be put into the text at once, and has its own progress bar while it is sent.
 */
import { cleanFilename } from '#domain/files/filename.ts';
import { announce, button, element } from '../element.ts';
import { withoutOrigin } from './paste/page-link.ts';

export interface HeldFiles {
  all(): File[];
  add(files: Iterable<File>): File[];
  clear(): void;
  pictureUrl(name: string): string | undefined;
  /** How many bytes of all files, in their order, have left; undefined: nothing is being sent. */
  showProgress(sentBytes: number | undefined): void;
}

export interface HeldFilesOptions {
  input: HTMLInputElement;
  list: HTMLElement;
  maxBytes: number;
  /** Names of files that the page has already. */
  attached: string[];
  insert(file: File): void;
  onChange(): void;
}

interface Held {
  file: File;
  url: string | undefined;
  row: HTMLElement;
  bar: HTMLProgressElement;
}

export function holdFiles({
  input,
  list,
  maxBytes,
  attached,
  insert,
  onChange,
}: HeldFilesOptions): HeldFiles {
  let held: Held[] = [];
  const rows = element('ul', { class: 'held-files', 'aria-label': 'Files that are saved with the page' });
  const refusal = element('p', { class: 'mistake' });
  refusal.hidden = true;
  list.removeAttribute('aria-live');
  list.replaceChildren(refusal, rows);

  input.addEventListener('change', () => {
    add(input.files ?? []);
    // Pending files are sent with the form; left in the field they would be sent twice.
    input.value = '';
  });

  function add(files: Iterable<File>): File[] {
    const added: File[] = [];
    refusal.hidden = true;
    for (const given of files) {
      const file = named(given);
      const total = held.reduce(
        (sum, one) => sum + (one.file.name === file.name ? 0 : one.file.size),
        file.size,
      );
      if (total > maxBytes) {
        refusal.textContent = `${file.name} is too large: together the files can have at most ${readableSize(maxBytes)}.`;
        refusal.hidden = false;
        announce(refusal.textContent);
        continue;
      }
      remove(file.name, false);
      const row = rowOf(file);
      held.push(row);
      rows.append(row.row);
      added.push(file);
    }
    if (added.length > 0) {
      announce(`${added.map(({ name }) => name).join(', ')} will be saved with the page.`);
      onChange();
    }
    return added;
  }

  /** Under the name that it will have. Pasted pictures are all called the same. */
  function named(file: File): File {
    if (!/^image\.(png|jpe?g|gif|webp)$/i.test(file.name))
      return new File([file], cleanFilename(file.name) || 'file', { type: file.type });
    const taken = new Set([...attached, ...held.map((one) => one.file.name)]);
    const kind = file.name.slice(file.name.lastIndexOf('.'));
    for (let number = 1; ; number++) {
      const name = `picture-${number}${kind}`;
      if (!taken.has(name)) return new File([file], name, { type: file.type });
    }
  }

  function rowOf(file: File): Held {
    // Only kinds that a browser draws without running anything in them.
    const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(file.type);
    const url = isPicture ? URL.createObjectURL(file) : undefined;
    const bar = element('progress', {
      max: Math.max(1, file.size),
      value: 0,
      'aria-label': `${file.name} sent`,
    });
    bar.hidden = true;
    const row = element(
      'li',
      {},
      url === undefined
        ? element('span', { class: 'file-kind', 'aria-hidden': 'true' }, kindOf(file.name))
        : element('img', { src: url, alt: '' }),
      element(
        'span',
        { class: 'held-name' },
        element('span', { dir: 'auto' }, file.name),
        ' ',
        element(
          'span',
          { class: 'quiet' },
          readableSize(file.size) +
            (attached.includes(file.name) ? ', takes the place of the one of that name' : ''),
        ),
        bar,
      ),
      button('Insert into text', { 'aria-label': `Insert into text: ${file.name}` }, () => insert(file)),
      button('Remove', { 'aria-label': `Remove ${file.name}` }, () => {
        remove(file.name, true);
        input.focus();
      }),
    );
    return { file, url, row, bar };
  }

  function remove(name: string, tell: boolean): void {
    const gone = held.find((one) => one.file.name === name);
    if (!gone) return;
    if (gone.url) URL.revokeObjectURL(gone.url);
    gone.row.remove();
    held = held.filter((one) => one !== gone);
    if (tell) {
      announce(`${name} is not saved with the page.`);
      onChange();
    }
  }

  return {
    all: () => held.map(({ file }) => file),
    add,
    clear: () => {
      for (const { file } of held) remove(file.name, false);
    },
    pictureUrl: (name) => held.find(({ file }) => file.name === name)?.url,
    showProgress(sentBytes) {
      let before = 0;
      for (const { file, bar } of held) {
        bar.hidden = sentBytes === undefined;
        bar.value = Math.min(file.size, Math.max(0, (sentBytes ?? 0) - before));
        before += file.size;
      }
    },
  };
}

/** How a file stands in the text: pictures as small pictures, everything else as a link to it. */
export function fileMarkup(name: string, isPicture: boolean): string {
  return isPicture ? `[[File:${name}|thumb]]` : `[[File:${name}]]`;
}

export function isPictureName(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif|svg)$/i.test(name);
}

/** A picture of pasted HTML as a file of the page: one that it has, or one that came along as data and is held. */
export function fileNameOf(
  url: string,
  pageId: string,
  hold: (file: File) => string | undefined,
): string | undefined {
  // Server-made names are `<page>-<hash>-<file name>`.
  const [, page, name] =
    /^\/files\/(\d+)-[0-9a-f]+-([^/?#]+)$/.exec(withoutOrigin(url, location.origin)) ?? [];
  if (name !== undefined && page === pageId) return decodeURIComponent(name);
  const [, type, data] = /^data:image\/(png|jpeg|gif|webp);base64,([\w+/=]+)$/.exec(url) ?? [];
  if (type === undefined || data === undefined) return undefined;
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return hold(new File([bytes], `image.${type}`, { type: `image/${type}` }));
}

function readableSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

function kindOf(name: string): string {
  return /\.([\p{L}\p{N}]{1,5})$/u.exec(name)?.[1]?.toUpperCase() ?? 'FILE';
}
