/**
 * Writes planned pages with all revisions, many per transaction. A history that exceeds a transaction is written in parts, each
 * of which leaves the page in its state of that time; an interrupted import is continued by the next run.
 */
import { contentWith, prepareFiles, withUploads } from '#core/files/attach-files.ts';
import { cleanFilename } from '#core/model/filename.ts';
import type { AccessDefaults, Content } from '#core/model/page.ts';
import { maxBodyBytes, normaliseSource } from '#core/model/page-fields.ts';
import { accessIn, defaultsBeneath } from '#core/model/page-group.ts';
import { type Attachment, checkInput } from '#core/model/page-input.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { accessFacts, stateOf } from '#core/pages/page-state.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { NewPage, Store } from '#core/ports/store.ts';
import { type AccessHere, permissionsOf } from './access-here.ts';
import type { Authors } from './authors.ts';
import type { Ledger } from './certificate.ts';
import type { Comparer } from './comparison/comparer.ts';
import { type Draft, draftOf } from './draft.ts';
import { narrowAccess, restrict, showLatest } from './keep-access.ts';
import { mergeInto } from './merge-into.ts';
import { hashOf, type ImportNote } from './note.ts';
import { keptFields, notedContent, noteIn } from './noted-content.ts';
import type { Plan } from './plan.ts';
import { type ExistingPage, isOnlyParent, type PlannedPage } from './planned-page.ts';
import { saveContent } from './save-content.ts';
import type { Source, SourceFile, SourceRevision } from './source.ts';
import { adaptedMessage, filesMessage } from './steps.ts';

export interface WriteOptions {
  actor: NonNullable<Actor>;
  permissions: number | undefined;
  /** Whether edits made in the wiki are overwritten. */
  isForced: boolean;
  maxFileBytes: number;
  /** Time of changes that have none in the source. */
  now: number;
}

/** Limits of one transaction, whose contents are in memory several times. */
const atOnce = { pages: 500, bytes: 2_000_000 };

/** The source of an import, its plan, and the account of what is written. */
export interface Writing {
  source: Source;
  plan: Plan;
  authors: Authors;
  access: AccessHere;
  ledger: Ledger;
  comparer: Pick<Comparer, 'add'>;
}

export class PageWriter {
  readonly #wiki: { store: Store; files: Files };
  readonly #source: Source;
  readonly #plan: Plan;
  readonly #authors: Authors;
  readonly #access: AccessHere;
  readonly #ledger: Ledger;
  readonly #comparer: Pick<Comparer, 'add'>;
  readonly #options: WriteOptions;
  #waiting: Draft[] = [];
  #waitingBytes = 0;
  #draft: Draft | undefined;
  readonly #refused = new Set<string>();

  constructor(
    wiki: { store: Store; files: Files },
    { source, plan, authors, access, ledger, comparer }: Writing,
    options: WriteOptions,
  ) {
    this.#wiki = wiki;
    this.#source = source;
    this.#plan = plan;
    this.#authors = authors;
    this.#access = access;
    this.#ledger = ledger;
    this.#comparer = comparer;
    this.#options = options;
  }

  get #sourceNote(): Pick<ImportNote, 'from' | 'origin' | 'beneath'> {
    return { from: this.#source.name, origin: this.#plan.origin, beneath: this.#plan.parent };
  }

