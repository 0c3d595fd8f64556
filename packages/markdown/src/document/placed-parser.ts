/** The parser of Markdown with the offset at which each block begins, behind the marks of quotes and lists around it. */
import type { StateBlock, Token } from 'markdown-it';
import { createParser } from '../parser.ts';

export type PlacedBlock = Token & { start?: number };

type Rule = { fn(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean };

export const parser = createParser();

function offsetOf({ bMarks, tShift }: StateBlock, line: number): number {
  return (bMarks[line] ?? 0) + (tShift[line] ?? 0);
}

// The parser offers no other way to wrap its rules.
const { ruler } = parser.block as unknown as { ruler: { __rules__: Rule[]; __cache__: unknown } };
for (const rule of ruler.__rules__) {
  const { fn } = rule;
  rule.fn = (state, startLine, endLine, silent) => {
    const before = state.tokens.length;
    // A quote moves the beginning of its lines behind its marks.
    const start = offsetOf(state, startLine);
    const isFound = fn(state, startLine, endLine, silent);
    const token = silent ? undefined : (state.tokens[before] as PlacedBlock | undefined);
    if (isFound && token) token.start = start;
    return isFound;
  };
}
ruler.__cache__ = null;

const State = parser.block.State;
parser.block.State = class PlacedBlocks extends State {
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token: PlacedBlock = super.push(type, tag, nesting);
    token.start = offsetOf(this, this.line);
    return token;
  }
};
