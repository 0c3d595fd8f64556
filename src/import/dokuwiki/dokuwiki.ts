/**
 * A DokuWiki folder, or a zip of it. Earlier versions are kept as written; a last change converts the latest text to this
 * wiki's syntax and rewrites its links. Namespaces become subtrees.
 */
import type { Dialect } from '@coppice/wikitext/dialect';
import { sectionsOf } from '#core/content/page-sections.ts';
import { cleanFilename } from '#core/model/filename.ts';
import { Problem } from '#core/model/problem.ts';
import { type Anchors, anchorFor, anchorsOf } from '../anchors.ts';
import { type FileTree, textOf } from '../documents/file-tree.ts';
import type {
  Adapted,
  Approximation,
  LinkOutcome,
  LinkPlan,
  Omission,
  PageOutline,
  Source,
  SourceEvent,
  SourceFile,
  SourceRevision,
} from '../source.ts';
import { escapeTarget } from '../wikitext-links.ts';
import { type IsRestricted, readAccessList } from './access-list.ts';
import { cleanId, namespaceOf, resolveId } from './ids.ts';
import { type Change, changesOf, earlierText, type Layout, layoutOf, placesOf } from './layout.ts';
import { titleIn, toWikitext } from './to-wikitext.ts';

interface Version extends Change {
  /** File of the text. */
  path: string;
}

const restriction = 'according to conf/acl.auth.php, visitors may not read it';

export class DokuWiki implements Source {
  readonly kind = 'dokuwiki';
  readonly name = 'dokuwiki';
  readonly hasHistory = true;
  readonly #tree: FileTree;
  readonly #dialect: Dialect;
  readonly #layout: Layout;
  readonly #outlines = new Map<string, PageOutline>();
  readonly #anchors = new Map<string, Anchors>();
  /** ID of a file → key of the page that has it, and its name there. */
  readonly #files = new Map<string, { key: string; filename: string }>();

