/**
 * A Confluence space exported as XML: pages and blog posts with history, authors, labels and attachments. Texts may come in any
 * order relative to their pages, so they are first written to a temporary folder, by page ID.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanFilename } from '#core/model/filename.ts';
import { Problem } from '#core/model/problem.ts';
import { outlinedAccess } from '../access.ts';
import type { Shown } from '../comparison/shown.ts';
import type { FileTree } from '../documents/file-tree.ts';
import { hashOf } from '../note.ts';
import type {
  Adapted,
  Approximation,
  Author,
  LinkPlan,
  Omission,
  PageOutline,
  Source,
  SourceComment,
  SourceEvent,
  SourceFile,
} from '../source.ts';
import { type Entity, entitiesIn } from './entities.ts';
import { commentIn, type FoundComment, keepProperty } from './found-comments.ts';
import { ConfluenceLinks } from './links.ts';
import { spaceAccess } from './space-access.ts';
import { storageToMarkdown } from './storage.ts';

export const entitiesFile = 'entities.xml';
const maxPages = 500_000;
const isNumber = /^\d{1,20}$/;
const isPicture = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

interface FoundPage {
  entity: Entity;
  /** Earlier versions, in any order. */
  earlier: Entity[];
  labels: string[];
  files: SourceFile[];
  /** Whether the source restricts who may view the page. */
  isHidden: boolean;
  /** Whether the source restricts who may edit the page. */
  isProtected: boolean;
}

export class Confluence implements Source {
  readonly kind = 'confluence';
  readonly hasHistory = true;
  readonly #tree: FileTree;
  #name = 'confluence';
  #titles: ReadonlyMap<string, string> = new Map();
  /** IDs and times of the spaces. */
  #made = '';
  #folder: string | undefined;
  #pages = new Map<string, FoundPage>();
  readonly #bodies = new Set<string>();
  /** Folders hold pages, but no text. */
  readonly #folders = new Map<string, Entity>();
  readonly #people = new Map<string, string>();
  #comments: ReadonlyMap<string, FoundComment> = new Map();
  readonly links = new ConfluenceLinks();
  /** ID of a space → its key. */
  readonly #spaceKeys = new Map<string, string>();
  /** Pages whose latest text was converted and not adapted yet. */
  readonly #converted = new Map<string, { approximated: Approximation[]; shown: Shown | undefined }>();

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  get name(): string {
    return this.#name;
  }

  /** Whether its pages lie beneath pages of their spaces already. */
  get hasSpaces(): boolean {
    return this.#titles.size > 1;
  }

