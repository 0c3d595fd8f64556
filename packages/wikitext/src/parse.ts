/**
 * Parses source to a tree. This file runs the passes; the language itself is defined elsewhere:
 *
 *   scan      what hides its inside (comments, nowiki, templates)      scan.ts
 *   prepare   tags and hidden things become marks                      prepare.ts
 *   lines     tables, headings, rules                                  blocks/line-start.ts
 *   inline    links, emphasis, addresses, line by line                 constructs.ts, inlines/
 *   blocks    lists and paragraphs, as each line ends                  blocks/paragraph.ts
 *   build     tags in any order become a tree                          builder.ts, blocks/wrap.ts
 */
import { markLineStarts } from './blocks/line-start.ts';
import { Paragraphs } from './blocks/paragraph.ts';
import { Builder } from './builder.ts';
import { constructs } from './constructs.ts';
import type { ParseOptions } from './context.ts';
import { type Context, createContext, isLate } from './context.ts';
import { allOf, type Element, type Fragment, type FragmentRange, firstFrom } from './elements.ts';
import { decodeEntities } from './entities.ts';
import { extensionNode, readExtension } from './extension-node.ts';
import type { ExtensionTag, ReadNodes } from './extensions/extension.ts';
import { assignIds } from './headings.ts';
import { type Construct, type Constructs, Inline } from './inlines/inline.ts';
import { markerCuts } from './inlines/link.ts';
import { limits } from './limits.ts';
import type { Rules } from './options.ts';
import type { Tree } from './parsed-page.ts';
import { type Insides, prepare } from './prepare.ts';
import { effect } from './prepared.ts';
import type { Reader, TextKind } from './reader.ts';
import { readRedirect } from './redirect.ts';
import { scan } from './scan.ts';
import { templateNode } from './template.ts';
import { leafToken, type Token } from './token.ts';
import type { Node } from './tree.ts';

const plainTable = tableOf(constructs);
const tables = new WeakMap<Rules, Constructs>();

function tableOf(map: Readonly<Record<string, Construct>>): Constructs {
  const byCode: (Construct | undefined)[] = new Array(128).fill(undefined);
  const starts = new Uint8Array(128);
  for (const [character, construct] of Object.entries(map)) {
    byCode[character.charCodeAt(0)] = construct;
    starts[character.charCodeAt(0)] = 1;
  }
  return { byCode, starts, cuts: markerCuts };
}

function tableFor(context: Context): Constructs {
  const { rules } = context;
  if (!rules.letters) return plainTable;
  let table = tables.get(rules);
  if (!table) {
    table = tableOf({ ...constructs, ...rules.letters });
    tables.set(rules, table);
  }
  return table;
}

/** Returns the tree of a page. Any text is valid: this never throws, and text that is not markup stays text. */
export function parse(source: string, options: ParseOptions = {}): Tree {
  const clean = source.includes('\0') ? source.replaceAll('\0', '\uFFFD') : source;
  const context = createContext(clean, options);
  const redirect = readRedirect(clean, context.rules, context.path);
  context.redirect = redirect?.link;
  const children = readPage(context, clean, redirect);
  assignIds(context.headings);
  return {
    source,
    path: options.path,
    children,
    headings: context.headings,
    switches: [...context.switches],
    redirect: context.redirect,
    notices: [...context.notices],
    excess: context.excess,
    followsPath: context.followsPath,
    rules: context.rules,
  };
}

function scanText(context: Context, text: string): Element[] {
  const { isExpanded, rules } = context;
  const { hasLooseNotes, strictCalls, tags } = rules;
  return scan(text, {
    isIncluded: false,
    hasTemplates: !isExpanded,
    isExpanded,
    hasLooseNotes,
    strictCalls,
    tags,
  });
}

function readPage(
  context: Context,
  text: string,
  redirect: { start: number; end: number } | undefined,
): Node[] {
  const elements = scanText(context, text);
  const fragment = { text, elements, base: 0 };
  if (!redirect) return readRange(context, fragment, 'page');
  const { start, end } = redirect;
  const range = (from: number, to: number): FragmentRange => ({
    start: from,
    end: to,
    first: firstFrom(elements, from),
  });
  const link = readRange(context, fragment, 'inline', range(start, end));
  const rest = readRange(context, fragment, 'page', range(end, text.length));
  return [
    { type: 'element', name: 'p', attributes: { class: 'redirect' }, children: link, start: 0, end },
    ...rest,
  ];
}

