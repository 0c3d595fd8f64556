/** Pictures with their captions, other files as links, galleries as lists. */
import type { ExtensionNode, FileNode } from '@coppice/wikitext';
import { fileTarget, inlineText, safeUrl } from '@coppice/wikitext/build';
import type { Image, ListItem, PhrasingContent } from 'mdast';
import { isTag, linkTo, paragraph, trimmed, withOrigin } from './lines.ts';
import type { Block, Writer } from './writer.ts';

/** A picture block with its caption below. */
export function figure(writer: Writer, node: FileNode): Block[] {
  const shown = picture(writer, { ...node, caption: [] }, inlineText(node.caption).trim());
  const caption = paragraph(writer.phrasing.of(node.caption), 'emphasis');
  return [...paragraph(shown), ...caption];
}

/** `described` is the alternative text for a picture that has none. */
export function picture(writer: Writer, node: FileNode, described?: string): PhrasingContent[] {
  const { options } = node;
  const file = writer.resolved.files.get(options.manual ?? node.name);
  const url = addressOf(writer, node);
  const caption = trimmed(writer.phrasing.of(node.caption));
  const name = options.alt || inlineText(node.caption).trim() || described || file?.title || node.name;
  const label: PhrasingContent[] = caption.length > 0 ? caption : [{ type: 'text', value: name }];
  if (url === undefined) return label;
  if (options.format === 'link' || !(file?.mime ?? 'image/').startsWith('image/'))
    return [linkTo(url, label)];
  const { width, height } = options;
  // Markdown states a height only beside a width.
  const size = width ? `|${width}${height ? `x${height}` : ''}` : '';
  const image: Image = { type: 'image', url, alt: name + size };
  const target = linkOf(writer, node);
  return [target === undefined ? image : linkTo(target, [image])];
}

/** Returns a gallery as a list of pictures with their captions. */
export function gallery(writer: Writer, { children = [] }: ExtensionNode): Block[] {
  const captions = children.flatMap((child) =>
    isTag(child, 'caption') ? paragraph(writer.phrasing.of(child.children), 'strong') : [],
  );
  const items = children.flatMap((child): ListItem[] => {
    if (child.type !== 'file') return [];
    const image = picture(writer, { ...child, caption: [] }, inlineText(child.caption).trim());
    const caption = writer.phrasing.onOneLine(child.caption);
    const line: PhrasingContent[] =
      trimmed(caption).length === 0 ? image : [...image, { type: 'text', value: ' ' }, ...trimmed(caption)];
    return [{ type: 'listItem', spread: false, children: [{ type: 'paragraph', children: line }] }];
  });
  if (items.length === 0) return captions;
  return [...captions, { type: 'list', ordered: false, spread: false, children: items }];
}

function addressOf({ resolved, options }: Writer, node: FileNode): string | undefined {
  const file = resolved.files.get(node.options.manual ?? node.name);
  if (options.file) return options.file(node, file);
  return file && withOrigin(file.url, options.origin);
}

/** Returns the address for `link=`: a safe URL, or the address of an existing page. */
function linkOf({ tree, phrasing }: Writer, { options: { link } }: FileNode): string | undefined {
  if (!link) return undefined;
  if (/^(?:[a-z]+:|\/\/)/i.test(link)) return safeUrl(link);
  const target = fileTarget(tree.rules, link, () => tree.path);
  if (target.kind !== 'page') return undefined;
  const { isPath, fragment } = target;
  return phrasing.href({
    type: 'link',
    target: target.target,
    isPath,
    fragment,
    children: [],
    start: 0,
    end: 0,
  });
}
