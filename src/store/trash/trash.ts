/** Finds, lists and purges deleted pages. `delete-subtree.ts` deletes them, `take-back.ts` restores them. */
import { type RawBuilder, sql } from 'kysely';
import type { MemberName } from '#core/model/page.ts';
import { everything, seesEverything, type Visibility } from '#core/model/permission.ts';
import type { DeletedPage, Deletion, PagesByAccess } from '#core/ports/trash-store.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import type { Database, Engine } from '../engine.ts';
import { type FileRow, foundFileOf, selectFile } from '../pages/files.ts';
import { forgetTextsOf } from '../pages/files-with-text.ts';
import { placeOf } from '../pages/locks.ts';
import { lockSubtree, manyPages } from '../pages/move-subtree.ts';
import type { TrashRows } from '../parts.ts';
import { removeProposedFiles } from '../proposed-files.ts';
import {
  audienceKeyOf,
  contentOf,
  type GrantedRow,
  grantedColumns,
  grantedOf,
  groupName,
  groupOf,
  liesBeneath,
  protectedBy,
  readTrail,
  trailBeneath,
  writeTrail,
} from '../rows.ts';
import { changeSome, type Session } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { visible } from '../visibility.ts';
import { deleteSubtree } from './delete-subtree.ts';
import { takeBack } from './take-back.ts';

export function trashStore(session: Session): TrashRows {
  const { engine, db } = session;
  const one = async (visibility: Visibility, id: number) => {
    const found = await sql<DeletionRow>`${selectDeletion(visibility)} where t.id = ${id}
      and ${visible('t', visibility)}`.execute(db);
    return found.rows.map(deletionOf)[0];
  };
  return {
    async survey({ id, trail }) {
      const beneath = sql`pages p
        where ${liesBeneath(sql.ref('p.trail'), trailBeneath({ id, trail: writeTrail(trail) }))}`;
      const [groups, files] = await Promise.all([
        grouped(beneath).execute(db),
        sql<{ count: number }>`select count(*) as count from files where until_change_id is null
          and (page_id = ${id} or page_id in (select p.id from ${beneath}))`.execute(db),
      ]);
      return { groups: groups.rows.map(pagesAlikeOf), files: Number(files.rows[0]?.count) };
    },
    lockSubtree: async (id) => (await lockSubtree(engine, db, id)).map(placeOf),
    put: (pageId, subtree, deleted) =>
      changeSome(session, (db) => deleteSubtree({ engine, db }, pageId, subtree, deleted)),
    find: one,
    async lock(id) {
      await sql`select p.id from trash p where p.id = ${id} ${engine.lockRows('update')}`.execute(db);
      const deletion = await one(everything, id);
      if (deletion && deletion.pages > manyPages) engine.liftTimeLimit(db);
      return deletion;
    },
    async list(visibility, { limit, offset }) {
      const [listed, counted] = await Promise.all([
        sql<DeletionRow>`${selectDeletion(visibility)} where ${visible('t', visibility)}
          order by t.deleted_at desc, t.id desc limit ${limit} offset ${offset}`.execute(db),
        sql<{
          total: number;
        }>`select count(*) as total from trash t where ${visible('t', visibility)}`.execute(db),
      ]);
      return { deletions: listed.rows.map(deletionOf), total: Number(counted.rows[0]?.total) };
    },
    async findPage(visibility, path) {
      const at = sql`select id from trashed_pages where path = ${path}
        union select p.id from aliases l join trashed_pages p on p.id = l.page_id where l.path = ${path}`;
      return pageAmong(db, at, visibility);
    },
    async findFile(visibility, name) {
      const { rows } = await sql<FileRow>`${selectFile(sql`${name}`, 'trashed_pages')}
        where ${visible('p', visibility)}`.execute(db);
      return rows.map((row) => foundFileOf(row, true))[0];
    },
    async access(id) {
      const { rows } = await grouped(sql`trashed_pages where trash_id = ${id}`).execute(db);
      return rows.map(pagesAlikeOf);
    },
    async pagesOf(id, after, limit) {
      const { rows } = await sql<TrashedRow>`
        select p.id, p.path, p.parent_id, p.depth, p.owner_id, p.protection, p.rule, p.change_id, c.content
        from trashed_pages p join changes c on c.id = p.change_id
        where p.trash_id = ${id} and (p.depth, p.id) > (${after.depth}, ${after.id})
        order by p.depth, p.id limit ${limit}`.execute(db);
      return rows.map(
        ({ parent_id: parentId, owner_id: ownerId, protection, rule, change_id, content, ...row }) => ({
          ...row,
          ...protectedBy({ protection, rule }),
          parentId,
          ownerId,
          content: contentOf(content, change_id, row.id),
        }),
      );
    },
    takeBack: (pages) => changeSome(session, (db) => takeBack(engine, db, pages)),
    close: (id) =>
      changeSome(session, async (db) => {
        await sql`delete from trash where id = ${id}`.execute(db);
      }),
    purge: (id) => changeSome(session, (db) => purge(engine, db, id)),
    async usedHashes(hashes) {
      const { rows } = await sql<{ hash: string }>`select hash from files
        where ${engine.amongTexts(sql.ref('hash'), hashes)}
        union select thumbnail_hash from files where ${engine.amongTexts(sql.ref('thumbnail_hash'), hashes)}
        union select hash from proposal_files where ${engine.amongTexts(sql.ref('hash'), hashes)}
        union select thumbnail_hash from proposal_files
          where ${engine.amongTexts(sql.ref('thumbnail_hash'), hashes)}`.execute(db);
      return new Set(rows.map((row) => row.hash));
    },
    async before(moment, limit) {
      const { rows } = await sql<{ id: number }>`select id from trash where deleted_at < ${moment}
        order by deleted_at, id limit ${limit}`.execute(db);
      return rows.map((row) => row.id);
    },
  };
}

