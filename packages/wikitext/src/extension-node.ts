/** Creates nodes of extension tags from the definitions listed in `constructs.ts`. */
import { dialectTags, extensionTags, generatedExtensions } from './constructs.ts';
import type { Extension, ReadNodes } from './extensions/extension.ts';
import { hostTag, unsupported } from './extensions/host.ts';
import { chemistry } from './extensions/math.ts';
import { showNested } from './nested-tags.ts';
import type { ExtensionPlace, Reader } from './reader.ts';
import type { Attributes, ExtensionNode } from './tree.ts';

/** Returns the definition of the nodes with this name; undefined for tags of the host. */
export function extensionNamed(name: string): Extension | undefined {
  return extensionTags.get(name) ?? generatedExtensions.get(name);
}

/** Creates a node whose content is not parsed yet. */
export function extensionNode(
  name: string,
  attributes: Attributes,
  body: string | undefined,
  start: number,
  end: number,
  { isBlock = false, isText = true, bringsLinks = true } = extensionNamed(name) ?? hostTag,
): ExtensionNode {
  return {
    type: 'extension',
    name,
    attributes,
    body,
    children: undefined,
    isBlock: typeof isBlock === 'boolean' ? isBlock : isBlock(attributes),
    isText,
    bringsLinks,
    start,
    end,
  };
}

/** Reads an extension tag. Returns undefined if the tag produces no node. */
export function readExtension(
  reader: Reader,
  name: string,
  attributes: Attributes,
  written: string | undefined,
  at: ExtensionPlace,
): ReadNodes {
  const kind = reader.context.rules.tags?.get(name);
  if ((kind === 'missing' || kind === 'silent') && !dialectTags.has(name)) {
    const shown = { name: `<${name}>`, ...(kind === 'silent' ? { silent: '' } : {}) };
    return extensionNode(unsupported.name, shown, undefined, at.start, at.end);
  }
  const extension =
    kind === 'chemistry' ? chemistry : (extensionTags.get(name) ?? dialectTags.get(name) ?? hostTag);
  const body = written === undefined ? undefined : showNested(written);
  const node = extensionNode(extension.name || name, attributes, body, at.start, at.end, extension);
  if (kind === 'block') node.isBlock = true;
  return extension.parse ? extension.parse(reader, node, at) : node;
}
