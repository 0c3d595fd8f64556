/** Files: images, audio and video in the page, other files as a link. */

import { isFigure } from '../blocks/block-node.ts';
import { escapeHtml, escapeText, hostUrl, safeUrl, writeAttributes } from '../html.ts';
import { fileTarget } from '../inlines/file.ts';
import { inlineText, isInvisible } from '../text.ts';
import type { FileNode, FileOptions, LinkNode, ResolvedFile } from '../tree.ts';
import { linkAttributes } from './link.ts';
import type { Writer } from './writer.ts';

export type Size = { width: number; height: number };
/** A vector image or video without a known size may have one number; the browser finds the other. */
type ShownSize = { width?: number | undefined; height?: number | undefined };
type Shown = {
  src: string;
  href: string | undefined;
  size: ShownSize | undefined;
  mime: string;
  title: string | undefined;
  sources: { srcset: string; sizes: string } | undefined;
};

/** Returns the HTML of `[[File:…]]`: a figure, a picture in a line, or for `[[Media:…]]` a link to the file. */
export function fileHtml(writer: Writer, node: FileNode): string {
  const { options } = node;
  if (options.format === 'link') return fileLinkHtml(writer, node);
  const caption = inlineText(node.caption).trim();
  const hasCaption = caption !== '' || !node.caption.every(isInvisible);
  const isFramed = options.format === 'thumb' || options.format === 'frame';
  const alt = options.alt ?? (hasCaption ? (isFramed ? '' : caption) : undefined);
  const title = isFramed ? undefined : (options.title ?? (caption || undefined));
  const picture = mediaHtml(writer, node, { alt, title });
  const classes = [
    options.width || options.height ? '' : 'mw-default-size',
    options.align ? `mw-halign-${options.align}` : '',
    options.valign && !isFigure(options) ? `mw-valign-${options.valign}` : '',
    options.border && !isFramed ? 'mw-image-border' : '',
    options.class ?? '',
  ].filter((name) => name !== '');
  const kind = options.format ? `/${options.format[0]?.toUpperCase()}${options.format.slice(1)}` : '';
  const attributes = writeAttributes({ class: classes.join(' ') || undefined, typeof: `mw:File${kind}` });
  if (!isFigure(options)) {
    // Rendering the hidden caption registers its notes, which are listed nevertheless.
    if (node.caption.some(({ type }) => type === 'extension')) writer.html(node.caption);
    return `<span${attributes}>${picture}</span>`;
  }
  // A caption is one line even if it was written on several. Only preformatted text keeps its line ends.
  const text = writer
    .html(node.caption)
    .replace(/<pre\b.*?<\/pre>|\n/gs, (part) => (part === '\n' ? ' ' : part))
    .trim();
  return `<figure${attributes}>${picture}<figcaption>${text}</figcaption></figure>`;
}

function fileLinkHtml(writer: Writer, node: FileNode): string {
  const label = writer.html(node.caption);
  const href = mediaHref(writer, node);
  return href === undefined
    ? `<span class="missing-file">${label}</span>`
    : `<a${writeAttributes({ class: 'media', href })}>${label}</a>`;
}

/** How a picture is shown. `fit`: size that it is scaled into; `drawn`: size that it is stated to have. Both in pixels. */
type Shape = { alt: string | undefined; title?: string | undefined; fit?: Size; drawn?: Size | undefined };

/** Returns the HTML of a picture, with its link. */
export function mediaHtml(writer: Writer, node: FileNode, { alt, title, fit, drawn }: Shape): string {
  const { options } = node;
  const shown = find(writer, node, fit);
  if (typeof shown === 'string') return shown;
  if (shown.mime.startsWith('video/') || shown.mime.startsWith('audio/')) {
    const element = shown.mime.startsWith('video/') ? 'video' : 'audio';
    const { from, until, loop, muted } = options;
    const part =
      from === undefined && until === undefined
        ? ''
        : `#t=${from ?? 0}${until === undefined ? '' : `,${until}`}`;
    return `<${element}${writeAttributes({
      controls: '',
      preload: 'metadata',
      loop: loop ? '' : undefined,
      muted: muted ? '' : undefined,
      src: shown.src + part,
      ...(element === 'video' && shown.size),
    })}></${element}>`;
  }
  if (!shown.mime.startsWith('image/')) {
    return `<a href="${escapeHtml(shown.href ?? shown.src)}">${escapeText(title || alt || shown.title || node.name)}</a>`;
  }
  const image = `<img${writeAttributes({
    alt: alt ?? shown.title ?? node.name,
    src: shown.src,
    ...shown.sources,
    decoding: 'async',
    loading: 'lazy',
    width: drawn?.width ?? shown.size?.width,
    height: drawn?.height ?? shown.size?.height,
  })}>`;
  const link = linkOf(writer, options, shown);
  if (link) return `<a${writeAttributes({ ...link, title: title ?? link.title })}>${image}</a>`;
  return title === undefined ? image : `<span${writeAttributes({ title })}>${image}</span>`;
}

/** Returns the address of the file's page; undefined if its name is no page title. */
export function pageHref(writer: Writer, node: FileNode): string | undefined {
  const target = writer.tree.rules.link(`:File:${node.name}`, true, () => writer.tree.path);
  if (target.kind !== 'page') return undefined;
  const place = { fragment: undefined, children: [], start: 0, end: 0 };
  return linkAttributes(writer, { type: 'link', ...target, ...place }).href;
}

/** Returns the address of the file itself. */
export function mediaHref(writer: Writer, node: FileNode): string | undefined {
  const shown = find(writer, node, undefined);
  return typeof shown === 'string' ? undefined : shown.href;
}

