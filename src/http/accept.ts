/** A media type in `Accept` (RFC 9110 §12.5.1). */

interface MediaRange {
  /** In lower case, without parameters. */
  type: string;
  /** Weight from 0, which refuses the type, to 1. */
  weight: number;
  /** Position in the header. */
  at: number;
}

export function mediaRangesOf(accept: string): MediaRange[] {
  return accept.split(',').map((range, at) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    return { type, weight: Number.isFinite(weight) ? weight : 0, at };
  });
}
