/** The refusal of an address that a page has already, and the next free one that it may offer. */
import type { LocalText, Words } from '#html/html.ts';
import { say, sentences } from '#words/say.ts';
import { Problem } from './problem.ts';

/**
 * Refusal of an address that is taken. `wanted`: the address that the operation was given, if another one instead of it would
 * be accepted.
 */
export function pathTaken(taken: string, wanted?: string, more?: Words): Problem {
  const exists = say('problem.pathTaken', { path: taken });
  return new Problem('path-taken', more === undefined ? exists : sentences([exists, more]), {
    details: { wanted },
  });
}

/** Sentence that offers the next free path. */
export function freeWords(path: string): LocalText {
  return say('problem.nextFreeAddress', { path });
}

/** The free address that a refusal offers. */
export function freePathOf(error: unknown): string | undefined {
  const free = error instanceof Problem ? error.details?.freePath : undefined;
  return typeof free === 'string' ? free : undefined;
}
