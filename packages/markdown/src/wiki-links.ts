/**
 * `[[Page]]`, `[[Page#Part|label]]` and `[[Key: value]]` mean the same as in wikitext; labels are plain text.
 * `![[picture.png|300]]` shows a file of the wiki.
 */
import type { FileNode, LinkNode, MarkerNode, Node, Range } from '@coppice/wikitext';
import { type Context, safeUrl } from '@coppice/wikitext/build';
import { fileNode } from './links.ts';

const maxLength = 2048;

/**
 * Returns `wikitext` for links that wikitext's own rules must parse, such as files with options, and undefined if the brackets
 * are text.
 */
export function readLink(
  written: string,
  context: Context,
  { start, end }: Range,
): Node | LinkNode | MarkerNode | 'wikitext' | undefined {
  // In a table, bars that do not separate cells are escaped by a backslash.
  const inside = written.slice(2, -2).replaceAll('\\|', '|');
  const bar = inside.indexOf('|');
  const name = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : inside.slice(bar + 1);
  const [, title = '', heading = ''] = /^([^#]*)(.*)$/s.exec(name) ?? [];
  if (name.trim() === '' || name.length > maxLength || /[[\]{}<>\n\0]/.test(title + withoutLinks(heading)))
    return undefined;
  const target = context.rules.link(title + withoutLinks(heading), label !== undefined, context.path);
  const textOf = (value: string): Node[] => [{ type: 'text', value, start, end }];
  switch (target.kind) {
    case 'marker':
      return { type: 'marker', key: target.key, value: target.value, start, end };
    case 'file':
    case 'media':
      return 'wikitext';
    case 'address':
      if (safeUrl(target.url) === undefined) return undefined;
      return {
        type: 'external-link',
        url: target.url,
        kind: target.isWiki ? 'interwiki' : 'text',
        number: 0,
        children: textOf(label?.trim() ? label : target.isWiki ? ownLabel(name) : target.url),
        start,
        end,
      };
    case 'page':
      return {
        type: 'link',
        target: target.target,
        isPath: target.isPath,
        fragment: target.fragment,
        ...(target.file === undefined ? {} : { file: target.file }),
        children: textOf(label?.trim() ? label : (target.label ?? ownLabel(name))),
        start,
        end,
      };
    default:
      return undefined;
  }
}

/** Replaces the links in a heading, which Obsidian writes into links to it without their colons and slashes, by their labels. */
function withoutLinks(heading: string): string {
  return heading.replace(/\[([^[\]]*)\](?:\([^()]*\))?/g, '$1');
}

/** Reads `![[picture.png|300|text]]`, in any order behind the name. Undefined if the name cannot be that of a file. */
export function readPicture(written: string, context: Context, at: Range): FileNode | undefined {
  const [name = '', ...options] = written.slice(3, -2).replaceAll('\\|', '|').split('|');
  const size = options.map((option) => option.trim()).find((option) => /^\d{1,5}(?:x\d{1,5})?$/.test(option));
  const alt = options.find((option) => option.trim() !== size);
  return fileNode(name.trim(), { alt, size }, context, at);
}

function ownLabel(name: string): string {
  return name.trim().replace(/^:\s*/, '');
}
