/** IDs as addresses, forms and command lines write them: digits alone, and no more than a number holds exactly. */

export function parseId(text: unknown): number | undefined {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
