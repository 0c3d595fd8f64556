/** Parses an ID from a URL, form or command line: digits only, and within the exact range of numbers. */

/** A positive or zero ID of at most 15 digits, which a double holds exactly; undefined for anything else. */
export function parseId(text: unknown): number | undefined {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
