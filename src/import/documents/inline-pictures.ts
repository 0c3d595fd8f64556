/**
 * Pictures that stand in a text as `data:` addresses become files of its page. What a picture really is, is found out when it is
 * stored, as for every upload.
 */
import { percentDecoded } from '#core/model/path.ts';
import { hashOf } from '../note.ts';
import type { Approximation } from '../source.ts';
import type { DocumentText } from './html.ts';
import { outsideCode } from './terms/tags.ts';

const endings: Readonly<Record<string, string>> = {
  png: 'png',
  jpeg: 'jpg',
  jpg: 'jpg',
  gif: 'gif',
  webp: 'webp',
  avif: 'avif',
  bmp: 'bmp',
  'svg+xml': 'svg',
};
/** A drawing that is written out, in a link or between the quotes of an attribute. */
const drawing =
  /(?<=\]\(<?)data:image\/svg\+xml(?:;[a-z\d=-]{1,40}){0,3},([^\s()<>]+)|(?<=\bsrc=")data:image\/svg\+xml(?:;[a-z\d=-]{1,40}){0,3},([^"]+)|(?<=\bsrc=')data:image\/svg\+xml(?:;[a-z\d=-]{1,40}){0,3},([^']+)/gi;
const maxPictures = 200;
const shownLength = 60;
/** In a link, an attribute, or a definition of a link. The end may be escaped, because two equals signs are a mark. */
const picture =
  /(?<=\]\(<?|\bsrc=["']?|^\[[^\]\n]{1,200}\]:[ \t]?<?)data:image\/([a-z+]{3,10})(?:;[a-z\d=-]{1,40}){0,3};base64,([a-z\d+/]+)(?:\\?=){0,2}/gim;

export function withInlinePictures(document: DocumentText): DocumentText {
  if (!/data:image\//i.test(document.text)) return document;
  const pictures = new Map<string, string>();
  const approximated: Approximation[] = [...(document.approximated ?? [])];
  const stored = (written: string, ending: string | undefined, base64: string) => {
    const name = `picture-${hashOf(base64).slice(0, 12)}.${ending}`;
    if (ending === undefined || (pictures.size >= maxPictures && !pictures.has(name))) return written;
    pictures.set(name, base64);
    const before = `${written.slice(0, shownLength)}…`;
    approximated.push({ construct: 'picture within the text, now a file', before, after: name });
    return name;
  };
  const text = outsideCode(document.text, (part) =>
    part
      .replace(picture, (written: string, type: string, base64: string) =>
        stored(written, endings[type.toLowerCase()], base64),
      )
      .replace(drawing, (written: string, link?: string, double?: string, single?: string) => {
        const svg = percentDecoded(link ?? double ?? single ?? '');
        return stored(
          written,
          /;base64,/i.test(written) ? undefined : 'svg',
          Buffer.from(svg).toString('base64'),
        );
      }),
  );
  return { ...document, text, pictures, approximated };
}
