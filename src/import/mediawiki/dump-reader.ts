/**
 * Streams pages and revisions of a MediaWiki export (versions 0.3 to 0.11). Only the current page is in memory, one revision at
 * a time. Unknown elements are skipped, because later versions only add some.
 */
import { SaxesParser } from 'saxes';
import { Problem } from '#core/model/problem.ts';
import type { Author } from '../source.ts';

export interface DumpSite {
  /** Version of the format. */
  version: string;
  name: string;
  base: string;
  /** Language code of the wiki; empty if the dump does not say. */
  language: string;
  /** Name and version of the program that wrote the dump. */
  generator: string;
  /** Number → local name. */
  namespaces: Map<number, string>;
}

interface DumpRevision {
  id: string;
  at: number;
  author: Author | null;
  comment: string;
  /** Undefined if hidden in the source. */
  text: string | undefined;
  model: string;
}

export interface DumpUpload {
  filename: string;
  at: number;
  /** Base64; undefined in dumps without contents. */
  contents: string | undefined;
}

export type DumpEvent =
  | { event: 'site'; site: DumpSite }
  | {
      event: 'page';
      title: string;
      ns: number | undefined;
      id: string;
      redirect: string | undefined;
      restrictions: string;
    }
  | { event: 'revision'; revision: DumpRevision }
  | { event: 'upload'; upload: DumpUpload }
  | { event: 'end' }
  | { event: 'log' };

/**
 * Maximum number of characters between two tags: the largest upload in base64 and a little more; longer ones could exhaust
 * memory.
 */
const maxTextLength = 150_000_000;
/** Exports nest their elements five deep. */
const maxDepth = 100;
const deletedName = 'Hidden author';

export async function* readDump(text: AsyncIterable<string>): AsyncGenerator<DumpEvent> {
  const reader = new DumpReader();
  for await (const part of text) yield* reader.push(part);
  yield* reader.end();
}

class DumpReader {
  readonly #parser = new SaxesParser({ position: false });
  readonly #path: string[] = [];
  #events: DumpEvent[] = [];
  #text = '';
  #sinceTag = 0;
  #site: DumpSite = { version: '', name: '', base: '', language: '', generator: '', namespaces: new Map() };
  #namespace = 0;
  #page = emptyPage();
  #revision = emptyRevision();
  #upload: DumpUpload = { filename: '', at: 0, contents: undefined };

