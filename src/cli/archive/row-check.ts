/**
 * Which rows of a backup are damaged, or hang on damaged ones. A page can be restored as long as one of its changes is whole:
 * then it shows the latest of these.
 */
import { damageInContent } from '#core/model/damage.ts';
import type { Row } from './format.ts';

/**
 * Columns without which a row of the table means nothing, and the tables that they name a row of by its ID. Pages are also those in
 * the trash.
 */
const references: Record<string, Record<string, 'members' | 'pages' | 'trash'>> = {
  pages: { owner_id: 'members' },
  trash: { owner_id: 'members', deleted_by: 'members' },
  trashed_pages: { trash_id: 'trash', owner_id: 'members' },
  changes: { page_id: 'pages', editor_id: 'members' },
  aliases: { page_id: 'pages' },
  likes: { page_id: 'pages', member_id: 'members' },
  favourites: { page_id: 'pages', member_id: 'members' },
  tags: { page_id: 'pages' },
  files: { page_id: 'pages', uploader_id: 'members' },
  links: { source_id: 'pages' },
};

interface KnownPage {
  path: string;
  /** The deletion that it went with; undefined for a page that is not in the trash. */
  trashId: unknown;
  parentId: number | null;
  changeId: number;
  /** The latest that is whole. */
  wholeChangeId: number | undefined;
}

export class RowCheck {
  /** A sentence each, once `end` was called. */
  readonly damage: string[] = [];
  readonly #members = new Set<unknown>();
  readonly #pages = new Map<unknown, KnownPage>();
  /** Deletions, and the page that each is of. */
  readonly #trash = new Map<unknown, { path: string; pageId: number }>();
  readonly #changes = new Set<unknown>();
  readonly #fileNames = new Map<unknown, string>();

  /** Every row, in the order of the backup. */
  add({ table, row }: Row): void {
    const missing = this.#missingFor(table, row);
    if (table === 'members') this.#members.add(row.id);
    else if (table === 'trash' && missing === undefined)
      this.#trash.set(row.id, { path: String(row.path), pageId: Number(row.page_id) });
    else if ((table === 'pages' || table === 'trashed_pages') && missing === undefined) {
      const { parent_id: parentId, change_id: changeId } = row as Record<string, number>;
      this.#pages.set(row.id, {
        path: String(row.path),
        trashId: row.trash_id,
        parentId: parentId ?? null,
        changeId: changeId ?? 0,
        wholeChangeId: undefined,
      });
    } else if (table === 'changes') {
      const page = this.#pages.get(row.page_id);
      const wrong = missing ?? damageInContent(row.content);
      if (wrong)
        this.damage.push(
          `Change ${row.id} of page ${row.page_id}${page ? ` at ${page.path}` : ''}: ${wrong}.`,
        );
      else {
        this.#changes.add(row.id);
        if (page) page.wholeChangeId = Math.max(page.wholeChangeId ?? 0, Number(row.id));
      }
      return;
    } else if (table === 'files') {
      const name = `the file ${row.filename} of the page at ${this.#pages.get(row.page_id)?.path}`;
      for (const hash of [row.hash, row.thumbnail_hash]) if (hash) this.#fileNames.set(hash, name);
    }
    if (missing)
      this.damage.push(
        `A row of the table ${table} (${row.id ?? row.name ?? row.page_id ?? row.source_id}): ${missing}.`,
      );
  }

  /** After the last row. */
  end(): void {
    for (const [id, { path, trashId, parentId, changeId, wholeChangeId }] of this.#pages) {
      if (wholeChangeId === undefined) {
        this.#pages.delete(id);
        this.damage.push(`Page ${id} at ${path}: all its changes are damaged.`);
      } else if (!this.#changes.has(changeId)) {
        this.damage.push(
          `Page ${id} at ${path}: its latest change is damaged; change ${wholeChangeId} is the last undamaged one.`,
        );
      }
      if (trashId === undefined && parentId !== null && !this.#pages.has(parentId))
        this.damage.push(`Page ${id} at ${path}: its parent, page ${parentId}, is damaged or missing.`);
    }
    for (const [id, deletion] of this.#trash) {
      if (this.#pages.has(deletion.pageId)) continue;
      const left = [...this.#pages].find(([, { trashId }]) => trashId === id);
      if (left) this.#trash.set(id, { path: left[1].path, pageId: Number(left[0]) });
      else this.#trash.delete(id);
      this.damage.push(
        `Deletion ${id} of ${deletion.path}: ${left ? `the page itself is damaged, so the deletion begins at ${left[1].path} instead` : 'all its pages are damaged'}.`,
      );
    }
  }

  /** Whether a row names these bytes. */
  names(hash: string): boolean {
    return this.#fileNames.has(hash);
  }

  /** For a sentence. */
  nameOf(hash: string): string {
    return this.#fileNames.get(hash) ?? 'a file';
  }

  /** After `end`: the row as it can be restored, if it can. */
  mended({ table, row }: Row): Row | undefined {
    if (this.#missingFor(table, row)) return undefined;
    if (table === 'trash') {
      const deletion = this.#trash.get(row.id);
      return deletion && { table, row: { ...row, path: deletion.path, page_id: deletion.pageId } };
    }
    if (table === 'changes') return this.#changes.has(row.id) ? { table, row } : undefined;
    if (table !== 'pages' && table !== 'trashed_pages') return { table, row };
    const page = this.#pages.get(row.id);
    if (!page) return undefined;
    if (table === 'trashed_pages') return { table, row: { ...row, change_id: page.wholeChangeId } };
    // Depth and trail follow from the parent, and a rebuild corrects them.
    const parent = String(row.trail)
      .split('/')
      .filter(Boolean)
      .map(Number)
      .findLast((id) => this.#pages.has(id));
    const hasParent = page.parentId === null || this.#pages.has(page.parentId);
    return {
      table,
      row: { ...row, change_id: page.wholeChangeId, parent_id: hasParent ? page.parentId : (parent ?? null) },
    };
  }

  #missingFor(table: string, row: Row['row']): string | undefined {
    const held = { members: this.#members, pages: this.#pages, trash: this.#trash };
    const wrong = Object.entries(references[table] ?? {}).find(([column, of]) => !held[of].has(row[column]));
    return wrong && `it belongs to a row of ${wrong[1]} (${row[wrong[0]]}) that is damaged or missing`;
  }
}
