/** Names of those whom grants are for, and the grants of pages above. */
import { sql } from 'kysely';
import { nameSkeletons } from '#core/members/skeleton.ts';
import { fold } from '#core/model/fold.ts';
import type { Grant } from '#core/model/grant.ts';
import type { GroupName, MemberName } from '#core/model/page.ts';
import type { GrantStore } from '#core/ports/grant-store.ts';
import { beginsWith } from '#store/rows.ts';
import type { Session } from '#store/statements.ts';

/** Members whose names are looked at for words other than the first, and for each beginning. */
const lookedAt = 2000;

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
    async find(text, limit, groupsOf) {
      const isFound = isNamedLike(text);
      const skeleton = sql.ref('m.folded_name_skeleton');
      const isActive = sql`m.is_active = ${engine.truth(true)}`;
      const isOfMember =
        groupsOf === undefined
          ? sql`1 = 1`
          : sql`exists (select 1 from group_members i where i.group_id = g.id and i.member_id = ${groupsOf})`;
      const [groups, members] = await Promise.all([
        sql<GroupName>`select g.id, g.name from groups g where ${isOfMember}
          order by g.name_key, g.id limit ${lookedAt}`.execute(db),
        // The skeleton of a text is the beginning of the skeletons of names that begin with it.
        sql<MemberName>`select id, name from (select m.id, m.name from members m
            where ${beginsWith(skeleton, nameSkeletons(text).folded)} and ${isActive} order by ${skeleton} limit ${lookedAt}) as f
          union select id, name from (select m.id, m.name from members m where ${isActive} order by m.id limit ${lookedAt}) as o`.execute(
          db,
        ),
      ]);
      const best = (all: MemberName[]) =>
        all
          .filter(isFound)
          .sort((a, b) => collator.compare(a.name, b.name) || a.id - b.id)
          .slice(0, limit);
      return { groups: best(groups.rows), members: best(members.rows) };
    },
  };
}

const collator = new Intl.Collator('en');

/** Whether the folded name, or what follows a space, hyphen or dot in it, begins with the folded text. */
function isNamedLike(text: string): (named: { name: string }) => boolean {
  const sought = fold(text.trim());
  return ({ name }) => {
    const folded = fold(name);
    return folded.startsWith(sought) || [' ', '-', '.'].some((mark) => folded.includes(mark + sought));
  };
}