function linkOf(
  writer: Writer,
  options: FileOptions,
  shown: Shown,
): { href?: string; title?: string; rel?: string; class?: string } | undefined {
  if (options.link === '') return undefined;
  if (options.link === undefined) return shown.href === undefined ? undefined : { href: shown.href };
  const url = /^(?:[a-z]+:|\/\/)/i.test(options.link) ? safeUrl(options.link) : undefined;
  if (url !== undefined)
    return { href: url.replace(/[\s"<>]/g, encodeURIComponent), rel: 'nofollow noopener' };
  const { rules, path } = writer.tree;
  const target = fileTarget(rules, options.link, () => path);
  if (target.kind !== 'page') return { href: shown.href };
  const node: LinkNode = {
    type: 'link',
    target: target.target,
    isPath: target.isPath,
    fragment: target.fragment,
    children: [],
    start: 0,
    end: 0,
  };
  return linkAttributes(writer, node);
}

/** Returns the file to show, or HTML that says it is missing. */
function find(writer: Writer, node: FileNode, fit: Size | undefined): Shown | string {
  const { resolved } = writer;
  const { thumbnailWidth = 220 } = resolved;
  const { options } = node;
  const name = options.manual ?? node.name;
  const file = resolved.files.get(name);
  const original = file?.width && file.height ? { width: file.width, height: file.height } : undefined;
  const isVector = file?.mime === 'image/svg+xml';
  const size = fit && original ? fitInto(original, fit) : sizeOf(options, original, isVector, thumbnailWidth);
  const own = resolved.address?.file?.(node.name, options, size);
  if (own?.missing !== undefined) return own.missing;
  if (!file && !own) {
    return `<span class="missing-file">${escapeText(node.name)}</span>`;
  }
  const isSmall =
    size !== undefined && original !== undefined && size.width < original.width && size.width <= 400;
  const src = own?.src ?? hostUrl((isSmall ? file?.thumbnailUrl : undefined) ?? file?.url ?? '#');
  return {
    src,
    href: own ? own.href : hostUrl(file?.url ?? '#'),
    size:
      own?.width && own.height
        ? { width: own.width, height: own.height }
        : (size ??
          (isVector || file?.mime.startsWith('video/')
            ? looseSize(options, fit, widthOfThumb(options, thumbnailWidth))
            : undefined)),
    mime: file?.mime ?? 'image/png',
    title: own?.title ?? file?.title,
    sources: own || !file || !original ? undefined : sourcesOf(file, original, size ?? original),
  };
}

/**
 * Returns the images for this size on screens with one and two pixels per CSS pixel; the file itself if no other image is wide
 * enough. Undefined if the thumbnail serves both.
 */
function sourcesOf(file: ResolvedFile, original: Size, { width, height }: Size): Shown['sources'] {
  const { url, thumbnailUrl, narrower = [] } = file;
  const hasThumbnail = thumbnailUrl !== undefined && Math.max(width, height) <= 200;
  if (narrower.length === 0 || hasThumbnail) return undefined;
  const widest = narrower.findIndex((one) => one.width >= 2 * width);
  const sources =
    widest === -1 ? [...narrower, { url, width: original.width }] : narrower.slice(0, widest + 1);
  return {
    srcset: sources.map((one) => `${hostUrl(one.url)} ${one.width}w`).join(', '),
    sizes: `(max-width: ${width}px) 100vw, ${width}px`,
  };
}

/**
 * Returns the displayed size: as requested, in proportion, and no larger than the original for bitmaps that are framed or
 * fitted.
 */
function sizeOf(
  options: FileOptions,
  original: Size | undefined,
  isVector: boolean,
  thumbnailWidth: number,
): Size | undefined {
  const isThumb = options.format === 'thumb' || options.format === 'frameless';
  if (!original)
    return options.width && options.height ? { width: options.width, height: options.height } : undefined;
  if (options.manual !== undefined) return original;
  if (options.format === 'frame') return original;
  let { width } = options;
  if (!width && !options.height) {
    if (!isThumb) return original;
    width = widthOfThumb(options, thumbnailWidth);
  }
  if (options.height) {
    const fitted = fitWidth(original, options.height);
    width = width ? Math.min(width, fitted) : fitted;
  }
  if (!width) return original;
  if (isThumb && !isVector && width > original.width) width = original.width;
  return { width, height: Math.max(1, Math.round((width * original.height) / original.width)) };
}

function widthOfThumb({ upright }: FileOptions, usual: number): number {
  return upright === undefined ? usual : Math.round((usual * upright) / 10) * 10;
}

/** Returns the size of a vector image or video whose own size is unknown. */
function looseSize(
  { format, width, height, manual }: FileOptions,
  fit: Size | undefined,
  thumbnail: number,
): ShownSize | undefined {
  if (fit) return fit;
  if (format === 'frame' || manual !== undefined) return undefined;
  if (width || height) return { width, height };
  return format === undefined ? undefined : { width: thumbnail };
}

function fitWidth(original: Size, height: number): number {
  const ideal = (original.width * height) / original.height;
  const up = Math.ceil(ideal);
  return Math.round((up * original.height) / original.width) > height ? Math.floor(ideal) : up;
}

/** Returns the size, in proportion, that fits a gallery box, even if the picture is smaller. */
export function fitInto(original: Size, box: Size): Size {
  const width = Math.min(box.width, fitWidth(original, box.height));
  return { width, height: Math.max(1, Math.round((width * original.height) / original.width)) };
}
