/** A tree of Markdown as text: GitHub's constructs, definition lists, and everything escaped that pages know beyond them. */
import type { BlockContent, DefinitionContent, Html, Parents, PhrasingContent, Root } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import {
  defaultHandlers,
  type Handle,
  type Info,
  type State,
  toMarkdown,
  type Unsafe,
} from 'mdast-util-to-markdown';

/** A term, or what is said of it: a line of its own, and `:` with its blocks. */
export type DefinitionList = {
  type: 'definitionList';
  children: (
    | { type: 'paragraph'; children: PhrasingContent[] }
    | { type: 'definitionDescription'; children: (BlockContent | DefinitionContent)[] }
  )[];
};

declare module 'mdast' {
  interface RootContentMap {
    definitionList: DefinitionList;
  }
  interface BlockContentMap {
    definitionList: DefinitionList;
  }
}

/** Marks that pages know beyond GitHub's. `[[` and `[^` have their brackets escaped as every link has. */
export const wikiMarks: Unsafe[] = [
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

export function writeMarkdown(root: Root): string {
  return toMarkdown(root, {
    bullet: '-',
    rule: '-',
    emphasis: '*',
    fences: true,
    listItemIndent: 'one',
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    unsafe: wikiMarks,
    handlers: { html, definitionList } as Record<string, Handle>,
  });
}

/** In a cell, every pipe is escaped, also in what is neither text nor code. */
function html(node: Html, _: Parents | undefined, state: State): string {
  const { value } = node;
  return state.stack.includes('tableCell') ? value.replace(/\n/g, ' ').replaceAll('|', '\\|') : value;
}

function definitionList(node: DefinitionList, _: Parents | undefined, state: State, info: Info): string {
  const parts = node.children.map((child) => {
    if (child.type === 'paragraph')
      return { isTerm: true, text: defaultHandlers.paragraph(child, undefined, state, info) };
    const inside = state.containerFlow(child as never, info);
    const text = state.indentLines(inside, (line, index, isBlank) =>
      index === 0 ? `: ${line}` : isBlank ? '' : `  ${line}`,
    );
    return { isTerm: false, text };
  });
  let text = '';
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (before) text += part.isTerm && !before.isTerm ? '\n\n' : '\n';
    text += part.text;
  }
  return text;
}