  constructor(tree: FileTree, dialect: Dialect) {
    this.#tree = tree;
    this.#dialect = dialect;
    this.#layout = layoutOf(tree.paths);
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    const { pages, attic, changes, others, accessList } = this.#layout;
    const isRestricted =
      accessList === undefined ? () => false : readAccessList(await textOf(this.#tree, accessList));
    yield* this.#tree.leftOut;
    const places = placesOf(pages.keys());
    for (const [id, path] of pages) {
      try {
        const text = await textOf(this.#tree, path);
        const { versions, leftOut } = await this.#versionsOf(id, path, text);
        yield* leftOut;
        this.#add(id, places.get(id) ?? id.split(':'), text, versions);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        yield { source: id, why: error.message, isRefusal: true };
      }
    }
    for (const outline of this.#outlines.values())
      if (isRestricted(outline.key)) Object.assign(outline, { isHidden: true, restriction });
    this.#attachMedia(isRestricted);
    const deleted = [...changes.keys()].filter((id) => !pages.has(id) && !id.startsWith('_'));
    for (const id of deleted) yield { source: id, why: 'it was deleted in the source' };
    if (others > 0)
      yield { source: 'other files', why: `${others} files belong to the program, its settings and caches` };
    if (accessList !== undefined) {
      const hidden = [...this.#outlines.values()].filter(({ isHidden }) => isHidden).length;
      const why = `its users and groups are not imported. Pages that visitors may not read there can be read only by the importer and administrators here: ${hidden}. Their permissions can be changed together with those of all pages beneath`;
      yield { source: 'conf/acl.auth.php', why };
    } else
      yield {
        source: 'conf/acl.auth.php',
        why: 'it is not in the source, so pages that visitors may not read there can be read here unless --permissions says otherwise',
      };
    if (attic.size > 0 && changes.size === 0)
      yield { source: 'attic', why: 'the lists of earlier versions (data/meta/*.changes) are missing' };
    yield* [...this.#outlines.values()].sort((a, b) => a.place.length - b.place.length);
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    const inOrder = [...this.#outlines.values()].sort((a, b) => a.place.length - b.place.length);
    for (const { key, files = [] } of inOrder) {
      if (!isWanted(key)) continue;
      yield { event: 'page', key };
      for await (const revision of this.#revisionsOf(key)) yield { event: 'revision', revision };
      for (const file of files) {
        const path = this.#layout.media.get(file.key) ?? '';
        yield { event: 'file', file, bytes: () => this.#tree.open(path) };
      }
      yield { event: 'end' };
    }
  }

  adapt(key: string, body: string, plan: LinkPlan): Adapted {
    const outline = this.#outlines.get(key);
    if (!outline || key.endsWith(':')) return { body, links: [], approximated: [] };
    const links: LinkOutcome[] = [];
    const approximated: Approximation[] = [];
    const namespace = namespaceOf(key);
    const page = (written: string): string => {
      const hash = written.indexOf('#');
      const name = (hash < 0 ? written : written.slice(0, hash)).replace(/\?.*$/, '').trim();
      const fragment = hash < 0 ? '' : written.slice(hash + 1).trim();
      const id = name === '' ? key : this.#pageFor(namespace, resolveId(namespace, name));
      const meant = plan.pageOf(id);
      const anchor = fragment === '' ? undefined : headingFor(this.#anchors.get(id) ?? new Map(), fragment);
      const end = anchor === undefined ? '' : `#${anchor}`;
      links.push({ old: written, new: meant ? meant.path + end : null });
      if (name === '' && meant && anchor !== undefined) return end;
      return `${escapeTarget(meant?.path ?? `${plan.parent}/${id.replaceAll(':', '/')}`)}${end}`;
    };
    const file = (written: string): string | undefined => {
      const id = resolveId(namespace, written);
      const found = this.#files.get(id);
      const holder = found && plan.pageOf(found.key);
      const path = holder && `${holder.path}/${found.filename}`;
      links.push({ old: written, new: path ?? null, isFile: true });
      return path === undefined ? undefined : escapeTarget(path);
    };
    const text = toWikitext(body, outline.title, { page, file, approximated });
    const source = { language: 'dokuwiki', text: body, title: outline.title } as const;
    return { body: text, links, approximated, source };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tree[Symbol.asyncDispose]();
  }

  #add(id: string, place: string[], text: string, versions: readonly Version[]): void {
    const title = cleanTitle(titleIn(text) ?? nameOf(id));
    const own = toWikitext(text, title, { page: (name) => name, file: () => undefined, approximated: [] });
    this.#anchors.set(id, anchorsOf(sectionsOf({ body: own, format: 'wikitext', path: '/' }, this.#dialect)));
    const addresses = [...new Set([`/doku.php/${id}`, `/${id}`, `/${id.replaceAll(':', '/')}`])];
    this.#outlines.set(id, {
      key: id,
      title,
      place,
      format: 'wikitext',
      revisions: versions.length,
      addresses,
      fingerprint: `begun-${versions[0]?.id}`,
    });
  }

  /** Page for an ID: the namespace's start page if the ID ends with a colon or no page has the name. */
  #pageFor(namespace: string, id: string): string {
    const bare = id.replace(/:$/, '');
    const own = [`${bare}:start`, `${bare}:${bare.split(':').at(-1)}`];
    const order = id.endsWith(':') ? [...own, bare] : [bare, ...own];
    const isThere = (one: string) => this.#outlines.has(one);
    const found = order.find(isThere);
    if (found !== undefined) return found;
    if (bare === '') return isThere('start') ? 'start' : namespace;
    const plain = bare
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .normalize('NFC');
    return isThere(plain) ? plain : bare;
  }

  /** Attaches each file to the page of its namespace, which is restricted if one of its files is. */
  #attachMedia(isRestricted: IsRestricted): void {
    const byPlace = new Map(
      [...this.#outlines.values()].map((outline) => [outline.place.join('/'), outline]),
    );
    const taken = new Map<PageOutline, Set<string>>();
    const filesOf = new Map<PageOutline, SourceFile[]>();
    for (const id of this.#layout.media.keys()) {
      const place =
        namespaceOf(id) === '' ? [byPlace.has('home') ? 'home' : 'media'] : namespaceOf(id).split(':');
      let holder = byPlace.get(place.join('/'));
      if (!holder) {
        const key = `${place.join(':')}:`;
        const title = cleanTitle(nameOf(namespaceOf(id)) || (place[0] ?? ''));
        holder = { key, title, place, format: 'wikitext', revisions: 0 };
        byPlace.set(place.join('/'), holder);
        this.#outlines.set(key, holder);
      }
      const names = taken.get(holder) ?? new Set();
      taken.set(holder, names);
      const base = cleanFilename(id.split(':').at(-1) ?? '') || 'file';
      let filename = base;
      for (let number = 2; names.has(filename); number++) filename = `${number}-${base}`;
      names.add(filename);
      const files = filesOf.get(holder) ?? [];
      filesOf.set(holder, files);
      files.push({ key: id, filename });
      holder.files = files;
      if (isRestricted(id)) Object.assign(holder, { isHidden: true, restriction });
      this.#files.set(cleanId(id), { key: holder.key, filename });
    }
  }

  async *#revisionsOf(key: string): AsyncGenerator<SourceRevision> {
    const file = this.#layout.pages.get(key);
    if (file === undefined) {
      const msg = 'Imported as the page of a namespace';
      yield { id: '1', at: 0, author: null, msg, body: '{{Children}}\n' };
      return;
    }
    const now = await textOf(this.#tree, file);
    const { versions } = await this.#versionsOf(key, file, now);
    for (const { id, author, msg, path } of versions) {
      const body = path === file ? now : await earlierText(this.#tree, path);
      yield { id: String(id), at: id * 1000, author, msg, body };
    }
  }

  /**
   * Oldest first. The last one is the current text, dated by its change, or by its file if that was modified outside the wiki.
   */
  async #versionsOf(
    id: string,
    file: string,
    now: string,
  ): Promise<{ versions: Version[]; leftOut: Omission[] }> {
    const changes = (await changesOf(this.#tree, this.#layout, id)).filter(({ isDeletion }) => !isDeletion);
    const versions: Version[] = [];
    const leftOut: Omission[] = [];
    const last = changes.at(-1);
    let latest: string | undefined;
    for (const change of changes) {
      const path = this.#layout.attic.get(`${id}.${change.id}`);
      if (path === undefined) {
        if (change !== last)
          leftOut.push({ source: `${id} ${change.id}`, why: 'its text is missing in the attic' });
        continue;
      }
      try {
        const text = await earlierText(this.#tree, path);
        if (change === last) latest = text;
        else versions.push({ ...change, path });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        leftOut.push({ source: `${id} ${change.id}`, why: error.message, isRefusal: true });
      }
    }
    if (last && (latest === undefined || latest === now)) versions.push({ ...last, path: file });
    else {
      if (last) versions.push({ ...last, path: this.#layout.attic.get(`${id}.${last.id}`) ?? file });
      const at = Math.max((last?.id ?? 0) + 1, Math.floor((await this.#tree.changedAt(file)) / 1000));
      versions.push({ id: at, author: null, msg: 'Changed outside the wiki', isDeletion: false, path: file });
    }
    return { versions, leftOut };
  }
}

function nameOf(id: string): string {
  return (id.split(':').at(-1) ?? id).replaceAll('_', ' ');
}

function cleanTitle(title: string): string {
  return title.replace(/[\p{Cc}\s]+/gu, ' ').trim() || 'Page';
}

/**
 * DokuWiki numbers repeated headings from 1, without a separator: the second one is `oak1`. It writes one underscore for all
 * characters between two words.
 */
function headingFor(anchors: Anchors, fragment: string): string | undefined {
  const found = anchorFor(anchors, fragment) ?? anchorFor(anchors, fragment.replace(/(\d+)$/, '-$1'));
  if (found !== undefined) return found;
  const wanted = joined(fragment.toLowerCase());
  for (const [slug, id] of anchors) if (joined(slug) === wanted) return id;
  return undefined;
}

function joined(text: string): string {
  return text.replace(/[_-]+/g, '-').replace(/^-|-$/g, '');
}
