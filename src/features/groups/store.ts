/** Groups and their members. Changes also update the copy in the member's row, which requests read. */

import { sql } from 'kysely';
import { groupKey } from '#core/model/group-name.ts';
import type { GroupName, MemberName } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import type { Group, GroupStore } from '#core/ports/group-store.ts';
import type { Range } from '#core/ports/list-reads.ts';
import type { Database, Engine } from '#store/engine.ts';
import { change, type Session } from '#store/statements.ts';
import { say } from '#words/say.ts';

export function groupStore(session: Session): GroupStore {
  const { engine, db } = session;
  const refuseTakenName = (error: unknown): never => {
    if (!engine.isDuplicate(error, 'groups', 'name_key')) throw error;
    throw invalid('/name', say('problem.aGroupWithThisNameAlreadyExists'));
  };
  return {
    async list({ limit, offset }, shownMembers, memberId) {
      const among =
        memberId === undefined
          ? sql`1 = 1`
          : sql`exists (select 1 from group_members i where i.group_id = g.id and i.member_id = ${memberId})`;
      const [found, counted] = await Promise.all([
        sql<GroupRow>`select g.id, g.name, ${memberCount} as "memberCount" from groups g where ${among}
          order by g.name_key, g.id limit ${limit} offset ${offset}`.execute(db),
        sql<{ total: number }>`select count(*) as total from groups g where ${among}`.execute(db),
      ]);
      const ids = found.rows.map(({ id }) => id);
      if (shownMembers === 0)
        return { groups: found.rows.map((row) => groupOf(row, [])), total: Number(counted.rows[0]?.total) };
      const { rows } = await sql<MemberName & { groupId: number }>`
        select group_id as "groupId", id, name from (
          select i.group_id, m.id, m.name, row_number() over (partition by i.group_id order by m.name, m.id) as place
          from group_members i join members m on m.id = i.member_id where ${engine.among(sql.ref('i.group_id'), ids)}
        ) as placed where place <= ${shownMembers} order by group_id, place`.execute(db);
      const members = Map.groupBy(rows, ({ groupId }) => groupId);
      const groups = found.rows.map((row) => groupOf(row, members.get(row.id) ?? []));
      return { groups, total: Number(counted.rows[0]?.total) };
    },
    find: (id, range) => findGroup(db, id, range),
    async count() {
      const { rows } = await sql<{ total: number }>`select count(*) as total from groups`.execute(db);
      return Number(rows[0]?.total);
    },
    async lockByNames(names) {
      const keys = names.map(groupKey);
      const { rows } = await sql<GroupName>`select p.id, p.name from groups p
        where ${engine.amongTexts(sql.ref('p.name_key'), keys)} order by p.id
        ${session.isTransaction ? engine.lockRows('share') : sql``}`.execute(db);
      return rows;
    },
    async lock(id) {
      const { rows } = await sql<GroupName>`select p.id, p.name from groups p where p.id = ${id}
        ${engine.lockRows('update')}`.execute(db);
      return rows[0];
    },
    insert: (name, createdAt) =>
      change(session, async (db) => {
        const row = await db
          .insertInto('groups')
          .values({ name, name_key: groupKey(name), created_at: createdAt })
          .returning(['id', 'name'])
          .executeTakeFirstOrThrow()
          .catch(refuseTakenName);
        return row;
      }),
    rename: (id, name) =>
      change(session, async (db) => {
        await db
          .updateTable('groups')
          .set({ name, name_key: groupKey(name) })
          .where('id', '=', id)
          .execute()
          .catch(refuseTakenName);
      }),
    async usage(id) {
      const used = (
        table: string,
      ) => sql`(select count(*) from (select id from ${sql.table(table)} where group_id = ${id}
        union select id from ${sql.table(table)} where default_group_id = ${id}) as used)`;
      const { rows } = await sql<{ pages: number; trashed: number }>`
        select ${used('pages')} as pages, ${used('trashed_pages')} as trashed`.execute(db);
      return { pages: Number(rows[0]?.pages), trashed: Number(rows[0]?.trashed) };
    },
    remove: (id) =>
      change(session, async (db) => {
        const left = await sql<{ id: number }>`delete from group_members where group_id = ${id}
          returning member_id as id`.execute(db);
        await copyGroups(
          engine,
          db,
          left.rows.map((row) => row.id),
        );
        await sql`delete from groups where id = ${id}`.execute(db);
      }),
    addMember: (id, memberId, { at, byProvider }) =>
      change(session, async (db) => {
        // A member added manually is not removed by a sign-in.
        await sql`insert into group_members (group_id, member_id, by_provider, added_at)
          values (${id}, ${memberId}, ${engine.truth(byProvider)}, ${at})
          on conflict (group_id, member_id) do ${
            byProvider ? sql`nothing` : sql`update set by_provider = excluded.by_provider`
          }`.execute(db);
        await copyGroups(engine, db, [memberId]);
      }),
    removeMember: (id, memberId) =>
      change(session, async (db) => {
        await sql`delete from group_members where group_id = ${id} and member_id = ${memberId}`.execute(db);
        await copyGroups(engine, db, [memberId]);
      }),
    async listByProvider(memberId) {
      const { rows } = await sql<{ id: number }>`select group_id as id from group_members
        where member_id = ${memberId} and by_provider = ${engine.truth(true)} order by group_id`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}

type GroupRow = GroupName & { memberCount: number };

const memberCount = sql`(select count(*) from group_members i where i.group_id = g.id)`;

async function findGroup(db: Database, id: number, { limit, offset }: Range): Promise<Group | undefined> {
  const [found, members] = await Promise.all([
    sql<GroupRow>`select g.id, g.name, ${memberCount} as "memberCount" from groups g where g.id = ${id}`.execute(
      db,
    ),
    sql<MemberName>`select m.id, m.name from group_members i join members m on m.id = i.member_id
      where i.group_id = ${id} order by m.name, m.id limit ${limit} offset ${offset}`.execute(db),
  ]);
  return found.rows.map((row) => groupOf(row, members.rows))[0];
}

function groupOf({ id, name, memberCount }: GroupRow, members: MemberName[]): Group {
  return {
    id,
    name,
    memberCount: Number(memberCount),
    members: members.map(({ id, name }) => ({ id, name })),
  };
}

async function copyGroups(engine: Engine, db: Database, memberIds: number[]): Promise<void> {
  await sql`update members set group_ids = coalesce((
      select string_agg(cast(group_id as text), ' ' order by group_id) from group_members
      where member_id = members.id
    ), '') where ${engine.among(sql.ref('id'), memberIds)}`.execute(db);
}
