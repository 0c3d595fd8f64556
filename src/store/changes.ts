/** The versions of pages. They are written with their page, in `pages.ts`, and never altered. */
import { sql } from 'kysely';
import type { ChangeStore } from '#domain/store.ts';
import { type ChangeRow, changeOf, selectChange } from './rows.ts';
import { first, prepare, prepareTogether, type Session, together } from './session.ts';

export function changeStore(session: Session): ChangeStore {
  return {
    async find(pageId, changeId) {
      const row = await first(session, one, { pageId, changeId });
      return row && changeOf(row);
    },
    async findBefore(pageId, changeId) {
      const row = await first(session, before, { pageId, changeId });
      return row && changeOf(row);
    },
    async list(pageId, { limit, offset }) {
      const [rows, counted] = await together(session, page, { pageId, limit, offset });
      return { changes: rows.map(changeOf), total: counted[0]?.total ?? 0 };
    },
  };
}

const one = prepare<{ pageId: number; changeId: number }, ChangeRow>(
  (p) => sql`${selectChange} where c.id = ${p('changeId')} and c.page_id = ${p('pageId')}`,
);

const before = prepare<{ pageId: number; changeId: number }, ChangeRow>(
  (p) =>
    sql`${selectChange} where c.page_id = ${p('pageId')} and c.id < ${p('changeId')} order by c.id desc limit 1`,
);

const page = prepareTogether<
  { pageId: number; limit: number; offset: number },
  [ChangeRow, { total: number }]
>((p) => [
  sql`${selectChange} where c.page_id = ${p('pageId')} order by c.id desc limit ${p('limit')} offset ${p('offset')}`,
  sql`select count(*) as total from changes where page_id = ${p('pageId')}`,
]);
