/** Folders and zips of Markdown as a source: Obsidian, Wiki.js, MkDocs, Docusaurus, Hugo, Jekyll and plain ones. */
import type { Dialect } from '@coppice/wikitext/dialect';
import { sectionsOf } from '#core/content/page-sections.ts';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';
import { type Anchors, anchorsOf } from '../anchors.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type {
  Adapted,
  Kind,
  LinkPlan,
  Omission,
  PageOutline,
  Source,
  SourceEvent,
  Translated,
} from '../source.ts';
import { adaptDocument } from './adapt.ts';
import { documentText } from './document-text.ts';
import { bytesOf, type FileTree, textOf } from './file-tree.ts';
import { flavourOf } from './flavour.ts';
import type { DocumentText } from './html.ts';
import { DocumentLinks } from './links.ts';
import { type Documents, isWikitext, outlineOf } from './outline.ts';
import { inOwnTerms, type TermsSurroundings } from './own-terms.ts';
import { readSettings } from './settings.ts';
import { siteOf } from './sites.ts';
import { translationsIn } from './translations.ts';

/** The text as it is written. HTML may be in another encoding, which its own reader decodes. */
async function writtenText(tree: FileTree, key: string): Promise<string> {
  try {
    return await textOf(tree, key);
  } catch (error) {
    if (!(error instanceof Problem) || !/\.html?$/i.test(key)) throw error;
    return (await bytesOf(tree, key, maxBodyBytes)).toString('latin1');
  }
}

export class DocumentSource implements Source {
  readonly hasHistory = false;
  readonly kind: Kind;
  readonly #tree: FileTree;
  readonly #dialect: Dialect;
  readonly #base: string;
  readonly #now: number;
  #documents: Documents | undefined;
  #links: DocumentLinks | undefined;
  #translations: ReadonlyMap<string, Translated> = new Map();
  readonly #anchors = new Map<string, Anchors>();
  /** Documents that were read and not adapted yet. */
  readonly #documentsRead = new Map<string, DocumentText>();

  /** `base`: folder of the program's settings, with a trailing slash. */
  constructor(
    kind: Kind,
    tree: FileTree,
    { dialect, base, now }: { dialect: Dialect; base: string; now: number },
  ) {
    this.kind = kind;
    this.#tree = tree;
    this.#dialect = dialect;
    this.#base = base;
    this.#now = now;
  }

