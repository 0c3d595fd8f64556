/**
 * Replaces links in Markdown. The language's own parser says where they are; everything else is kept byte for byte.
 */
import { type LinkPlace, linkPlaces } from '@coppice/markdown';

export type FoundLink =
  /** `[[inside]]`, `![[inside]]`. */
  | { kind: 'wiki'; isEmbed: boolean; inside: string }
  /** `[text](target more)`, `![text](target more)`, `[id]: target`. */
  | { kind: 'address'; isImage: boolean; text: string; target: string; more: string; isDefinition: boolean }
  /** Address in an attribute of a tag. */
  | { kind: 'tag'; target: string; element: string };

/** Returns the replacement of the link, for a tag that of the address, or undefined to keep it. */
type ReplaceLink = (link: FoundLink) => string | undefined;

export function replaceLinks(text: string, replace: ReplaceLink): string {
  let out = '';
  let from = 0;
  for (const place of linkPlaces(text)) {
    // Links within one that was replaced are replaced with it; those within one that is kept are links of their own.
    if (place.start < from) continue;
    const link = linkAt(text, place);
    const changed = link && replace(link);
    if (changed === undefined) continue;
    // An address of this wiki may hold an apostrophe, which would end a value between two.
    out += text.slice(from, place.start) + (place.kind === 'tag' ? changed.replaceAll("'", '%27') : changed);
    from = place.end;
  }
  return out + text.slice(from);
}

function linkAt(text: string, place: LinkPlace): FoundLink | undefined {
  const written = text.slice(place.start, place.end);
  if (place.kind === 'wiki') {
    const inside = written.slice(place.isEmbed ? 3 : 2, -2);
    return /[[\]\n]/.test(inside) ? undefined : { kind: 'wiki', isEmbed: place.isEmbed, inside };
  }
  if (place.kind === 'tag')
    return { kind: 'tag', target: written.replaceAll('&amp;', '&'), element: place.element };
  const { isImage, isDefinition } = place;
  const target = text.slice(place.target.start, place.target.end).replace(/^<(.*)>$/s, '$1');
  if (isDefinition) {
    const label = text.slice(place.start + 1, place.target.start).replace(/\]:[\s>]*$/, '');
    return { kind: 'address', isImage, isDefinition, text: label, target, more: '' };
  }
  const opening = text.slice(place.start + (isImage ? 2 : 1), place.target.start);
  return {
    kind: 'address',
    isImage,
    isDefinition,
    target,
    text: opening.slice(0, opening.lastIndexOf('](')),
    more: text.slice(place.target.end, place.end - 1),
  };
}
