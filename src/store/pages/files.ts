/** Rows of attached files, current and of earlier changes. Their bytes are stored elsewhere, under their hash. */
import { type RawBuilder, sql } from 'kysely';
import { sortKey } from '#core/model/fold.ts';
import type { AttachedFile } from '#core/model/page.ts';
import type { Audience } from '#core/model/permission.ts';
import type { FoundFile } from '#core/ports/file-rows.ts';
import { insertRows } from '../insert-rows.ts';
import { invalidate } from '../invalidation.ts';
import type { FileRows } from '../parts.ts';
import { fileOf, type GrantedRow, grantedColumns, grantedOf, readTrail } from '../rows.ts';
import { all, changeSome, first, prepare, type Session, send } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { library } from './file-library.ts';
import { filesWithText } from './files-with-text.ts';

export function fileRows(session: Session): FileRows {
  const { engine } = session;
  return {
    async named(names) {
      return names.length === 0 ? [] : (await all(session, byNames, { names })).map(fileOf);
    },
    everOf: async (pageId, limit) => (await all(session, everOfPage, { pageId, limit })).map(fileOf),
    keep: (pageId, names, added) =>
      changeSome(session, async (db) => {
        const session = { engine, db, isTransaction: true };
        const page = await first(session, pathKeyOf, { id: pageId });
        invalidate({ engine, db }, 'files', 'all', [{ page_id: pageId, pagePathKey: page?.path_key }]);
        // Removals come first, because a page has at most one current file of a name.
        send(session, leaving, { pageId, names });
        send(session, returning, { pageId, names });
        insertRows({ engine, db }, 'files', added.map(rowOf));
      }),
    bringBack: (pageId, files) =>
      changeSome(session, async (db) => {
        const page = await first({ engine, db, isTransaction: true }, pathKeyOf, { id: pageId });
        invalidate({ engine, db }, 'files', 'all', [{ page_id: pageId, pagePathKey: page?.path_key }]);
        const rows = files.map((file) => ({ ...rowOf(file), until_change_id: file.untilChangeId }));
        insertRows({ engine, db }, 'files', rows);
      }),
    async find(name) {
      const row = await first(session, byName, { name });
      return row && foundFileOf(row);
    },
    library: (...given) => library(session, ...given),
    withText: (...given) => filesWithText(session, ...given),
  };
}

type OfPage = Pick<
  RowOf<'pages'>,
  'permissions' | 'owner_id' | 'group_id' | 'path' | 'trail' | 'history_from'
> &
  GrantedRow;
export type FileRow = RowOf<'files'> & OfPage & { audience: Audience };
type NamedFiles = { pageId: number; names: string[] };

const pathKeyOf = prepare<{ id: number }, { path_key: string }>(
  (p) => sql`select path_key from pages where id = ${p('id')}`,
);

const byName = prepare<{ name: string }, FileRow>((p) => selectFile(sql`${p('name')}`, 'pages'));

/** Selects a file by its name or thumbnail name, with the columns of its page p that decide who may read it. */
export function selectFile(name: RawBuilder<unknown>, pages: 'pages' | 'trashed_pages'): RawBuilder<FileRow> {
  return sql`select f.*, p.permissions, p.owner_id, p.group_id, p.audience, ${grantedColumns}, p.path,
      ${pages === 'pages' ? sql`p.trail` : sql`'/'`} as trail, p.history_from
    from (select * from files where name = ${name} union select * from files where thumbnail = ${name}) as f
    join ${sql.table(pages)} p on p.id = f.page_id`;
}

export function foundFileOf(row: FileRow, isDeleted = false): FoundFile {
  const { permissions, owner_id, group_id, audience, path, trail, history_from, ...others } = row;
  const { audience_id: _, granted: __, ...file } = others;
  const page = {
    id: file.page_id,
    trail: readTrail(trail),
    permissions,
    ownerId: owner_id,
    group: group_id === null ? null : { id: group_id },
    ...grantedOf(row),
    audience,
    path,
    historyFrom: history_from,
  };
  return {
    file: fileOf(file),
    untilChangeId: file.until_change_id,
    page: isDeleted ? { ...page, isDeleted } : page,
  };
}

const byNames = prepare<{ names: string[] }, RowOf<'files'>>(
  (p, engine) => sql`select * from files where ${engine.amongTexts(sql.ref('name'), p('names'))}
    order by filename, name`,
);

const everOfPage = prepare<{ pageId: number; limit: number }, RowOf<'files'>>(
  (p) =>
    sql`select * from files where page_id = ${p('pageId')} order by uploaded_at desc, name limit ${p('limit')}`,
);

const leaving = prepare<NamedFiles, unknown>(
  (
    p,
    engine,
  ) => sql`update files set until_change_id = (select change_id from pages where id = ${p('pageId')})
    where page_id = ${p('pageId')} and until_change_id is null
      and not ${engine.amongTexts(sql.ref('name'), p('names'))}`,
);

const returning = prepare<NamedFiles, unknown>(
  (p, engine) => sql`update files set until_change_id = null
    where page_id = ${p('pageId')} and until_change_id is not null
      and ${engine.amongTexts(sql.ref('name'), p('names'))}`,
);

function rowOf(file: AttachedFile): RowOf<'files'> {
  return {
    name: file.name,
    page_id: file.pageId,
    filename: file.filename,
    hash: file.hash,
    mime: file.mime,
    size_bytes: file.sizeBytes,
    width: file.width,
    height: file.height,
    thumbnail: file.thumbnail,
    thumbnail_hash: file.thumbnailHash,
    thumbnail_mime: file.thumbnailMime,
    uploaded_at: file.uploadedAt,
    uploader_id: file.uploaderId,
    until_change_id: null,
    sort_key: sortKey(file.filename),
  };
}
