/** Resolves the links of a document within its folder. */
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import { titleKey } from '#core/model/fold.ts';
import { percentDecoded } from '#core/model/path.ts';
import { type Anchors, anchorFor } from '../anchors.ts';
import { withoutDots } from '../folder-paths.ts';
import type { LinkPlan, PageOutline } from '../source.ts';
import { isIndex, stemOf } from './outline.ts';
import type { Targets } from './rewrite-links.ts';

/** The fields of a page that links to it need. Its key is the path of its document, or of a folder, with a slash. */
export type Target = Pick<PageOutline, 'key' | 'title' | 'files'>;

interface File {
  page: Target;
  filename: string;
}

/** A document, and what its links need besides the folder. */
interface LinkSurroundings {
  key: string;
  plan: LinkPlan;
  dialect: Dialect;
  /** Headings of a document. */
  anchorsOf(key: string): Anchors | undefined;
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

  constructor(pages: readonly Target[]) {
    for (const page of pages) {
      if (page.key.endsWith('/')) this.folders.set(page.key.slice(0, -1), page);
      else this.pages.set(page.key, page);
    }
    for (const page of pages) {
      const folder = page.key.slice(0, page.key.lastIndexOf('/') + 1);
      const stem = stemOf(page.key);
      if (stem !== '' && !this.pages.has(folder + stem)) this.pages.set(folder + stem, page);
      const key = folder.slice(0, -1);
      if (isIndex(stem) && !this.folders.has(key)) this.folders.set(key, page);
      for (const { key: source, filename } of page.files ?? []) {
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
  from({ key, plan, dialect, anchorsOf }: LinkSurroundings): Targets {
    const folder = folderOf(key);
    const pathOf = (page: Target) => plan.pageOf(page.key)?.path;
    const rules = rulesOf(dialect);
    return {
      own: plan.pageOf(key)?.path ?? '',
      page: (target) => {
        const found = this.page(key, target);
        const path = found && pathOf(found);
        if (!found || path === undefined) return undefined;
        // A title that resolves by itself is kept, as usual in wikis.
        const isTitle = !/[./]/.test(target) && titleKey(found.title) === titleKey(target);
        const isKept = isTitle && plan.pathOfTitle(target) === path;
        return { path, label: labelOf(found, target), isKept };
      },
      file: (target, isLoose) => {
        const file = this.findFile(folder, target, isLoose);
        const path = file && pathOf(file.page);
        if (!file || path === undefined) return undefined;
        const full = `${path}/${file.filename}`;
        return { name: file.page.key === key ? file.filename : full, path: full };
      },
      fragment: (target, fragment) => {
        const meant = this.page(key, target)?.key;
        const anchors = meant === undefined ? undefined : anchorsOf(meant);
        return anchors && anchorFor(anchors, percentDecoded(fragment));
      },
      isPage: (target) => rules.link(target, true, () => '/page').kind === 'page',
    };
  }

  /** The page that a link on the page `key` means; itself for an empty target. */
  page(key: string, target: string): Target | undefined {
    if (target === '') return this.pages.get(key) ?? this.folders.get(key.slice(0, -1));
    return this.findPage(folderOf(key), stemOf(key), target.replace(/^:\s*/, ''));
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

/** Folder of a document, with a trailing slash; empty for the top. */
function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/', key.length - 2) + 1);
}

/** Undefined for the top. */
function parentOf(folder: string): string | undefined {
  return folder === '' ? undefined : folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
}

/** Text of a link without one: a title or a path as it is written, as wikis show it; of a file with its ending, its name. */
function labelOf({ key }: Target, target: string): string {
  return /\.\w+$/.test(target) ? stemOf(key.replace(/\/$/, '')) : target;
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
