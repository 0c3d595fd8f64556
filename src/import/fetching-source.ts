/**
 * Attaches pictures of other sites that texts in Markdown show to their pages. Bounded in number, size and time; a picture that
 * cannot be fetched stays a link to the other site, and the certificate says why.
 */
import { encodePath } from '#core/model/path.ts';
import { NotDelivered, type Outgoing } from '#core/ports/outgoing.ts';
import { type FoundLink, replaceLinks } from './documents/scan.ts';
import { freeFilename } from './folder-paths.ts';
import type { Adapted, LinkPlan, Omission, PageOutline, Source, SourceEvent, SourceFile } from './source.ts';

type FetchingOptions = Pick<Outgoing, 'get'> & { maxBytes: number; clock: () => number };

const most = { pictures: 1000, bytes: 500_000_000, milliseconds: 10 * 60_000, redirects: 3 };
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
};

/** Name of the file on its page, or the reason why there is none. */
type Outcome = { filename: string } | { why: string };

export class FetchingSource implements Source {
  readonly kind: Source['kind'];
  readonly hasHistory: boolean;
  readonly #source: Source;
  readonly #options: FetchingOptions;
  /** Names of the files of each page in Markdown. */
  readonly #pages = new Map<string, SourceFile[]>();
  /** Outcomes for the page that was read last, by address. */
  #fetched = new Map<string, Outcome>();
  #count = 0;
  #bytes = 0;
  #endsAt = 0;

  constructor(source: Source, options: FetchingOptions) {
    this.#source = source;
    this.#options = options;
    this.kind = source.kind;
    this.hasHistory = source.hasHistory;
  }

  get name(): string {
    return this.#source.name;
  }

  get identity(): string | undefined {
    return this.#source.identity;
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    for await (const entry of this.#source.outline()) {
      if ('key' in entry && entry.format === 'markdown') this.#pages.set(entry.key, [...(entry.files ?? [])]);
      yield entry;
    }
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    this.#endsAt ||= this.#options.clock() + most.milliseconds;
    let key = '';
    let body = '';
    for await (const event of this.#source.read(isWanted)) {
      if (event.event === 'page') key = event.key;
      else if (event.event === 'revision') body = event.revision.body;
      else if (event.event === 'end') {
        const files = this.#pages.get(key);
        this.#fetched = new Map();
        if (files) yield* this.#fetchAll(body, files);
      }
      yield event;
    }
  }

  adapt(key: string, body: string, plan: LinkPlan): Adapted {
    const adapted = this.#source.adapt(key, body, plan);
    const [links, approximated] = [[...adapted.links], [...adapted.approximated]];
    const path = plan.pageOf(key)?.path ?? '';
    for (const [url, outcome] of this.#fetched) {
      if ('filename' in outcome) {
        links.push({ old: url, new: `${path}/${outcome.filename}`, isFile: true });
        approximated.push({ construct: 'picture of another site', before: url, after: outcome.filename });
      } else {
        const construct = 'picture of another site that was not fetched';
        approximated.push({ construct, before: url, after: outcome.why });
      }
    }
    const text = replaceLinks(adapted.body, (link) => {
      const outcome = isPicture(link) ? this.#fetched.get(link.target) : undefined;
      if (!outcome || !('filename' in outcome) || link.kind === 'wiki') return undefined;
      const name = encodePath(outcome.filename);
      if (link.kind === 'tag') return name;
      return `![${link.text}](${name}${link.more})`;
    });
    return { ...adapted, body: text, links, approximated };
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#source[Symbol.asyncDispose]();
  }

  async *#fetchAll(body: string, files: SourceFile[]): AsyncGenerator<SourceEvent> {
    const urls = new Set<string>();
    replaceLinks(body, (link) => {
      if (isPicture(link)) urls.add(link.target);
      return undefined;
    });
    const taken = new Set(files.map(({ filename }) => filename));
    for (const url of urls) {
      const fetched = await this.#download(url).catch((error: unknown) => {
        if (error instanceof NotDelivered) return error.message;
        throw error;
      });
      if (typeof fetched === 'string') {
        this.#fetched.set(url, { why: fetched });
        continue;
      }
      const { hostname, pathname } = new URL(url);
      const bare = pathname.replace(/\.\w{1,5}$/, '').replace(/\/+$/, '') || '/picture';
      const file = { key: url, filename: freeFilename(`${hostname}${bare}.${fetched.ending}`, taken) };
      files.push(file);
      this.#fetched.set(url, { filename: file.filename });
      yield { event: 'file', file, bytes: () => one(fetched.bytes) };
    }
  }

  /** Resolves to the reason if it is not fetched. */
  async #download(url: string): Promise<{ bytes: Uint8Array; ending: string } | string> {
    const { get, maxBytes, clock } = this.#options;
    if (this.#count >= most.pictures) return `More than ${most.pictures} pictures are not fetched at once.`;
    if (this.#bytes >= most.bytes) return `More than ${most.bytes} bytes are not fetched at once.`;
    if (clock() > this.#endsAt)
      return `Pictures are fetched for ${most.milliseconds / 60_000} minutes at most.`;
    this.#count++;
    let at = url;
    for (let hops = 0; hops <= most.redirects; hops++) {
      const { status, headers, bytes } = await get(at, maxBytes);
      this.#bytes += bytes.length;
      const { location } = headers;
      if (status >= 300 && status < 400 && typeof location === 'string' && URL.canParse(location, at)) {
        at = new URL(location, at).href;
        continue;
      }
      if (status !== 200) return `The answer was ${status}.`;
      const ending = endings[String(headers['content-type']).replace(/;.*$/s, '').trim().toLowerCase()];
      return ending === undefined ? 'It is no picture that browsers show.' : { bytes, ending };
    }
    return 'It leads on too often.';
  }
}

function isPicture(link: FoundLink): link is FoundLink & { target: string } {
  if (link.kind === 'wiki' || !/^https?:\/\//i.test(link.target)) return false;
  return link.kind === 'tag' ? link.element === 'img' : link.isImage;
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
