/** Pictures as nodes: `[[File:name|options|caption]]`, and changes of their options in the source. */
import type { FileNode } from '../../tree.ts';
import type { Attributes } from '../nodes.ts';

/** Undefined for files written otherwise, or as a link to the file itself. */
export function attributesOfFile(source: string, node: FileNode): Attributes | undefined {
  const written = source.slice(node.start, node.end);
  const { options } = node;
  if (!written.startsWith('[[') || !written.endsWith(']]') || options.format === 'link') return undefined;
  return {
    file: node.name,
    alt: options.alt ?? null,
    width: options.width ?? null,
    height: options.height ?? null,
    side: options.align ?? null,
    kind: options.format ?? 'plain',
    link: options.link ?? null,
  };
}

/** Parts of the brackets between pipes that are in no link or call. */
export function partsOf(written: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 2;
  let isPlain = false;
  const lastClose = written.lastIndexOf('</nowiki>');
  for (const { 0: mark, index } of written.slice(0, -2).matchAll(/\[\[|\]\]|\{\{|\}\}|\||<\/?nowiki>/g)) {
    if (mark.startsWith('<')) isPlain = mark === '<nowiki>' && index < lastClose;
    if (index < 2 || isPlain || mark.startsWith('<')) continue;
    if (mark === '|') {
      if (depth > 0) continue;
      parts.push(written.slice(from, index));
      from = index + 1;
    } else depth += mark === '[[' || mark === '{{' ? 1 : -1;
  }
  return [...parts, written.slice(from, -2)];
}

const size = /^\s*(\d+)?(?:x(\d+))?(?:(?<=\d)\s*)?px\s*$/;

/** Changes the options that differ. `wasShown`: whether the last part is a caption; without a `text` in wikitext, it stays. */
export function changeFile(
  written: string,
  old: Attributes,
  now: Attributes,
  caption: { wasShown?: boolean; text?: string } = {},
): string {
  const [name = '', ...parts] = partsOf(written);
  const captionPart = caption.wasShown ? parts.pop() : undefined;
  let target = name;
  if (old.file !== now.file)
    target = /^[^:]*:/.test(name) ? `${/^[^:]*:/.exec(name)?.[0]}${now.file}` : `File:${now.file}`;
  const set = (isIt: (part: string) => boolean, text: string | undefined) => {
    const at = parts.findIndex(isIt);
    if (at >= 0 && text !== undefined) parts[at] = text;
    else if (at >= 0) parts.splice(at, 1);
    else if (text !== undefined) parts.push(text);
  };
  const word = (pattern: RegExp) => (part: string) => pattern.test(part.trim());
  if (old.kind !== now.kind) {
    const at = parts.findIndex(
      word(/^(?:thumb|thumbnail|frame|framed|frameless|mini|miniatur|gerahmt|rahmenlos)$/),
    );
    const kind = now.kind === 'plain' ? undefined : String(now.kind);
    if (at >= 0) parts.splice(at, 1, ...(kind === undefined ? [] : [kind]));
    else if (kind !== undefined) parts.unshift(kind);
  }
  if (old.side !== now.side)
    set(
      word(/^(?:left|right|center|centre|none|links|rechts|zentriert|ohne)$/),
      now.side === null ? undefined : String(now.side),
    );
  if (old.width !== now.width || old.height !== now.height) set((part) => size.test(part), sizeOf(now));
  if (old.alt !== now.alt) set(word(/^alt\s*=/), now.alt === null ? undefined : `alt=${guarded(now.alt)}`);
  if (old.link !== now.link)
    set(word(/^link\s*=/), now.link === null ? undefined : `link=${guarded(now.link)}`);
  const last = caption.text ?? captionPart;
  return `[[${[target, ...parts, ...(last === undefined || last === '' ? [] : [last])].join('|')}]]`;
}

function sizeOf({ width, height }: Attributes): string | undefined {
  if (width === null && height === null) return undefined;
  return `${width ?? ''}${height === null ? '' : `x${height}`}px`;
}

function guarded(value: unknown): string {
  return String(value)
    .replaceAll('\n', ' ')
    .replace(
      /[[\]{}|<>]|''|__|~~~|:\/\/|&(?=#?\w+;)/g,
      (signs) => `&#${signs.charCodeAt(0)};${signs.slice(1)}`,
    );
}

/** Returns `[[File:…]]` with options where they differ from those of a plain picture. `caption`: wikitext, empty for none. */
export function writeFile(attrs: Attributes, caption: string): string {
  const plain = {
    file: attrs.file,
    kind: 'plain',
    side: null,
    width: null,
    height: null,
    alt: null,
    link: null,
  };
  return changeFile(`[[File:${guarded(attrs.file)}]]`, plain, attrs, { text: caption });
}