/** Parses a text that begins at `base` in the page's source. */
export function readText(context: Context, text: string, base: number, kind: TextKind): Node[] {
  if (context.fragmentDepth >= limits.fragmentDepth) {
    context.notices.add(`References and other parts are nested more than ${limits.fragmentDepth} deep.`);
    return [{ type: 'text', value: text, start: base, end: base + text.length }];
  }
  if (isLate(context)) return [{ type: 'text', value: text, start: base, end: base + text.length }];
  context.fragmentDepth++;
  const fragment = { text, elements: scanText(context, text), base };
  const nodes = readRange(context, fragment, kind);
  context.fragmentDepth--;
  return nodes;
}

function readRange(
  context: Context,
  fragment: Fragment,
  kind: TextKind,
  range: FragmentRange = allOf(fragment),
): Node[] {
  const { start: from, end: to } = range;
  if (kind === 'inline' && !context.rules.letters) {
    const part = fragment.text.slice(from, to);
    if (part === '') return [];
    if (plainPart.test(part)) {
      const start = fragment.base + from;
      return [{ type: 'text', value: decodeEntities(part), start, end: fragment.base + to }];
    }
  }
  const prepared = markLineStarts(
    context,
    prepare(context, fragment, range, new FragmentReader(context, fragment)),
    kind === 'item',
  );
  // The builder reads behind the scanner. Each gets its own copy of `prepared`, whose cached last position speeds up lookups.
  const builder = new Builder(context, { ...prepared }, kind === 'page' ? 'page' : 'quotes');
  if (kind === 'inline') {
    const scanner: Inline = new Inline(context, prepared, tableFor(context), noLine);
    for (const token of scanner.nested(0, prepared.text.length, inLine)) builder.token(token);
  } else {
    const isWhole = context.fragmentDepth === 0 && to === fragment.text.length;
    const rest = () => (isWhole ? unlistedNotes(context, to) : []);
    const paragraphs = new Paragraphs(context, { builder, prepared, inItem: kind === 'item', rest });
    new Inline(context, prepared, tableFor(context), (line) => paragraphs.line(line)).run();
  }
  return builder.finish(fragment.base + to);
}

/** Returns tokens for notes that the page does not list. They follow its text as if `<references/>` stood there. */
function unlistedNotes(context: Context, at: number): Token[] {
  // Unexpanded templates may contain more notes.
  if (!context.isExpanded) return [];
  return [...context.openNotes.keys()].map((group) => {
    const name = group === '' ? 'references' : 'unlisted';
    const node = extensionNode({ name, attributes: { group } }, { start: at, end: at });
    return leafToken(node, group === '' ? effect.closesBlock : 0);
  });
}

/** Inline text without any construct, such as most arguments of calls and many notes. */
const plainPart = /^(?!=|----)[^\0\r\n<{['_:]+$/;
const inLine = Object.freeze({ inLink: false, inCaption: false, hasLines: false });
const noLine = () => {};

/** Parses the contents of the elements of a fragment. */
class FragmentReader implements Reader, Insides {
  readonly context: Context;
  readonly #fragment: Fragment;

  constructor(context: Context, fragment: Fragment) {
    this.context = context;
    this.#fragment = fragment;
  }

  text(text: string, base: number, kind: TextKind): Node[] {
    return readText(this.context, text, base, kind);
  }

  range(start: number, end: number, first: number): Node[] {
    return readArgument(this.context, this.#fragment, { start, end, first });
  }

  inline(text: string, base: number): Inline {
    return inlineOf(this.context, text, base);
  }

  extension(tag: ExtensionTag, element: Element): ReadNodes {
    const { base } = this.#fragment;
    return readExtension(this, tag, {
      start: base + element.start,
      end: base + element.end,
      body: base + Math.max(element.bodyStart, 0),
    });
  }

  template(element: Element, index: number): Node {
    return templateNode(this, this.#fragment, element, index);
  }
}

function readArgument(context: Context, fragment: Fragment, range: FragmentRange): Node[] {
  if (context.depth >= limits.nesting) {
    context.notices.add(`Template calls are nested more than ${limits.nesting} deep.`);
    return [];
  }
  context.depth++;
  const nodes = readRange(context, fragment, 'inline', range);
  context.depth--;
  return nodes;
}

/** Creates a scanner for a separate text, such as a line of a gallery. */
function inlineOf(context: Context, text: string, base: number): Inline {
  const elements = scanText(context, text);
  const fragment = { text, elements, base };
  const plain: Insides = {
    extension: (tag, { start, end }) => extensionNode(tag, { start: base + start, end: base + end }),
    template: (element) => ({
      type: 'text',
      value: text.slice(element.start, element.end),
      start: base + element.start,
      end: base + element.end,
    }),
  };
  return new Inline(context, prepare(context, fragment, allOf(fragment), plain), tableFor(context), noLine);
}
