/** Export formats. Each is a stream of one file, or of a folder packed as a zip. */
import { Readable } from 'node:stream';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { type ExportEntry, zipOf } from './entries.ts';
import type { FormatName } from './format-names.ts';
import { exportLines } from './json-lines.ts';
import { mediaWikiXml } from './mediawiki/mediawiki-xml.ts';
import { epubEntries } from './shown/epub.ts';
import { singleFile } from './shown/single-file.ts';
import { siteEntries } from './shown/site.ts';
import { markdownTree } from './tree/markdown-tree.ts';
import { siteSource } from './tree/site-sources.ts';
import { wikitextTree } from './tree/wikitext-tree.ts';
import type { ExportCounts, ExportSource } from './walk.ts';

type Make<T> = (source: ExportSource, top: TreePosition | null, counts: ExportCounts) => AsyncGenerator<T>;

interface FileFormat {
  text: Make<string>;
}

interface FolderFormat {
  /** Whether the export can also be written as a folder. */
  isFolder: boolean;
  entries: Make<ExportEntry>;
}

const formats: Record<FormatName, FileFormat | FolderFormat> = {
  jsonl: { text: exportLines },
  markdown: { isFolder: true, entries: markdownTree },
  mdbook: { isFolder: true, entries: siteSource('mdbook') },
  mkdocs: { isFolder: true, entries: siteSource('mkdocs') },
  docusaurus: { isFolder: true, entries: siteSource('docusaurus') },
  hugo: { isFolder: true, entries: siteSource('hugo') },
  wikitext: { isFolder: true, entries: wikitextTree },
  site: { isFolder: true, entries: siteEntries },
  html: { text: singleFile },
  epub: { isFolder: false, entries: epubEntries },
  'mediawiki-xml': { text: mediaWikiXml },
};

export function formatOf(name: FormatName): FileFormat | FolderFormat {
  return formats[name];
}

/** `top`: root of the exported subtree; null for the whole wiki. */
export function exportAs(
  name: FormatName,
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts,
): Readable {
  const format = formatOf(name);
  return 'text' in format
    ? Readable.from(format.text(source, top, counts), { objectMode: true })
    : zipOf(format.entries(source, top, counts));
}
