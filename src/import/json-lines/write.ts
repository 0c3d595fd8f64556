/** Writes the pages of an export in JSON lines as they are read: each with its changes, then the files of several pages. */
import { hash } from 'node:crypto';
import { prepareFiles } from '#core/files/attach-files.ts';
import { cleanFilename } from '#core/model/filename.ts';
import { firstGranted } from '#core/model/grant.ts';
import type { AttachedFile, PastContent } from '#core/model/page.ts';
import { Problem } from '#core/model/problem.ts';
import { accessFacts, stateOf } from '#core/pages/page-state.ts';
import { allowedAliases } from '#core/pages/place.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { PageRow } from '#core/ports/reader.ts';
import type { NewPage, Store, Transaction } from '#core/ports/store.ts';
import { narrowerCode, protectionOf } from '../access.ts';
import type { Ledger } from '../certificate.ts';
import { restrict } from '../keep-access.ts';
import { saveContent } from '../save-content.ts';
import { changesHere, changesIn, type Draft, markOf, placesOf, type Waiting } from './draft.ts';
import type { KnownPage, LinesOutline } from './outline.ts';
import type { People } from './people.ts';
import { type LineOf, optionalIn } from './records.ts';

/** Maximum size of texts in one transaction. */
const bytesAtOnce = 2_000_000;
const pagesAtOnce = 500;
/** Hides all changes of a page until its first public one is written. */
const none = 2 ** 53 - 1;

/** The wiki, what is written into it, and the account of it. */
export interface LinesWriting {
  store: Store;
  files: Files;
  outline: LinesOutline;
  people: People;
  ledger: Ledger;
  maxFileBytes: number;
}

export class LinesWriter {
  /** Link targets in the current texts, with their number. */
  readonly targets = new Map<string, number>();
  /** Changes of originals that translations render: ID in the file → ID here. */
  readonly renderedIds = new Map<number, number>();
  readonly #rendered: ReadonlySet<number>;
  readonly #store: Store;
  readonly #files: Files;
  readonly #outline: LinesOutline;
  readonly #people: People;
  readonly #ledger: Ledger;
  readonly #maxFileBytes: number;
  /** Pages of this group by their IDs in the file. */
  readonly #drafts = new Map<number, Draft>();
  /** Changes of this group: ID in the file → ID here. */
  readonly #changeIds = new Map<number, number>();
  /** File name → the change that removed the file, null while the page has it. */
  readonly #until = new Map<string, number | null>();
  #current: Draft | undefined;
  #ready: Draft[] = [];
  #readyBytes = 0;

