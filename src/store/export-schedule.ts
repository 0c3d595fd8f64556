/**
 * Scheduled exports: one row for each format, claimed by the process that makes the export until it ends or stops renewing the
 * claim.
 */
import type { ExportSchedule } from '#core/ports/export-schedule.ts';
import { changeUnseen, type Session, writeOneUnseen, writeUnseen } from './statements.ts';

export function exportSchedule(session: Session): ExportSchedule {
  return {
    begin: (format, at, { done, failed, dead }) =>
      changeUnseen(session, async (db) => {
        await db
          .insertInto('scheduled_exports')
          .values({ format, state: 'interrupted', begun_at: 0, seen_at: 0, succeeded_at: null })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const begun = await db
          .updateTable('scheduled_exports')
          .set({ state: 'running', begun_at: at, seen_at: at, holder: session.engine.holder() })
          .where('format', '=', format)
          .where((is) =>
            is.or([
              is('state', '=', 'interrupted'),
              is.and([is('state', '=', 'done'), is('begun_at', '<=', done)]),
              is.and([is('state', '=', 'failed'), is('begun_at', '<=', failed)]),
              is.and([is('state', '=', 'running'), is('seen_at', '<', dead)]),
              // The clock was wrong then: otherwise nothing would be due until that time.
              is.and([is('state', '!=', 'running'), is('begun_at', '>', at)]),
            ]),
          )
          .executeTakeFirst();
        return begun.numUpdatedRows === 1n;
      }),
    renew: (format, begunAt, at) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('scheduled_exports')
          .set({ seen_at: at })
          .where('format', '=', format)
          .where('state', '=', 'running')
          .where('begun_at', '=', begunAt),
      ),
    end: (format, begunAt, how, at) =>
      writeUnseen(session, (db) =>
        db
          .updateTable('scheduled_exports')
          .set((is) => ({
            state: how,
            holder: null,
            ...(how === 'done' ? { succeeded_at: at } : {}),
            ...(how === 'failed' ? { failures: is('failures', '+', 1) } : {}),
          }))
          .where('format', '=', format)
          .where('begun_at', '=', begunAt),
      ),
    async list() {
      const rows = await session.db
        .selectFrom('scheduled_exports')
        .select(['format', 'succeeded_at', 'failures'])
        .orderBy('format')
        .execute();
      return rows.map(({ format, succeeded_at: succeededAt, failures }) => ({
        format,
        succeededAt,
        failures,
      }));
    },
  };
}
