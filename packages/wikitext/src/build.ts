/**
 * API for other languages whose pages are parsed to the same tree as wikitext. A `Builder` makes a tree from tags in any order;
 * `readText` parses wikitext inside such a page. The other exports are for programs that convert a tree to another language.
 */
export { isBlockNode } from './blocks/block-node.ts';
export { Builder } from './builder.ts';
export { char } from './characters.ts';
export { extensionTags, functions, listings, variables } from './constructs.ts';
export { type Context, createContext, exceed, mayLink } from './context.ts';
export type { Fragment } from './elements.ts';
export { decodeEntities } from './entities.ts';
export { extensionNode } from './extension-node.ts';
export { anchor } from './headings.ts';
export { pathHref, safeUrl } from './html.ts';
export { readTag, type Tag } from './html-tag.ts';
export { fileTarget } from './inlines/file.ts';
export { imageTag } from './inlines/image.ts';
export { readText } from './parse.ts';
export { placeAt } from './place-at.ts';
export { resolvePath } from './rules.ts';
export { allowedElements, readAnyAttributes, readAttributes } from './sanitize.ts';
export { inlineText } from './text.ts';
