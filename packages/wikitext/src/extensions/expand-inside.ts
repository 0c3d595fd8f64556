/** Default expansion for tags that contain wikitext. */
import { hideNested, showNested } from '../nested-tags.ts';
import type { WrittenTag } from './extension.ts';

/** Expands the content, and also the attributes if `hasWikitext` says that they hold wikitext. */
export function expandInside(
  tag: WrittenTag,
  hasWikitext: (attributes: string) => boolean = () => false,
): string {
  const { name, written, body } = tag;
  if (!/[{<]/.test(written.slice(1))) return written;
  const isHeadRead = hasWikitext(tag.attributes);
  if (body === undefined && !isHeadRead) return written;
  const attributes = isHeadRead ? tag.outer(tag.attributes).replaceAll('>', '&gt;') : tag.attributes;
  return body === undefined
    ? `<${name}${attributes}/>`
    : // A module may have expanded the body before.
      `<${name}${attributes}>${hideNested(tag.outer(showNested(body)))}</${name}>`;
}
