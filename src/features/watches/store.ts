/** Watches of members, and the secrets of their unsubscribe links and private feeds. */
import { sql } from 'kysely';
import type { MailFrequency, Watch, WatchStore, WatchTarget } from '#core/ports/watch-store.ts';
import { storable } from '#store/engine.ts';
import { type MemberRow, memberOf } from '#store/members/members.ts';
import { indexable } from '#store/rows.ts';
import { changeUnseen, rowsOf, type Session, writeOneUnseen, writeUnseen } from '#store/statements.ts';
import type { Foundations } from '#store/store.ts';
import type { RowOf } from '#store/tables.ts';
import { matchEvents } from './store-matches.ts';
import { notificationStore } from './store-notifications.ts';

export function watchStore(
  session: Session,
  { hasMailServer }: Pick<Foundations, 'hasMailServer'>,
): WatchStore {
  const { db } = session;
  const memberBy = async (condition: ReturnType<typeof sql<boolean>>) => {
    const rows = await rowsOf(
      session,
      sql<MemberRow>`select m.* from watchers w join members m on m.id = w.member_id where ${condition}`,
    );
    return rows[0] && memberOf(rows[0]);
  };
  const watcherOf = async (memberId: number) =>
    db.selectFrom('watchers').selectAll().where('member_id', '=', memberId).executeTakeFirst();
  const countOf: WatchStore['countOf'] = async (memberId) => {
    const { rows } = await sql<{ total: number; searches: number }>`select count(*) as total,
      count(criteria) as searches from watches where member_id = ${memberId}`.execute(db);
    return { all: Number(rows[0]?.total), searches: Number(rows[0]?.searches) };
  };
  return {
    ...notificationStore(session, hasMailServer),
    countOf,
    save: (memberId, target, mail, { at, unsubscribeKey }) =>
      changeUnseen(session, async (db) => {
        await sql`insert into watchers (member_id, unsubscribe_key) values (${memberId}, ${unsubscribeKey})
          on conflict (member_id) do nothing`.execute(db);
        const row = await db
          .insertInto('watches')
          .values({ member_id: memberId, mail, created_at: at, ...columnsOf(target) })
          .onConflict((conflict) => conflict.columns(['member_id', 'kind', 'target']).doUpdateSet({ mail }))
          .returningAll()
          .executeTakeFirstOrThrow();
        return watchOf(row);
      }),
    async join(memberIds, kind, at, makeKey) {
      if (memberIds.length === 0) return;
      await changeUnseen(session, async (db) => {
        const watchers = memberIds.map((id) => ({ member_id: id, unsubscribe_key: makeKey() }));
        await db
          .insertInto('watchers')
          .values(watchers)
          .onConflict((conflict) => conflict.column('member_id').doNothing())
          .execute();
        const columns = columnsOf({ kind });
        const watches = memberIds.map((id) => ({ member_id: id, mail: 'now', created_at: at, ...columns }));
        await db
          .insertInto('watches')
          .values(watches)
          .onConflict((conflict) => conflict.columns(['member_id', 'kind', 'target']).doNothing())
          .execute();
      });
    },
    async find(memberId, kind, target) {
      const row = await db
        .selectFrom('watches')
        .selectAll()
        .where('member_id', '=', memberId)
        .where('kind', '=', kind)
        .where('target', '=', String(storable(target)))
        .executeTakeFirst();
      return row && watchOf(row);
    },
    async isWatching(memberId, pageId) {
      const watch = await db
        .selectFrom('watches')
        .select('id')
        .where('member_id', '=', memberId)
        .where('kind', 'in', ['page', 'subtree'])
        .where('target', '=', String(pageId))
        .limit(1)
        .executeTakeFirst();
      return watch !== undefined;
    },
    async listOf(memberId, { limit, offset }) {
      const rows = await db
        .selectFrom('watches')
        .selectAll()
        .where('member_id', '=', memberId)
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return { watches: rows.map(watchOf), total: (await countOf(memberId)).all };
    },
    async remove(memberId, id) {
      const isSilenced = await writeOneUnseen(session, (db) =>
        db
          .updateTable('watches')
          .set({ mail: 'off' })
          .where('id', '=', id)
          .where('member_id', '=', memberId)
          .where('kind', 'in', ['mentions', 'threads', 'proposals', 'reviews']),
      );
      if (isSilenced) return true;
      return writeOneUnseen(session, (db) =>
        db.deleteFrom('watches').where('id', '=', id).where('member_id', '=', memberId),
      );
    },
    stopMail: (memberId, of) =>
      writeUnseen(session, (db) =>
        db
          .updateTable('watches')
          .set({ mail: 'off' })
          .where('member_id', '=', memberId)
          .where(typeof of === 'number' ? 'id' : 'mail', '=', of),
      ),
    findByUnsubscribeKey: (key) => memberBy(sql<boolean>`w.unsubscribe_key = ${storable(key)}`),
    unsubscribeKeyOf: async (memberId) => (await watcherOf(memberId))?.unsubscribe_key,
    setFeed: (memberId, hash, unsubscribeKey) =>
      writeUnseen(session, (db) =>
        db
          .insertInto('watchers')
          .values({ member_id: memberId, unsubscribe_key: unsubscribeKey, feed_hash: hash })
          .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ feed_hash: hash })),
      ),
    findByFeed: (hash) => memberBy(sql<boolean>`w.feed_hash = ${hash}`),
    hasFeed: async (memberId) => ((await watcherOf(memberId))?.feed_hash ?? null) !== null,
    async isUsed() {
      const { rows } = await sql`select 1 from watches limit 1`.execute(db);
      return rows.length > 0;
    },
    match: (events) => matchEvents(session, events),
  };
}

function columnsOf(target: WatchTarget) {
  const none = { page_id: null, tag_key: null, value_key: null, tag_name: null, criteria: null };
  switch (target.kind) {
    case 'page':
    case 'subtree':
      return { ...none, kind: target.kind, target: String(target.pageId), page_id: target.pageId };
    case 'tag': {
      const value = String(storable(target.value));
      const key = target.key === undefined ? null : String(storable(target.key));
      const name = key === null ? value.toLowerCase() : null;
      return {
        ...none,
        kind: target.kind,
        target: key === null ? value : `${key}:${value}`,
        tag_key: key,
        value_key: indexable(value),
        tag_name: name,
      };
    }
    case 'mentions':
    case 'threads':
    case 'proposals':
    case 'reviews':
      return { ...none, kind: target.kind, target: '' };
    case 'search':
      return {
        ...none,
        kind: target.kind,
        target: String(storable(target.query)),
        criteria: String(storable(JSON.stringify(target.criteria))),
      };
  }
}

function watchOf(row: RowOf<'watches'>): Watch {
  return {
    id: row.id,
    memberId: row.member_id,
    kind: row.kind as Watch['kind'],
    target: row.target,
    mail: row.mail as MailFrequency,
    createdAt: row.created_at,
  };
}
