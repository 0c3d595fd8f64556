/**
 * Parses Markdown to the same tree as wikitext, so that references, permissions, listings and HTML need one implementation.
 * Every text is a valid page: nothing here throws, and what is not markup is text.
 */
import { limits, type Node, type ParseOptions, type Tree } from '@coppice/wikitext';
import { type Context, createContext, exceed } from '@coppice/wikitext/build';
import { blocksOf } from './blocks.ts';
import { readFrontMatter, withoutFacts } from './front-matter.ts';
import { assignHeadingIds } from './heading-ids.ts';
import { type Addresses, wikiAddresses } from './links.ts';
import { onlyLine } from './nodes.ts';
import { createParser } from './parser.ts';
import { Lines } from './positions.ts';
import type { CountedParts } from './rules/part-limit.ts';
import { setAside } from './spans.ts';

export { afterFacts, readFrontMatter } from './front-matter.ts';
export { type LinkPlace, linkPlaces } from './link-places.ts';
export type { Addresses } from './links.ts';
export { commonMarkHtml } from './plain-html.ts';
export { callSpansIn, callsIn, codeIn, guardCode, withoutGuards } from './spans.ts';

/** How `parseMarkdown` reads a source. Everything is optional. */
export type MarkdownOptions = Omit<ParseOptions, 'expanded' | 'markdown'> & {
  /** Wikitext for each call that `callsIn` returned, in the same order. Without it, calls become nodes of the tree. */
  calls?: readonly string[] | undefined;
  /** Resolves the targets of links and pictures. Defaults to pages and files of the wiki. */
  addresses?: Addresses;
};

const parser = createParser();
const plainParser = createParser({ isPlain: true });

/**
 * Returns the tree of a page, with offsets into `source`. Any text is valid: this never throws, and text that is not markup stays text.
 * Takes linear time, within `limits` of `@coppice/wikitext`; notices of the tree say which one the page exceeds.
 */
export function parseMarkdown(source: string, options: MarkdownOptions = {}): Tree {
  const { calls, addresses = wikiAddresses, ...others } = options;
  const clean = source.includes('\0') ? source.replaceAll('\0', '\uFFFD') : source;
  const context = createContext(clean, { ...others, expanded: calls !== undefined, markdown: readPart });
  const facts = addresses.isPlain ? undefined : readFrontMatter(clean);
  const shown = withoutFacts(clean.startsWith('\uFEFF') ? ` ${clean.slice(1)}` : clean, facts?.end ?? 0);
  const children = [...(facts?.markers ?? []), ...compose(shown, context, addresses, calls)];
  if (addresses.isPlain) context.switches.add('notoc');
  else assignHeadingIds(context.headings);
  return {
    source,
    path: options.path,
    children,
    headings: context.headings,
    switches: [...context.switches],
    redirect: undefined,
    notices: [...context.notices],
    excess: context.excess,
    followsPath: context.followsPath,
    rules: context.rules,
    keepsSpaces: true,
    description: facts?.description,
  };
}

/** Parses Markdown that a template produced within a page in wikitext. A single paragraph is treated as inline content. */
export function readPart(text: string, context: Context): Node[] {
  return onlyLine(compose(text, context, wikiAddresses, []));
}

function compose(
  source: string,
  context: Context,
  addresses: Addresses,
  calls: readonly string[] | undefined,
): Node[] {
  const { text, spans } = addresses.isPlain ? { text: source, spans: [] } : setAside(source);
  const counted: CountedParts = { parts: context.nodes };
  const tokens = (addresses.isPlain ? plainParser : parser).parse(text, counted);
  if (counted.parts > limits.nodes) exceed(context, limits.nodes, 'parts', 'without its markup');
  const callSpans = spans.flatMap(({ kind }, index) => (kind === 'call' ? [index] : []));
  return blocksOf(tokens, {
    context,
    source: {
      text: source,
      spans,
      calls: calls && new Map(callSpans.map((span, index) => [span, calls[index] ?? ''])),
      lines: new Lines(text),
    },
    addresses,
    notes: { texts: new Map(), onPage: new Set(), inNotes: new Set() },
    isNote: false,
  });
}
