/** Resolves the links of a document within its folder. */
import { BoundedCache } from '#cache/bounded-cache.ts';
import { defaultDialect } from '#core/content/dialect.ts';
import { sectionsOf } from '#core/content/page-sections.ts';
import { titleKey } from '#core/model/fold.ts';
import { percentDecoded } from '#core/model/path.ts';
import { Problem } from '#core/model/problem.ts';
import { type Anchors, anchorFor, anchorsOf } from '#import/anchors.ts';
import { withoutDots } from '#import/folder-paths.ts';
import { type PlannedPage, stemOf } from './planned-page.ts';
import type { Targets } from './rewrite-links.ts';
import { readDocument } from './walk.ts';

/** The fields of a planned page that links to it need. */
export type Target = Pick<PlannedPage, 'source' | 'path' | 'title' | 'format' | 'files'>;

interface File {
  page: Target;
  filename: string;
}

export class LinkTargets {
  /** By source, and by source without extension. */
  private readonly pages = new Map<string, Target>();
  /** The same keys in lower case; null if several pages share one. */
  private readonly pagesByCase = new Map<string, Target | null>();
  /** By folder without a trailing slash: its own page, or that of its README or index. */
  private readonly folders = new Map<string, Target>();
  /** Documents by their name alone, in the form of `calledAlike`; null if several share it. Folders and file endings count, too. */
  private readonly names = new Map<string, Target | null>();
  private readonly files = new Map<string, File>();
  /** By bare name; null if several files share it. */
  private readonly filesByName = new Map<string, File | null>();

  /** By source. Read on demand, because most are never needed. */
  private readonly anchors = new BoundedCache<Anchors>(10_000);
  private readonly root: string;

  /** `root`: the imported folder. */
  constructor(pages: readonly Target[], root: string) {
    this.root = root;
    for (const page of pages) {
      if (page.source.endsWith('/')) this.folders.set(page.source.slice(0, -1), page);
      else this.pages.set(page.source, page);
    }
    for (const page of pages) {
      const folder = page.source.slice(0, page.source.lastIndexOf('/') + 1);
      const stem = stemOf(page.source);
      if (stem !== '' && !this.pages.has(folder + stem)) this.pages.set(folder + stem, page);
      const key = folder.slice(0, -1);
      if (/^(readme|index)$/i.test(stem) && !this.folders.has(key)) this.folders.set(key, page);
      for (const { source, filename } of page.files) {
        const name = source.slice(source.lastIndexOf('/') + 1);
        this.files.set(source, { page, filename });
        this.filesByName.set(name, this.filesByName.has(name) ? null : { page, filename });
      }
    }
    for (const [source, page] of this.pages) {
      const key = source.toLowerCase();
      const other = this.pagesByCase.get(key);
      this.pagesByCase.set(key, other === undefined || other === page ? page : null);
    }
    for (const sources of [this.pages, this.folders])
      for (const [source, page] of sources) {
        const name = calledAlike(source);
        const other = this.names.get(name);
        this.names.set(name, other === undefined || other === page ? page : null);
      }
  }

  /** Resolver relative to the document of a page. */
  from(own: string): Targets {
    const page = this.pages.get(own) ?? this.folders.get(own.slice(0, -1));
    const folder = own.slice(0, own.lastIndexOf('/', own.length - 2) + 1);
    const find = (target: string) => this.findPage(folder, stemOf(own), target);
    return {
      page: (target) => {
        const found = find(target);
        if (!found) return undefined;
        // A title that resolves by itself is kept, as usual in wikis.
        const isTitle = !/[./]/.test(target) && titleKey(found.title) === titleKey(target);
        return isTitle ? undefined : { path: found.path, label: labelOf(found, target) };
      },
      file: (target, isLoose) => {
        const file = this.findFile(folder, target, isLoose);
        if (!file) return undefined;
        return file.page === page ? file.filename : `${file.page.path}/${file.filename}`;
      },
      fragment: (target, fragment) => {
        const meant = target === '' ? page : find(target);
        return meant && anchorFor(this.anchorsOf(meant), percentDecoded(fragment));
      },
    };
  }

