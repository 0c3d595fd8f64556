/**
 * HTML → Markdown, for everything that has HTML: imported documents, other wikis' pages, and what people paste. The tree may
 * hold two elements that HTML does not have: `x-raw`, whose text (or property `value`, if white space matters) is Markdown and
 * is written unchanged, and `x-formula` (property `display`), whose text is TeX; `withFormulas` makes the latter.
 */
import type { Element, Root } from 'hast';
import { toMdast } from 'hast-util-to-mdast';
import type { Heading, Html, Root as MarkdownRoot, PhrasingContent, RootContent } from 'mdast';
import { type Handle, toMarkdown } from 'mdast-util-to-markdown';
import { writeHtml, writingOptions } from '../writing.ts';
import { isElement, textOf } from './elements.ts';
import { withoutRepeatedEmphasis } from './emphasis.ts';
import { withShortRuns } from './empty-runs.ts';
import { withItemsInLists } from './lists.ts';
import { withNamedPlaces } from './named-places.ts';
import { type FlattenedCell, table } from './table.ts';

export { isBlockNamed } from './elements.ts';
export { texFrom, withFormulas } from './formulas.ts';

/** Markdown, and the table cells whose blocks had to become lines of text. */
export interface WrittenMarkdown {
  markdown: string;
  flattened: FlattenedCell[];
}

/** Raw Markdown that is a block of its own. */
const rawBlock = /\n|^(?:\[TOC\]|\{\{|\$\$|>|#|```)/;
/** Elements without Markdown marks that keep their tags. */
const tagged = ['sub', 'sup', 'u', 'kbd', 'mark', 'ins', 'ruby', 'rt', 'rp', 'small'];

/** Modifies the tree. */
export function markdownFromHtml(root: Root): WrittenMarkdown {
  withShortRuns(root);
  withoutRepeatedEmphasis(root);
  withItemsInLists(root);
  withNamedPlaces(root);
  const flattened: FlattenedCell[] = [];
  type HandlerState = { all(node: Element): unknown; toFlow(nodes: unknown): RootContent[] };
  const heading = (state: HandlerState, node: Element): Heading => {
    const { id } = node.properties;
    const isUsable = typeof id === 'string' && /^[^\s{}]{1,200}$/.test(id);
    const children = state.all(node) as PhrasingContent[];
    return {
      type: 'heading',
      depth: Number(node.tagName[1]) as Heading['depth'],
      children: isUsable ? [...children, html(` {#${id}}`)] : children,
    };
  };
  const handlers = {
    'x-raw': (_: unknown, node: Element) => {
      const value = String(node.properties.value ?? textOf(node));
      return rawBlock.test(value) ? html(value) : inline(value);
    },
    'x-formula': (_: unknown, node: Element) =>
      node.properties.display ? html(formula(node)) : inline(formula(node)),
    table: (state: HandlerState, node: Element) =>
      table(
        node,
        {
          phrasing: (cell) => state.all(cell) as PhrasingContent[],
          blocks: (block) => state.toFlow(state.all(block)),
        },
        flattened,
      ),
    'x-place': (_: unknown, node: Element) => inline(`<span id="${attribute(node.properties.id)}"></span>`),
    img: (_: unknown, { properties }: Element) => {
      const { src, alt, title } = properties;
      const sizes = ['width', 'height'].flatMap((side) => {
        const inStyle = new RegExp(`(?:^|;)\\s*${side}\\s*:\\s*(\\d{1,5})px`).exec(
          String(properties.style ?? ''),
        )?.[1];
        const pixels = /^\d{1,5}(?=(?:px)?$)/.exec(String(properties[side] ?? ''))?.[0] ?? inStyle;
        return pixels === undefined ? [] : [`${side}=${pixels}`];
      });
      const image = {
        type: 'image',
        url: String(src ?? ''),
        alt: String(alt ?? ''),
        title: title ? String(title) : null,
      };
      return sizes.length === 0 ? image : [image, inline(`{${sizes.join(' ')}}`)];
    },
    abbr: (state: HandlerState, node: Element) => {
      const { title } = node.properties;
      const inner = state.all(node) as PhrasingContent[];
      return title ? [inline(`<abbr title="${attribute(title)}">`), ...inner, inline('</abbr>')] : inner;
    },
    ...Object.fromEntries(['video', 'audio'].map((name) => [name, fileLink])),
    // A box in an item of a list is read with the item.
    input: (_: unknown, { properties }: Element) =>
      properties.type === 'checkbox' ? { type: 'text', value: properties.checked ? '☑' : '☐' } : undefined,
    // A film of another site in the editor of Wiki.js.
    oembed: (_: unknown, { properties }: Element) => {
      const url = String(properties.url ?? '');
      return url === '' ? undefined : { type: 'link', url, children: [{ type: 'text', value: url }] };
    },
    details: (state: HandlerState, node: Element) => {
      const summary = node.children.find((child) => isElement(child, 'summary'));
      const inside = { ...node, children: node.children.filter((child) => child !== summary) };
      return [
        html(`<details>\n<summary>${plain(textOf(summary).trim())}</summary>`),
        ...state.toFlow(state.all(inside)),
        html('</details>'),
      ];
    },
    ...Object.fromEntries(
      tagged.map((name) => [
        name,
        (state: HandlerState, node: Element) => [
          inline(`<${name}>`),
          ...(state.all(node) as PhrasingContent[]),
          inline(`</${name}>`),
        ],
      ]),
    ),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((depth) => [`h${depth}`, heading])),
  };
  const tree = toMdast(root, { handlers } as Parameters<typeof toMdast>[1]) as MarkdownRoot;
  const markdown = toMarkdown(tree, {
    ...writingOptions,
    resourceLink: true,
    handlers: { html: writeHtml, inlineMath: writeHtml } as Record<string, Handle>,
  });
  return { markdown: markdown.trim(), flattened };
}

/** A film or sound as a link to its file. */
function fileLink(_: unknown, node: Element): PhrasingContent | undefined {
  const source = node.children.find((child) => isElement(child, 'source'));
  const url = node.properties.src ?? (source?.type === 'element' ? source.properties.src : undefined);
  if (typeof url !== 'string') return undefined;
  const name =
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) || url;
  return { type: 'link', url, children: [{ type: 'text', value: name }] };
}

function attribute(value: unknown): string {
  return String(value).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** TeX between dollar signs; a dollar sign within it is escaped. */
function formula(node: Element): string {
  const tex = textOf(node)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\\)\$/g, '\\$');
  const mark = node.properties.display ? '$$' : '$';
  return `${mark}${tex}${mark}`;
}

/** Markdown is not read in the line of a summary. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * Raw Markdown within words. A node of HTML would count as a block of its own in a list item or a quote; this kind, which the
 * converter takes for a formula, stays with the words around it.
 */
function inline(value: string): PhrasingContent {
  return { type: 'inlineMath', value } as unknown as PhrasingContent;
}

function html(value: string): Html {
  return { type: 'html', value };
}
