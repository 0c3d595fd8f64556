/** Serializes a Markdown tree: GitHub's constructs and definition lists, with all further marks of the wiki escaped. */
import type { BlockContent, DefinitionContent, Parents, PhrasingContent, Root } from 'mdast';
import { defaultHandlers, type Handle, type Info, type State, toMarkdown } from 'mdast-util-to-markdown';
import { writeHtml, writingOptions } from '../writing.ts';

/** A term, or its definition: a line of its own, then `:` with its blocks. */
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

export function writeMarkdown(root: Root): string {
  return toMarkdown(root, {
    ...writingOptions,
    handlers: { html: writeHtml, definitionList } as Record<string, Handle>,
  });
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
