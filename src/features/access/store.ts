/** Names of those whom grants are for, and the grants of pages above. */
import { sql } from 'kysely';
import type { Grant } from '#core/model/grant.ts';
import type { GroupName, MemberName } from '#core/model/page.ts';
import type { GrantStore } from '#core/ports/grant-store.ts';
import type { Session } from '#store/statements.ts';

export function grantStore({ engine, db }: Session): GrantStore {
  return {
    async passedOnBy(pageIds) {
      if (pageIds.length === 0) return [];
      const { rows } = await sql<{ id: number; path: string; grants: string }>`select p.id, p.path, p.grants
        from pages p where ${engine.among(sql.ref('p.id'), pageIds)} and p.grants is not null`.execute(db);
      return rows.flatMap(({ id, path, grants }) => {
        const passedOn = (JSON.parse(grants) as Grant[]).filter(({ beneath }) => beneath);
        return passedOn.length === 0 ? [] : [{ id, path, grants: passedOn }];
      });
    },
    async namesOf(subjects) {
      const groupIds = subjects.flatMap((subject) => ('group' in subject ? [subject.group] : []));
      const memberIds = subjects.flatMap((subject) => ('member' in subject ? [subject.member] : []));
      const [groups, members] = await Promise.all([
        sql<GroupName>`select g.id, g.name from groups g
          where ${engine.among(sql.ref('g.id'), groupIds)}`.execute(db),
        sql<MemberName>`select m.id, m.name from members m
          where ${engine.among(sql.ref('m.id'), memberIds)}`.execute(db),
      ]);
      return {
        groups: new Map(groups.rows.map(({ id, name }) => [id, { id, name }])),
        members: new Map(members.rows.map(({ id, name }) => [id, { id, name }])),
      };
    },
  };
}