  private anchorsOf(page: Target): Anchors {
    const known = this.anchors.get(page.source);
    if (known) return known;
    const anchors = anchorsOf(
      sectionsOf({ body: this.textOf(page), format: 'wikitext', path: page.path }, defaultDialect),
    );
    this.anchors.set(page.source, anchors, 1);
    return anchors;
  }

  private textOf({ source, format }: Target): string {
    if (format === undefined) return '';
    try {
      return readDocument(this.root, source).text;
    } catch (error) {
      if (error instanceof Problem) return '';
      throw error;
    }
  }

  /**
   * The page that a link means: by a path from the document's folder or from the top, as in a repository; by a path from the page
   * itself, as subpages of a MediaWiki have it; by a path from a folder above, as full titles are written; or by a name that only
   * one document has.
   */
  private findPage(folder: string, own: string, target: string): Target | undefined {
    // Quick check, because most targets are titles that no document has as its name.
    const name = target.slice(target.lastIndexOf('/') + 1);
    const isName = isMereName.test(name) && !name.includes('%');
    const alike = isName ? this.names.get(calledAlike(name)) : undefined;
    if (isName && alike === undefined) return undefined;
    const found =
      this.findAt(folder, target) ?? this.findAt(`${folder}${own}/`, target.replace(/^\/+/, './'));
    if (found || /^\.{0,2}\//.test(target)) return found;
    for (let above = parentOf(folder); above !== undefined; above = parentOf(above)) {
      const found = this.findAt(above, target);
      if (found) return found;
    }
    // A path must not lead to another one with the same end.
    return target.includes('/') ? undefined : (alike ?? undefined);
  }

  private findAt(folder: string, target: string): Target | undefined {
    let alike: Target | undefined;
    for (const source of spellings(folder, target)) {
      const byCase = this.pagesByCase.get(source.toLowerCase());
      // Without a match in any case, there is no exact match.
      const found = (byCase !== undefined && this.pages.get(source)) || this.folders.get(source);
      if (found) return found;
      // Titles are expected to match in any case.
      alike ??= byCase ?? undefined;
    }
    return alike;
  }

  private findFile(folder: string, target: string, isLoose: boolean): File | undefined {
    if (this.files.size === 0) return undefined;
    for (const source of spellings(folder, target)) {
      const found = this.files.get(source);
      if (found) return found;
    }
    if (!isLoose || target.includes('/')) return undefined;
    const named = spellings('', target).map((name) => this.filesByName.get(name));
    return named.find((file) => file != null) ?? undefined;
  }
}

/** Undefined for the top. */
function parentOf(folder: string): string | undefined {
  return folder === '' ? undefined : folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
}

/** Text of a link without one: a title as it is written, as wikis show it; of a path to a file, the file's name. */
function labelOf({ source }: Target, target: string): string {
  const isPath = /^\.{0,2}\/|\.\w+$/.test(target);
  return isPath ? stemOf(source.replace(/\/$/, '')) : target;
}

/** The last segment in lower case, with underscores as spaces. */
function calledAlike(source: string): string {
  return source
    .slice(source.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('_', ' ');
}

/** Paths in the imported folder that a target may refer to; MediaWiki shows underscores as spaces. */
function spellings(folder: string, target: string): string[] {
  const sources = new Set<string>();
  // Without percent signs there is only one reading, which applies to most targets.
  for (const written of target.includes('%') ? [target, percentDecoded(target)] : [target]) {
    const source = isMereName.test(written) ? folder + written : resolved(folder, written);
    if (source === undefined) continue;
    sources.add(source);
    if (source.includes(' ')) sources.add(source.replaceAll(' ', '_'));
    if (source.includes('_')) sources.add(source.replaceAll('_', ' '));
  }
  return [...sources];
}

/** A single segment without dots. */
const isMereName = /^[^/.]+$/;

/** `/x` is relative to the top of the folder, as in a repository; paths out of the folder are not resolved. */
function resolved(folder: string, target: string): string | undefined {
  return withoutDots(target.startsWith('/') ? target : folder + target);
}
