/**
 * Long runs of elements and comments in which nothing shows, such as thousands of empty links. The library that removes white space
 * looks from each of them to the end of the run.
 */
import type { ElementContent, Root, RootContent } from 'hast';
import { isBlockNamed } from './elements.ts';

const longestRun = 50;
/** Elements that show something without content, or in another way than their content. All others, unknown ones too, show nothing else. */
const shown = new Set(
  'audio br button canvas embed hr iframe img input math object oembed picture select svg textarea video wbr x-formula x-place'.split(
    ' ',
  ),
);

/** Shortens the runs. Modifies the tree. */
export function withShortRuns(root: Root): void {
  shortened(root.children);
}

/** Returns whether nothing shows in any of the nodes. */
function shortened(nodes: (RootContent | ElementContent)[]): boolean {
  let isAllEmpty = true;
  let run = 0;
  let kept = 0;
  for (const node of nodes) {
    const isEmpty = showsNothing(node);
    run = isEmpty ? run + 1 : 0;
    isAllEmpty &&= isEmpty;
    if (run <= longestRun) nodes[kept++] = node;
  }
  nodes.length = kept;
  return isAllEmpty;
}

function showsNothing(node: RootContent | ElementContent): boolean {
  if (node.type === 'text') return node.value.trim() === '';
  if (node.type !== 'element') return true;
  const isRaw = node.tagName === 'x-raw' && node.properties.value === undefined;
  const isPlain = isRaw || !(shown.has(node.tagName) || isOwnBlock(node.tagName) || node.tagName === 'x-raw');
  return shortened(node.children) && isPlain;
}

/** The library takes other blocks for words. */
function isOwnBlock(name: string): boolean {
  return isBlockNamed(name) && name !== 'details' && name !== 'fieldset';
}
