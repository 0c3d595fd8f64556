/**
 * Converts files: `<figure>` and `<span>` with `typeof="mw:File"` as MediaWiki and this renderer write them, bare `<img>`,
 * galleries.
 *
 *   <figure typeof="mw:File/Thumb" class="mw-halign-left">…   [[File:oak.jpg|thumb|left|An oak]]
 */
import { asWritten, attributesOf } from './elements.ts';
import { escapeAttribute } from './escape.ts';
import { trimmedRun } from './gap.ts';
import {
  findElement,
  type HtmlElement,
  type HtmlNode,
  hasClass,
  isElement,
  jsonOf,
  stringAt,
  textOf,
} from './html-tree.ts';
import { decoded, linkTo, titleOf } from './links.ts';
import type { Place, Writing } from './writing.ts';

/** Matches captions that would be parsed as an option. */
const isOption =
  /^\s*(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|baseline|sub|super|top|text-top|middle|bottom|text-bottom|upright(?:[ =].*)?|\d*(?:x\d+)?px|(?:alt|link|class|lang|page|thumb|thumbnail)=.*)\s*$/is;
const shown = new Set(['img', 'video', 'audio']);

/** Pixels of a picture in a gallery, and around it. */
const defaultSize = 120;
const boxPadding = 30;

const mediaType = /\bmw:(?:File|Image|Video|Audio)\b/;

/** Whether an element shows a file. */
export function isMedia(node: HtmlElement): boolean {
  return mediaType.test(node.attributes.typeof ?? '') || shown.has(node.name);
}

/** Whether a `<figure>` without a type holds one file of the wiki and nothing else but its caption. */
export function isPlainFigure(writer: Writing, node: HtmlElement): boolean {
  if (node.name !== 'figure' || attributesOf(node) !== '') return false;
  const { children } = withoutCaption(node);
  if (findElement(children, ({ name }) => name === 'figure')) return false;
  const picture = findElement(children, ({ name }) => shown.has(name));
  if (!picture || children.some((child) => textOf(child).trim() !== '')) return false;
  const other = findElement(children, (one) => one !== picture && shown.has(one.name));
  return !other && nameOf(writer, picture, node, false) !== undefined;
}

/** Writes `[[File:…]]` for an element that shows a file; its alternative text if the file has no name in the wiki. */
export function media(writer: Writing, node: HtmlElement, place: Place): void {
  const file = readFile(writer, node, place);
  if (file === undefined) {
    const alt = findElement([node], ({ name }) => name === 'img')?.attributes.alt;
    if (alt) writer.inline([{ type: 'text', value: alt }], place);
    return;
  }
  writer.out.put(`[[${file.join('|')}]]`);
}

