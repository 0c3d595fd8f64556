/**
 * The two requests of the visual editor: the document of a source, and the source of a changed document. The server compares
 * nodes with the source that they came from, so every patch starts from that same source, however often it is asked.
 */
import type { Node } from 'prosemirror-model';
import type { Format } from '../marks.ts';
import { type DocumentJson, documentFrom, jsonOf } from './document-json.ts';

export interface ExchangeOptions {
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

/** Previews that are asked for at the same time. */
const mostAtOnce = 3;

export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #shown = new Map<string, Promise<string | undefined>>();
  readonly #running = new Set<Promise<void>>();
  #source = '';

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** The source that the document was made from. */
  get source(): string {
    return this.#source;
  }

  /** Throws an error with a sentence for the user. */
  async read(source: string): Promise<Node> {
    const answer = await this.#post<{ document: string }>('/v1/document', { body: source });
    if ('kind' in answer) throw new Error(answer.message);
    const document = documentFrom(JSON.parse(answer.document) as DocumentJson);
    this.#source = source;
    return document;
  }

  /** Goes on with a document that was kept in a draft. */
  resume(source: string, document: DocumentJson): Node {
    this.#source = source;
    return documentFrom(document);
  }

  async write(document: Node): Promise<string | Refusal> {
    const answer = await this.#post<{ body: string }>('/v1/patch', {
      body: this.#source,
      document: JSON.stringify(jsonOf(document)),
    });
    return 'kind' in answer ? answer : answer.body;
  }

  /** Source of nodes that are not in the page yet. */
  async sourceOf(document: Node): Promise<string | undefined> {
    const answer = await this.#post<{ body: string }>('/v1/patch', {
      body: '',
      document: JSON.stringify(jsonOf(document)),
    });
    return 'kind' in answer ? undefined : answer.body;
  }

  /** HTML of a source, as the page would show it. Asked once for each source, a few at a time. */
  shown(source: string): Promise<string | undefined> {
    const known = this.#shown.get(source);
    if (known) return known;
    const asked = this.#inTurn(async () => {
      const answer = await this.#post<{ markup: string }>('/v1/preview', { body: source });
      return 'kind' in answer ? undefined : answer.markup;
    });
    this.#shown.set(source, asked);
    return asked;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running.size >= mostAtOnce) await Promise.race(this.#running);
    const run = work();
    const done = run.then(
      () => {},
      () => {},
    );
    this.#running.add(done);
    void done.then(() => this.#running.delete(done));
    return run;
  }

  async #post<T extends object>(url: string, body: object): Promise<T | Refusal> {
    const { format, path } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ ...body, format: format(), ...(path ? { path } : {}) }),
      });
      const answer: unknown = await response.json();
      return response.ok ? (answer as T) : refusalOf(answer as Problem);
    } catch {
      const message = navigator.onLine ? 'The wiki does not answer.' : 'You are offline.';
      return { kind: 'failed', message: `${message} Your text is kept in this browser.` };
    }
  }
}

interface Problem {
  type?: string;
  detail?: string;
  path?: unknown;
}

function refusalOf({ type, detail, path }: Problem): Refusal {
  const message = detail ?? 'The wiki refused it.';
  if (!type?.endsWith('not-expressible') || !Array.isArray(path)) return { kind: 'failed', message };
  return { kind: 'not-expressible', path: path.map(Number), message };
}
