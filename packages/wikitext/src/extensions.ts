/**
 * Tags whose inside is read by rules of its own.
 *
 *   <nowiki>''plain''</nowiki>     <pre>as it is</pre>     <syntaxhighlight lang="js">…</syntaxhighlight>
 *   <math>x^2</math> <ce>H2O</ce>  <ref name="a">note</ref> <references/>      <gallery>…</gallery>      <poem>…</poem>
 */
import { isBlockNode } from './blocks/block-node.ts';
import type { Context } from './context.ts';
import { decodeEntities } from './entities.ts';
import { galleryChildren } from './gallery.ts';
import { limits } from './limits.ts';
import { placeAt } from './place-at.ts';
import type { ExtensionPlace, Reader } from './reader.ts';
import type { Attributes, ExtensionNode, Node } from './tree.ts';

export function extensionNode(
  reader: Reader,
  name: string,
  attributes: Attributes,
  written: string | undefined,
  at: ExtensionPlace,
): Node | undefined {
  const kind = reader.context.rules.tags?.get(name);
  // `<section begin=x/>` says where a part of the page begins that others take.
  if (name === 'section') return undefined;
  if (kind === 'missing' || kind === 'silent') return unsupportedNode(`<${name}>`, kind === 'silent', at);
  const body = written === undefined ? undefined : showNested(written);
  const node: ExtensionNode = {
    type: 'extension',
    name: name === 'source' ? 'syntaxhighlight' : name,
    attributes,
    body,
    children: undefined,
    start: at.start,
    end: at.end,
  };
  if (kind === 'block') node.isBlock = true;
  if (name === 'ref') {
    reader.context.openNotes.add(attributes.group ?? '');
    if (attributes.details) {
      node.details = reader.text(attributes.details, at.start, 'inline');
      // The parsed text differs from the source.
      placeAt(node.details, at.start, at.end);
    }
  }
  if (name === 'references') return notesNode(reader, node, at);
  if (body === undefined) return node;
  if (kind === 'chemistry') {
    node.name = 'math';
    node.body = `\\ce{${body}}`;
  }
  switch (node.name) {
    case 'pre':
      node.body = decodeEntities(withoutNowiki(body));
      break;
    case 'ref':
      node.children = reader.text(body, at.body, holdsBlocks(body) ? 'item' : 'inline');
      break;
    case 'gallery':
      node.children = galleryChildren(reader, attributes, body, at);
      break;
    case 'poem':
      node.children = reader.text(poemText(body), at.body, 'page');
      // The parsed text differs from the source.
      placeAt(node.children, at.start, at.end);
      break;
    case 'markdown':
      node.children = readMarkdown(reader.context, body, at);
      node.attributes = node.children.some(isBlockNode) ? { display: 'block' } : {};
      break;
  }
  return node;
}

/** A tag that the engine knows by name only: what it holds is for a program, not for readers. */
function unsupportedNode(name: string, isSilent: boolean, { start, end }: ExtensionPlace): ExtensionNode {
  const attributes: Attributes = isSilent ? { name, silent: '' } : { name };
  return {
    type: 'extension',
    name: 'unsupported',
    attributes,
    body: undefined,
    children: undefined,
    start,
    end,
  };
}

/** `<markdown>`: what a template in Markdown stands in. Its offsets are those of the tag, as its text is made by `expand`. */
function readMarkdown(context: Context, body: string, at: ExtensionPlace): Node[] {
  if (!context.markdown || context.fragmentDepth >= limits.fragmentDepth)
    return [{ type: 'text', value: body, start: at.start, end: at.end }];
  context.fragmentDepth++;
  const nodes = context.markdown(body, context);
  context.fragmentDepth--;
  placeAt(nodes, at.start, at.end);
  return nodes;
}

/** `<references>`; where there is nothing to list, it is as if it were not there. */
function notesNode(reader: Reader, node: ExtensionNode, at: ExtensionPlace): Node | undefined {
  const { context } = reader;
  const { openNotes } = context;
  const group = node.attributes.group ?? '';
  // Before templates are expanded, nobody knows what notes there are.
  if (node.body === undefined && context.isExpanded && !openNotes.has(group)) return undefined;
  openNotes.delete(group);
  if (node.body === undefined) return node;
  // Notes written within belong to this list.
  context.openNotes = new Set();
  node.children = reader.text(node.body, at.body, 'inline');
  context.openNotes = openNotes;
  return node;
}

// `expand` hides the end tags of extensions within extensions, so that the first one in sight is the outer one's.
// A hidden one is U+0001, how often it is hidden, and the slash.
const hidden = /<\/|\u0001(\d{1,3})\//g;

/** Hides end tags in `body`, to be undone once by whoever reads it. */
export function hideNested(body: string): string {
  if (!body.includes('</') && !body.includes('\u0001')) return body;
  return body.replace(
    hidden,
    (_all, level: string | undefined) => `\u0001${level === undefined ? 1 : Number(level) + 1}/`,
  );
}

function showNested(body: string): string {
  if (!body.includes('\u0001')) return body;
  return body.replace(hidden, (all, level: string | undefined) => {
    if (level === undefined) return all;
    return Number(level) > 1 ? `\u0001${Number(level) - 1}/` : '</';
  });
}

/** Whether lines of a note could be lists, tables or headings. */
function holdsBlocks(body: string): boolean {
  return /\n[ \t]*(?:[*#:;]|\{\||=|----)/.test(body);
}

function withoutNowiki(body: string): string {
  const open = '<nowiki>';
  let out = '';
  let from = 0;
  for (let at = body.indexOf(open); at >= 0; at = body.indexOf(open, from)) {
    const close = body.indexOf('</nowiki>', at);
    if (close < 0) break;
    out += body.slice(from, at) + body.slice(at + open.length, close);
    from = close + open.length + 1;
  }
  return out + body.slice(from);
}

/** Lines of a poem stay lines; what indents them is space, not a list or code. */
function poemText(body: string): string {
  return body
    .replace(/^\n|\n$/g, '')
    .replace(/^ +/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .replace(
      /^(:+)(.+)$/gm,
      (_all, colons: string, line: string) =>
        `<span class="mw-poem-indented" style="display: inline-block; margin-inline-start: ${colons.length}em;">${line}</span>`,
    )
    .replaceAll('\n', '<br>\n');
}
