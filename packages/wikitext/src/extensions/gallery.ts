/**
 * gallery ::= '<gallery' attributes '>' (line end, name ('|' option)* ('|' caption)?)* '</gallery>'
 *
 *   <gallery caption="Trees" mode="packed">
 *   oak.jpg|An [[oak]]
 *   File:elm.jpg|alt=An elm
 *   </gallery>
 *
 * Files are named with or without `File:`. Lines that name none are left out. Pictures stand in a row of boxes, in MediaWiki's
 * markup, so that its styles fit.
 */
import { char } from '../characters.ts';
import { escapeHtml, escapeText, writeAttributes } from '../html.ts';
import { readFile, readGalleryOption } from '../inlines/file.ts';
import { mediaHref, mediaHtml } from '../output/file.ts';
import type { Writer } from '../output/writer.ts';
import type { ExtensionPlace, Reader } from '../reader.ts';
import { safeAttribute, safeStyle } from '../sanitize.ts';
import type { Attributes, ExtensionNode, FileNode, Node } from '../tree.ts';
import { expandInside } from './expand-inside.ts';
import type { Extension } from './extension.ts';

const modes = new Set(['traditional', 'nolines', 'packed', 'packed-overlay', 'packed-hover', 'slideshow']);
const defaultSize = 120;

export const gallery: Extension = {
  name: 'gallery',
  isBlock: true,
  inside: 'wikitext',
  // The caption is an attribute.
  expand: (tag) => expandInside(tag, () => true),
  parse(reader, node, at) {
    if (node.body !== undefined) node.children = galleryChildren(reader, node.attributes, node.body, at);
    return node;
  },
  render: galleryHtml,
};

/** The caption, if there is one, as an element `caption`; then the files. */
function galleryChildren(reader: Reader, attributes: Attributes, body: string, at: ExtensionPlace): Node[] {
  const children: Node[] = [];
  if (attributes.caption) {
    children.push({
      type: 'element',
      name: 'caption',
      attributes: undefined,
      children: reader.text(attributes.caption, at.start, 'inline'),
      start: at.start,
      end: at.body,
    });
  }
  let from = 0;
  while (from <= body.length) {
    const newline = body.indexOf('\n', from);
    const to = newline < 0 ? body.length : newline;
    const line = body.slice(from, to);
    if (line.trim() !== '') addFile(reader, children, line, at.body + from);
    from = to + 1;
  }
  return children;
}

function addFile(reader: Reader, children: Node[], line: string, base: number): void {
  const pipe = line.indexOf('|');
  const written = (pipe < 0 ? line : line.slice(0, pipe)).trim();
  const name = fileName(reader, written) ?? fileName(reader, `File:${written}`);
  if (name === undefined) return;
  const scanner = reader.inline(line, base);
  const first = scanner.text.indexOf('|');
  const from = first < char.nul ? -1 : first + 1;
  const { options, caption } = readFile(scanner, from, scanner.text.length, readGalleryOption);
  const place = { start: base, end: base + line.length };
  const start = caption ? scanner.source(caption[0]) : place.end;
  const end = caption && caption[1] < scanner.text.length ? scanner.source(caption[1]) : place.end;
  children.push({
    type: 'file',
    name,
    options,
    // Read anew, as the scanner of the line knows nothing of notes and blocks.
    caption: reader.text(line.slice(start - base, end - base), start, 'page'),
    ...place,
  });
}

