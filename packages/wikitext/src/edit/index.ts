/** Reads a source losslessly, queries it, and changes parts of it. */
export { type Change, edit } from './apply.ts';
export {
  insertAfter,
  insertBefore,
  remove,
  replaceNode,
  setCell,
  setHeading,
  setLabel,
  setSection,
  setTarget,
} from './changes.ts';
export { escapeWikitext } from './guard.ts';
export type * from './nodes.ts';
export {
  externalLinks,
  headings,
  leaves,
  links,
  parameter,
  type SourceSection,
  sections,
  tables,
  templates,
  walk,
} from './queries.ts';
export { readSource } from './read-source.ts';
export { renameTemplate, setParameter } from './set-parameter.ts';
