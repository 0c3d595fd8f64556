/**
 * The text that is being written, and how its parts stand apart: line ends that are owed are paid when something follows.
 */
import { continuesUrl } from './links.ts';

/** Text written last, where the next text could run into it. */
type Last = '' | 'url' | 'url(' | 'link' | 'number';

export class Output {
  /** The line began a cell of that kind, which its bars would end. */
  cellLine: 'td' | 'th' | undefined;
  /** Two brackets of the text are open, which two others would close. */
  hasOpenBrackets = false;
  #isLineStart = true;
  #tail = '';
  #chunks: string[] = [];
  #isOwed = false;
  #least = 0;
  #most = 2;
  #seen = 0;
  #last: Last = '';

  /** Nothing has been written since this part began. */
  get isEmpty(): boolean {
    return this.#tail === '';
  }

  /** The next text begins a line, apart from constructs that show nothing. */
  get isLineStart(): boolean {
    return this.#isLineStart || this.#lines() > 0;
  }

  set isLineStart(is: boolean) {
    this.#isLineStart = is;
  }

  /** The last characters, and the line end that is owed. */
  get tail(): string {
    return this.#lines() > 0 ? '\n' : this.#tail;
  }

  /** Before the next part there are at least and at most so many line ends. */
  gap(least: number, most: number): void {
    this.#most = this.#isOwed ? Math.max(least, Math.min(this.#most, most)) : most;
    this.#least = this.#isOwed ? Math.max(this.#least, least) : least;
    this.#isOwed = true;
  }

  /** White space between two parts: as many line ends as it has are kept, if so many are allowed. */
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

  /** Constructs that show nothing: a line that begins with one still begins. */
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

  /** Line ends before what is written next. */
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
