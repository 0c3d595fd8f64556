/** Names of the formats of exports, for those who offer or read them without making any. */
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
