/** Numbers as arguments of functions give them. */

/** The whole number with which a text begins, as in `3`, `-2.5` and `1e3`; `fallback` if it begins with none. */
export function number(text: string, fallback: number): number {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i.exec(text.slice(0, 40));
  const value = Math.trunc(Number(match?.[1] ?? fallback));
  return Math.max(-1e9, Math.min(1e9, value));
}
