/** Small inline constructs: marks, line ends and runs of apostrophes. */
import { char } from '../characters.ts';
import { limits } from '../limits.ts';
import { effect, markToken } from '../prepared.ts';
import { quoteToken } from '../token.ts';
import type { Construct } from './inline.ts';

export const mark: Construct = (scanner, at) => {
  scanner.flush(at);
  scanner.resume(at + 1);
  const found = markToken(scanner.prepared, at);
  if (!found) return at + 1;
  scanner.tokens.push(found);
  noteEffects(scanner, found.effects);
  return at + 1;
};

/** The last `<blockquote>` tag of a line overrides earlier ones. */
function noteEffects(scanner: { effects: number }, effects: number): void {
  if (effects === 0) return;
  const quotes = effect.opensQuote | effect.closesQuote;
  if (effects & quotes) scanner.effects &= ~quotes;
  scanner.effects |= effects;
}

export const lineEnd: Construct = (scanner, at) => {
  if (scanner.place.hasLines) scanner.endLine(at);
  return at + 1;
};

export const quoteRun: Construct = (scanner, at, limit) => {
  let end = at + 1;
  while (end < limit && scanner.text.charCodeAt(end) === char.apostrophe) end++;
  if (end - at < 2) return end;
  if (++scanner.quotes > limits.quotes) {
    scanner.context.notices.add(
      `A line has more than ${limits.quotes} runs of apostrophes; the rest are shown as written.`,
    );
    return end;
  }
  scanner.flush(at);
  scanner.resume(end);
  scanner.tokens.push(quoteToken(at, end));
  return end;
};
