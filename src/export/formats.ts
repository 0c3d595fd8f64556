/** Export formats. Each is a stream of one file, or of a folder packed as a zip. */
import { Readable } from 'node:stream';
import type { TreePosition } from '#domain/ports/list-reads.ts';
import { type ExportEntry, zipOf } from './entries.ts';
import type { FormatName } from './format-names.ts';
import { exportLines } from './json-lines.ts';
import { mediaWikiXml } from './mediawiki/mediawiki-xml.ts';
import { epubEntries } from './shown/epub.ts';
import { singleFile } from './shown/single-file.ts';
import { siteEntries } from './shown/site.ts';
import { markdownTree } from './tree/markdown-tree.ts';
import { wikitextTree } from './tree/wikitext-tree.ts';
import type { ExportCounts, ExportSource } from './walk.ts';

type Make<T> = (source: ExportSource, top: TreePosition | null, counts: ExportCounts) => AsyncGenerator<T>;

export interface FileFormat {
  mime: string;
  ending: string;
  text: Make<string>;
}

export interface FolderFormat {
  mime: string;
  ending: string;
  /** Whether the export can also be written as a folder. */
  isFolder: boolean;
  entries: Make<ExportEntry>;
}

const zipped = { mime: 'application/zip', ending: 'zip', isFolder: true } as const;

export const formats = {
  jsonl: { mime: 'application/jsonl; charset=utf-8', ending: 'jsonl', text: exportLines },
  markdown: { ...zipped, entries: markdownTree },
  wikitext: { ...zipped, entries: wikitextTree },
  site: { ...zipped, entries: siteEntries },
  html: { mime: 'text/html; charset=utf-8', ending: 'html', text: singleFile },
  epub: { mime: 'application/epub+zip', ending: 'epub', isFolder: false, entries: epubEntries },
  'mediawiki-xml': { mime: 'application/xml; charset=utf-8', ending: 'xml', text: mediaWikiXml },
} satisfies Record<FormatName, FileFormat | FolderFormat>;

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
