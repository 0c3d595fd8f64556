/** Trusted HTML for the code and formulas of one page, as far as its allowance goes; the rest of them is shown plain. */
import type { Hooks } from '#domain/content/language.ts';
import { createAllowance } from './allowance.ts';
import { highlight } from './highlight.ts';
import { math } from './math.ts';

/** On the thread that answers requests, while everybody else waits: throws `TakesLong` rather than keep it for longer. */
export function hooksHere(patienceMs: number): Hooks {
  return hooksWithin({ patienceMs, isFirst: true });
}

/** On a thread of its own, while others with a large page wait. */
export function hooksThere(patienceMs = 5000): Hooks {
  return hooksWithin({ patienceMs });
}

function hooksWithin(limits: { patienceMs: number; isFirst?: boolean }): Hooks {
  const allowance = createAllowance(limits);
  return {
    highlight: (code, language) => highlight(code, language, allowance),
    math: (tex, display) => math(tex, display, allowance),
  };
}
