/** Trusted HTML for the code and formulas of one page, as far as its allowance goes; the rest of them is shown plain. */
import type { Hooks } from '#domain/language.ts';
import { createAllowance } from './allowance.ts';
import { highlight } from './highlight.ts';
import { math } from './math.ts';

/** While everybody else waits. */
const patienceHereMs = 100;
/** While others with a large page wait. */
const patienceThereMs = 5000;

/** On the thread that answers requests: throws `TakesLong` rather than keep it. */
export function hooksHere(): Hooks {
  return hooksWithin({ patienceMs: patienceHereMs, isFirst: true });
}

export function hooksThere(): Hooks {
  return hooksWithin({ patienceMs: patienceThereMs });
}

function hooksWithin(limits: { patienceMs: number; isFirst?: boolean }): Hooks {
  const allowance = createAllowance(limits);
  return {
    highlight: (code, language) => highlight(code, language, allowance),
    math: (tex, display) => math(tex, display, allowance),
  };
}
