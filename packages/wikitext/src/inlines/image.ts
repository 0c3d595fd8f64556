/**
 * image ::= '<img' ('src' | 'alt' | 'title' | 'width' | 'height' | 'align' | 'class' '=' value)* '>'
 *
 *   <img src="process.png" width="200" alt="The process">        like [[File:process.png|200px|alt=The process]]
 *
 * Only names of files of the wiki: an address elsewhere is never loaded.
 */
import type { Attributes, FileNode, FileOptions } from '../tree.ts';

/** The file that the tag embeds; undefined when it names none of the wiki's. */
export function fileTag(attributes: Attributes, start: number, end: number): FileNode | undefined {
  const name = (attributes.src ?? '').trim();
  if (name === '' || /^[a-z][a-z0-9+.-]*:|^\/\/|^\\|[<>[\]{}|#?]/i.test(name)) return undefined;
  const options: FileOptions = {};
  const width = readLength(attributes.width);
  const height = readLength(attributes.height);
  if (width) options.width = width;
  if (height) options.height = height;
  if (attributes.alt !== undefined) options.alt = attributes.alt;
  if (attributes.class) options.class = attributes.class;
  if (attributes.align === 'left' || attributes.align === 'right' || attributes.align === 'center') {
    options.align = attributes.align;
  }
  return { type: 'file', name: decodePath(name), options, caption: [], start, end };
}

function readLength(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,5}(?:px)?$/.test(value) ? Number.parseInt(value, 10) : undefined;
}

function decodePath(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
