/** Trusted HTML for the code and formulas of one page within its allowance. The rest is shown plain. */
import type { Hooks } from '#core/content/language.ts';
import { createAllowance } from './allowance.ts';
import { highlight } from './highlight.ts';
import { math } from './math.ts';

/** Hooks for the thread that answers requests. They throw `TakesLong` instead of blocking it for longer than `patienceMs`. */
export function hooksOnThisThread(patienceMs: number): Hooks {
  return hooksWithin({ patienceMs, isFirst: true });
}

/** Hooks for a separate thread, where only other large pages wait. */
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
