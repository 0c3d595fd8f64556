/**
 * The text written so far. Line ends between parts are recorded and written when another part follows.
 */
import { continuesUrl } from './links.ts';

/** Kind of the last text, if the next text could be parsed as part of it. */
type Last = '' | 'url' | 'url(' | 'link' | 'number';

export class Output {
  /** Kind of the cell that began on this line, in which bars would begin another. */
  cellLine: 'td' | 'th' | undefined;
  /** Whether the text has a `[[` that is not closed. */
  hasOpenBrackets = false;
  #isLineStart = true;
  #tail = '';
  #chunks: string[] = [];
  #isOwed = false;
  #least = 0;
  #most = 2;
  #seen = 0;
  #last: Last = '';

  /** Whether the current part is empty. */
  get isEmpty(): boolean {
    return this.#tail === '';
  }

  /** Whether the next text begins a line. Invisible constructs before it do not count. */
  get isLineStart(): boolean {
    return this.#isLineStart || this.#lines() > 0;
  }

  set isLineStart(is: boolean) {
    this.#isLineStart = is;
  }

  /** The last eight characters, or a line end if one is pending. */
  get tail(): string {
    return this.#lines() > 0 ? '\n' : this.#tail;
  }

  /** Requests a minimum and maximum number of line ends before the next part. */
  gap(least: number, most: number): void {
    this.#most = this.#isOwed ? Math.max(least, Math.min(this.#most, most)) : most;
    this.#least = this.#isOwed ? Math.max(this.#least, least) : least;
    this.#isOwed = true;
  }

  /** Records white space between two parts. Its line ends are kept as far as `gap` allows. */
  space(text: string): void {
    this.#seen += text.split('\n').length - 1;
  }

  forgetSpace(): void {
    this.#seen = 0;
  }

  put(text: string, last: Last = ''): void {
    if (text === '') return;
    this.#pay();
    if (runsOn(this.#last, text)) this.#add('<nowiki/>');
    this.#add(text);
    this.#last = last;
    if (text.includes('\n')) this.cellLine = undefined;
    this.#isLineStart = text.endsWith('\n');
  }

  /** Writes an invisible construct. The next text may still begin the line. */
  putTransparent(text: string): void {
    this.#pay();
    this.#add(text);
    this.#last = '';
  }

  /** Returns the text of `write` instead of writing it. */
  capture(write: () => void): string {
    const { cellLine } = this;
    const isLineStart = this.#isLineStart;
    const tail = this.#tail;
    const state = [this.#chunks, this.#isOwed, this.#least, this.#most, this.#seen, this.#last] as const;
    this.#chunks = [];
    this.#isOwed = false;
    this.#last = '';
    this.#tail = '';
    this.#isLineStart = false;
    this.forgetSpace();
    write();
    const text = this.#chunks.join('');
    [this.#chunks, this.#isOwed, this.#least, this.#most, this.#seen, this.#last] = state;
    this.cellLine = cellLine;
    this.#isLineStart = isLineStart;
    this.#tail = tail;
    return text;
  }

  toString(): string {
    return this.#chunks.join('');
  }

  /** Returns the number of line ends pending before the next text. */
  #lines(): number {
    if (!this.#isOwed || this.isEmpty) return 0;
    return Math.min(this.#most, Math.max(this.#least, this.#seen));
  }

  #pay(): void {
    const lines = this.#lines();
    if (lines > 0) {
      this.#add('\n'.repeat(lines));
      this.#isLineStart = true;
      this.cellLine = undefined;
      this.#last = '';
    }
    this.#isOwed = false;
    this.#most = 2;
    this.#least = 0;
    this.forgetSpace();
  }

  #add(text: string): void {
    this.#chunks.push(text);
    this.#tail = text.length >= 8 ? text.slice(-8) : (this.#tail + text).slice(-8);
  }
}

function runsOn(last: Last, text: string): boolean {
  if (last === 'url' || last === 'url(') return continuesUrl(text, last === 'url(');
  if (last === 'link') return /^\p{Ll}/u.test(text);
  return last === 'number' && /^\w/.test(text);
}
