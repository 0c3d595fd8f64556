/**
 * Tracks nested braces and brackets while a text is scanned: `{{call|…}}`, `{{{argument|default}}}`, and the `[[…]]` between
 * them. As in MediaWiki, an open `[[` hides `}}` until it is closed, and three braces take precedence over two. In strict mode,
 * an open `-{` hides `}}` too, and so does a heading until the end of its line.
 */
import { char } from './characters.ts';
import { limits } from './limits.ts';

export type Part = { start: number; end: number; equals: number };

/** A run of opening characters, some of which may have been closed already. */
type Run = { code: number; start: number; count: number; parts: Part[] };

type OnClosed = (kind: 'argument' | 'template', start: number, end: number, parts: Part[]) => void;

const openingBrace = 123;
const closingBrace = 125;

export class Braces {
  readonly #text: string;
  readonly #onClosed: OnClosed;
  readonly #open: Run[] = [];
  readonly #strictCalls: boolean;
  #noEqualsUntil = 0;
  /** End of the last `}-`. Its hyphen cannot open another `-{`. */
  #variantEnd = 0;

  constructor(text: string, strictCalls: boolean, onClosed: OnClosed) {
    this.#text = text;
    this.#strictCalls = strictCalls;
    this.#onClosed = onClosed;
  }

  get isAnyOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Handles the `{` or `[` at `at`. Returns the end of the run of this character. */
  open(code: number, at: number): number {
    const count = this.#lengthOfRun(code, at);
    const inside = at + count;
    if (count === 1 && code === openingBrace && this.#isAfterHyphen(at)) {
      if (this.isAnyOpen && this.#open.length < limits.openCalls)
        this.#open.push({ code: char.hyphen, start: at - 1, count: 2, parts: [] });
      return inside;
    }
    // Brackets matter only inside an open call, where they hide braces.
    const counts = code === openingBrace || this.isAnyOpen;
    if (count >= 2 && counts && this.#open.length < limits.openCalls) {
      this.#open.push({ code, start: at, count, parts: code === openingBrace ? [partAt(inside)] : [] });
    }
    return inside;
  }

  /** Handles the `}` or `]` at `at`. Returns the end of the closing characters that it consumed. */
  close(code: number, at: number): number {
    const top = this.#open[this.#open.length - 1];
    if (top?.code === char.hyphen && code === closingBrace) {
      if (this.#text.charCodeAt(at + 1) !== char.hyphen) return at + 1;
      this.#open.pop();
      this.#variantEnd = at + 2;
      return this.#variantEnd;
    }
    // The code of a closing brace or bracket is that of the opening one plus 2.
    if (!top || top.code + 2 !== code) return at + this.#lengthOfRun(code, at);
    // Counts only as many closing characters as can match, so that a long run is walked once and not once for each pair.
    const most = Math.min(top.count, code === closingBrace ? 3 : 2);
    let matched = 1;
    while (matched < most && this.#text.charCodeAt(at + matched) === code) matched++;
    const end = at + matched;
    if (matched < 2) return end;
    if (code === closingBrace) {
      const last = top.parts[top.parts.length - 1];
      if (last) last.end = at;
      const start = top.start + top.count - matched;
      this.#onClosed(matched === 3 ? 'argument' : 'template', start, end, top.parts);
    }
    top.count -= matched;
    if (top.count < 2) this.#open.pop();
    else if (code === closingBrace) top.parts = [partAt(top.start + top.count)];
    return end;
  }

  /** Handles the `|` at `at`. */
  separate(at: number): void {
    const top = this.#open[this.#open.length - 1];
    // Calls beyond the limit of nesting are text, so their pipes must not separate arguments of the innermost call that counts.
    if (top?.code !== openingBrace || this.#open.length >= limits.openCalls) return;
    if (top.parts.length > limits.arguments) return;
    const part = top.parts[top.parts.length - 1];
    if (part) part.end = at;
    top.parts.push(partAt(at + 1));
  }

  /** Handles the `=` at `at`. The first one in a part ends the argument's name. Returns the offset to continue from. */
  equals(at: number): number {
    const top = this.#open[this.#open.length - 1];
    const part = top && top.parts.length > 1 ? top.parts[top.parts.length - 1] : undefined;
    const mayName = part !== undefined && part.equals < 0;
    if (this.#strictCalls && this.isAnyOpen && this.#text.charCodeAt(at - 1) === char.newline) {
      const count = this.#lengthOfRun(char.equals, at);
      if ((count > 1 || !mayName) && this.#open.length < limits.openCalls) {
        this.#open.push({ code: char.newline, start: at, count, parts: [] });
        return at + count;
      }
    }
    if (mayName && at >= this.#noEqualsUntil) this.#name(part, at);
    return at + 1;
  }

  /** Handles the end of a line, which ends a heading. */
  endLine(): void {
    if (this.#open[this.#open.length - 1]?.code === char.newline) this.#open.pop();
  }

  #name(part: Part, at: number): void {
    // The `=` of a heading inside an argument does not end a name.
    const lineEnd = this.#isHeadingStart(at) ? this.#text.indexOf('\n', at) : -1;
    if (lineEnd > 0 && this.#text.slice(at, lineEnd).trimEnd().endsWith('=')) this.#noEqualsUntil = lineEnd;
    else part.equals = at;
  }

  #isAfterHyphen(at: number): boolean {
    return this.#strictCalls && at > this.#variantEnd && this.#text.charCodeAt(at - 1) === char.hyphen;
  }

  #lengthOfRun(code: number, at: number): number {
    let count = 1;
    while (this.#text.charCodeAt(at + count) === code) count++;
    return count;
  }

  #isHeadingStart(at: number): boolean {
    return this.#text.charCodeAt(at - 1) === char.newline && this.#text.charCodeAt(at + 1) === char.equals;
  }
}

function partAt(start: number): Part {
  return { start, end: start, equals: -1 };
}
