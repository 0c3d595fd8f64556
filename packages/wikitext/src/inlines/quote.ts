/**
 * emphasis ::= "''" italic "''" | "'''" bold "'''" | "'''''" both "'''''"
 *
 *   ''so'' and '''thus'''        <i>so</i> and <b>thus</b>
 *   L'''amour''                  L'<i>amour</i>
 *
 * Each line is handled separately. If both bold and italic stay open, one bold is read as an apostrophe and italic: the one
 * after a single letter, else after a longer word, else after a space. Formatting that is still open at the end of a line is
 * closed.
 */
import { closeToken, openToken, type Token, textToken } from '../token.ts';

/**
 * Maps offsets of a text to the source: `source` gives the start of the character there, `sourceEnd` the end of the one before
 * it.
 */
type Places = { text: string; source(offset: number): number; sourceEnd(offset: number): number };

/** Apostrophes of each format. */
const marks = { b: 3, i: 2 } as const;

/** Replaces the quote tokens of one line with tags and apostrophes. */
export function resolveQuotes(tokens: Token[], places: Places): Token[] {
  let bold = 0;
  let italic = 0;
  for (const token of tokens) {
    if (token.kind !== 'quote') continue;
    if (token.count !== 2) bold++;
    if (token.count !== 3) italic++;
  }
  if (bold + italic === 0) return tokens;
  if (bold % 2 === 1 && italic % 2 === 1) loosenOne(tokens, places.text);
  return write(tokens, places);
}

function loosenOne(tokens: readonly Token[], text: string): void {
  let afterWord: Token | undefined;
  let afterSpace: Token | undefined;
  for (const token of tokens) {
    if (token.kind !== 'quote' || token.count !== 3) continue;
    // The first of four apostrophes is text.
    const isFour = token.end - token.start === 4;
    const before = isFour ? "'" : (text[token.start - 1] ?? '');
    const beforeThat = isFour ? (text[token.start - 1] ?? '') : (text[token.start - 2] ?? '');
    if (before === ' ') afterSpace ??= token;
    else if (beforeThat === ' ') {
      token.count = 2;
      return;
    } else afterWord ??= token;
  }
  const chosen = afterWord ?? afterSpace;
  if (chosen) chosen.count = 2;
}

function write(tokens: readonly Token[], places: Places): Token[] {
  const out: Token[] = [];
  // Open formats, outermost first. If `undecided` is set, both are open and their order is not known yet.
  let open: '' | 'b' | 'i' | 'bi' | 'ib' = '';
  let undecided: [Token, Token] | undefined;
  let last = 0;

  const start = (name: 'b' | 'i', from: number, at: number) => {
    out.push(openToken(name, from, at));
  };
  const end = (name: 'b' | 'i', at: number) => {
    const closing = closeToken(name, at, at);
    out.push(closing);
  };
  const decide = (outer: 'b' | 'i') => {
    if (!undecided) return;
    const [outside, inside] = undecided;
    outside.name = outer;
    inside.name = outer === 'b' ? 'i' : 'b';
    outside.end = inside.start = outside.start + marks[outer];
    undecided = undefined;
    open = outer === 'b' ? 'bi' : 'ib';
  };

  for (const token of tokens) {
    last = token.kind === 'text' || token.kind === 'quote' ? places.sourceEnd(token.end) : token.end;
    if (token.kind !== 'quote') {
      out.push(token);
      continue;
    }
    const { count } = token;
    if (token.end - count > token.start) out.push(textToken(token.start, token.end - count));
    const from = places.source(token.end - count);
    const at = last;
    if (count === 2) {
      if (undecided) decide('b');
      if (open === 'i' || open === 'bi') {
        end('i', at);
        open = open === 'i' ? '' : 'b';
      } else if (open === 'ib') {
        end('b', from);
        end('i', at);
        start('b', at, at);
        open = 'b';
      } else {
        start('i', from, at);
        open = open === 'b' ? 'bi' : 'i';
      }
    } else if (count === 3) {
      if (undecided) decide('i');
      if (open === 'b' || open === 'ib') {
        end('b', at);
        open = open === 'b' ? '' : 'i';
      } else if (open === 'bi') {
        end('i', from);
        end('b', at);
        start('i', at, at);
        open = 'i';
      } else {
        start('b', from, at);
        open = open === 'i' ? 'ib' : 'b';
      }
    } else if (undecided) {
      decide('i');
      end('b', from + marks.b);
      end('i', at);
      open = '';
    } else if (open === 'b' || open === 'i') {
      const middle = from + marks[open];
      end(open, middle);
      open = open === 'b' ? 'i' : 'b';
      start(open, middle, at);
    } else if (open === '') {
      start('i', from, at);
      start('b', from, at);
      undecided = out.slice(-2) as [Token, Token];
    } else {
      end(open === 'bi' ? 'i' : 'b', from + marks[open === 'bi' ? 'i' : 'b']);
      end(open === 'bi' ? 'b' : 'i', at);
      open = '';
    }
  }
  if (undecided) {
    if (out[out.length - 1] === undecided[1]) {
      out.length -= 2;
      return out;
    }
    decide('b');
  }
  if (open === 'b' || open === 'ib') end('b', last);
  if (open === 'i' || open === 'bi' || (open as string) === 'ib') end('i', last);
  if (open === 'bi') end('b', last);
  return out;
}
