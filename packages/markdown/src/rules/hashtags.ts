/**
 * Hashtags such as #oak within text, if the wiki enables them: after a space or an opening bracket, and with a letter, so that
 * #1 is a number.
 */
const hashtag =
  /(?<=^|[\s([{"'«“‘])#(?=[\p{N}_/-]*\p{L})([\p{L}\p{M}\p{N}_-]+(?:\/[\p{L}\p{M}\p{N}_-]+)*)(?![\p{L}\p{M}\p{N}#/])/gu;

const maxLength = 100;

/** Returns hashtags in order. `value`: without the sign. */
export function* hashtagsIn(text: string): Generator<{ start: number; end: number; value: string }> {
  for (const { 0: written, 1: value = '', index } of text.matchAll(hashtag))
    if (value.length <= maxLength) yield { start: index, end: index + written.length, value };
}
