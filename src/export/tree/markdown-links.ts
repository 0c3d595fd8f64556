/**
 * Rewrites links of a Markdown text from the wiki's paths to files of the exported folder, relative to the file that contains
 * the text. Names in double brackets stay as they are if the program that the folder is for finds the same file by them:
 *
 *   [bark](/trees/elm#bark)    [bark](../trees/elm.md#bark)
 *   ![oak](/trees/oak.png)     ![oak](oak.png)
 *   [[Elm]]                    [[Elm]], or [Elm](elm.md)
 *   [Ann](/members/7)          Ann: signatures lead to members, whom the folder does not have
 */
import { posix } from 'node:path';
import { resolvePath } from '@coppice/wikitext/build';
import type { Dialect } from '@coppice/wikitext/dialect';
import { rulesOf } from '@coppice/wikitext/dialect';
import { sectionsOf } from '#core/content/page-sections.ts';
import type { AttachedFile } from '#core/model/page.ts';
import { encodePath, percentDecoded } from '#core/model/path.ts';
import type { Reader } from '#core/ports/reader.ts';
import { type FoundLink, replaceLinks } from '#import/documents/scan.ts';
import { mayAllRead, type PageReaders } from '../page-reader.ts';
import { type ExportSource, wholePages } from '../walk.ts';
import type { PlannedPage, TreePlan } from './plan.ts';

/** Text of a page together with the files of that page. */
export interface LinkedText {
  id: number;
  path: string;
  files: readonly AttachedFile[];
  text: string;
  /** Nobody edited the text here, so double brackets that lead to no page may be no link. */
  isAsImported: boolean;
}

const outside = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const member = /^\/members\/\d+$/;

/** Takes three reads for all texts, and one for each page whose headings are linked. */
export async function withFileLinks(
  source: ExportSource,
  reader: Reader,
  texts: LinkedText[],
  plan: TreePlan,
): Promise<string[]> {
  const pages = new Set<string>();
  const files = new Set<string>();
  const withParts = new Set<string>();
  const served = new Set<string>();
  for (const text of texts) {
    const asked = new TextLinks(text, plan, reader.dialect, {
      find(target, isFile) {
        (isFile ? files : pages).add(target);
        return undefined;
      },
      served(name) {
        served.add(name);
        return undefined;
      },
      heading(target) {
        pages.add(target);
        withParts.add(target);
        return undefined;
      },
    });
    replaceLinks(text.text, (link) => asked.replace(link));
  }
  const found = await reader.links.resolve([...pages]);
  const foundFiles = await reader.links.files(null, [...files]);
  // Files of other pages, by the names in their addresses.
  const foreign = served.size === 0 ? [] : await reader.files.named([...served]);
  const byName = new Map(foreign.map((file) => [file.name, file]));
  const named = [...withParts].flatMap((target) => found.get(target)?.id ?? []);
  const headings = await headingsOf(source, new Set(named));
  return texts.map((text) => {
    const answered = new TextLinks(text, plan, reader.dialect, {
      find: (target, isFile) => (isFile ? foundFiles.get(target) : found.get(target)),
      served: (name) => byName.get(name),
      heading: (target, id) => headings.get(`${found.get(target)?.id}#${id}`),
    });
    return replaceLinks(text.text, (link) => answered.replace(link));
  });
}

/** Titles of headings by page and ID, because other programs address headings in double brackets by their titles. */
async function headingsOf(source: ExportSource, ids: Iterable<number>): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for await (const { reader, pages } of wholePages(source, ids))
    for (const { id, path, content } of pages)
      for (const section of sectionsOf({ ...content, path }, reader.dialect))
        titles.set(`${id}#${section.id}`, section.title);
  return titles;
}

interface LookUp {
  find(target: string, isFile: boolean): { id: number } | AttachedFile | undefined;
  /** A file of another page, by the name under which the wiki serves it. */
  served(name: string): AttachedFile | undefined;
  heading(target: string, id: string): string | undefined;
}

