/** HTML of documents of word processors: notes, links within the document, and what is left out. */
import { markdownFromHtml } from '@coppice/markdown/from-html';
import type { Element, ElementContent, Root } from 'hast';
import { Problem } from '#core/model/problem.ts';
import { all, htmlToMarkdown, textOf } from '../documents/html.ts';
import type { Unpacking } from './unpacked-tree.ts';

const isHeading = /^h[1-6]$/;
/** Links to notes and back, as mammoth writes them; the reader of .odt writes the same. */
const ofNote = /^#((?:foot|end)note-(?!ref-).{1,100})$/;

/** `name`: of the file, without its ending. `missed`: elements of the document that are not in its HTML. */
export async function addDocument(
  html: string,
  { path, name, missed }: { path: string; name: string; missed: Iterable<string> },
  to: Unpacking,
): Promise<void> {
  const { text, shown } = htmlToMarkdown(`<body>${html}</body>`, (root) => {
    withLinkedPlaces(root);
    withNotes(root);
    return undefined;
  });
  const elements = [...new Set(missed)];
  if (elements.length > 0)
    to.leftOut.push({ source: path, why: `the content of its elements ${elements.join(', ')}` });
  const hasTitle = /^# \S/m.test(text.slice(0, 20_000));
  await to.addPage(path, hasTitle ? {} : { title: name }, text, { shown });
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Headings get the name by which links find them; other places keep it as an element without words. */
function withLinkedPlaces(root: Root): void {
  const links = all(root, ({ tagName, properties }) => tagName === 'a' && hrefOf(properties).startsWith('#'));
  const wanted = new Set(links.map(({ properties }) => hrefOf(properties).slice(1)));
  // OpenDocument leads to headings by their words, too.
  const outlines = Map.groupBy(wanted, (one) => /^(?:[\d.]+ ?)?(.*)\|outline$/.exec(one)?.[1]);
  const idOf = new Map<string, string>();
  const headings = all(root, ({ tagName }) => isHeading.test(tagName));
  for (const heading of headings) {
    const places = all(heading, ({ properties }) => wanted.has(String(properties.id)));
    const ids = places.map(({ properties }) => String(properties.id));
    const outline = outlines.get(textOf(heading).trim()) ?? [];
    const own = ids[0] ?? (outline.length > 0 ? outline[0]?.replace(/\|outline$/, '') : undefined);
    if (own === undefined) continue;
    for (const place of places) delete place.properties.id;
    heading.properties.id = own.replace(/[^\p{L}\p{N}_.-]+/gu, '-');
    for (const one of [...ids, ...outline]) idOf.set(one, String(heading.properties.id));
  }
  for (const place of all(
    root,
    ({ tagName, properties }) => tagName === 'a' && wanted.has(String(properties.id)),
  )) {
    const id = String(place.properties.id);
    if (isOfNote(id) || !/^[\w.-]{1,200}$/.test(id) || textOf(place) !== '') continue;
    Object.assign(place, raw(`<span id="${id}"></span>`));
  }
  // Places that nothing leads to are no links.
  for (const place of all(
    root,
    ({ tagName, properties }) => tagName === 'a' && properties.href === undefined,
  ))
    place.tagName = 'span';
  for (const { properties } of links) {
    const id = idOf.get(hrefOf(properties).slice(1));
    if (id !== undefined) properties.href = `#${id}`;
  }
}

/** Notes become those of Markdown, in the order of their references. */
function withNotes(root: Root): void {
  const numbers = new Map<string, number>();
  for (const reference of all(root, ({ tagName }) => tagName === 'sup')) {
    const [link] = reference.children;
    const id = link?.type === 'element' ? ofNote.exec(hrefOf(link.properties))?.[1] : undefined;
    if (id === undefined || reference.children.length > 1) continue;
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    Object.assign(reference, raw(`[^${number}]`));
  }
  const notes: Element[] = [];
  const definitions: string[] = [];
  for (const list of all(root, ({ tagName }) => tagName === 'ol')) {
    const kept = list.children.filter((item) => {
      const number = item.type === 'element' ? numbers.get(String(item.properties.id)) : undefined;
      if (item.type !== 'element' || number === undefined) return true;
      for (const block of all(item, ({ tagName }) => tagName === 'p'))
        block.children = block.children.filter((child) => child.type !== 'element' || !isBack(child));
      const { markdown } = markdownFromHtml({ type: 'root', children: structuredClone(item.children) });
      definitions.push(`[^${number}]: ${markdown.replace(/\n(?=.)/g, '\n    ')}\n`);
      notes.push(item);
      return false;
    });
    if (kept.length === list.children.length) continue;
    list.children = kept;
    if (kept.every((child) => child.type === 'text')) Object.assign(list, { tagName: 'div', children: [] });
  }
  const list: Element = {
    type: 'element',
    tagName: 'ol',
    properties: { className: ['references'] },
    children: notes,
  };
  const body = all(root, ({ tagName }) => tagName === 'body')[0];
  if (notes.length > 0) body?.children.push(raw(definitions.join('\n'), [list]));
}

function isBack({ tagName, properties }: Element): boolean {
  return tagName === 'a' && /^#(?:foot|end)note-ref-/.test(hrefOf(properties));
}

function isOfNote(id: string): boolean {
  return /^(?:foot|end)note-/.test(id);
}

function hrefOf({ href }: Element['properties']): string {
  return typeof href === 'string' ? href : '';
}

/** Markdown that is written unchanged. `shown`: the elements that it stands for. */
function raw(value: string, shown: ElementContent[] = []): Element {
  return { type: 'element', tagName: 'x-raw', properties: { value }, children: shown };
}

/** Refuses `invalid` for damaged documents. */
export async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The document is damaged: ${(error as Error).message.replace(/\.$/, '')}.`, {
      cause: error,
    });
  }
}
