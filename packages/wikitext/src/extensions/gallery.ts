/**
 * gallery ::= '<gallery' attributes '>' (line end, name ('|' option)* ('|' caption)?)* '</gallery>'
 *
 *   <gallery caption="Trees" mode="packed">
 *   oak.jpg|An [[oak]]
 *   File:elm.jpg|alt=An elm
 *   </gallery>
 *
 * Files are named with or without `File:`. Lines that name no file are left out. Pictures are shown as a row of boxes in
 * MediaWiki's markup, so that its styles fit.
 */
import { char } from '../characters.ts';
import { decodeEntities, decodePercent } from '../entities.ts';
import { escapeHtml, escapeText, writeAttributes } from '../html.ts';
import { readFile, readGalleryOption } from '../inlines/file.ts';
import { fitInto, mediaHref, mediaHtml, pageHref } from '../output/file.ts';
import type { Writer } from '../output/writer.ts';
import { moveTo, placeAt } from '../place-at.ts';
import type { ExtensionPlace, Reader } from '../reader.ts';
import { safeAttributes, safeStyle } from '../sanitize.ts';
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

/** Returns the caption, if there is one, as an element `caption`, followed by the files. */
function galleryChildren(reader: Reader, attributes: Attributes, body: string, at: ExtensionPlace): Node[] {
  const children: Node[] = [];
  if (attributes.caption) {
    const caption = reader.text(attributes.caption, at.start, 'inline');
    const inTag = reader.context.source.slice(at.start, at.body).indexOf(attributes.caption);
    if (inTag < 0) placeAt(caption, at.start, at.start);
    else moveTo(caption, [{ at: at.start, start: at.start + inTag, end: at.body, isCall: false }]);
    children.push({
      type: 'element',
      name: 'caption',
      attributes: undefined,
      children: caption,
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
  const written = (pipe < 0 ? line : line.slice(0, pipe)).replace(/^ +|(?<! ) +$/g, '');
  const name = nameOf(reader, decodeEntities(written).replace(/^:/, ''));
  if (name === undefined) return;
  const scanner = reader.inline(line, base);
  const first = scanner.text.indexOf('|');
  const from = first < char.nul ? -1 : first + 1;
  const { options, caption } = readFile(scanner, from, scanner.text.length, (written, options) =>
    readGalleryOption(written, name, options),
  );
  const place = { start: base, end: base + line.length };
  const start = caption ? scanner.source(caption[0]) : place.end;
  const end = caption && caption[1] < scanner.text.length ? scanner.source(caption[1]) : place.end;
  children.push({
    type: 'file',
    name,
    options,
    // Parsed separately, because the scanner of the line does not handle notes and blocks.
    caption: reader.text(line.slice(start - base, end - base), start, 'block'),
    ...place,
  });
}

/** Returns the name of a file that may be written without `File:`. */
function nameOf(reader: Reader, written: string): string | undefined {
  const name = fileName(reader, written);
  const colon = written.indexOf(':');
  // A text with a file prefix of its own must not get another one, even if its name is invalid.
  if (name !== undefined || fileName(reader, `${written.slice(0, colon + 1)}x`)) return name;
  return fileName(reader, `File:${written}`);
}

function fileName(reader: Reader, written: string): string | undefined {
  if (/[<>[\]{}\t]/.test(written)) return undefined;
  const target = reader.context.rules.link(decodePercent(written), true, reader.context.path);
  if (target.kind !== 'file') return undefined;
  return target.name.replace(/#.*/s, '').trim() || undefined;
}

function galleryHtml(writer: Writer, node: ExtensionNode): string {
  const { attributes } = node;
  const wanted = (attributes.mode ?? '').toLowerCase();
  const mode = modes.has(wanted) ? wanted : 'traditional';
  const width = pixels(attributes.widths) ?? defaultSize;
  const height = pixels(attributes.heights) ?? defaultSize;
  const perRow = pixels(attributes.perrow);
  const rowWidth = perRow && perRow * (width + (mode === 'nolines' ? 9 : 43));
  const ownStyle = attributes.style ? (safeStyle(attributes.style) ?? '') : '';
  const style = (rowWidth && !isPackedMode(mode) ? `max-width: ${rowWidth}px;` : '') + ownStyle;
  const boxes = { mode, width, height, namesFiles: attributes.showfilename !== undefined };
  let items = '';
  for (const child of node.children ?? []) {
    if (child.type === 'element') {
      const caption = writer.html(child.children).trim();
      if (caption !== '') items += `\n<li class="gallerycaption">${caption}</li>`;
    } else if (child.type === 'file') items += boxHtml(writer, child, boxes);
  }
  const { class: own, style: _checked, ...others } = attributes;
  const list = writeAttributes({
    class: `gallery mw-gallery-${mode}${own ? ` ${own}` : ''}`,
    style: style || undefined,
    ...safeAttributes('ul', others),
  });
  return `<ul${list}>${items}\n</ul>`;
}

/** Scale of pictures in packed rows, which leaves a script room to stretch them. */
const packedScale = 1.5;
/** Maximum ratio of width to height in packed rows; wider pictures get a lower height. */
const widestPacked = 10;
/** Minimum width of a box in pixels, so that the caption of a narrow picture has room. */
const narrowestPacked = 60;

function isPackedMode(mode: string): boolean {
  return mode.startsWith('packed');
}

function nameHtml(writer: Writer, node: FileNode, name: string): string {
  const href = mediaHref(writer, node) ?? pageHref(writer, node);
  return href === undefined
    ? ''
    : `<a class="galleryfilename" href="${escapeHtml(href)}">${escapeText(name)}</a>`;
}

function boxHtml(
  writer: Writer,
  node: FileNode,
  { mode, width, height, namesFiles }: { mode: string; width: number; height: number; namesFiles: boolean },
): string {
  const file = writer.resolved.files.get(node.name);
  const caption = writer.html(node.caption).trim();
  const alt = caption === '' ? node.options.alt || undefined : (node.options.alt ?? '');
  const isPacked = isPackedMode(mode);
  const padding = mode === 'traditional' || mode === 'slideshow' ? 30 : 0;
  let fit = { width, height };
  const original = file?.width && file.height ? { width: file.width, height: file.height } : fit;
  let boxWidth = width + padding;
  let shown: { width: number; height: number } | undefined;
  let margin = 0;
  if (isPacked) {
    fit = { width: widestPacked * height * packedScale, height: height * packedScale };
    const scaled = fitInto(original, fit);
    const tall = scaled.width < fit.width ? Math.round(fit.height) : scaled.height;
    shown = { width: Math.ceil(scaled.width / packedScale), height: Math.ceil(tall / packedScale) };
    boxWidth = Math.max(narrowestPacked, file ? scaled.width / packedScale : width);
    margin = (height - tall / packedScale) / 2;
  } else if (padding > 0) {
    margin = Math.max(0, (padding + height - fitInto(original, fit).height) / 2);
  }
  const name = file?.title ?? node.name;
  const thumb = file
    ? `<div class="thumb" style="width: ${round(boxWidth)}px;"><div style="margin:${round(margin)}px auto;"><span>${mediaHtml(writer, node, { alt, fit, drawn: shown })}</span></div></div>`
    : `<div class="thumb" style="height: ${height + padding}px;">${escapeText(name)}</div>`;
  const label = namesFiles ? nameHtml(writer, node, name) : '';
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
  return String(Number(value.toPrecision(14)));
}