class TextLinks {
  readonly #text: LinkedText;
  readonly #plan: TreePlan;
  readonly #dialect: Dialect;
  readonly #lookUp: LookUp;
  readonly #folder: string;

  constructor(text: LinkedText, plan: TreePlan, dialect: Dialect, lookUp: LookUp) {
    this.#text = text;
    this.#plan = plan;
    this.#dialect = dialect;
    this.#lookUp = lookUp;
    this.#folder = posix.dirname(plan.pages.get(text.id)?.file ?? '');
  }

  replace(link: FoundLink): string | undefined {
    if (link.kind === 'wiki') return this.#wikiLink(link);
    if (link.kind === 'tag') return this.#address(link.target);
    const text = link.text.includes('![')
      ? replaceLinks(link.text, (inner) => this.replace(inner))
      : link.text;
    if (member.test(link.target) && !link.isImage && !link.isDefinition) return text;
    const target = this.#address(link.target);
    if (target === undefined && text === link.text) return undefined;
    const shown = target ?? link.target;
    if (link.isDefinition) return `[${text}]: ${shown}`;
    return `${link.isImage ? '!' : ''}[${text}](${shown}${link.more})`;
  }

  #address(written: string): string | undefined {
    if (written === '' || outside.test(written) || written.startsWith('#')) return undefined;
    const hash = written.indexOf('#');
    const name = percentDecoded(hash < 0 ? written : written.slice(0, hash));
    const fragment = hash < 0 ? '' : written.slice(hash);
    const file = this.#fileAt(name);
    if (file !== undefined) return this.#toFile(file);
    const bare = name.replace(/\.(?:md|markdown|mdx)$/i, '').replace(/(^|\/)(?:index|readme)$/i, '$1.');
    const path = resolvePath(name.startsWith('/') ? bare : `../${bare}`, () => this.#text.path).normalize(
      'NFC',
    );
    const page = this.#pageAt(path);
    return page === undefined ? undefined : encodePath(this.#toPage(page)) + fragment;
  }

