/** Instants as the API and the command line write them: ISO 8601 in UTC. */

/** ISO 8601 in UTC with milliseconds, of milliseconds since the epoch; null stays null. */
export function isoTime(at: number): string;
export function isoTime(at: number | null): string | null;
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Tolerated difference between the clocks of several servers. */
export const clockToleranceMs = 60 * 1000;

export const dayMs = 24 * 60 * 60 * 1000;