/** Returns name, options and caption; undefined if the picture is not a file of the wiki. */
function readFile(
  writer: Writing,
  node: HtmlElement,
  place: Place,
  isInGallery = false,
): string[] | undefined {
  const picture = findElement(
    [node],
    (one) => shown.has(one.name) || one.attributes.resource !== undefined || hasClass(one, 'missing-file'),
  );
  if (!picture) return undefined;
  const name = nameOf(writer, picture, node, isInGallery);
  if (name === undefined) return undefined;
  const type = /\bmw:(?:File|Image|Video|Audio)(?:\/(\w+))?/.exec(node.attributes.typeof ?? '');
  const kind = type?.[1]?.toLowerCase();
  const options = new Map<string, string>();
  const description = jsonOf(node, 'data-mw');
  const manual = stringAt(description, 'thumb') ?? attribute(description, 'manualthumb');
  if (kind === 'thumb' || kind === 'frame' || kind === 'frameless')
    options.set('format', manual === undefined ? kind : `thumb=${manual}`);
  const align = /\bmw-halign-(left|right|center|none)\b/.exec(node.attributes.class ?? '')?.[1];
  const classes = (node.attributes.class ?? '')
    .split(/\s+/)
    .filter((name) => name !== '' && !/^(?:mw-|img-)/.test(name));
  const valign = /\bmw-valign-([\w-]+)/.exec(node.attributes.class ?? '')?.[1];
  if (align) options.set('align', align);
  if (valign) options.set('valign', valign);
  if (hasClass(node, 'mw-image-border')) options.set('border', 'border');
  const hasNoBox = type === null;
  if (!hasClass(node, 'mw-default-size') && kind !== 'frame' && !isInGallery && manual === undefined) {
    // Parsoid knows the proportions; in HTML that somebody wrote with its names, both numbers count.
    const isBoth = hasNoBox || /^\.\//.test(picture.attributes.src ?? '');
    const size = sizeOf(picture, isBoth);
    if (size !== undefined) options.set('size', size);
  }
  const link = linkOf(writer, node, picture, hasNoBox);
  if (link !== undefined) options.set('link', `link=${link}`);
  const caption = isInGallery && !type ? '' : captionOf(writer, node, description, place);
  const alt = attribute(description, 'alt') ?? picture.attributes.alt;
  const plain = caption.replace(/<[^<>]*>|'{2,}/g, '');
  if (alt !== undefined && alt !== '' && alt !== plain && alt !== name.replace(/^[^:]*:/, ''))
    options.set('alt', `alt=${optionText(alt)}`);
  if (picture.attributes.lang) options.set('lang', `lang=${picture.attributes.lang}`);
  if (type && classes.length > 0) options.set('class', `class=${optionText(classes.join(' '))}`);
  for (const more of ['page', 'thumbtime', 'start', 'end']) {
    const value = attribute(description, more);
    if (value !== undefined) options.set(more, `${more}=${value}`);
  }
  const written = optionsAsWritten(node, caption, options);
  if (written) return [name, ...written];
  const all = [...options.values()];
  if (caption !== '' && node.name === 'figure' && !type) all.unshift('thumb');
  if (caption !== '') all.push(isOption.test(caption) ? asCaption(caption) : caption);
  return [name, ...all];
}

/** Returns the options as Parsoid found them in the source; undefined if they have changed. */
function optionsAsWritten(
  node: HtmlElement,
  caption: string,
  options: Map<string, string>,
): string[] | undefined {
  const list = jsonOf(node, 'data-parsoid')?.optList;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const written = list.map((option) => stringAt(option, 'ak') ?? '');
  const known = new Set(list.map((option) => stringAt(option, 'ck') ?? ''));
  const hadCaption = known.has('caption');
  return hadCaption === (caption !== '') && (options.size === 0 || known.size >= options.size)
    ? written
    : undefined;
}

function attribute(description: unknown, name: string): string | undefined {
  const list = (description as { attribs?: unknown } | undefined)?.attribs;
  if (!Array.isArray(list)) return undefined;
  const found = list.find((entry) => Array.isArray(entry) && entry[0] === name);
  return found && stringAt(found[1], 'txt');
}

function nameOf(
  writer: Writing,
  picture: HtmlElement,
  node: HtmlElement,
  isInGallery: boolean,
): string | undefined {
  const { resource, src = '' } = picture.attributes;
  const own = writer.options.fileName?.(src, picture);
  if (own !== undefined) return `File:${own}`;
  if (resource !== undefined) {
    const written = asWritten(picture, 'resource');
    return written ?? titleOf(resource);
  }
  if (/^\.\/[^/]+:/.test(src)) return titleOf(src);
  // MediaWiki and this renderer end the address with the file name. Files of this wiki need no type.
  if (!isInGallery && !isOwnAddress(picture) && !/\bmw:(?:File|Image)/.test(node.attributes.typeof ?? ''))
    return undefined;
  // The name of a file that the wiki does not have stands in its place.
  const name = hasClass(picture, 'missing-file')
    ? textOf(picture).trim()
    : decoded((src.split(/[?#]/)[0] ?? '').split('/').pop() ?? '').replace(/^\d+px-/, '');
  return name === '' || /[[\]{}|<>\n]/.test(name) ? undefined : `File:${name}`;
}

/** Whether a picture is a file of this wiki, or one that lies beside the document, as in `oak.jpg` and `images/oak.jpg`. */
function isOwnAddress({ attributes: { src = '' } }: HtmlElement): boolean {
  return /^\/files\/[^/]/.test(src) || /^[^/\s:?#][^\n:?#]*\.[a-z]\w{1,4}(?:[?#]|$)/i.test(src);
}

function sizeOf(picture: HtmlElement, isBoth: boolean): string | undefined {
  const width = /^\d+$/.exec(picture.attributes.width ?? '')?.[0];
  const height = /^\d+$/.exec(picture.attributes.height ?? '')?.[0];
  if (isBoth && width && height) return `${width}x${height}px`;
  return width ? `${width}px` : height ? `x${height}px` : undefined;
}

/** Returns the target of the picture's link; undefined for its own page or file, empty for no link. */
function linkOf(
  writer: Writing,
  node: HtmlElement,
  picture: HtmlElement,
  hasNoBox: boolean,
): string | undefined {
  const anchor = findElement([node], ({ name }) => name === 'a');
  if (picture.name !== 'img') return undefined;
  // A picture of this wiki that somebody put there says nothing about a link.
  if (!anchor && isOwnAddress(picture) && !mediaType.test(node.attributes.typeof ?? '')) return undefined;
  const inCaption = anchor && !findElement([anchor], (one) => one === picture);
  if (!anchor || inCaption)
    return findElement([node], ({ name }) => name === 'a' || name === 'figcaption') && !inCaption && !hasNoBox
      ? undefined
      : '';
  const href = anchor.attributes.href;
  const written = asWritten(anchor, 'href');
  if (href === undefined) return '';
  const { resource, src = '' } = picture.attributes;
  const target = titleOf(href);
  if (
    resource !== undefined &&
    (target === titleOf(resource) || target.replace(/\?.*$/s, '') === titleOf(resource))
  )
    return undefined;
  if (href === src || href.includes('Special:FilePath/')) return undefined;
  if (written !== undefined) return written;
  if (/^(?:[a-z]+:|\/\/)/i.test(href)) return href.replaceAll('|', '%7C');
  const to = linkTo(anchor, writer.options);
  const own =
    writer.options.target?.(href, anchor) ??
    (/^\/new\?/.test(href) && to.kind === 'page' ? to.target : undefined);
  // The link leads to the file itself, in another size.
  const isOwnFile =
    resource === undefined &&
    own === undefined &&
    href.split('/').pop() ===
      src
        .split('/')
        .pop()
        ?.replace(/^\d+px-/, '');
  if (isOwnFile || (resource === undefined && own === undefined && /^\/files\//.test(href))) return undefined;
  return own ?? (href.startsWith('./') ? target.replaceAll(' ', '_') : decoded(href));
}

function captionOf(writer: Writing, node: HtmlElement, description: unknown, place: Place): string {
  const nodes = captionNodes(writer, node, description);
  const inside: Place = { ...place, inLink: 'file', isOneLine: true };
  return writer.out.capture(() => writer.inline(nodes, inside)).trim();
}

function captionNodes(writer: Writing, node: HtmlElement, description: unknown): readonly HtmlNode[] {
  const caption = node.children.find((child) => isElement(child, 'figcaption'));
  if (caption?.type === 'element') return withoutParagraph(trimmedRun(caption.children));
  const html = stringAt(description, 'caption');
  if (html !== undefined) return writer.read(html);
  const title = findElement(
    [node],
    ({ name, attributes }) => (name === 'a' || name === 'span') && attributes.title !== undefined,
  );
  return title?.attributes.title ? [{ type: 'text', value: title.attributes.title }] : [];
}

/** Escapes a caption that would be parsed as an option. */
function asCaption(caption: string): string {
  return caption.includes('<nowiki>') ? caption.replace('=', '&#61;') : `<nowiki>${caption}</nowiki>`;
}

function optionText(value: string): string {
  return value
    .replace(/[[\]{}|<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/'{2,}.*'{2,}|'{2,}/, (signs) => `<nowiki>${signs}</nowiki>`)
    .replace(/\s+/g, ' ');
}

/** Writes a `<gallery>` from the HTML of the renderer or of MediaWiki. */
export function gallery(writer: Writing, node: HtmlElement): void {
  const mode = /\bmw-gallery-([\w-]+)/.exec(node.attributes.class ?? '')?.[1];
  const more = (node.attributes.class ?? '').replace(/\bgallery\b(?!-)|\bmw-gallery-[\w-]+/g, '').trim();
  const caption = node.children.find((child) => isElement(child, 'li') && hasClass(child, 'gallerycaption'));
  const attributes = [
    mode && mode !== 'traditional' ? ` mode="${mode}"` : '',
    caption ? ` caption="${escapeAttribute(textOf(caption).trim())}"` : '',
    findElement([node], (one) => hasClass(one, 'galleryfilename')) ? ' showfilename="1"' : '',
    more === '' ? '' : ` class="${escapeAttribute(more)}"`,
    sizesOf(node, mode),
    attributesOf(node, 'class', 'style'),
  ];
  writer.out.put(`<gallery${attributes.join('')}>${galleryLines(writer, node) ?? '\n'}</gallery>`);
}

/** Attributes that the renderer turned into styles: of the boxes, and of rows with a number of them. */
function sizesOf(node: HtmlElement, mode: string | undefined): string {
  const isTraditional = mode === undefined || mode === 'traditional';
  const [width, height] = isTraditional ? boxSize(node) : [defaultSize, defaultSize];
  const [row = '', rowWidth] = /^max-width: ?(\d+)px; ?/.exec(node.attributes.style ?? '') ?? [];
  const perRow = Number(rowWidth ?? 0) / (width + (mode === 'nolines' ? 9 : 43));
  const style = (node.attributes.style ?? '').slice(row.length);
  return [
    width === defaultSize ? '' : ` widths="${width}"`,
    height === defaultSize ? '' : ` heights="${height}"`,
    perRow > 0 && Number.isInteger(perRow) ? ` perrow="${perRow}"` : '',
    style === '' ? '' : ` style="${escapeAttribute(style)}"`,
  ].join('');
}

/** Returns the width and height that the pictures of a gallery have room for, by its first box. */
function boxSize(node: HtmlElement): [number, number] {
  const box = findElement(node.children, (one) => hasClass(one, 'thumb'));
  const inner = box?.children.find((child) => isElement(child, 'div'));
  const picture = box && findElement(box.children, ({ name }) => name === 'img');
  const styled = (one: HtmlNode | undefined, pattern: RegExp) =>
    Number(pattern.exec((isElement(one) && one.attributes.style) || '')?.[1] ?? Number.NaN);
  const width = styled(box, /^width: ?(\d+)px/) - boxPadding;
  const margin = styled(inner, /^margin: ?([\d.]+)px auto/);
  const height = Math.round(2 * margin + Number(picture?.attributes.height ?? Number.NaN)) - boxPadding;
  return [width || defaultSize, height || defaultSize];
}

/** Returns the lines of a gallery between its tags. A file that the wiki does not have is written by the name that is shown. */
export function galleryLines(writer: Writing, node: HtmlElement): string | undefined {
  let lines = '\n';
  for (const item of node.children) {
    if (!isElement(item, 'li') || hasClass(item, 'gallerycaption')) continue;
    const typed = ({ attributes }: HtmlElement) => mediaType.test(attributes.typeof ?? '');
    const box =
      findElement([item], typed) ??
      findElement([item], (one) => hasClass(one, 'thumb')) ??
      findElement([item], isMedia);
    if (!box) continue;
    const text = findElement([item], (one) => hasClass(one, 'gallerytext'));
    // A file that the wiki does not have is shown by its name.
    const missing = () => (textOf(box).trim() === '' ? [] : [`File:${optionText(textOf(box).trim())}`]);
    const [name = '', ...options] =
      readFile(writer, withoutCaption(box), { isOneLine: true }, true) ?? missing();
    if (name === '') continue;
    const caption = text
      ? writer.out
          .capture(() => writer.inline(captionParts(writer, text), { isOneLine: true, inLink: 'file' }))
          .trim()
      : '';
    lines += `${[name, ...options, ...(caption === '' ? [] : [caption])].join('|')}\n`;
  }
  return lines;
}

/** Returns the contents of a caption in a gallery, without the renderer's paragraph around it. */
function captionParts({ blocks }: Writing, text: HtmlElement): readonly HtmlNode[] {
  const parts = trimmedRun(
    text.children.filter((child) => !(isElement(child) && hasClass(child, 'galleryfilename'))),
  );
  const isBlock = (node: HtmlNode | undefined) => node !== undefined && blocks.has(node);
  return withoutParagraph(
    parts.filter(
      (part, at) =>
        part.type !== 'text' ||
        part.value.trim() !== '' ||
        !(isBlock(parts[at - 1]) || isBlock(parts[at + 1])),
    ),
  );
}

function withoutParagraph(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  const [only] = nodes;
  return nodes.length === 1 && only && isElement(only, 'p') && attributesOf(only) === ''
    ? only.children
    : nodes;
}

function withoutCaption(box: HtmlElement): HtmlElement {
  return { ...box, children: box.children.filter((child) => !isElement(child, 'figcaption')) };
}