  constructor({ store, files, outline, people, ledger, maxFileBytes }: LinesWriting) {
    this.#store = store;
    this.#files = files;
    this.#outline = outline;
    this.#rendered = new Set(
      Iterator.from(outline.pages.values()).flatMap(({ translation }) =>
        translation?.renders ? [translation.renders] : [],
      ),
    );
    this.#people = people;
    this.#ledger = ledger;
    this.#maxFileBytes = maxFileBytes;
  }

  async page(page: KnownPage, line: LineOf<'page'>): Promise<void> {
    const { earlier, names } = await changesHere(this.#store, page.existing);
    const isBegun = page.existing !== undefined;
    this.#drafts.set(page.id, {
      page,
      line,
      earlier,
      names,
      changesRead: 0,
      waiting: [],
      bytes: 0,
      files: new Set(),
      last: undefined,
      isOther: false,
      isBegun,
      hasNewChanges: false,
    });
  }

  async change(line: LineOf<'change'>): Promise<void> {
    const draft = this.#drafts.get(line.page);
    if (!draft) return;
    if (this.#current !== draft) await this.#end();
    this.#current = draft;
    this.#ledger.result.revisions++;
    // Grants and comments find people by name as well, which only authors have.
    await this.#people.idOf(line.editor);
    const content = await this.#contentOf(draft, line);
    this.#noteFiles(draft, line.id, new Set(content.files));
    draft.last = content;
    const earlier = draft.earlier[draft.changesRead++];
    if (earlier) {
      draft.isOther ||= earlier.mark !== markOf(Date.parse(line.at), content);
      this.#changeIds.set(line.id, earlier.id);
      return;
    }
    if (draft.isOther) return;
    draft.waiting.push({ line, content, editorId: await this.#people.idOf(line.editor) });
    draft.bytes += line.body.length;
    if (draft.bytes < bytesAtOnce) return;
    await this.#writeReady();
    await this.#write(draft);
  }

  /** Reads `bytes` to the end. */
  async file(line: LineOf<'file'>, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await this.flush();
    const draft = this.#drafts.get(line.page);
    const pageId = draft?.page.newId;
    const name = draft && this.#fileName(draft, line.name);
    const reader = this.#store.readAsSystem();
    const isWanted = pageId !== undefined && name !== undefined && !draft?.isOther && this.#until.has(name);
    if (!isWanted || line.missing || (await reader.files.named([name])).length > 0) {
      for await (const _ of bytes);
      if (isWanted && !line.missing) this.#ledger.result.files++;
      return;
    }
    try {
      const blob = await this.#files.store.put(bytes, this.#maxFileBytes);
      if (blob.hash !== line.hash) throw new Problem('invalid', 'its bytes are damaged');
      const uploaderId = await this.#people.idOf({ id: line.uploader });
      const filename = cleanFilename(line.filename) || 'file';
      const at = Date.parse(line.uploaded);
      const [prepared] = await prepareFiles(this.#files, [{ file: { filename, blob } }], uploaderId, at);
      if (!prepared) return;
      const thumbnail = prepared.thumbnailHash && `thumb-${name}.webp`;
      const until = this.#until.get(name) ?? null;
      const untilChangeId = until === null ? null : (this.#changeIds.get(until) ?? null);
      const file: AttachedFile = { ...prepared, pageId, name, thumbnail };
      await this.#store.transact((store) => store.files.bringBack(pageId, [{ ...file, untilChangeId }]));
      this.#ledger.result.files++;
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
      for await (const _ of bytes);
      this.#ledger.leaveOut({ source: line.filename, why: error.message, isRefusal: true });
    }
  }

  /** Writes everything collected so far. */
  async flush(): Promise<void> {
    await this.#end();
    await this.#writeReady();
  }

  /** Writes everything, and drops the pages, which are complete. */
  async endGroup(): Promise<void> {
    await this.flush();
    this.#drafts.clear();
    for (const [was, is] of this.#changeIds) if (this.#rendered.has(was)) this.renderedIds.set(was, is);
    this.#changeIds.clear();
    this.#until.clear();
  }

  #noteFiles(draft: Draft, changeId: number, files: ReadonlySet<string>): void {
    for (const name of draft.files) if (!files.has(name)) this.#until.set(name, changeId);
    for (const name of files) this.#until.set(name, null);
    draft.files = files;
  }

  async #end(): Promise<void> {
    const draft = this.#current;
    this.#current = undefined;
    if (!draft) return;
    if (draft.isBegun) {
      await this.#writeReady();
      await this.#write(draft);
      await this.#close(draft);
      return;
    }
    this.#ready.push(draft);
    this.#readyBytes += draft.bytes;
    if (this.#ready.length >= pagesAtOnce || this.#readyBytes >= bytesAtOnce) await this.#writeReady();
  }

  async #writeReady(): Promise<void> {
    const ready = this.#ready;
    this.#ready = [];
    this.#readyBytes = 0;
    if (ready.length === 0) return;
    await this.#insert(ready);
    for (const draft of ready) await this.#close(draft);
  }

  async #write(draft: Draft): Promise<void> {
    if (draft.waiting.length === 0) return;
    if (draft.isBegun) await this.#append(draft);
    else await this.#insert([draft]);
  }

  async #close(draft: Draft): Promise<void> {
    const { page, isOther, hasNewChanges, last } = draft;
    const { pages, edited, result } = this.#ledger;
    result.pages++;
    if (page.existing) await this.#narrow(draft, page.existing);
    if (!page.existing) pages.created++;
    else if (hasNewChanges) pages.changed++;
    else pages.unchanged++;
    if (isOther) edited.push({ path: page.path, outcome: 'kept' });
    for (const { kind, target, count } of last ? (await this.#store.derive(last)).derived.links : [])
      if (kind === 'page') this.targets.set(target, (this.targets.get(target) ?? 0) + count);
  }

  /** Takes over restrictions that the file states and the existing page lacks. */
  async #narrow(draft: Draft, existing: PageRow): Promise<void> {
    const { page, line, isOther, hasNewChanges } = draft;
    // Without a new change the page keeps the access that people gave it here.
    if (!hasNewChanges) {
      const group = await this.#people.groupOf(line.group);
      const isSame = group?.id === existing.group?.id;
      // Grants that the source has taken back since stay on a page that was changed here.
      const isShared = isOther && existing.audience >= firstGranted;
      const isNarrow =
        isSame && !isShared && narrowerCode(existing.permissions, line.permissions) === existing.permissions;
      if (!isNarrow) {
        page.isApart = true;
        this.#ledger.leaveOut({ source: page.path, why: apart });
      }
      if (isOther) return;
    }
    const protection = line.protection === undefined ? undefined : protectionOf(line.protection);
    const hides = line.historyFrom !== undefined && existing.historyFrom === 0;
    if (!protection && !hides) return;
    await this.#store.transact(async (store) => {
      if (protection) await restrict(store, existing.id, { protection });
      if (hides) await this.#hideHistory(store, draft, existing.id, this.#changeIds);
    });
  }

  async #insert(drafts: Draft[]): Promise<void> {
    const owners = new Map<Draft, number>();
    const likes = new Map<Draft, number[]>();
    for (const draft of drafts) {
      owners.set(draft, await this.#people.idOf(draft.line.owner));
      const ids: number[] = [];
      for (const id of draft.line.likes) ids.push(await this.#people.idOf({ id }));
      likes.set(draft, [...new Set(ids)]);
    }
    const known = this.#outline.pages;
    const newIds = await this.#store.transact(async (store) => {
      const fresh = this.#outline.keepsIds ? [] : await store.pages.reserveIds(drafts.length);
      const ids = new Map(drafts.map(({ page }, index) => [page.id, fresh[index] ?? page.id]));
      const idOf = (id: number | null) => ids.get(id ?? 0) ?? known.get(id ?? 0)?.newId ?? 0;
      const places = await placesOf(store, drafts, idOf);
      const changeIds = await this.#numbered(store, drafts);
      const pages: NewPage[] = [];
      for (const draft of drafts) {
        const id = idOf(draft.page.id);
        const { content } = draft.waiting.at(-1) as Waiting;
        const parent = places.get(idOf(draft.page.parentId)) ?? places.get(content.parent ?? '') ?? null;
        const shown = await this.#shown(draft, content);
        const ownerId = owners.get(draft) ?? 0;
        const { state, derived } = stateOf(
          shown,
          { parent, ownerId },
          await store.derive(shown),
          await accessFacts(store, shown, parent),
        );
        places.set(id, { ...state, id });
        pages.push({ id, state, derived, changes: changesIn(draft, changeIds) });
      }
      await store.pages.insertMany(pages);
      for (const draft of drafts) {
        const id = idOf(draft.page.id);
        const { line } = draft;
        await this.#hideHistory(store, draft, id, changeIds);
        const protection = line.protection === undefined ? undefined : protectionOf(line.protection);
        if (protection) await restrict(store, id, { protection });
        const liked = likes.get(draft) ?? [];
        if (liked.length > 0) await store.pages.addLikes(id, liked, Date.parse(line.created));
        const { actor, now } = this.#people;
        const paths = await allowedAliases(store, actor, line.aliases ?? [], now);
        await store.pages.addAliases(paths.map((path) => ({ path, pageId: id })));
      }
      return { ids, changeIds };
    });
    for (const [was, is] of newIds.changeIds) this.#changeIds.set(was, is);
    for (const draft of drafts) {
      draft.page.newId = newIds.ids.get(draft.page.id);
      if (draft.page.newId !== draft.page.id) this.#tellId('page', draft.page, draft.page.newId ?? 0);
      Object.assign(draft, { waiting: [], bytes: 0, isBegun: true });
    }
  }

  async #append(draft: Draft): Promise<void> {
    const { page, waiting } = draft;
    const content = (waiting.at(-1) as Waiting).content;
    const shown = await this.#shown(draft, content);
    const changeIds = await this.#store.transact(async (store) => {
      const held = await store.pages.lockById(page.newId ?? 0, 'update');
      if (!held) throw new Problem('not-found', `The page at ${page.path} no longer exists.`);
      const changeIds = await this.#numbered(store, [draft]);
      const changes = changesIn(draft, changeIds);
      const last = changes.pop() as (typeof changes)[number];
      await store.pages.addHistory(held.id, changes);
      const at = Math.max(last.at, ...changes.map((change) => change.at));
      await saveContent(store, held, { ...last, at }, { ...shown, path: held.path });
      await this.#hideHistory(store, draft, held.id, changeIds);
      return changeIds;
    });
    for (const [was, is] of changeIds) this.#changeIds.set(was, is);
    Object.assign(draft, { waiting: [], bytes: 0, hasNewChanges: true });
  }

  /** Until the first public change is written, no change is public. */
  async #hideHistory(
    store: Transaction,
    { line }: Draft,
    id: number,
    changeIds: ReadonlyMap<number, number>,
  ): Promise<void> {
    if (line.historyFrom === undefined) return;
    const from = changeIds.get(line.historyFrom) ?? this.#changeIds.get(line.historyFrom) ?? none;
    await store.pages.showHistoryFrom(id, from);
  }

  /** State in which the page is shown while changes are missing: position and access are the final ones. */
  async #shown({ page, line }: Draft, content: PastContent): Promise<PastContent> {
    const { path } = page;
    const { title, slug, permissions } = line;
    const { group: _, ...rest } = content;
    const group = await this.#people.groupOf(line.group);
    return { ...rest, path, title, slug, permissions, ...(group ? { group } : {}) };
  }

  async #numbered(store: Transaction, drafts: Draft[]): Promise<Map<number, number>> {
    const lines = drafts.flatMap(({ waiting }) => waiting.map(({ line }) => line.id));
    const fresh = this.#outline.keepsIds ? lines : await store.pages.reserveChangeIds(lines.length);
    return new Map(lines.map((id, index) => [id, fresh[index] ?? id]));
  }

  async #contentOf(draft: Draft, line: LineOf<'change'>): Promise<PastContent> {
    const { title, slug, path, parent, description, type, permissions, location, body, format } = line;
    const { data, image, msg, files, erased, defaults } = line;
    const group = await this.#people.groupOf(line.group);
    const { group: _, ...others } = defaults ?? {};
    const given = defaults && (await this.#people.groupOf(defaults.group));
    const grants = await this.#people.grantsOf(line.grants ?? []);
    return {
      title,
      slug,
      path,
      parent,
      description,
      type,
      permissions,
      location,
      body,
      format,
      data,
      image,
      msg,
      ...(group ? { group } : {}),
      ...optionalIn(line),
      ...(line.responsible === undefined
        ? {}
        : { responsible: await this.#people.idOf({ id: line.responsible }) }),
      ...(defaults ? { defaults: { ...others, ...(given ? { group: given } : {}) } } : {}),
      ...(grants.length > 0 ? { grants } : {}),
      ...(files.length > 0 ? { files: files.map((name) => this.#fileName(draft, name)) } : {}),
      ...(erased === undefined ? {} : { erasedAt: Date.parse(erased) }),
    };
  }

  /** File names begin with the page's ID and are never reused, so for another page ID they need another prefix. */
  #fileName({ page: { id, createdAt }, names }: Draft, name: string): string {
    if (this.#outline.keepsIds || names.has(name)) return name;
    return `i${hash('sha256', `${id}\0${createdAt}\0${name}`).slice(0, 12)}-${name}`;
  }

  #tellId(construct: string, page: KnownPage, id: number): void {
    this.#ledger.addApproximations(page.path, [
      { construct: `ID of a ${construct}`, before: String(page.id), after: String(id) },
    ]);
  }
}

const apart =
  'it was changed here and more members can read it here, so its comments and proposals are not imported';
