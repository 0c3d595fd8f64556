/** Client of a wiki: `request` for any operation, and methods for the most frequent ones. */
import type { EditedPage, Event, NewPage, Operations, PageEdit, ReadPage } from '@coppice/api';
import { type ChangesOptions, followChanges } from './changes.ts';
import { CoppiceError } from './problem.ts';
import { type Options, Sender } from './send.ts';
import { type UploadOptions, upload } from './upload.ts';

type Names<M extends string> = Extract<keyof Operations, `${M} ${string}`>;
type Input<O extends keyof Operations> = Omit<Operations[O], 'answer'>;
/** The input is optional if none of its parts is required. */
type Arguments<O extends keyof Operations> =
  Record<never, never> extends Input<O> ? [input?: Input<O> & More] : [input: Input<O> & More];
interface More {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
/** Operations that return a list in pages. */
type ListName = {
  [O in Names<'GET'>]: Operations[O] extends { query?: { offset?: number }; answer: unknown[] } ? O : never;
}[Names<'GET'>];

type SavedPage = EditedPage['page'] | Operations['POST /v1/pages']['answer'];

/** A saved edit. `version` is for `If-Match` and `base`. */
export interface Saved extends EditedPage {
  ok: true;
  version: number;
}

/** Somebody else has changed the same part in the meantime. Nothing was saved. */
export interface Conflict {
  ok: false;
  /** Version that the edit was based on, or undefined if it was based on none. */
  base: Version | undefined;
  yours: Pick<Version, 'content'>;
  theirs: Version;
  /**
   * Sends the edit again on top of the other one, with these fields instead of the conflicting ones. Without a body, the
   * caller's body replaces the other one. This can return another conflict.
   */
  merge(fields: PageEdit): Promise<Saved | Conflict>;
}

/** A version of a page: the ID of its change, and its fields. */
export interface Version {
  change: number;
  content: PageEdit & Record<string, unknown>;
}

/** A wiki as one caller sees it. Methods throw `CoppiceError` for refusals, and errors of `fetch` if the wiki cannot be reached. */
export class Coppice {
  readonly #sender: Sender;

  /** `address`: address of the wiki, such as `https://wiki.example.org`. */
  constructor(address: string, options: Options = {}) {
    this.#sender = new Sender(address, options);
  }

  /** Calls an operation by its name in the reference. Throws `CoppiceError` for refusals. */
  async request<O extends keyof Operations>(
    operation: O,
    ...[input]: Arguments<O>
  ): Promise<Operations[O]['answer']> {
    return answerOf(await this.#send(operation, input as AnyInput)) as Promise<Operations[O]['answer']>;
  }

  /**
   * Returns a page with its body as HTML, or undefined if the page does not exist or the caller may not read it. Follows
   * redirects from old addresses.
   */
  async read(
    path: string,
    query: Operations['GET /v1/pages/{path}']['query'] = {},
  ): Promise<ReadPage | undefined> {
    try {
      return await this.request('GET /v1/pages/{path}', {
        path: { path },
        query: { history: 'none', ...query },
      });
    } catch (error) {
      if (error instanceof CoppiceError && [404, 410].includes(error.status)) return undefined;
      throw error;
    }
  }

  create(page: NewPage): Promise<Operations['POST /v1/pages']['answer']> {
    return this.request('POST /v1/pages', { body: page });
  }

  /**
   * Changes the given fields and leaves the rest. With `base`, the version that the edit was made from, the wiki merges edits
   * that do not overlap and returns a `Conflict` for others. Without it, the last edit wins.
   */
  async edit(path: string, fields: PageEdit): Promise<Saved | Conflict> {
    try {
      const saved = await this.request('POST /v1/pages/{path}', {
        path: { path },
        body: fields,
        query: { history: 'latest' },
      });
      return { ...saved, ok: true, version: saved.page.history[0]?.id ?? 0 };
    } catch (error) {
      if (!(error instanceof CoppiceError) || error.status !== 412) throw error;
      const { base, yours, theirs } = error.problem as unknown as Pick<Conflict, 'base' | 'yours' | 'theirs'>;
      return {
        ok: false,
        base,
        yours,
        theirs,
        merge: (resolved) => this.edit(path, { ...fields, ...resolved, base: theirs.change }),
      };
    }
  }

  /** Attaches files to an existing page. If no path is given and `page` has a title, creates a page with the files. */
  async upload(
    to: string | NewPage,
    files: readonly (File | { name: string; blob: Blob })[],
    { msg, ...options }: UploadOptions & { msg?: string } = {},
  ): Promise<SavedPage> {
    const isNew = typeof to !== 'string';
    const path = isNew ? '/v1/pages' : `/v1/pages/${encoded(to)}`;
    const fields = isNew ? (to as Record<string, unknown>) : { msg };
    const answer = (await upload(this.#sender, path, { fields, files }, options)) as SavedPage | EditedPage;
    return 'page' in answer ? answer.page : answer;
  }

  /** Yields all entries of a list and requests its pages as needed. */
  async *list<O extends ListName>(
    operation: O,
    ...[input]: Arguments<O>
  ): AsyncGenerator<Operations[O]['answer'] extends (infer Item)[] ? Item : never> {
    let next: string | undefined = pathOf(operation, {
      ...(input as AnyInput),
      query: { limit: 100, ...(input as AnyInput)?.query },
    });
    while (next) {
      const response: Response = await this.#sender.send({
        method: 'GET',
        path: next,
        signal: input?.signal,
      });
      yield* (await response.json()) as never[];
      next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
    }
  }

  /** Endless stream of events, from now on or after a cursor. Resumes after broken connections. */
  changes(options: ChangesOptions = {}): AsyncGenerator<Event & { cursor: string }> {
    return followChanges(this.#sender, options);
  }

  /** Yields events from a cursor until now, for programs that run from time to time. The last `cursor` is the next `after`. */
  async *changesUntilNow({
    signal,
    ...query
  }: ChangesOptions = {}): AsyncGenerator<Event & { cursor: string }> {
    let after = query.after ?? '0';
    for (;;) {
      const { changes, next, more } = await this.request('GET /v1/changes', {
        query: { ...query, after, limit: 1000 },
        signal,
      });
      // The cursor advances only after all events of the batch have been yielded.
      for (const [i, event] of changes.entries())
        yield { ...event, cursor: i === changes.length - 1 ? next : after };
      if (!more) return;
      after = next;
    }
  }

  async #send(operation: string, input: AnyInput): Promise<Response> {
    const [method = ''] = operation.split(' ');
    const json = input?.body === undefined ? undefined : JSON.stringify(input.body);
    return this.#sender.send({
      method,
      path: pathOf(operation, input),
      headers: input?.headers ?? {},
      ...(json === undefined ? {} : { body: () => ({ body: json, type: 'application/json' }) }),
      signal: input?.signal,
    });
  }
}

type AnyInput =
  | (More & { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown })
  | undefined;

/** Returns the URL of an operation with its parameters. */
function pathOf(operation: string, input: AnyInput): string {
  const [, template = ''] = operation.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encoded(String(input?.path?.[name] ?? '')));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input?.query ?? {}))
    for (const one of [value].flat()) if (one !== undefined) query.append(name, String(one));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Encodes a page's path, with or without its leading slash, and keeps its slashes. */
function encoded(path: string): string {
  return path.replace(/^\//, '').split('/').map(encodeURIComponent).join('/');
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 202) return undefined;
  const type = response.headers.get('Content-Type') ?? '';
  return /^application\/json\b/.test(type) ? response.json() : response.text();
}