  begin(page: PlannedPage): void {
    const { existing } = page;
    this.#draft = {
      ...draftOf(page),
      isBegun: existing !== undefined,
      after: existing?.note.revision || undefined,
    };
  }

  async revision({ id, at, author, msg, body }: SourceRevision): Promise<void> {
    const draft = this.#draft;
    if (!draft) return;
    const text = normaliseSource(body).replaceAll('\0', '').toWellFormed();
    // Too long for a page, as recorded in the outline.
    if (Buffer.byteLength(text) > maxBodyBytes) return;
    draft.body = text;
    if (author) this.#authors.seen.set(author.key, true);
    this.#ledger.result.revisions++;
    draft.at = at || this.#options.now;
    if (!this.#source.hasHistory) {
      draft.revisions = [];
      draft.bytes = 0;
    } else if (draft.after !== undefined) {
      if (Number(id) <= Number(draft.after)) return;
      draft.after = undefined;
    }
    if (draft.page.existing?.isEdited) return;
    draft.revisions.push({ at: draft.at, author, content: this.#contentOf(draft.page, text, msg, id) });
    draft.bytes += text.length;
    if (draft.bytes >= atOnce.bytes) {
      await this.flush();
      await this.#writePart(draft);
    }
  }

  async file(file: SourceFile, bytes: () => AsyncIterable<Uint8Array>): Promise<void> {
    const draft = this.#draft;
    if (!draft) return;
    try {
      const blob = await this.#wiki.files.store.put(bytes(), this.#options.maxFileBytes);
      draft.files.push({ file: { filename: cleanFilename(file.filename) || 'file', blob } });
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
      this.#ledger.leaveOut({ source: file.key, why: error.message, isRefusal: true });
    }
  }

  async end(): Promise<void> {
    const draft = this.#draft;
    this.#draft = undefined;
    if (!draft) return;
    this.#adapt(draft);
    try {
      const isHiding = this.#access.of(draft.page)?.hidesHistory;
      if (draft.page.existing || draft.files.length > 0 || draft.isBegun || isHiding) {
        await this.flush();
        await this.#finish(draft);
        if (draft.expected) await this.#comparer.add([draft.expected]);
        return;
      }
    } catch (error) {
      this.#refuse(draft.page, error);
      return;
    }
    this.#waiting.push(draft);
    this.#waitingBytes += draft.bytes;
    if (this.#waiting.length >= atOnce.pages || this.#waitingBytes >= atOnce.bytes) await this.flush();
  }

  /** Writes a page that only lists its children. */
  async bare(page: PlannedPage): Promise<void> {
    if (page.existing) return;
    const content = this.#contentOf(page, '{{Children}}\n', 'Imported as the page of a folder', '');
    const revisions = [{ content, at: this.#options.now, author: null }];
    this.#waiting.push({ ...draftOf(page), revisions, body: content.body, at: this.#options.now });
    if (this.#waiting.length >= atOnce.pages) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (batch.length === 0) return;
    await this.#authors.ensure(batch.flatMap(({ revisions }) => revisions.map(({ author }) => author)));
    try {
      await this.#insert(batch);
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
      // One of them fails; writing them one by one shows which.
      for (const draft of batch) {
        try {
          await this.#insert([draft]);
        } catch (error) {
          this.#refuse(draft.page, error);
          continue;
        }
        this.#count(draft);
        if (draft.expected) await this.#comparer.add([draft.expected]);
      }
      return;
    }
    for (const draft of batch) this.#count(draft);
    await this.#comparer.add(batch.flatMap(({ expected }) => expected ?? []));
  }

  #count({ page }: Draft): void {
    this.#ledger.pages.created++;
    if (isOnlyParent(page.outline)) this.#ledger.pages.parents = (this.#ledger.pages.parents ?? 0) + 1;
    else this.#ledger.result.pages++;
  }

  #refuse(page: PlannedPage, error: unknown): void {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
    const isBeneath = page.parentPath !== null && this.#refused.has(page.parentPath);
    this.#refused.add(page.path);
    const why = isBeneath ? `its parent ${page.parentPath} was refused` : error.message;
    this.#ledger.leaveOut({ source: page.outline?.key ?? page.path, why, isRefusal: true });
  }

  /** Converts the latest text for this wiki, in a change of its own if the source's revisions are kept unchanged. */
  #adapt(draft: Draft): void {
    const { page, body } = draft;
    if (!page.outline || body === undefined) return;
    const adapted = this.#source.adapt(page.outline.key, body, this.#plan);
    this.#ledger.addLinks(adapted.links);
    this.#ledger.addApproximations(page.path, adapted.approximated);
    if (adapted.source) draft.expected = { path: page.path, source: adapted.source, links: adapted.links };
    const last = draft.revisions.at(-1);
    const revision = last ? noteIn(last.content).revision : (page.existing?.note.revision ?? '');
    const content = this.#contentOf(page, adapted.body, last?.content.msg ?? '', revision);
    draft.body = adapted.body;
    if (!this.#source.hasHistory) {
      if (last) draft.revisions = [{ ...last, content }];
      return;
    }
    if (page.existing?.isEdited || adapted.body === body) return;
    if (!last && page.existing?.note.body === hashOf(adapted.body)) return;
    draft.revisions.push({ at: draft.at, author: null, content: { ...content, msg: adaptedMessage } });
  }

  async #insert(batch: Draft[]): Promise<void> {
    const { actor } = this.#options;
    const drafts = batch.filter(({ revisions }) => revisions.length > 0);
    await this.#wiki.store.transact(async (store) => {
      const parents = drafts.flatMap(({ page }) => (page.parentPath === null ? [] : [page.parentPath]));
      const places = new Map(
        (await store.pages.lockByPaths([...new Set(parents)], 'share')).map((place) => [place.path, place]),
      );
      const above = [...places.values()].flatMap(({ id, trail }) => [...trail, id]);
      const allDefaults = await store.pages.defaultsOf([...new Set(above)]);
      const ids = await store.pages.reserveIds(drafts.length);
      const pages: NewPage[] = [];
      for (const [index, draft] of drafts.entries()) {
        const { page } = draft;
        const place = page.parentPath === null ? undefined : places.get(page.parentPath);
        const revisions = this.#withDefaults(draft, place && defaultsBeneath(place, allDefaults));
        const last = revisions.at(-1)?.content as Content;
        const parent = page.parentPath === null ? null : places.get(page.parentPath);
        if (parent === undefined)
          throw new Problem('invalid', `There is no page at ${page.parentPath} to be the parent.`);
        const id = ids[index] as number;
        const author = revisions[0]?.author;
        const ownerId =
          this.#access.of(page)?.ownerId ?? (author ? this.#authors.idOf(author) : actor.memberId);
        const { state, derived } = stateOf(
          last,
          { parent, ownerId },
          await store.derive(last),
          await accessFacts(store, last, parent),
        );
        places.set(page.path, { ...state, id });
        pages.push({ id, state, derived, changes: this.#changesOf(revisions) });
      }
      await store.pages.insertMany(pages);
      for (const [index, { page }] of drafts.entries()) {
        const access = this.#access.of(page);
        if (access) await restrict(store, ids[index] as number, access);
      }
    });
  }

  /** Applies the defaults of ancestors, unless source or caller specify the access. */
  #withDefaults({ page, revisions }: Draft, defaults: AccessDefaults | undefined): Draft['revisions'] {
    if (!defaults) return revisions;
    if (this.#access.of(page)) return revisions;
    const { group, permissions } = defaults;
    const isGiven = this.#options.permissions !== undefined;
    const access = { ...(isGiven ? {} : { permissions }), ...(group ? { group } : {}) };
    return revisions.map((revision) => ({ ...revision, content: { ...revision.content, ...access } }));
  }

  #changesOf(revisions: Draft['revisions']): NewPage['changes'] {
    const { memberId } = this.#options.actor;
    return revisions.map(({ at, author, content }) => ({
      at,
      content,
      editorId: author ? this.#authors.idOf(author) : memberId,
    }));
  }

  /** Writes the part of a page collected so far. */
  async #writePart(draft: Draft): Promise<void> {
    const { revisions, page } = draft;
    if (revisions.length === 0) return;
    await this.#authors.ensure(revisions.map(({ author }) => author));
    if (draft.isBegun) await this.#append(page, revisions);
    else {
      await this.#insert([draft]);
      this.#count(draft);
    }
    draft.isBegun = true;
    draft.revisions = [];
    draft.bytes = 0;
  }

  async #append(page: PlannedPage, revisions: Draft['revisions']): Promise<void> {
    const [...before] = this.#changesOf(revisions);
    const last = before.pop();
    if (!last) return;
    await this.#wiki.store.transact(async (store) => {
      const held = await store.pages.lockByPath(page.path, 'update');
      if (!held) throw new Problem('not-found', `The page at ${page.path} no longer exists.`);
      const placed = (content: Content): Content => ({
        ...contentWith(content, held.content.files ?? []),
        path: held.path,
        slug: held.slug,
        parent: held.content.parent,
        permissions: held.permissions,
        ...accessIn(held.content),
        ...keptFields(page, held.content, content, this.#options),
      });
      await store.pages.addHistory(
        held.id,
        before.map((change) => ({ ...change, content: placed(change.content) })),
      );
      const at = Math.max(last.at, ...before.map((change) => change.at));
      await saveContent(store, held, { ...last, at, content: placed(last.content) });
    });
  }

  async #finish(draft: Draft): Promise<void> {
    const { page } = draft;
    const access = this.#access.of(page);
    if (page.existing && access) await narrowAccess(this.#wiki.store, page, access, this.#options);
    if (page.existing?.isEdited) await this.#mergeInto(draft, page.existing);
    else await this.#continue(draft);
    if (access?.hidesHistory) await showLatest(this.#wiki.store, page.path, !page.existing);
  }

  /** Writes what is new of a page that nobody has edited here. */
  async #continue(draft: Draft): Promise<void> {
    const { page, revisions, files } = draft;
    const { existing } = page;
    const isNews =
      revisions.length > 0 && (this.#source.hasHistory || !existing || this.#isChanged(draft, existing));
    if (isNews) await this.#writePart(draft);
    const hasNewFiles = files.length > 0 && (await this.#attach(page, files));
    if (!existing) return;
    if (!isOnlyParent(page.outline)) this.#ledger.result.pages++;
    if (isNews || hasNewFiles) this.#ledger.pages.changed++;
    else this.#ledger.pages.unchanged++;
  }

  /** A page may get another title while its text stays, as where its file is renamed. */
  #isChanged({ page, body = '' }: Draft, { note }: ExistingPage): boolean {
    const now = notedContent(page, { body, revision: note.revision }, this.#sourceNote).note;
    return note.body !== now.body || note.title !== now.title;
  }

  /** Files that the page has already are skipped. */
  async #attach({ path }: PlannedPage, files: Attachment[]): Promise<boolean> {
    const { actor, now } = this.#options;
    const prepared = await prepareFiles(this.#wiki.files, checkInput({ files }).files, actor.memberId, now);
    return this.#wiki.store.transact(async (store) => {
      const held = await store.pages.lockByPath(path, 'update');
      if (!held) throw new Problem('not-found', `The page at ${path} no longer exists.`);
      const had = await store.readAsSystem().files.named(held.content.files ?? []);
      const { names, added } = withUploads(held, had, prepared);
      this.#ledger.result.files += files.length;
      if (added.length === 0) {
        store.pages.keep();
        return false;
      }
      const content = contentWith({ ...held.content, path: held.path, msg: filesMessage }, names);
      // Attaching files does not change the page's time.
      await saveContent(store, held, { at: held.updatedAt, editorId: actor.memberId, content });
      await store.files.keep(held.id, names, added);
      return true;
    });
  }

  async #mergeInto({ page, body = '' }: Draft, existing: ExistingPage): Promise<void> {
    const { pages, edited, result } = this.#ledger;
    if (!isOnlyParent(page.outline)) result.pages++;
    const { note } = notedContent(page, { body, revision: existing.note.revision }, this.#sourceNote);
    // Links of an unchanged text may lead to other paths, if pages were moved here.
    const isSame = !this.#source.hasHistory && note.text !== undefined && note.text === existing.note.text;
    const outcome =
      isSame && !this.#options.isForced
        ? 'unchanged'
        : await mergeInto(this.#wiki, existing, { body, note }, this.#options);
    if (outcome === 'merged' || outcome === 'overwritten') pages.changed++;
    else pages.unchanged++;
    if (outcome !== 'unchanged') edited.push({ path: existing.path, outcome });
  }

  #contentOf(page: PlannedPage, body: string, msg: string, revision: string): Content {
    const { content } = notedContent(page, { body, msg, revision }, this.#sourceNote);
    const access = this.#access.of(page);
    const permissions = permissionsOf(access, this.#options.permissions, this.#wiki.store);
    return { ...content, permissions, ...(access ? accessIn(access) : {}) };
  }
}
