/** Creates nodes of extension tags from the definitions listed in `constructs.ts`. */
import { dialectTags, extensionTags, generatedExtensions } from './constructs.ts';
import type { Extension, ExtensionTag, ReadNodes } from './extensions/extension.ts';
import { hostTag, unsupported } from './extensions/host.ts';
import { chemistry } from './extensions/math.ts';
import { showNested } from './nested-tags.ts';
import type { ExtensionPlace, Reader } from './reader.ts';
import type { ExtensionNode, Range } from './tree.ts';

/** Returns the definition of the nodes with this name; undefined for tags of the host. */
export function extensionNamed(name: string): Extension | undefined {
  return extensionTags.get(name) ?? generatedExtensions.get(name);
}

/** Creates a node whose content is not parsed yet. The last argument is the definition of its tag. */
export function extensionNode(
  { name, attributes = {}, body }: Pick<ExtensionTag, 'name'> & Partial<ExtensionTag>,
  { start, end }: Range,
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
  { name, attributes, body: written }: ExtensionTag,
  at: ExtensionPlace,
): ReadNodes {
  const kind = reader.context.rules.tags?.get(name);
  if ((kind === 'missing' || kind === 'silent') && !dialectTags.has(name)) {
    const shown = { name: `<${name}>`, ...(kind === 'silent' ? { silent: '' } : {}) };
    return extensionNode({ name: unsupported.name, attributes: shown }, at);
  }
  const extension =
    kind === 'chemistry' ? chemistry : (extensionTags.get(name) ?? dialectTags.get(name) ?? hostTag);
  const body = written === undefined ? undefined : showNested(written);
  const node = extensionNode({ name: extension.name || name, attributes, body }, at, extension);
  if (kind === 'block') node.isBlock = true;
  return extension.parse ? extension.parse(reader, node, at) : node;
}