type PagesAlikeRow = Omit<PagesByAccess, 'group' | 'granted'> &
  GrantedRow & { groupId: number | null; groupName: string | null };

function grouped(from: RawBuilder<unknown>): RawBuilder<PagesAlikeRow> {
  return sql`select permissions, owner_id as "ownerId", group_id as "groupId",
    ${groupName('group_id')} as "groupName", audience_id, ${audienceKeyOf('audience_id')} as granted,
    count(*) as pages from ${from}
    group by permissions, owner_id, group_id, audience_id`;
}

function pagesAlikeOf({
  permissions,
  ownerId,
  groupId,
  groupName,
  pages,
  ...row
}: PagesAlikeRow): PagesByAccess {
  const group = groupOf(groupId, groupName);
  return { permissions, ownerId, group, ...grantedOf(row), pages: Number(pages) };
}

type DeletionRow = Omit<RowOf<'trash'>, 'world_pages' | 'members_pages'> & { deleter: string };

/** Query for deletions `t`; a condition follows. Counts for each audience were stored at the deletion. */
function selectDeletion(visibility: Visibility): RawBuilder<DeletionRow> {
  const hidden = sql`(select count(*) from trashed_pages o
    where o.trash_id = t.id and o.audience > 1 and ${visible('o', visibility)})`;
  const counted = seesEverything(visibility)
    ? sql`t.pages`
    : visibility.ownerId === null
      ? sql`t.world_pages`
      : visibility.maxAudience > 0
        ? sql`t.members_pages + ${hidden}`
        : sql`(select count(*) from trashed_pages o where o.trash_id = t.id and ${visible('o', visibility)})`;
  return sql`select t.id, t.page_id, t.path, t.title, t.audience, t.owner_id, t.trail, ${counted} as pages,
      t.deleted_at, t.deleted_by, m.name as deleter
    from trash t join members m on m.id = t.deleted_by`;
}