function fileName(reader: Reader, written: string): string | undefined {
  if (/[<>[\]{}]/.test(written)) return undefined;
  const target = reader.context.rules.link(decode(written), true, reader.context.path);
  if (target.kind !== 'file') return undefined;
  return target.name.replace(/#.*/s, '').trim() || undefined;
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function galleryHtml(writer: Writer, node: ExtensionNode): string {
  const { attributes } = node;
  const wanted = (attributes.mode ?? '').toLowerCase();
  const mode = modes.has(wanted) ? wanted : 'traditional';
  const width = pixels(attributes.widths) ?? defaultSize;
  const height = pixels(attributes.heights) ?? defaultSize;
  const perRow = pixels(attributes.perrow);
  const rowWidth = perRow && perRow * (width + (mode === 'nolines' ? 9 : 43));
  const isBounded = rowWidth && !isPackedMode(mode) && mode !== 'slideshow';
  const ownStyle = attributes.style ? (safeStyle(attributes.style) ?? '') : '';
  const style = (isBounded ? `max-width: ${rowWidth}px;` : '') + ownStyle;
  let items = '';
  for (const child of node.children ?? []) {
    if (child.type === 'element')
      items += `\n<li class="gallerycaption">${writer.html(child.children).trim()}</li>`;
    else if (child.type === 'file')
      items += boxHtml(writer, child, mode, width, height, attributes.showfilename !== undefined);
  }
  const list = writeAttributes({
    class: `gallery mw-gallery-${mode}${attributes.class ? ` ${attributes.class}` : ''}`,
    style: style || undefined,
    ...Object.fromEntries(
      ['id', 'title', 'lang', 'dir'].map((name) => [
        name,
        safeAttribute('ul', name, attributes[name] ?? '') || undefined,
      ]),
    ),
  });
  return `<ul${list}>${items}\n</ul>`;
}

/** Packed rows are drawn half as large again, so that a script may stretch them. */
const packedScale = 1.5;
/** A caption needs some room, however narrow the picture is. */
const narrowestPacked = 60;

function isPackedMode(mode: string): boolean {
  return mode.startsWith('packed');
}

function nameHtml(writer: Writer, node: FileNode, name: string): string {
  const href = mediaHref(writer, node);
  return href === undefined
    ? ''
    : `<a class="galleryfilename" href="${escapeHtml(href)}">${escapeText(name)}</a>`;
}

function boxHtml(
  writer: Writer,
  node: FileNode,
  mode: string,
  width: number,
  height: number,
  namesFiles: boolean,
): string {
  const file = writer.resolved.files.get(node.name);
  const caption = writer.html(node.caption).trim();
  const alt = caption === '' ? node.options.alt || undefined : (node.options.alt ?? '');
  const isPacked = isPackedMode(mode);
  const padding = mode === 'traditional' || mode === 'slideshow' ? 30 : 0;
  const ratio = file?.width && file.height ? file.width / file.height : 1;
  let boxWidth = width + padding;
  let fit = { width, height };
  let shown: { width: number; height: number } | undefined;
  let margin = 0;
  if (isPacked) {
    const scaled = Math.round(height * packedScale);
    const wide = Math.min(100_000, Math.ceil(scaled * ratio));
    fit = { width: wide, height: scaled };
    shown = { width: Math.ceil(wide / packedScale), height: Math.ceil(scaled / packedScale) };
    boxWidth = file ? Math.max(narrowestPacked, wide / packedScale) : width;
  } else if (padding > 0) {
    const shownHeight = Math.round(Math.min(width, height * ratio, file?.width ?? width) / ratio);
    margin = Math.max(0, Math.floor((padding + height - shownHeight) / 2));
  }
  const name = file?.title ?? node.name;
  const thumb = file
    ? `<div class="thumb" style="width: ${round(boxWidth)}px;"><div style="margin:${margin}px auto;"><span>${mediaHtml(writer, node, alt, undefined, fit, shown)}</span></div></div>`
    : `<div class="thumb" style="height: ${height + padding}px;">${escapeText(name)}</div>`;
  const label = namesFiles && file ? nameHtml(writer, node, name) : '';
  const isParagraph = caption.startsWith('<p>');
  let text = caption === '' ? '' : `${caption}\n`;
  if (label !== '') text = isParagraph ? text.replace('<p>', `<p>${label}\n`) : `<p>${label}\n</p>${text}`;
  let below = `<div class="gallerytext">\n${text}</div>`;
  if (mode === 'packed-overlay' || mode === 'packed-hover')
    below =
      text === ''
        ? ''
        : `<div class="gallerytextwrapper" style="width: ${Math.ceil(boxWidth - 20)}px">${below}</div>`;
  const outer = round(boxWidth + (isPacked ? 2 : 5));
  return `\n<li class="gallerybox" style="width: ${outer}px"><div style="width: ${outer}px">\n${thumb}\n${below}\n</div></li>`;
}

function pixels(value: string | undefined): number | undefined {
  const match = /^(\d{1,5})\s*(?:px)?$/.exec((value ?? '').trim());
  return match?.[1] && Number(match[1]) > 0 ? Number(match[1]) : undefined;
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(10).replace(/0+$/, '');
}
