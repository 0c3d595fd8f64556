/** `<gallery>`: pictures in a row of boxes, in MediaWiki's markup, so that its styles fit. */
import { escapeText, writeAttributes } from '../html.ts';
import { safeStyle } from '../sanitize.ts';
import type { ExtensionNode, FileNode } from '../tree.ts';
import { mediaHtml } from './file.ts';
import type { Writer } from './writer.ts';

const modes = new Set(['traditional', 'nolines', 'packed', 'packed-overlay', 'packed-hover', 'slideshow']);
const defaultSize = 120;

export function galleryHtml(writer: Writer, node: ExtensionNode): string {
  const { attributes } = node;
  const wanted = (attributes.mode ?? '').toLowerCase();
  const mode = modes.has(wanted) ? wanted : 'traditional';
  const width = pixels(attributes.widths) ?? defaultSize;
  const height = pixels(attributes.heights) ?? defaultSize;
  const perRow = pixels(attributes.perrow);
  const style = [
    perRow && !mode.startsWith('packed') ? `max-width: ${perRow * (width + 43)}px;` : '',
    attributes.style ? (safeStyle(attributes.style) ?? '') : '',
  ];
  let items = '';
  for (const child of node.children ?? []) {
    if (child.type === 'element')
      items += `\n<li class="gallerycaption">${writer.html(child.children).trim()}</li>`;
    else if (child.type === 'file') items += boxHtml(writer, child, mode, width, height);
  }
  const list = writeAttributes({
    class: `gallery mw-gallery-${mode}${attributes.class ? ` ${attributes.class}` : ''}`,
    style: style.join(' ').trim() || undefined,
  });
  return `<ul${list}>${items}\n</ul>`;
}

function boxHtml(writer: Writer, node: FileNode, mode: string, width: number, height: number): string {
  const caption = writer.html(node.caption).trim();
  const name = writer.resolved.files.get(node.name)?.title ?? node.name;
  const isKnown = writer.resolved.files.has(node.name);
  const isPacked = mode.startsWith('packed');
  const original = writer.resolved.files.get(node.name);
  const ratio = original?.width && original.height ? original.width / original.height : 1;
  const padding = mode === 'traditional' || mode === 'slideshow' ? 30 : isPacked ? 0 : 0;
  const alt = node.options.alt ?? (caption === '' ? undefined : '');
  const fit = isPacked
    ? { width: Math.min(Math.floor(height * 1.5 * ratio) + 1, 100_000), height: Math.floor(height * 1.5) }
    : { width, height };
  const media = isKnown ? mediaHtml(writer, node, alt, undefined, fit) : escapeText(name);
  const shownHeight = Math.round(Math.min(width, height * ratio) / ratio);
  const boxWidth = isPacked ? (height * 1.5 * ratio) / 1.5 : width + padding;
  const margin = padding === 0 ? 0 : Math.max(0, (padding + height - shownHeight) / 2);
  const thumb = isKnown
    ? `<div class="thumb" style="width: ${round(boxWidth)}px;"><div style="margin:${Math.floor(margin)}px auto;"><span>${media}</span></div></div>`
    : `<div class="thumb" style="height: ${height + 30}px;">${media}</div>`;
  const outer = round(boxWidth + (isPacked ? 2 : 5));
  const text = caption === '' ? '' : `<p>${caption}\n</p>`;
  const inner = `<div class="gallerytext">\n${text}</div>`;
  const wrapped =
    mode === 'packed-overlay' || mode === 'packed-hover'
      ? `<div class="gallerytextwrapper" style="width: ${round(Math.floor(boxWidth) - 20)}px">${inner}</div>`
      : inner;
  const box = caption === '' ? inner : wrapped;
  return `\n<li class="gallerybox" style="width: ${outer}px"><div style="width: ${outer}px">\n${thumb}\n${box}\n</div></li>`;
}

function pixels(value: string | undefined): number | undefined {
  const match = /^(\d{1,5})(?:px)?$/.exec((value ?? '').trim());
  return match?.[1] && Number(match[1]) > 0 ? Number(match[1]) : undefined;
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(10).replace(/0+$/, '');
}
