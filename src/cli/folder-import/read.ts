/** Parses the new page of a document once all documents are known, with its links rewritten. */

import type { PageInput } from '#core/model/page-input.ts';
import { type Draft, draftOf } from '#core/pages/create-pages.ts';
import type { Store } from '#core/ports/store.ts';
import { hashOf, withNote } from '#import/note.ts';
import type { ImportNote } from './note.ts';
import type { PlannedPage } from './planned-page.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { LinkTargets, type Target } from './targets.ts';
import { readDocument } from './walk.ts';

export interface PageReaderOptions {
  /** Imported folder. */
  folder: string;
  /** Permissions of new pages; undefined for the wiki's default. */
  permissions: string | undefined;
  /** Name of the folder, recorded in each page. */
  origin: string;
  /** Dialect in which the wiki's pages are parsed. */
  dialect: Store['dialect'];
}

/** The fields of a planned page that parsing needs. */
export type DocumentToRead = Pick<
  PlannedPage,
  'source' | 'format' | 'path' | 'parentPath' | 'title' | 'sha256'
>;

export interface ReadPage {
  draft: Draft;
  note: ImportNote;
}

/** Content of folders without a document: a list of their children. */
const bareFolder = '{{Children}}\n';

export class PageReader {
  readonly #linkTargets: LinkTargets;
  readonly #options: PageReaderOptions;

  /** `targets`: all planned pages. */
  constructor(targets: readonly Target[], options: PageReaderOptions) {
    this.#linkTargets = new LinkTargets(targets, options.folder);
    this.#options = options;
  }

  /** Refuses documents that have become unreadable. */
  read(page: DocumentToRead): ReadPage {
    const { source, format, sha256, title } = page;
    const text = format === undefined ? bareFolder : readDocument(this.#options.folder, source).text;
    const { text: body, rewritten } = rewriteLinks(text, this.#linkTargets.from(source));
    const { origin } = this.#options;
    const note = { source, sha256, title, body: hashOf(body), links: rewritten, origin };
    const { input, plain } = draftOf(inputOf(page, body, note, this.#options), this.#options.dialect);
    // With its path set, the content equals the input, so only one object is passed between threads.
    return { draft: plain ? { input: plain.content, plain } : { input }, note };
  }
}

function inputOf(
  page: DocumentToRead,
  body: string,
  note: ImportNote,
  { permissions }: PageReaderOptions,
): PageInput {
  return {
    title: page.title,
    path: page.path,
    slug: page.path.slice(page.path.lastIndexOf('/') + 1),
    parent: page.parentPath,
    body,
    format: page.format ?? 'wikitext',
    data: withNote({}, note),
    msg: messageFor(page),
    ...(permissions === undefined ? {} : { permissions }),
  };
}

export function messageFor({ source, format }: Pick<PlannedPage, 'source' | 'format'>): string {
  return format === undefined ? 'Imported as the page of a folder' : `Imported from ${source}`.slice(0, 1000);
}
