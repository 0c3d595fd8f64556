/** Compares the audiences of pages with their own grants and with what the page above passes on. */
import { sql } from 'kysely';
import { audienceKey, effectiveEntries, entriesIn, type Grant, noReaders } from '#core/model/grant.ts';
import { audienceByDigits, type Wiki } from '#core/model/permission.ts';
import type { Database } from '../engine.ts';
import { audienceKeyOf } from '../rows.ts';

const pagesAtOnce = 1000;

interface Row {
  id: number;
  path: string;
  permissions: number;
  group_id: number | null;
  grants: string | null;
  granted: string | null;
  beneath: string | null;
  passed_on: string | null;
}

export async function* grantViolations(db: Database, wiki: Wiki): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const { rows } = await sql<Row>`select p.id, p.path, p.permissions, p.group_id, p.grants,
        ${audienceKeyOf('p.audience_id')} as granted, ${audienceKeyOf('p.beneath_id')} as beneath,
        ${audienceKeyOf('q.beneath_id')} as passed_on
      from pages p left join pages q on q.id = p.parent_id
      where p.id > ${after} and (p.grants is not null or p.audience_id is not null or p.beneath_id is not null
        or q.beneath_id is not null)
      order by p.id limit ${pagesAtOnce}`.execute(db);
    for (const { id, path, permissions, group_id, grants, granted, beneath, passed_on } of rows) {
      const own = grants === null ? [] : (JSON.parse(grants) as Grant[]);
      const due = effectiveEntries(own, passed_on === null ? '' : entriesIn({ key: passed_on }));
      const digits = audienceByDigits(
        { permissions, group: group_id === null ? null : { id: group_id } },
        wiki,
      );
      const keyOf = (audience: number, entries: string) =>
        entries === '' ? null : audienceKey(audience, entries);
      if (granted !== keyOf(digits, due.here) || beneath !== keyOf(noReaders, due.beneath))
        yield `Page ${id} at ${path} has an audience that does not follow from its grants and those of the pages above.`;
    }
    const last = rows.at(-1);
    if (!last || rows.length < pagesAtOnce) return;
    after = last.id;
  }
}
