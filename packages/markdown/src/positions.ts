/**
 * Converts the positions that the Markdown parser gives (lines of a block, offsets in its content) to offsets in the source.
 */

/** Offsets of the lines of a text. */
export class Lines {
  readonly #starts: number[] = [0];
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  start(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** Offset of the end of a block, without its last line end. `line` is the line after the block. */
  end(line: number): number {
    const next = this.#starts[line];
    return next === undefined ? this.text.length : Math.max(next - 1, 0);
  }

  /**
   * Locates the lines of a block's content in the source. Each content line is the end of its source line, except for trimmed
   * characters. The content of a cell is the first that is found from an offset on.
   */
  place(content: string, firstLine: number, from?: number): Place {
    const at: number[] = [];
    const offsets: number[] = [];
    let offset = 0;
    content.split('\n').forEach((part, index) => {
      const start = this.start(firstLine + index);
      const line = this.text.slice(start, this.end(firstLine + index + 1));
      const trimmed = line.trimEnd();
      const least = index === 0 && from !== undefined ? Math.max(from - start, 0) : 0;
      const column =
        from !== undefined
          ? line.indexOf(part, least)
          : trimmed.endsWith(part)
            ? trimmed.length - part.length
            : line.endsWith(part)
              ? line.length - part.length
              : line.indexOf(part);
      at.push(offset);
      offsets.push(start + Math.max(column, least));
      offset += part.length + 1;
    });
    return new ContentPlace(at, offsets);
  }
}

/** Maps offsets in the content of one block to offsets in the source. */
export type Place = { offset(at: number): number };

class ContentPlace implements Place {
  readonly #at: readonly number[];
  readonly #offsets: readonly number[];
  #line = 0;

  constructor(at: readonly number[], offsets: readonly number[]) {
    this.#at = at;
    this.#offsets = offsets;
  }

  offset(at: number): number {
    while (this.#line > 0 && (this.#at[this.#line] ?? 0) > at) this.#line--;
    while (this.#line + 1 < this.#at.length && (this.#at[this.#line + 1] ?? 0) <= at) this.#line++;
    return (this.#offsets[this.#line] ?? 0) + at - (this.#at[this.#line] ?? 0);
  }
}