  /** Name of its space. */
  get title(): string {
    return [...this.#titles.values()][0] ?? this.#name;
  }

  /** Names and IDs are the same in many instances, but not the moments at which spaces were made. */
  get identity(): string | undefined {
    return this.#made === ''
      ? undefined
      : `confluence:${this.#name.replace(/^confluence /, '')}#${hashOf(this.#made).slice(0, 8)}`;
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'coppice-confluence-'));
    yield* this.#tree.leftOut;
    const { comments, attachments, labellings, labels, others, spaces, viewers } = await this.#gather();
    this.#titles = spaces;
    this.#comments = comments;
    yield* others;
    for (const { properties } of labellings) {
      const label = labels.get(properties.label ?? '');
      const page = this.#pages.get(properties.content ?? properties.labelableId ?? '');
      if (label && page && !page.labels.includes(label)) page.labels.push(label);
    }
    yield* this.#attach(attachments);
    for (const [key, page] of this.#pages) {
      const { entity, earlier, files } = page;
      const { place, restriction, isProtected } = this.#placeOf(page, spaces);
      const access = spaceAccess(viewers.get(entity.properties.space ?? ''), isProtected);
      const stated = outlinedAccess(restriction === undefined ? access : { restriction });
      const title = entity.properties.title?.trim() || key;
      const { position, space = '' } = entity.properties;
      this.links.add({
        key,
        title,
        space: this.#spaceKeys.get(space) ?? '',
        isPost: entity.className === 'BlogPost',
      });
      yield {
        key,
        title,
        place,
        format: 'markdown',
        files,
        revisions: earlier.length + 1,
        ...stated,
        ...(position !== undefined && isNumber.test(position) ? { order: Number(position) } : {}),
        fingerprint: hashOf(`${entity.properties.creationDate ?? ''} ${title}`).slice(0, 32),
      };
    }
  }

  async #gather() {
    const found = {
      comments: new Map<string, FoundComment>(),
      attachments: new Map<string, Entity>(),
      labellings: [] as Entity[],
      labels: new Map<string, string>(),
      others: [] as Omission[],
      spaces: new Map<string, string>(),
      /** Space → who may view it: names of groups, or an empty text for everybody. */
      viewers: new Map<string, string[]>(),
    };
    const hidden = new Set<string>();
    const guarded = new Set<string>();
    const earlier: Entity[] = [];
    for await (const entity of entitiesIn(this.#tree.open(entitiesFile))) {
      const { className, id, properties } = entity;
      if (className === 'Page' || className === 'BlogPost') {
        if (!isNumber.test(id)) continue;
        if (properties.contentStatus !== undefined && properties.contentStatus !== 'current') {
          const why = `it is ${properties.contentStatus}`;
          if (!properties.originalVersion) found.others.push({ source: properties.title ?? id, why });
        } else if (properties.originalVersion) earlier.push(entity);
        else
          this.#pages.set(id, {
            entity,
            earlier: [],
            labels: [],
            files: [],
            isHidden: false,
            isProtected: false,
          });
        if (this.#pages.size + earlier.length > maxPages)
          throw new Problem('too-large', `The space contains more than ${maxPages} versions of pages.`);
      } else if (className === 'BodyContent') await this.#keepBody(properties);
      else if (className === 'Comment') {
        if (isNumber.test(id)) commentIn(found.comments, id).entity = entity;
        if (found.comments.size > maxPages)
          throw new Problem('too-large', `The space contains more than ${maxPages} comments.`);
      } else if (className === 'ContentProperty') keepProperty(found.comments, properties);
      else if (className === 'Attachment') found.attachments.set(id, entity);
      else if (className === 'Labelling') found.labellings.push(entity);
      else if (className === 'Label') {
        // Labels of a member (`my:favourite`) are not those of the page.
        if (properties.namespace !== 'my') found.labels.set(id, properties.name ?? '');
      } else if (className === 'ConfluenceUserImpl') {
        const name = properties.fullName ?? properties.name ?? properties.lowerName ?? id;
        // Mentions name an account by its key or by its ID.
        for (const one of [id, properties.atlassianAccountId]) if (one) this.#people.set(one, name);
      } else if (className === 'CustomContentEntityObject') {
        const kind = properties.pluginModuleKey?.split(/[.:]/).at(-1) || 'content of a plugin';
        if (properties.title && !properties.originalVersion)
          found.others.push({ source: properties.title, why: `it is no page (${kind})` });
      } else if (/Folder$/.test(className) && isNumber.test(id) && properties.title)
        this.#folders.set(id, entity);
      else if (className === 'ContentPermissionSet')
        (properties.type === 'Edit' ? guarded : hidden).add(properties.owningContent ?? '');
      else if (className === 'SpacePermission' && properties.type === 'VIEWSPACE') {
        const viewers = found.viewers.get(properties.space ?? '') ?? [];
        found.viewers.set(properties.space ?? '', viewers);
        const { group, userSubject, userName, allUsersSubject } = properties;
        viewers.push(group || allUsersSubject || (userSubject || userName ? 'a single user' : ''));
      } else if (className === 'Space') {
        found.spaces.set(id, properties.name ?? properties.key ?? id);
        this.#spaceKeys.set(id, properties.key ?? id);
        this.#name = `confluence ${properties.key ?? id}`;
        this.#made += `${id} ${properties.creationDate ?? ''}\n`;
      }
    }
    for (const entity of earlier)
      this.#pages.get(entity.properties.originalVersion ?? '')?.earlier.push(entity);
    for (const [id, page] of this.#pages) {
      page.earlier.sort((a, b) => versionOf(a) - versionOf(b));
      page.isHidden = hidden.has(id);
      page.isProtected = guarded.has(id);
    }
    return found;
  }

  async #keepBody({ content, body }: Entity['properties']): Promise<void> {
    if (!content || !isNumber.test(content) || body === undefined) return;
    this.#bodies.add(content);
    this.links.addHeadings(content, body);
    await writeFile(join(this.#folder ?? '', content), body);
  }

  /** Only the latest version of each file. */
  *#attach(attachments: ReadonlyMap<string, Entity>): Generator<Omission> {
    const paths = new Set(this.#tree.paths);
    for (const [id, { properties }] of attachments) {
      if (properties.originalVersion || (properties.contentStatus ?? 'current') !== 'current') continue;
      const pageId = properties.containerContent ?? properties.content ?? '';
      const page = this.#pages.get(pageId);
      const filename = cleanFilename(properties.title ?? properties.fileName ?? '');
      if (!page || filename === '') continue;
      const version = properties.version ?? properties.attachmentVersion ?? '1';
      const key = `attachments/${pageId}/${id}/${version}`;
      if (paths.has(key)) page.files.push({ key, filename });
      else yield { source: filename, why: 'its bytes are missing in the export', isRefusal: true };
    }
  }

  /** Descendants of restricted pages are restricted as well. */
  #placeOf({ entity }: FoundPage, spaces: ReadonlyMap<string, string>) {
    let restriction: string | undefined;
    let isProtected = false;
    const place: string[] = [];
    const seen = new Set<string>();
    let at: Entity | undefined = entity;
    while (at && !seen.has(at.id)) {
      seen.add(at.id);
      place.unshift(at.properties.title?.trim() || at.id);
      const found = this.#pages.get(at.id);
      if (found?.isHidden) restriction ??= `viewing of “${place[0]}” is restricted`;
      isProtected ||= found?.isProtected === true && at === entity;
      const above: string = at.properties.parent ?? '';
      at = this.#pages.get(above)?.entity ?? this.#folders.get(above);
    }
    if (entity.className === 'BlogPost') place.unshift('Blog');
    const space = spaces.size > 1 ? spaces.get(entity.properties.space ?? '') : undefined;
    return { place: space === undefined ? place : [space, ...place], restriction, isProtected };
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    for (const [key, { entity, earlier, labels, files }] of this.#pages) {
      if (!isWanted(key)) continue;
      yield { event: 'page', key };
      for (const version of [...earlier, entity]) {
        const { text, approximated, shown } = await this.#textOf(version, files);
        const isLatest = version === entity;
        if (isLatest) this.#converted.set(key, { approximated, shown });
        const { properties } = version;
        const person = properties.lastModifier ?? properties.creator;
        const at = Date.parse(
          `${(properties.lastModificationDate ?? properties.creationDate ?? '').replace(' ', 'T')}Z`,
        );
        const body =
          isLatest && labels.length > 0 ? `---\ntags: ${JSON.stringify(labels)}\n---\n\n${text}` : text;
        const revision = { id: String(versionOf(version)), at: Number.isNaN(at) ? 0 : at, body: `${body}\n` };
        yield {
          event: 'revision',
          revision: { ...revision, author: this.#author(person), msg: properties.versionComment ?? '' },
        };
      }
      for (const file of files) yield { event: 'file', file, bytes: () => this.#tree.open(file.key) };
      yield { event: 'end' };
    }
  }

  async *comments(): AsyncGenerator<SourceComment> {
    const waiting = [...this.#comments].flatMap(([key, { entity, ...found }]) => {
      const { contentStatus = 'current', originalVersion } = entity?.properties ?? {};
      return entity && contentStatus === 'current' && !originalVersion ? [{ key, entity, ...found }] : [];
    });
    const roots = new Map(waiting.map(({ key }) => [key, this.#rootOf(key)]));
    // First comments before their answers, which have higher IDs among themselves.
    waiting.sort(
      (a, b) =>
        Number(roots.get(a.key) !== a.key) - Number(roots.get(b.key) !== b.key) ||
        Number(a.key) - Number(b.key),
    );
    for (const { key, entity, quote, isResolved } of waiting) {
      const { properties } = entity;
      const root = roots.get(key) ?? key;
      const page = properties.containerContent ?? properties.owner ?? properties.content ?? '';
      const at = Date.parse(`${(properties.creationDate ?? '').replace(' ', 'T')}Z`);
      yield {
        key,
        page,
        replyTo: root === key ? null : root,
        isResolved: isResolved && root === key,
        quote,
        author: this.#author(properties.creator) ?? { key: 'anonymous', name: 'Anonymous' },
        at: Number.isNaN(at) ? 0 : at,
        body: (await this.#textOf(entity, [])).text.trim(),
      };
    }
  }

  /** The first comment of a thread: answers to answers belong to it as well. */
  #rootOf(key: string): string {
    const seen = new Set<string>();
    let at = key;
    for (let above = key; this.#comments.get(above)?.entity && !seen.has(above); ) {
      seen.add(above);
      at = above;
      above = this.#comments.get(above)?.entity?.properties.parent ?? '';
    }
    return at;
  }

  async #textOf({ id }: Entity, files: readonly SourceFile[]): Promise<ReturnType<typeof storageToMarkdown>> {
    if (!this.#bodies.has(id)) return { text: '', approximated: [] };
    const storage = await readFile(join(this.#folder ?? '', id), 'utf8');
    try {
      const pictures = files.map(({ filename }) => filename).filter((name) => isPicture.test(name));
      return storageToMarkdown(storage, (key) => this.#people.get(key), pictures);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const before = storage.slice(0, 500);
      return {
        text: '',
        approximated: [{ construct: `text that was left out: ${error.message}`, before, after: '' }],
      };
    }
  }

  #author(key: string | undefined): Author | null {
    return key ? { key: `user:${key}`, name: this.#people.get(key) ?? key } : null;
  }

  /** `elsewhere`: path of a page in another export, by the key of its space and its title. */
  adapt(
    key: string,
    body: string,
    plan: LinkPlan,
    elsewhere?: (space: string, title: string) => string | undefined,
  ): Adapted {
    const { text, links } = this.links.adapt(key, body, plan, elsewhere);
    const { approximated = [], shown } = this.#converted.get(key) ?? {};
    this.#converted.delete(key);
    const source = shown && ({ shown, exactness: 'missing only' } as const);
    return { body: text, links, approximated, source };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
    await this.#tree[Symbol.asyncDispose]();
  }
}

function versionOf({ properties }: Entity): number {
  return Number(properties.version) || 0;
}