  constructor() {
    this.#parser.on('error', (error) => {
      const isCut = error.message.startsWith('unclosed tag');
      const why = isCut ? 'The file is incomplete; make or download it again' : 'The file is not valid XML';
      throw new Problem('invalid', `${why} (${error.message}).`);
    });
    this.#parser.on('opentag', ({ name, attributes }) =>
      this.#open(name, attributes as Record<string, string>),
    );
    this.#parser.on('closetag', ({ name }) => this.#close(name));
    this.#parser.on('text', (text) => {
      this.#text += text;
    });
    this.#parser.on('cdata', (text) => {
      this.#text += text;
    });
  }

  push(part: string): DumpEvent[] {
    this.#sinceTag += part.length;
    this.#parser.write(part);
    if (this.#sinceTag > maxTextLength)
      throw new Problem('too-large', `A text in the file has more than ${maxTextLength} characters.`);
    return this.#take();
  }

  end(): DumpEvent[] {
    this.#parser.close();
    return this.#take();
  }

  #take(): DumpEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#sinceTag = 0;
    this.#text = '';
    const depth = this.#path.push(name);
    if (depth > maxDepth)
      throw new Problem(
        'invalid',
        `The file is not valid XML (its elements are nested more than ${maxDepth} deep).`,
      );
    if (depth === 1) {
      if (name !== 'mediawiki')
        throw new Problem('invalid', `This is not a MediaWiki export, because it begins with <${name}>.`);
      this.#site.version = attributes.version ?? '';
      this.#site.language = attributes['xml:lang'] ?? '';
    } else if (name === 'namespace') this.#namespace = Number(attributes.key);
    else if (depth === 2 && name === 'page') this.#page = emptyPage();
    else if (depth === 2 && name === 'logitem') this.#events.push({ event: 'log' });
    else if (depth === 3 && name === 'redirect') this.#page.redirect = attributes.title ?? '';
    else if (depth === 3 && name === 'revision') {
      this.#tellPage();
      this.#revision = emptyRevision();
    } else if (depth === 3 && name === 'upload') this.#upload = { filename: '', at: 0, contents: undefined };
    else if (depth === 4 && name === 'contributor' && attributes.deleted !== undefined)
      this.#revision.author = { key: 'hidden', name: deletedName };
    else if (depth === 4 && name === 'text' && attributes.deleted !== undefined)
      this.#revision.isHidden = true;
  }

  #close(name: string): void {
    this.#sinceTag = 0;
    const text = this.#text;
    this.#text = '';
    const [, second, third, fourth] = this.#path;
    const depth = this.#path.length;
    this.#path.pop();
    if (second === 'siteinfo') this.#closeInSite(name, text);
    else if (second !== 'page') return;
    else if (depth === 2) {
      this.#tellPage();
      this.#events.push({ event: 'end' });
    } else if (depth === 3 && name === 'title') this.#page.title = text.trim();
    else if (depth === 3 && name === 'ns') this.#page.ns = Number(text);
    else if (depth === 3 && name === 'id') this.#page.id = text.trim();
    else if (depth === 3 && name === 'restrictions') this.#page.restrictions = text;
    else if (third === 'revision') this.#closeInRevision(name, text, depth, fourth);
    else if (third === 'upload') this.#closeInUpload(name, text, depth);
  }

  #closeInSite(name: string, text: string): void {
    if (name === 'sitename') this.#site.name = text.trim();
    else if (name === 'base') this.#site.base = text.trim();
    else if (name === 'generator') this.#site.generator = text.trim();
    else if (name === 'namespace') this.#site.namespaces.set(this.#namespace, text.trim());
    else if (name === 'siteinfo') this.#events.push({ event: 'site', site: this.#site });
  }

  #closeInRevision(name: string, text: string, depth: number, fourth: string | undefined): void {
    const revision = this.#revision;
    if (depth === 3) {
      const { isHidden, ...whole } = revision;
      this.#events.push({
        event: 'revision',
        revision: { ...whole, text: isHidden ? undefined : revision.text },
      });
    } else if (depth === 4) {
      // Other slots of a revision have their own `text`, one level deeper.
      if (name === 'id') revision.id = text.trim();
      else if (name === 'timestamp') revision.at = timeOf(text);
      else if (name === 'comment') revision.comment = text.trim();
      else if (name === 'model') revision.model = text.trim();
      else if (name === 'text') revision.text = text;
    } else if (fourth === 'contributor') {
      const value = text.trim();
      if (name === 'username' && value !== '') revision.author = { key: `user:${value}`, name: value };
      else if (name === 'ip' && value !== '') revision.author ??= { key: `ip:${value}`, name: value };
    }
  }

  #closeInUpload(name: string, text: string, depth: number): void {
    if (depth === 3) this.#events.push({ event: 'upload', upload: this.#upload });
    else if (name === 'filename') this.#upload.filename = text.trim();
    else if (name === 'timestamp') this.#upload.at = timeOf(text);
    else if (name === 'contents') this.#upload.contents = text;
  }

  /** Called once everything before the first revision is known. */
  #tellPage(): void {
    const { isTold, ...page } = this.#page;
    if (isTold) return;
    this.#page.isTold = true;
    this.#events.push({ event: 'page', ...page });
  }
}

function emptyPage() {
  return {
    title: '',
    id: '',
    restrictions: '',
    isTold: false,
    ns: undefined as number | undefined,
    redirect: undefined as string | undefined,
  };
}

function emptyRevision(): DumpRevision & { isHidden: boolean } {
  return {
    id: '',
    at: 0,
    author: null,
    comment: '',
    text: '',
    model: 'wikitext',
    isHidden: false,
  };
}

function timeOf(text: string): number {
  const at = Date.parse(text.trim());
  return Number.isFinite(at) ? at : 0;
}