function deletionOf(row: DeletionRow): Deletion {
  return {
    id: row.id,
    pageId: row.page_id,
    path: row.path,
    title: row.title,
    audience: row.audience,
    ownerId: row.owner_id,
    trail: readTrail(row.trail),
    pages: Number(row.pages),
    deletedAt: row.deleted_at,
    deletedBy: { id: row.deleted_by, name: row.deleter },
  };
}

type TrashedRow = Pick<
  RowOf<'trashed_pages'>,
  'id' | 'path' | 'parent_id' | 'depth' | 'owner_id' | 'protection' | 'rule' | 'change_id'
> & { content: string };

type FoundRow = Omit<DeletedPage, 'deletedBy' | 'group' | 'granted'> &
  GrantedRow & {
    groupId: number | null;
    deletedBy: number;
    deleter: string;
  };

/** The most recently deleted page among these. */
async function pageAmong(
  db: Database,
  ids: RawBuilder<unknown>,
  visibility: Visibility,
): Promise<DeletedPage | undefined> {
  const { rows } = await sql<FoundRow>`
    select p.id, p.title, p.path, p.trash_id as "trashId", p.permissions, p.owner_id as "ownerId", p.group_id as "groupId",
      ${grantedColumns}, t.deleted_at as "deletedAt", t.deleted_by as "deletedBy", m.name as deleter
    from trashed_pages p join trash t on t.id = p.trash_id join members m on m.id = t.deleted_by
    where p.id in (${ids}) and ${visible('p', visibility)} order by t.deleted_at desc, t.id desc limit 1`.execute(
    db,
  );
  return rows.map(({ deletedBy: id, deleter: name, groupId, audience_id, granted, ...page }) => ({
    ...page,
    ...grantedOf({ audience_id, granted }),
    group: groupId === null ? null : { id: groupId },
    deletedBy: { id, name } satisfies MemberName,
  }))[0];
}

async function purge(engine: Engine, db: Database, id: number): Promise<string[]> {
  // Invalidates nothing, because responses about deletions are never cached.
  engine.invalidate(db, []);
  const all = await sql<{ id: number }>`select id from trashed_pages where trash_id = ${id}`.execute(db);
  const hashes = new Set<string>();
  for await (const rows of inTimeSlices(all.rows)) {
    const ids = rows.map((row) => row.id);
    const ofPages = engine.among(sql.ref('page_id'), ids);
    const files = await sql<{ hash: string; thumbnail_hash: string | null }>`delete from files
        where ${ofPages} returning hash, thumbnail_hash`.execute(db);
    for (const { hash, thumbnail_hash: thumbnail } of files.rows)
      for (const one of [hash, thumbnail]) if (one !== null) hashes.add(one);
    for (const table of [
      'likes',
      'favourites',
      'page_reads',
      'outside_links',
      'told_reviews',
      'editor_drafts',
      'aliases',
      'changes',
    ])
      await sql`delete from ${sql.table(table)} where ${ofPages}`.execute(db);
    const proposed = sql<boolean>`${engine.among(sql.ref('shown_with'), ids)} and page_id = shown_with`;
    for (const hash of await removeProposedFiles(db, proposed)) hashes.add(hash);
    await sql`delete from proposal_changes where ${proposed}`.execute(db);
    await sql`delete from proposal_reviews where ${engine.among(sql.ref('shown_with'), ids)}`.execute(db);
    // Keeps the fact and time of the deletion.
    await sql`update events set title = '', msg = '', from_title = null where ${ofPages}`.execute(db);
    await sql`delete from comment_mentions where comment_id in (select c.id from comments c
      where ${engine.among(sql.ref('c.page_id'), ids)})`.execute(db);
    for (const table of ['comments', 'comment_texts', 'submissions'] as const)
      await sql`delete from ${sql.table(table)} where ${engine.among(sql.ref('page_id'), ids)}`.execute(db);
    await sql`delete from trashed_pages where ${engine.among(sql.ref('id'), ids)}`.execute(db);
  }
  await sql`delete from trash where id = ${id}`.execute(db);
  await forgetTextsOf(db, engine.amongTexts(sql.ref('hash'), [...hashes]));
  return [...hashes];
}
