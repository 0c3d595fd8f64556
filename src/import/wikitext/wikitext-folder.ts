/** A folder of wikitext, or an archive of one: documents by their file names, with the other files attached to them. */
import type { Dialect } from '@coppice/wikitext/dialect';
import { sectionsOf } from '#core/content/page-sections.ts';
import { Problem } from '#core/model/problem.ts';
import { type Anchors, anchorsOf } from '../anchors.ts';
import { type FileTree, textOf } from '../documents/file-tree.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Adapted, LinkPlan, Omission, PageOutline, Source, SourceEvent } from '../source.ts';
import { type Document, outlinesOf } from './outline.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { LinkTargets } from './targets.ts';
import { titleIn } from './title.ts';

export const isDocument = /\.(?:wikitext|mediawiki|wiki)$/i;
/** Number of documents whose headings are kept. */
const mostKnown = 10_000;
/** Target of a link to a heading. */
const linkToHeading = /\[\[([^[\]{}|<>\n#]{0,1500})#/g;

export class WikitextFolder implements Source {
  readonly kind = 'wikitext';
  readonly name: string;
  readonly hasHistory = false;
  readonly #tree: FileTree;
  readonly #dialect: Dialect;
  readonly #isBeneath: boolean;
  #outlines: readonly PageOutline[] = [];
  #targets = new LinkTargets([]);
  /** Headings of the documents to which the current one links, and of earlier ones. */
  readonly #anchors = new Map<string, Anchors>();

  /** `name`: of the folder. `isBeneath`: whether there is a page beneath which everything goes. */
  constructor(tree: FileTree, dialect: Dialect, { name, isBeneath }: { name: string; isBeneath: boolean }) {
    this.name = name;
    this.#tree = tree;
    this.#dialect = dialect;
    this.#isBeneath = isBeneath;
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    yield* this.#tree.leftOut;
    const documents: Document[] = [];
    for (const key of this.#tree.paths.filter((path) => isDocument.test(path))) {
      try {
        const text = await textOf(this.#tree, key);
        const title = titleIn(text, (body) => this.#headingsOf(body));
        documents.push({ key, title, fingerprint: fingerprintOf(text) });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        yield { source: key, why: error.message, isRefusal: true };
      }
    }
    const files = this.#tree.paths.filter((path) => !isDocument.test(path));
    const folder = { name: this.name, isBeneath: this.#isBeneath };
    const { outlines, leftOut } = outlinesOf(folder, documents, files);
    this.#outlines = outlines;
    this.#targets = new LinkTargets(outlines);
    yield* leftOut;
    yield* outlines;
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    for (const { key, revisions, files = [] } of this.#outlines) {
      if (!isWanted(key)) continue;
      yield { event: 'page', key };
      // Folders without a document list their children.
      const body = revisions > 0 ? await textOf(this.#tree, key) : '{{Children}}\n';
      await this.#readHeadings(key, body);
      const msg = revisions > 0 ? `Imported from ${key}` : 'Imported as the page of a folder';
      yield { event: 'revision', revision: { id: '', at: 0, author: null, msg, body } };
      for (const file of files) yield { event: 'file', file, bytes: () => this.#tree.open(file.key) };
      yield { event: 'end' };
    }
  }

  adapt(key: string, body: string, plan: LinkPlan): Adapted {
    const anchorsOf = (other: string) => this.#anchors.get(other);
    const targets = this.#targets.from({ key, plan, dialect: this.#dialect, anchorsOf });
    const adapted = rewriteLinks(body, targets);
    return key.endsWith('/') ? adapted : { ...adapted, source: { language: 'wikitext', text: body } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tree[Symbol.asyncDispose]();
  }

  /** Reads the headings to which links lead, because `adapt` cannot wait for files. */
  async #readHeadings(key: string, text: string): Promise<void> {
    if (this.#anchors.size > mostKnown) this.#anchors.clear();
    for (const [, target = ''] of text.matchAll(linkToHeading)) {
      const meant = this.#targets.page(key, target.trim())?.key;
      if (meant === undefined || meant.endsWith('/') || this.#anchors.has(meant)) continue;
      const body = meant === key ? text : await textOf(this.#tree, meant);
      this.#anchors.set(meant, anchorsOf(this.#headingsOf(body)));
    }
  }

  #headingsOf(body: string): ReturnType<typeof sectionsOf> {
    return sectionsOf({ body, format: 'wikitext', path: '/' }, this.#dialect);
  }
}
