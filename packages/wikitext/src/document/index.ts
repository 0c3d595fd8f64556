/**
 * Pages as documents of a visual editor, and edits of such documents in the source. Other languages bring a reader and a writer
 * of their own, made of the same parts.
 */
export { NotExpressible } from './edited.ts';
export { type InlineLanguage, type Leaf, type Place, type TextPlace, writeInline } from './inline.ts';
export type { Before, DocumentLanguage, Style } from './language.ts';
export {
  type Attributes,
  type Block,
  type DocumentMark,
  type DocumentNode,
  isNothing,
  keyOfBlock,
  keyOfMark,
  keyOfNode,
  normalised,
  type Range,
  type SourceBlock,
  type SourceMark,
  type Unit,
} from './nodes.ts';
export { type Documents, documentsOf } from './patch.ts';
export { type Sequence, writeSequence } from './sequence.ts';
export { attributesOfCall, changeCall, writeCall } from './wikitext/calls.ts';
export type { WikitextOptions } from './wikitext/read.ts';
export { wikitextDocuments } from './wikitext/write.ts';
