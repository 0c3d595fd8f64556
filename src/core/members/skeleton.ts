/** Skeletons by UTS #39 §4: texts that look alike have the same skeleton, whatever their scripts. */
import { confusables } from './confusables.ts';

/** Skeletons by which a name is found: of the name as written (`PauI`, `Paul`), and ignoring case (`Paul`, `раul`). */
interface NameSkeletons {
  written: string;
  folded: string;
}

/** Skeletons of a name by UTS #39, with and without regard to case. */
export function nameSkeletons(name: string): NameSkeletons {
  return { written: skeletonOf(name), folded: skeletonOf(caseFolded(name)) };
}

/** Addresses are compared ignoring case. */
export function emailSkeleton(email: string): string {
  return skeletonOf(caseFolded(email));
}

/** Compatibility forms and invisible characters, such as joiners and variation selectors, are removed. */
export function skeletonOf(text: string): string {
  const characters = text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/\p{DI}/gu, '');
  let skeleton = '';
  for (const character of characters) skeleton += prototypes.get(character) ?? character;
  return skeleton.normalize('NFD');
}

/** Goes through upper case, so that `ß` and `ſ` fold as in Unicode's full case folding. */
function caseFolded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase();
}

const prototypes = readPrototypes(confusables);

function readPrototypes(table: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of table.trim().split(/\s+/)) {
    const [prototype = '', sources = ''] = entry.split(':');
    const text = String.fromCodePoint(...prototype.split('+').map(codePoint));
    for (const range of sources.split(',')) {
      const [first = 0, last = first] = range.split('-').map(codePoint);
      for (let code = first; code <= last; code++) found.set(String.fromCodePoint(code), text);
    }
  }
  return found;
}

function codePoint(hexadecimal: string): number {
  return Number.parseInt(hexadecimal, 16);
}
