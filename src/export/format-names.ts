/** Names and types of the export formats, for code that offers or reads formats without making exports. */
export const formatNames = [
  'jsonl',
  'markdown',
  'mdbook',
  'mkdocs',
  'docusaurus',
  'hugo',
  'wikitext',
  'site',
  'html',
  'epub',
  'mediawiki-xml',
] as const;
export type FormatName = (typeof formatNames)[number];

const zip = { mime: 'application/zip', ending: 'zip' } as const;

/** Media type and ending of the file. Folders come as a zip. */
export const fileTypes: Record<FormatName, { mime: string; ending: string }> = {
  jsonl: { mime: 'application/jsonl; charset=utf-8', ending: 'jsonl' },
  markdown: zip,
  mdbook: zip,
  mkdocs: zip,
  docusaurus: zip,
  hugo: zip,
  wikitext: zip,
  site: zip,
  html: { mime: 'text/html; charset=utf-8', ending: 'html' },
  epub: { mime: 'application/epub+zip', ending: 'epub' },
  'mediawiki-xml': { mime: 'application/xml; charset=utf-8', ending: 'xml' },
};
