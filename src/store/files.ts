/** Rows of attached files. Their bytes lie elsewhere, under their hash. */
import { sql } from 'kysely';
import type { AttachedFile } from '#domain/page.ts';
import type { Audience } from '#domain/permission.ts';
import type { FileRows } from '#domain/store.ts';
import { leadsTo } from '#domain/subjects.ts';
import { fileOf } from './rows.ts';
import { all, change, changeSome, first, prepare, type Session } from './session.ts';
import type { Tables } from './tables.ts';

export function fileRows(session: Session): FileRows {
  const { engine } = session;
  return {
    attach: (file) =>
      changeSome(session, async (db) => {
        // Other pages name it by the path of this one.
        const page = await first(session, pathKeyOf, { id: file.pageId });
        engine.touch(db, [file.pageId, ...(page ? [leadsTo(page.path_key)] : [])]);
        await db
          .deleteFrom('files')
          .where('page_id', '=', file.pageId)
          .where('filename', '=', file.filename)
          .execute();
        await db.insertInto('files').values(rowOf(file)).execute();
      }),
    detach: (name) =>
      change(session, async (db) => {
        await db.deleteFrom('files').where('name', '=', name).execute();
      }),
    async attachedBetween(pageId, after, upTo) {
      return (await all(session, attached, { pageId, after, upTo })).map(fileOf);
    },
    async find(name) {
      const row = await first(session, byName, { name });
      if (!row) return undefined;
      const { permissions, owner_id, audience, path, ...file } = row;
      return { file: fileOf(file), page: { permissions, ownerId: owner_id, audience, path } };
    },
  };
}

type Found = Tables['files'] & { permissions: number; owner_id: number; audience: Audience; path: string };

const pathKeyOf = prepare<{ id: number }, { path_key: string }>(
  (p) => sql`select path_key from pages where id = ${p('id')}`,
);

const byName = prepare<{ name: string }, Found>(
  (p) => sql`select f.*, p.permissions, p.owner_id, p.audience, p.path
    from (select * from files where name = ${p('name')} union select * from files where thumbnail = ${p('name')}) as f
    join pages p on p.id = f.page_id`,
);

/** A file and the change that attached it are of one moment and one member. */
const attached = prepare<{ pageId: number; after: number; upTo: number }, Tables['files']>(
  (p) => sql`select * from files where page_id = ${p('pageId')} and (uploaded_at, uploader_id) in (
      select at, editor_id from changes
      where page_id = ${p('pageId')} and id > ${p('after')} and id <= ${p('upTo')})
    order by filename limit 1000`,
);

function rowOf(file: AttachedFile): Tables['files'] {
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
  };
}
