/** Tables of HTML, as the common writer of tables reads them. */
import type { Element, ElementContent } from 'hast';
import type { PhrasingContent, RootContent } from 'mdast';
import { type TableTree, writeTable } from '../writing-tables.ts';
import { element, holdsBlocks, isBlock, isElement, textOf } from './elements.ts';

/** A cell whose blocks became lines, because cells of Markdown hold one line. */
export interface FlattenedCell {
  /** Text of the cell. */
  text: string;
}

/** Converts the children of an element: `phrasing` without blocks, `blocks` with them. */
interface Converter {
  phrasing(node: Element): PhrasingContent[];
  blocks(node: Element): RootContent[];
}

/** HTML writes attributes in lower case, its tree in camel case. */
const properties: Readonly<Record<string, string>> = { colspan: 'colSpan', rowspan: 'rowSpan' };

/** `flattened` is added to. */
export function table(node: Element, convert: Converter, flattened: FlattenedCell[]): RootContent[] {
  return writeTable<ElementContent>(treeOf(convert), node, {
    needsHeadings: false,
    flattened: (cell) => flattened.push({ text: textOf(cell).trim() }),
  });
}

function treeOf(convert: Converter): TableTree<ElementContent> {
  return {
    nameOf: (node) => (node.type === 'element' ? node.tagName : ''),
    childrenOf: (node) => (node.type === 'element' ? node.children : []),
    attributeOf(node, name) {
      // Trees of XML keep the names as they are written.
      const value =
        node.type === 'element'
          ? (node.properties[properties[name] ?? name] ?? node.properties[name])
          : undefined;
      return value === undefined || value === null ? undefined : String(value);
    },
    isBlank: (node) => node.type === 'text' && node.value.trim() === '',
    isBlock,
    holdsBlocks: (node) => holdsBlocks([node]),
    programOf: (node) => (isElement(node, 'pre') ? textOf(node) : undefined),
    phrasing: (nodes) => convert.phrasing(element('span', [...nodes])),
    blocks: (nodes) => convert.blocks(element('div', [...nodes])),
  };
}
