/** Parses numbers in arguments of functions. */

/** Returns the whole number at the start of a text, as in `3`, `-2.5` and `1e3`; `fallback` if there is none. */
export function number(text: string, fallback: number): number {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i.exec(text.slice(0, 40));
  const value = Math.trunc(Number(match?.[1] ?? fallback));
  return Math.max(-1e9, Math.min(1e9, value));
}
