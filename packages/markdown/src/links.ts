/**
 * Targets of `[text](address)` and `![text](address)`. Addresses are resolved as a browser would (RFC 3986 §5.2) against the
 * path of the page: `mill.md` and `mill` are the page beside it, `../mill` is the page beside its parent, and `#part` is a
 * section of the page itself.
 */
import type {
  ElementNode,
  ExternalLinkNode,
  FileNode,
  FileOptions,
  LinkNode,
  Node,
  Range,
} from '@coppice/wikitext';
import { type Context, resolvePath, safeUrl } from '@coppice/wikitext/build';

/** Target of `[text](address "title")`. */
export type LinkTarget = { address: string; title: string | undefined };

/** How targets of links and pictures become nodes. `at`: offsets of the link's start tag, or of the picture, in the source. */
export type Addresses = {
  /** Returns undefined if the address must not be a link. */
  link(
    target: LinkTarget,
    context: Context,
    at: Range,
  ): LinkNode | ExternalLinkNode | ElementNode | undefined;
  /** Returns undefined if only the alternative text must be shown. */
  image(picture: LinkTarget & { alt: string }, context: Context, at: Range): Node | undefined;
  /** Whether only CommonMark applies, without the wiki's own constructs. */
  isPlain?: boolean;
};

const hasScheme = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

export const wikiAddresses: Addresses = {
  link({ address, title }, context, { start, end }) {
    if (hasScheme.test(address)) {
      const url = address.startsWith('//') ? `https:${address}` : address;
      if (safeUrl(url) === undefined) return undefined;
      return {
        type: 'external-link',
        url: encoded(url),
        kind: 'text',
        number: 0,
        title,
        children: [],
        start,
        end,
      };
    }
    const hash = address.indexOf('#');
    const fragment = hash < 0 ? undefined : decoded(address.slice(hash + 1)) || undefined;
    const path = pageName(hash < 0 ? address : address.slice(0, hash));
    if (path === undefined || (path === '' && fragment === undefined)) return undefined;
    const target = path === '' ? '' : fromFolder(path, context);
    const file = /\.[a-z]\w{0,9}$/i.test(path) ? fileName(path, context) : undefined;
    const named = file === undefined ? {} : { file };
    return {
      type: 'link',
      target,
      isPath: target !== '',
      fragment,
      ...named,
      title,
      children: [],
      start,
      end,
    };
  },
  image({ address, alt, title }, context, at) {
    const bar = alt.lastIndexOf('|');
    const size = bar < 0 ? undefined : /^\s*(\d{1,5}(?:x\d{1,5})?)$/.exec(alt.slice(bar + 1))?.[1];
    const own = size === undefined ? alt : alt.slice(0, bar).trimEnd();
    if (hasScheme.test(address)) {
      const node = this.link({ address, title }, context, at);
      if (node?.type !== 'external-link') return undefined;
      node.children = [{ type: 'text', value: own || address, start: at.start, end: at.end }];
      return node;
    }
    return fileNode(decoded(address), { alt: own, size, title }, context, at);
  },
};

/** A file of the wiki: a bare name is a file of this page, a path ends in the name of a file of another page. */
export function fileNode(
  written: string,
  { alt, size, title }: { alt?: string | undefined; size?: string | undefined; title?: string | undefined },
  context: Context,
  { start, end }: Range,
): FileNode | undefined {
  const name = fileName(written, context);
  if (name === undefined) return undefined;
  const options: FileOptions = {};
  if (alt !== undefined) options.alt = alt;
  if (title !== undefined) options.title = title;
  const [width, height] = (size ?? '').split('x').map(Number);
  if (width) options.width = width;
  if (height) options.height = height;
  return { type: 'file', name, options, caption: [], start, end };
}

function fileName(written: string, context: Context): string | undefined {
  if (written === '' || /[[\]{}|<>\n\0]/.test(written)) return undefined;
  const target = context.rules.link(`File:${written}`, true, context.path);
  return target.kind === 'file' ? target.name : undefined;
}

/**
 * Returns the path without a document's file extension; an index file stands for its folder. Returns undefined if no page can
 * have that name.
 */
function pageName(address: string): string | undefined {
  const name = decoded(address);
  if (/[[\]{}|<>\n\0]/.test(name)) return undefined;
  const page = name.replace(/\.(?:md|markdown|mdx)$/i, '');
  return page === name ? name : page.replace(/(^|\/)(?:index|readme)$/i, '$1.');
}

function fromFolder(path: string, context: Context): string {
  if (path.startsWith('/')) return resolvePath(path, context.path).normalize('NFC');
  return resolvePath(`../${path}`, context.path).normalize('NFC');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Invalid percent-encoding is taken literally.
    return text;
  }
}

/** Encodes characters that no address may contain. */
function encoded(url: string): string {
  return url.toWellFormed().replace(/[\s[\]<>"{}|\\^`']/g, encodeURIComponent);
}
