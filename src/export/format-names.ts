/** Names of the export formats, for code that offers or reads formats without making exports. */
export const formatNames = [
  'jsonl',
  'markdown',
  'wikitext',
  'site',
  'html',
  'epub',
  'mediawiki-xml',
] as const;
export type FormatName = (typeof formatNames)[number];
