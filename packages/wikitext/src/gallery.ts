/**
 * gallery ::= '<gallery' attributes '>' (line end, name ('|' option)* ('|' caption)?)* '</gallery>'
 *
 *   <gallery caption="Trees" mode="packed">
 *   oak.jpg|An [[oak]]
 *   File:elm.jpg|alt=An elm
 *   </gallery>
 *
 * Files are named with or without `File:`. Lines that name none are left out.
 */

import { readFile, readGalleryOption } from './inlines/file.ts';
import type { ExtensionPlace, Reader } from './reader.ts';
import type { Attributes, Node } from './tree.ts';

/** The caption, if there is one, as an element `caption`; then the files. */
export function galleryChildren(
  reader: Reader,
  attributes: Attributes,
  body: string,
  at: ExtensionPlace,
): Node[] {
  const children: Node[] = [];
  if (attributes.caption) {
    children.push({
      type: 'element',
      name: 'caption',
      attributes: undefined,
      children: reader.text(attributes.caption, at.start, 'inline'),
      start: at.start,
      end: at.body,
    });
  }
  let from = 0;
  while (from <= body.length) {
    const newline = body.indexOf('\n', from);
    const to = newline < 0 ? body.length : newline;
    const line = body.slice(from, to);
    if (line.trim() !== '') addFile(reader, children, line, at.body + from);
    from = to + 1;
  }
  return children;
}

function addFile(reader: Reader, children: Node[], line: string, base: number): void {
  const pipe = line.indexOf('|');
  const written = (pipe < 0 ? line : line.slice(0, pipe)).trim();
  const name = fileName(reader, written) ?? fileName(reader, `File:${written}`);
  if (name === undefined) return;
  const scanner = reader.inline(line, base);
  const first = scanner.text.indexOf('|');
  const from = first < 0 ? -1 : first + 1;
  const { options, caption } = readFile(scanner, from, scanner.text.length, readGalleryOption);
  const place = { start: base, end: base + line.length };
  const start = caption ? scanner.source(caption[0]) : place.end;
  const end = caption && caption[1] < scanner.text.length ? scanner.source(caption[1]) : place.end;
  children.push({
    type: 'file',
    name,
    options,
    // Read anew, as the scanner of the line knows nothing of notes and blocks.
    caption: reader.text(line.slice(start - base, end - base), start, 'page'),
    ...place,
  });
}

function fileName(reader: Reader, written: string): string | undefined {
  if (/[<>[\]{}]/.test(written)) return undefined;
  const target = reader.context.rules.link(decode(written), true, reader.context.path);
  return target.kind === 'file' ? target.name : undefined;
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
