/** Rows of the audit log (table `audit`): written in the transaction of their action, read in commit order. */
import { type RawBuilder, sql } from 'kysely';
import type { AuditEntry } from '#core/model/audit-entry.ts';
import type { AuditKind } from '#core/model/audit-kinds.ts';
import type { AuditFilter, AuditStore } from '#core/ports/audit-store.ts';
import { storable } from '#store/engine.ts';
import { changeUnseen, rowsOf, type Session } from '#store/statements.ts';
import type { Foundations } from '#store/store.ts';
import type { RowOf } from '#store/tables.ts';

const hourMs = 60 * 60 * 1000;
const maxTextLength = 1000;

export function auditStore(session: Session, { audit: { origin, clock } }: Foundations): AuditStore {
  const { engine } = session;
  const list = async (
    isForwards: boolean,
    position: number | undefined,
    limit: number,
    filter: AuditFilter,
  ): Promise<AuditEntry[]> => {
    await engine.numberCommitted?.('audit', session.isTransaction ? session.db : undefined);
    const order = engine.commitOrder;
    const from =
      position === undefined
        ? sql`${order} is not null`
        : sql`${order} ${sql.raw(isForwards ? '>' : '<')} ${position}`;
    const kinds = filter.kinds ? engine.amongTexts(sql.ref('e.kind'), filter.kinds) : sql`1 = 1`;
    const direction = sql.raw(isForwards ? 'asc' : 'desc');
    const ids = (condition: RawBuilder<unknown>) =>
      sql`select * from (select e.id from audit e where ${from} and ${kinds} and ${condition}
        order by ${order} ${direction} limit ${limit}) as i`;
    const { memberId } = filter;
    const found =
      memberId === undefined
        ? ids(sql`1 = 1`)
        : sql`${ids(sql`e.actor_id = ${memberId}`)} union all
          ${ids(sql`e.subject_kind = 'member' and e.subject_id = ${memberId} and coalesce(e.actor_id, 0) <> ${memberId}`)}`;
    const rows = await rowsOf(
      session,
      sql<AuditRow>`select e.*, ${order} as place, a.name as actor_name, s.name as member_name
        from (${found}) as f join audit e on e.id = f.id left join members a on a.id = e.actor_id
        left join members s on s.id = e.subject_id and e.subject_kind = 'member'
        order by ${order} ${direction} limit ${limit}`,
    );
    return rows.map(entryOf);
  };
  return {
    record: ({ kind, subject, note = '', actorId }) =>
      changeUnseen(session, async (db) => {
        const { via, from, actorId: who, tokenId } = origin();
        const at = clock();
        await db
          .insertInto('audit')
          .values({
            at,
            kind,
            via,
            from_address: from,
            actor_id: actorId === undefined ? who : actorId,
            token_id: tokenId,
            subject_kind: subject?.kind ?? null,
            subject_id: subject?.id ?? null,
            subject_name: shortened(subject?.name ?? ''),
            note: shortened(note),
            times: 1,
            last_at: at,
          })
          .execute();
      }),
    countFailure: ({ memberId, from, via, at }, maxEntries) =>
      changeUnseen(session, async (db) => {
        const hour = Math.floor(at / hourMs);
        const counting = (subjectId: number | null, address: string | null) =>
          sql`insert into audit (at, kind, via, from_address, subject_kind, subject_id, subject_name, note, hour, times, last_at)
            values (${at}, 'sign-in-failed', ${via}, ${address}, ${subjectId === null ? null : 'member'}, ${subjectId}, '',
              ${address === null ? 'from many addresses' : ''}, ${hour}, 1, ${at})
            on conflict (hour, coalesce(subject_id, 0), coalesce(from_address, '')) where hour is not null
            do update set times = audit.times + 1, last_at = ${at}`;
        const known = await sql<{ is_counted: number; entries: number }>`select
            (select count(*) from audit where hour = ${hour} and coalesce(subject_id, 0) = ${memberId ?? 0}
              and coalesce(from_address, '') = ${from}) as is_counted,
            (select count(*) from audit where hour = ${hour}) as entries`.execute(db);
        const { is_counted, entries } = known.rows[0] ?? { is_counted: 0, entries: 0 };
        const isOverflow = is_counted === 0 && entries >= maxEntries;
        await (isOverflow ? counting(null, null) : counting(memberId, from)).execute(db);
      }),
    listAfter: (position, limit, filter) => list(true, position, limit, filter),
    listBefore: (position, limit, filter) => list(false, position, limit, filter),
    async forget(before, limit, kind) {
      await engine.numberCommitted?.('audit', session.isTransaction ? session.db : undefined);
      return changeUnseen(session, async (db) => {
        const ofKind = kind === undefined ? sql`1 = 1` : sql`kind = ${kind}`;
        // The latest entry is kept, because positions continue from it.
        const removed = await sql`delete from audit where id in (select id from audit
          where at < ${before} and ${ofKind} and id < (select max(id) from audit) order by at limit ${limit})
          and coalesce(position, 0) < (select coalesce(max(position), 1) from audit)`.execute(db);
        return Number(removed.numAffectedRows ?? 0);
      });
    },
  };
}

type AuditRow = RowOf<'audit'> & {
  place: number;
  actor_name: string | null;
  member_name: string | null;
};

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    position: row.place,
    at: row.at,
    kind: row.kind as AuditKind,
    via: row.via,
    from: row.from_address,
    actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name ?? '' },
    tokenId: row.token_id,
    subject:
      row.subject_kind === null
        ? null
        : { kind: row.subject_kind, id: row.subject_id, name: row.member_name ?? row.subject_name },
    note: row.note,
    times: row.times,
    lastAt: row.last_at,
  };
}

function shortened(text: string): string {
  return String(storable(text.slice(0, maxTextLength)));
}
