/** Bodies as documents of a visual editor. The editor has no parser: it gets the document and returns it edited. */
import { markdownDocuments } from '@coppice/markdown/document';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import { type Documents, documentsOf, NotExpressible, wikitextDocuments } from '@coppice/wikitext/document';
import type { Content } from '../model/page.ts';

type Source = Pick<Content, 'body' | 'format' | 'path'>;
/** Milliseconds, for the time limit of parsing. */
type Clock = (() => number) | undefined;

/** The patched body, or why and where the document cannot be written in the language of the body. */
export type Patched =
  | { body: string }
  | { problem: string; path: readonly number[]; range: [number, number] | null };

function documentsFor({ format, path }: Source, dialect: Dialect, clock: Clock): Documents {
  if (format === 'markdown') return documentsOf(markdownDocuments());
  return documentsOf(wikitextDocuments({ rules: rulesOf(dialect), path, ...(clock ? { clock } : {}) }));
}

/** The document of a body, as JSON. */
export function documentOf(source: Source, dialect: Dialect, clock: Clock): string {
  return JSON.stringify(documentsFor(source, dialect, clock).documentOf(source.body));
}

/** `document`: JSON of what `documentOf` returned for the same body, edited. */
export function patchBody(source: Source, document: string, dialect: Dialect, clock: Clock): Patched {
  try {
    return { body: documentsFor(source, dialect, clock).patch(source.body, readDocument(document)) };
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    const { message, path, range } = error;
    return { problem: message, path, range: range ? [range.start, range.end] : null };
  }
}

function readDocument(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new NotExpressible('The document is not valid JSON.');
  }
}
