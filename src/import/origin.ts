/**
 * Identity of a source. It is recorded in every imported page, so that two sources of one kind beneath the same parent are never
 * taken for one another. A later run continues an earlier import only if it is certain that both read the same source.
 */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { Problem } from '#core/model/problem.ts';
import type { Source } from './source.ts';

/** How a source was named, from the strongest evidence to the weakest. */
type Evidence = 'given' | 'stated' | 'place' | 'filename' | 'none';

export interface Origin {
  name: string;
  evidence: Evidence;
}

/** Facts about the identity of a source. */
export interface OriginFacts {
  /** Name that the importer gave. */
  given?: string | undefined;
  /** Path of the file or folder, if it has a place of its own on this machine. */
  place?: string | undefined;
  /** Name of an uploaded file. */
  filename?: string | undefined;
}

export const maxOriginLength = 200;
const unnamed = 'upload';
/** Programs whose sources state what they are. */
const statedPrefix = /^(?:mediawiki|confluence):/;

export function originOf(source: Pick<Source, 'identity'>, { given, place, filename }: OriginFacts): Origin {
  const name = given?.trim();
  if (name) return { name, evidence: 'given' };
  if (source.identity !== undefined) return { name: source.identity, evidence: 'stated' };
  // Page data are public, so the path itself is not recorded.
  if (place !== undefined)
    return { name: `${basename(place)}#${hash('sha256', place).slice(0, 8)}`, evidence: 'place' };
  return filename ? { name: filename, evidence: 'filename' } : { name: unnamed, evidence: 'none' };
}

/** Pages with equal keys in this source and in an earlier import, by what became of their texts. */
export interface Tally {
  same: number;
  similar: number;
  different: number;
  /** Pages without a record of their text. */
  unknown: number;
}

/** `unclear`: names of the earlier imports of which it is unclear whether they read this source. */
export type Decision = { continues: string | undefined } | { unclear: string[] };

/** `pages`: number of pages in the source that have a text. */
export function decide(origin: Origin, tallies: ReadonlyMap<string, Tally>, pages: number): Decision {
  const certain: string[] = [];
  const unclear: string[] = [];
  for (const [name, tally] of tallies) {
    const isSame =
      name === origin.name ? isContinued(origin, tally) : isElsewhere(origin, name, tally, pages);
    if (isSame === undefined) unclear.push(name);
    else if (isSame) certain.push(name);
  }
  if (certain.includes(origin.name)) return { continues: origin.name };
  if (unclear.length > 0 || certain.length > 1) return { unclear: [...certain, ...unclear] };
  return { continues: certain[0] };
}

/** Whether an earlier import of the same name read the same source; undefined if unclear. */
function isContinued({ evidence }: Origin, { same, similar, different }: Tally): boolean | undefined {
  if (evidence === 'given' || evidence === 'stated') return true;
  // Something else may have been put into the same place.
  if (evidence === 'place') return same + similar > 0 || different < 2 || undefined;
  const changed = similar + different;
  // Files of different sources often have the same name.
  return (evidence === 'filename' ? same >= changed : changed === 0) || undefined;
}

/** Whether an earlier import of another name read the same source; undefined if unclear. */
function isElsewhere(
  { name, evidence }: Origin,
  earlier: string,
  { same, similar, different, unknown }: Tally,
  pages: number,
): boolean | undefined {
  const states = (one: string) => statedPrefix.exec(one)?.[0];
  if (evidence === 'given' || same + unknown === 0) return false;
  if (evidence === 'stated' && states(name) === states(earlier)) return false;
  // Nothing would be written.
  return (same === pages && similar + different === 0) || undefined;
}

/** Refuses an import that would have to guess. */
export function unclearOrigin(parentPath: string | null, earlier: readonly string[]): Problem {
  const where = parentPath === null ? 'Here' : `Beneath ${parentPath}`;
  const names = earlier.map((name) => `“${name}”`).join(', ');
  return new Problem(
    'invalid',
    `${where} are pages of an earlier import, ${names}, and it is unclear whether this is the same source. Name the source: the earlier name continues that import, another name makes a separate import (--source on the command line, source=… over HTTP).`,
  );
}
