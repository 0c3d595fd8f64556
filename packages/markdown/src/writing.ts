/** Options for writing Markdown: GitHub's constructs, with every mark escaped that pages know beyond them. */
import { gfmToMarkdown } from 'mdast-util-gfm';
import type { Options, Unsafe } from 'mdast-util-to-markdown';

/** Marks that pages know beyond GitHub's. `[[` and `[^` have their brackets escaped as every link has. */
const wikiMarks: Unsafe[] = [
  { character: '{', before: '(?<=\\{)', inConstruct: 'phrasing' },
  { character: '{', after: '#', inConstruct: 'phrasing' },
  { character: '$', inConstruct: 'phrasing' },
  { character: '^', inConstruct: 'phrasing' },
  { character: '=', after: '=', inConstruct: 'phrasing' },
  { character: '%', after: '%', inConstruct: 'phrasing' },
  // The name of an emoji, a definition, a box.
  { character: ':', after: '(?=[\\w+-]+:)', inConstruct: 'phrasing' },
  { character: ':', atBreak: true },
  { character: '!', after: '!!', atBreak: true },
  { character: '?', after: '\\?\\?', atBreak: true },
];

/** For `mdast-util-to-markdown`. */
export const writingOptions: Options = {
  bullet: '-',
  rule: '-',
  listItemIndent: 'one',
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  unsafe: wikiMarks,
};
