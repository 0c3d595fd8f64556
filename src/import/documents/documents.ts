/** Folders and zips of Markdown as a source: Obsidian, Wiki.js, MkDocs, Docusaurus, Hugo, Jekyll and plain ones. */
import { stat } from 'node:fs/promises';
import type { Dialect } from '@coppice/wikitext/dialect';
import { sectionsOf } from '#domain/content/page-sections.ts';
import { Problem } from '#domain/problem.ts';
import { type Anchors, anchorsOf } from '../anchors.ts';
import type {
  Adapted,
  Approximation,
  Kind,
  LinkPlan,
  Omission,
  PageOutline,
  Source,
  SourceEvent,
} from '../source.ts';
import { adaptDocument } from './adapt.ts';
import { documentText } from './document-text.ts';
import { type FileTree, openFolder, openZip, textOf } from './file-tree.ts';
import { type Flavour, flavourKind, flavourOf } from './flavour.ts';
import { DocumentLinks } from './links.ts';
import { type Documents, outlineOf } from './outline.ts';

/** Number of documents examined to detect the kind. */
const lookedAt = 40;
const isDocument = /\.(?:md|mdx|markdown)$/i;

export async function openTree(path: string): Promise<FileTree> {
  return (await stat(path)).isDirectory() ? openFolder(path) : openZip(path);
}

/** Returns undefined if there are no Markdown documents. */
export async function kindOfTree(tree: FileTree): Promise<Kind | undefined> {
  const some = tree.paths.filter((path) => isDocument.test(path)).slice(0, lookedAt);
  const texts = await Promise.all(some.map((path) => textOf(tree, path).catch(() => '')));
  return flavourKind(tree.paths, texts);
}

export class DocumentSource implements Source {
  readonly hasHistory = false;
  readonly kind: Kind;
  readonly #tree: FileTree;
  readonly #dialect: Dialect;
  readonly #flavour: Flavour;
  #documents: Documents | undefined;
  #links: DocumentLinks | undefined;
  readonly #anchors = new Map<string, Anchors>();
  /** Conversions in pages that were read and not adapted yet. */
  readonly #approximated = new Map<string, Approximation[]>();

  constructor(kind: Kind, tree: FileTree, dialect: Dialect) {
    this.kind = kind;
    this.#tree = tree;
    this.#dialect = dialect;
    this.#flavour = flavourOf(kind, tree.paths);
  }

  /** File names of archives vary, so the name is made from the kind and the paths. */
  get name(): string {
    return this.kind;
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    const documents = await outlineOf(this.#tree, this.kind, this.#flavour);
    this.#documents = documents;
    const keys = documents.outlines.filter(({ revisions }) => revisions > 0).map(({ key }) => key);
    const inverse = documents.outlines.toReversed();
    const places = new Map(inverse.map(({ key, place }) => [place.join('/').toLowerCase(), key]));
    this.#links = new DocumentLinks(keys, documents.files.keys(), places, this.#flavour);
    // Headings are read here, because link targets are needed synchronously during writing.
    for (const key of keys) {
      const { text: body } = await documentText(this.#tree, key, this.kind);
      this.#anchors.set(key, anchorsOf(sectionsOf({ body, format: 'markdown', path: '/' }, this.#dialect)));
    }
    yield* documents.leftOut;
    yield* documents.outlines;
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    const { outlines, times } = this.#read();
    for (const { key, format, files = [] } of outlines) {
      if (!isWanted(key)) continue;
      yield { event: 'page', key };
      const { text: body, approximated = [] } =
        format === 'markdown' ? await documentText(this.#tree, key, this.kind) : { text: '{{Children}}\n' };
      this.#approximated.set(key, approximated);
      const msg = format === 'markdown' ? `Imported from ${key}` : 'Imported as the page of a folder';
      yield { event: 'revision', revision: { id: '', at: times.get(key) ?? 0, author: null, msg, body } };
      for (const file of files) yield { event: 'file', file, bytes: () => this.#tree.open(file.key) };
      yield { event: 'end' };
    }
  }

  adapt(key: string, body: string, plan: LinkPlan): Adapted {
    const links = this.#links;
    if (!links || key.endsWith('/')) return { body, links: [], approximated: [] };
    const adapted = adaptDocument(key, body, {
      ...{ kind: this.kind, plan, links, dialect: this.#dialect, files: this.#read().files },
      anchorsOf: (other) => this.#anchors.get(other) ?? new Map(),
    });
    const converted = this.#approximated.get(key) ?? [];
    this.#approximated.delete(key);
    return { ...adapted, approximated: [...converted, ...adapted.approximated] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tree[Symbol.asyncDispose]();
  }

  #read(): Documents {
    if (!this.#documents) throw new Problem('invalid', 'The outline was not read.');
    return this.#documents;
  }
}
