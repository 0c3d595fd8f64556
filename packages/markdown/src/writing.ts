/** Options for serializing Markdown: GitHub's constructs, with all further marks of the wiki escaped. */
import type { Html, Parents } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import type { Options, State, Unsafe } from 'mdast-util-to-markdown';

/** Marks beyond GitHub's that the wiki recognises. The brackets of `[[` and `[^` are escaped like those of any link. */
const wikiMarks: Unsafe[] = [
  { character: '{', before: '(?<=\\{)', inConstruct: 'phrasing' },
  { character: '{', after: '#', inConstruct: 'phrasing' },
  { character: '$', inConstruct: 'phrasing' },
  { character: '^', inConstruct: 'phrasing' },
  { character: '=', after: '=', inConstruct: 'phrasing' },
  { character: '%', after: '%', inConstruct: 'phrasing' },
  // Begins the name of an emoji, a definition, or a box.
  { character: ':', after: '(?=[\\w+-]+:)', inConstruct: 'phrasing' },
  { character: ':', atBreak: true },
  { character: '!', after: '!!', atBreak: true },
  { character: '?', after: '\\?\\?', atBreak: true },
];

/** Options of `mdast-util-to-markdown`. */
export const writingOptions: Options = {
  bullet: '-',
  rule: '-',
  listItemIndent: 'one',
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  unsafe: wikiMarks,
};

/** Handler of HTML: in a table cell every pipe is escaped. */
export function writeHtml(node: Html, _: Parents | undefined, state: State): string {
  const { value } = node;
  return state.stack.includes('tableCell') ? value.replace(/\n/g, ' ').replaceAll('|', '\\|') : value;
}
