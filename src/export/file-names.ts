/** Filenames that every file system accepts and tells apart. */

/** Names that Windows reserves for devices. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const maxBytes = 180;

/** Returns a safe name for one segment of a path. A leading dot is replaced because it would hide the file. */
export function safeName(text: string): string {
  let name = text
    .normalize('NFC')
    .toWellFormed()
    .replace(/[<>:"/\\|?*\p{Cc}]+/gu, '-')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '')
    .replace(reserved, '_$&');
  while (Buffer.byteLength(name) > maxBytes) name = [...name].slice(0, -10).join('').trimEnd();
  return name === '' ? '_' : name;
}

/** Like `safeName`, but keeps the extension. */
export function safeFilename(filename: string): string {
  const [, stem = filename, ending = ''] = /^(.+?)(\.[\p{L}\p{N}]{1,10})?$/u.exec(filename) ?? [];
  return `${safeName(stem)}${ending}`;
}

/** Hands out paths that are unique even on case-insensitive file systems. */
export class FreePaths {
  readonly #taken = new Set<string>();

  has(path: string): boolean {
    return this.#taken.has(path.toLowerCase());
  }

  /** Returns `path`, with a number before its extension if it is taken. */
  take(path: string): string {
    const [, stem = path, ending = ''] = /^(.*?[^/])(\.[^./]{1,12})?$/.exec(path) ?? [];
    for (let number = 1; ; number++) {
      const free = number === 1 ? path : `${stem}-${number}${ending}`;
      const key = free.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return free;
    }
  }
}
