/** Files that MediaWiki's parser tests assume. */

export const fixtures: Readonly<Record<string, { width: number; height: number; mime: string }>> = {
  'Foobar.jpg': { width: 1941, height: 220, mime: 'image/jpeg' },
  'Foobar.svg': { width: 240, height: 180, mime: 'image/svg+xml' },
  'Thumb.png': { width: 135, height: 135, mime: 'image/png' },
  'Bad.jpg': { width: 320, height: 240, mime: 'image/jpeg' },
};

const folders: Readonly<Record<string, string>> = {
  'Foobar.jpg': '3/3a',
  'Foobar.svg': 'f/ff',
  'Thumb.png': 'e/ea',
};

/** Address of the original file, in MediaWiki's folders by hash. */
export function original(file: string): string {
  return `http://example.com/images/${folders[file] ?? '0/00'}/${file}`;
}

/** Address of the file at a size. The scorer compares only the last segment, without the size. */
export function thumbnail(
  file: string,
  size: { width: number } | undefined,
  lang: string | undefined,
): string {
  const prefix = lang ? `lang${lang}-` : '';
  const isDrawn = file.endsWith('.svg');
  const suffix = isDrawn ? '.png' : '';
  if (size && (isDrawn || size.width !== fixtures[file]?.width)) {
    return `http://example.com/images/thumb/${folders[file] ?? '0/00'}/${file}/${prefix}${size.width}px-${file}${suffix}`;
  }
  return `http://example.com/images/${file}`;
}