  #wikiLink({ isEmbed, inside }: FoundLink & { kind: 'wiki' }): string | undefined {
    // Within a table, every bar that is not a cell separator is escaped by a backslash.
    const bar = inside.includes('\\|') ? '\\|' : '|';
    const [written = '', ...labels] = inside.split(bar);
    const label = labels.length > 0 ? labels.join(bar) : undefined;
    const labelled = label === undefined ? '' : bar + label;
    if (isEmbed) {
      const file = this.#fileAt(written.trim());
      if (file !== undefined) {
        const name = posix.basename(file);
        if (this.#plan.isNamed(name, file)) return `![[${name}${labelled}]]`;
        const isWidth = !this.#plan.hasNames && /^\d+(?:x\d+)?$/.test(label ?? '');
        return `![${isWidth ? posix.basename(file) + labelled : (label ?? '')}](${this.#toFile(file)})`;
      }
    }
    const { id, path } = this.#text;
    const target = rulesOf(this.#dialect).link(written, label !== undefined, () => path);
    if (target.kind === 'file' || target.kind === 'media') {
      const file = this.#fileAt(target.name);
      if (file === undefined) return undefined;
      const mark = target.kind === 'file' ? '!' : '';
      return `${mark}[${label ?? target.name}](${this.#toFile(file)})`;
    }
    if (target.kind === 'address' && member.test(target.url)) return label;
    if (target.kind !== 'page') return undefined;
    const isOwn = target.target === '';
    const page = isOwn ? this.#plan.pages.get(id)?.file : this.#pageAt(target.target);
    const { fragment } = target;
    const heading =
      fragment === undefined ? undefined : this.#lookUp.heading(isOwn ? path : target.target, fragment);
    if (page === undefined && !this.#plan.hasNames && !this.#text.isAsImported)
      return label ?? target.label ?? written.trim();
    if (page === undefined) return undefined;
    const part = fragment === undefined ? '' : `#${heading ?? fragment}`;
    const fromTop = page.replace(/\.\w+$/, '');
    const name = (written.split('#', 1)[0] ?? '').trim();
    const isNamed = isOwn || this.#plan.isNamed(name, page);
    // Pages can only be embedded by name, and sections only by title.
    if (this.#plan.hasNames && (isNamed || isEmbed || heading !== undefined)) {
      // Such programs show this label by default.
      const isUsual = heading !== undefined && label === (isOwn ? heading : `${name} > ${heading}`);
      return `${isEmbed ? '!' : ''}[[${isNamed ? name : fromTop}${part}${isUsual ? '' : labelled}]]`;
    }
    if (this.#plan.hasNames && label === fromTop && part === '') return `[[${label}]]`;
    const shown = (label ?? target.label ?? written.trim()).replace(/[[\]\\]/g, '\\$&');
    const hash = fragment === undefined ? '' : `#${encodeURIComponent(fragment)}`;
    return `[${shown}](${isOwn ? '' : encodePath(this.#toPage(page))}${hash})`;
  }

  #pageAt(target: string): string | undefined {
    const found = this.#lookUp.find(target, false);
    const page = found && 'id' in found ? this.#plan.pages.get(found.id) : undefined;
    return page && this.#mayName(page, target === page.path) ? (page.original ?? page).file : undefined;
  }

  /**
   * Whether a link may name files of this page: a title, an alias or the name of a translation says less than they do, which is enough
   * for readers of the text who may not read the page. `isSaid`: the link itself says the path of the page.
   */
  #mayName({ readers, original }: PlannedPage, isSaid: boolean): boolean {
    const own = this.#plan.pages.get(this.#text.id)?.readers;
    const isForAll = (theirs: PageReaders) => own !== undefined && mayAllRead(own, theirs);
    return (isSaid || isForAll(readers)) && (original === undefined || isForAll(original.readers));
  }

  /** A bare name is one of the page's own files; a path is a file of another page. */
  #fileAt(name: string): string | undefined {
    const served = /^\/files\/([^/]+)$/.exec(name)?.[1];
    const own = this.#text.files.find((file) => file.name === served || file.thumbnail === served);
    const held = own ?? (served === undefined ? undefined : this.#lookUp.served(percentDecoded(served)));
    if (held) return this.#pathOf(held, undefined);
    if (served !== undefined) return undefined;
    const found = name.startsWith('/')
      ? this.#lookUp.find(name, true)
      : this.#text.files.find(({ filename }) => filename === name);
    return found && 'filename' in found ? this.#pathOf(found, name) : undefined;
  }

  #pathOf(file: AttachedFile, written: string | undefined): string | undefined {
    const page = this.#plan.pages.get(file.pageId);
    if (!page) return undefined;
    const isSaid = file.pageId === this.#text.id || written === `${page.path}/${file.filename}`;
    return this.#mayName(page, isSaid) ? this.#plan.pathOf(file) : undefined;
  }

  /**
   * A translation in a folder of its own names other pages from the top, because some of them may lie in the folder of the originals,
   * and so does every page that names an original with such a translation.
   */
  #toPage(path: string): string {
    const { root, pages, isFromTop, translatedElsewhere } = this.#plan;
    const original = pages.get(this.#text.id)?.original?.file;
    const isElsewhere = original !== undefined && posix.dirname(original) !== this.#folder;
    return isElsewhere || isFromTop || translatedElsewhere.has(path)
      ? `/${path.slice(root.length + 1)}`
      : this.#relative(path);
  }

  #toFile(path: string): string {
    const { root, isFromTop, pages } = this.#plan;
    const isBundle = /\/_?index\.[^/]+$/.test(pages.get(this.#text.id)?.file ?? '');
    const isForeign = isFromTop && !(isBundle && posix.dirname(path) === this.#folder);
    return encodePath(isForeign ? `/${path.slice(root.length + 1)}` : this.#relative(path));
  }

  #relative(path: string): string {
    return posix.relative(this.#folder, path);
  }
}
