/**
 * image ::= '<img' ('src' | 'alt' | 'title' | 'width' | 'height' | 'align' | 'class' '=' value)* '>'
 *
 *   <img src="process.png" width="200" alt="The process">        like [[File:process.png|200px|alt=The process]]
 *
 * Only files of the wiki are embedded. An external address is never loaded: it becomes a link with the picture's `alt` text.
 */
import type { Attributes, ExternalLinkNode, FileNode, FileOptions } from '../tree.ts';
import { cleanUrl } from './external-link.ts';

/** Returns the file or link that the tag produces; undefined if it names neither a file nor an address. */
export function imageTag(
  attributes: Attributes,
  start: number,
  end: number,
): FileNode | ExternalLinkNode | undefined {
  const name = (attributes.src ?? '').trim().replace(/^(?:\.\/)+/, '');
  if (/^(?:https?:)?\/\//i.test(name)) {
    const url = cleanUrl(name);
    const label = attributes.alt?.trim() || url;
    const children = [{ type: 'text' as const, value: label, start, end }];
    return { type: 'external-link', url, kind: 'text', number: 0, children, start, end };
  }
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
