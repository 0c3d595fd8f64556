/** Requests of the visual editor. Apart from the editor, so that the document is on its way while the editor is being loaded. */
import { say } from '../../words.ts';
import type { Format } from '../marks.ts';

export interface PageOfRequests {
  format(): Format;
  /** Path of the page; undefined for a new one. */
  path: string | undefined;
}

/** Reasons why a document has no source. */
export type Refusal =
  /** The node at this path of child indexes cannot be written in the language. */
  | { kind: 'not-expressible'; path: number[]; message: string }
  /** The wiki does not answer, or answers with an error. */
  | { kind: 'failed'; message: string };

/** A document that was asked for, as JSON. */
export interface AskedDocument {
  source: string;
  format: Format;
  answer: Promise<{ document: string } | Refusal>;
}

export function askDocument(page: PageOfRequests, source: string): AskedDocument {
  return { source, format: page.format(), answer: post(page, '/v1/document', { body: source }) };
}

export async function post<T extends object>(
  { format, path }: PageOfRequests,
  url: string,
  body: object,
): Promise<T | Refusal> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...body, format: format(), ...(path ? { path } : {}) }),
    });
    const answer: unknown = await response.json();
    return response.ok ? (answer as T) : refusalOf(answer as Problem);
  } catch {
    const message = navigator.onLine
      ? say('visualRequests.theWikiDoesNotAnswer')
      : say('visualRequests.youAreOffline');
    return { kind: 'failed', message: say('visualRequests.yourTextIsKept', { message }) };
  }
}

interface Problem {
  type?: string;
  detail?: string;
  path?: unknown;
}

function refusalOf({ type, detail, path }: Problem): Refusal {
  const message = detail ?? say('visualRequests.theWikiRefusedIt');
  if (!type?.endsWith('not-expressible') || !Array.isArray(path)) return { kind: 'failed', message };
  return { kind: 'not-expressible', path: path.map(Number), message };
}
