/** Markdown pages as documents of a visual editor. */
export { markdownDocuments } from './write.ts';
