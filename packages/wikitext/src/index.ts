/** The public API of the engine: parse, references, expand, render. */

export type { MarkdownReader, ParseOptions } from './context.ts';
export { decodeEntities } from './entities.ts';
export { expand, expandAll } from './expand.ts';
export { formatNumber, pluralForm } from './functions/string.ts';
export { escapeHtml } from './html.ts';
export { limits } from './limits.ts';
export { parseLocation } from './location.ts';
export type * from './options.ts';
export { displayTitle } from './output/display-title.ts';
export { parse } from './parse.ts';
export type * from './parsed-page.ts';
export { references } from './references.ts';
export { plainText, render } from './render.ts';
export type * from './tree.ts';
