/**
 * Long runs of elements and comments in which nothing shows, such as thousands of empty links. The library that removes white space
 * looks from each of them to the end of the run.
 */
import type { ElementContent, Root, RootContent } from 'hast';

const longestRun = 50;
/** Elements that show nothing but their content. */
const plain = new Set(
  'a abbr b bdi bdo big cite code data del em font i ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var'.split(
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
  return shortened(node.children) && (isRaw || plain.has(node.tagName));
}