  /** File names of archives vary, so the name is made from the kind and the paths. */
  get name(): string {
    return this.kind;
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    const settings = await readSettings(this.#tree, this.kind, this.#base);
    const flavour = flavourOf(this.kind, this.#tree.paths, settings, this.#base);
    const site = siteOf(this.kind, settings, flavour);
    const documents = await outlineOf(this.#tree, {
      kind: this.kind,
      flavour,
      site,
      nav: settings.facts.nav,
      now: this.#now,
    });
    this.#documents = documents;
    const keys = documents.outlines.filter(({ revisions }) => revisions > 0).map(({ key }) => key);
    const inverse = documents.outlines.toReversed();
    const places = new Map(inverse.map(({ key, place }) => [place.join('/').toLowerCase(), key]));
    this.#links = new DocumentLinks(
      { documents: keys, files: documents.files.keys() },
      places,
      {
        ...documents.published,
        addressIn: site.addressIn,
        bases: site.bases.toSorted((a, b) => b.length - a.length),
      },
      flavour,
    );
    const langs = this.#tree.paths.find((path) => path === `${flavour.root}LANGS.md`);
    this.#translations = translationsIn(
      documents.translations,
      {
        kind: this.kind,
        settings,
        flavour,
        base: this.#base,
        language: this.#dialect.language,
        langs: langs === undefined ? undefined : await textOf(this.#tree, langs),
        find: (from, { translationOf = '', isPath }) => this.#original(from, translationOf, isPath, places),
      },
      (source, named) =>
        documents.leftOut.push({ source, why: `its original ${named} is no other page of the source` }),
    );
    const fingerprints = new Map<string, string>();
    // Headings are read here, because link targets are needed synchronously during writing.
    for (const key of keys) {
      fingerprints.set(key, fingerprintOf(await writtenText(this.#tree, key)));
      const { text } = await this.#textOf(key);
      const [body, format] = isWikitext(key)
        ? ([text, 'wikitext'] as const)
        : ([inOwnTerms(text, this.#terms(key), []), 'markdown'] as const);
      this.#anchors.set(key, anchorsOf(sectionsOf({ body, format, path: '/' }, this.#dialect)));
    }
    yield* documents.leftOut;
    for (const outline of documents.outlines) {
      const fingerprint = fingerprints.get(outline.key);
      yield fingerprint === undefined ? outline : { ...outline, fingerprint };
    }
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    const { outlines, times } = this.#read();
    for (const { key, revisions, files = [] } of outlines) {
      if (!isWanted(key)) continue;
      yield { event: 'page', key };
      const isText = revisions > 0;
      const document: DocumentText = isText ? await this.#textOf(key) : { text: '{{Children}}\n' };
      const { text: body } = document;
      this.#documentsRead.set(key, document);
      const msg = isText ? `Imported from ${key}` : 'Imported as the page of a folder';
      yield { event: 'revision', revision: { id: '', at: times.get(key) ?? 0, author: null, msg, body } };
      for (const file of files) yield { event: 'file', file, bytes: () => this.#open(file.key) };
      yield { event: 'end' };
    }
  }

  translations(): Iterable<readonly [string, Translated]> {
    return this.#translations;
  }

  /** Key of the page that a document names as its original. */
  #original(
    from: string,
    named: string,
    isPath: boolean,
    places: ReadonlyMap<string, string>,
  ): string | undefined {
    if (isPath) return places.get(named.slice(1).toLowerCase());
    const meant = this.#links?.address(from, named) ?? this.#links?.name(from, named);
    return meant && 'page' in meant ? meant.page : undefined;
  }

  adapt(key: string, body: string, plan: LinkPlan): Adapted {
    const links = this.#links;
    if (!links || key.endsWith('/') || isWikitext(key)) return { body, links: [], approximated: [] };
    const { converted, ...adapted } = adaptDocument(key, body, {
      ...this.#terms(key),
      plan,
      links,
      dialect: this.#dialect,
      files: this.#read().files,
      isOwn: this.#read().isOwn,
      anchorsOf: (other) => this.#anchors.get(other) ?? new Map(),
    });
    // Only the graph knows the words of its blocks.
    const text = this.kind === 'logseq' ? converted : body;
    const { approximated = [], shown = this.#tree.shown?.get(key) } = this.#documentsRead.get(key) ?? {};
    this.#documentsRead.delete(key);
    return {
      ...adapted,
      approximated: [...(this.#tree.approximated?.get(key) ?? []), ...approximated, ...adapted.approximated],
      source: shown
        ? { shown, exactness: 'whole' }
        : { language: 'markdown', text, kind: this.kind, ...(converted === text ? {} : { converted }) },
    };
  }

  #terms(key: string): TermsSurroundings {
    return { kind: this.kind, key, blockOf: (id) => this.#read().blocks.get(id) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tree[Symbol.asyncDispose]();
  }

  async *#open(file: string): AsyncGenerator<Uint8Array> {
    const document = this.#read().inline.get(file);
    if (document === undefined) return yield* this.#tree.open(file);
    const { pictures } = await documentText(this.#tree, document, this.kind);
    yield Buffer.from(pictures?.get(file.slice(file.lastIndexOf('/') + 1)) ?? '', 'base64');
  }

  async #textOf(key: string): Promise<DocumentText> {
    return isWikitext(key)
      ? { text: await textOf(this.#tree, key) }
      : documentText(this.#tree, key, this.kind);
  }

  #read(): Documents {
    if (!this.#documents) throw new Problem('invalid', 'The outline has not been read.');
    return this.#documents;
  }
}
