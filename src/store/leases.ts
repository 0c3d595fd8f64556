/**
 * Leases: claims of a process on a request, an import, a letter and so on, which other processes leave alone meanwhile. A lease
 * expires, so that a process that hangs or a broken network stops nothing for ever. It ends at once if its holder is a process
 * that has ended, which every other process can see from a lock: of a file on SQLite, of a session on PostgreSQL. The operating
 * system and the server release these locks, however a process ends.
 *
 * Commands beside the server hold no lock. Their leases have no holder and only expire.
 */
import { sql } from 'kysely';
import type { LeaseStore } from '#core/ports/lease-store.ts';
import { changeUnseen, type Session } from './statements.ts';
import type { Tables } from './tables.ts';

/** How a lease of each table is ended. */
const ending = {
  idempotency_keys: sql`lease_until = 0`,
  imports: sql`seen_at = 0`,
  scheduled_exports: sql`seen_at = 0`,
  // Due since it was queued, which is before now.
  mails: sql`due_at = created_at`,
  webhooks: sql`leased_until = null, leased_by = null`,
  watched_events: sql`lease_until = 0`,
} satisfies Partial<Record<keyof Tables, unknown>>;

const held = sql.join(
  Object.keys(ending).map((table) => sql`select holder from ${sql.table(table)} where holder is not null`),
  sql` union `,
);

export function leaseStore(session: Session): LeaseStore {
  const { engine, db } = session;
  return {
    hold: () => engine.holdLeases(),
    async endAbandoned() {
      const { rows } = await sql<{ holder: string }>`${held}`.execute(db);
      const ended = rows.length === 0 ? [] : await engine.endedHolders(rows.map(({ holder }) => holder));
      if (ended.length === 0) return 0;
      return changeUnseen(session, async (db) => {
        let count = 0n;
        for (const [table, ends] of Object.entries(ending)) {
          const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} set ${ends}, holder = null
            where ${engine.amongTexts(sql.ref('holder'), ended)}`.execute(db);
          count += numAffectedRows;
        }
        return Number(count);
      });
    },
  };
}
