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
  ancestors,
  contents,
  externalLinks,
  find,
  headings,
  isNamed,
  lead,
  leaves,
  links,
  parameter,
  plainText,
  type SourceSection,
  section,
  sections,
  tables,
  templates,
  textOf,
  walk,
} from './queries.ts';
export { readSource } from './read-source.ts';
export { insertRow, rows } from './rows.ts';
export { removeParameters, renameParameter, renameTemplate, setParameter } from './set-parameter.ts';
export { renameTag, setAttribute, setBody, unwrap } from './set-tag.ts';
