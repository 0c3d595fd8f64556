/** Webhooks and their deliveries. A lease in the row of a webhook ensures that only one process sends for it. */
import { sql } from 'kysely';
import type { EventKind } from '#core/model/event.ts';
import type {
  Delivery,
  DeliveryState,
  ListedDelivery,
  Webhook,
  WebhookFields,
  WebhookFormat,
  WebhookStore,
} from '#core/ports/webhook-store.ts';
import type { Database } from '#store/engine.ts';
import { changeUnseen, rowsOf, type Session, writeOneUnseen, writeUnseen } from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';

type WebhookRow = RowOf<'webhooks'> & { member_name: string };
type DeliveryRow = RowOf<'webhook_deliveries'>;

export function webhookStore(session: Session): WebhookStore {
  const { engine, db } = session;
  const hooks = (db: Database) =>
    db
      .selectFrom('webhooks')
      .innerJoin('members', 'members.id', 'webhooks.member_id')
      .selectAll('webhooks')
      .select('members.name as member_name')
      .orderBy('webhooks.id');
  const find = async (db: Database, id: number) => {
    const row = await hooks(db).where('webhooks.id', '=', id).executeTakeFirst();
    return row && webhookOf(row);
  };
  const listed = (where: ReturnType<typeof sql<boolean>>, limit: number, offset = 0) =>
    rowsOf(
      session,
      sql<DeliveryRow & { path: string | null }>`select d.*, e.path from webhook_deliveries d
        left join events e on ${engine.commitOrder} = d.position
        where ${where} order by d.id desc limit ${limit} offset ${offset}`,
    );
  return {
    insert: (webhook) =>
      changeUnseen(session, async (db) => {
        const { id } = await db
          .insertInto('webhooks')
          .values({ ...columnsOf(webhook), secret: webhook.secret, created_at: webhook.createdAt })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),
    list: async (limit) => (await hooks(db).limit(limit).execute()).map(webhookOf),
    find: (id) => find(db, id),
    update: (id, fields) =>
      writeOneUnseen(session, (db) => db.updateTable('webhooks').set(columnsOf(fields)).where('id', '=', id)),
    remove: (id) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute();
        const { numDeletedRows } = await db.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst();
        return numDeletedRows === 1n;
      }),

    lease: (id, holder, now, until) =>
      changeUnseen(session, async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('webhooks')
          .set({ leased_until: until, leased_by: holder, holder: engine.holder() })
          .where('id', '=', id)
          .where('disabled_at', 'is', null)
          .where(({ or, eb }) =>
            or([eb('leased_until', 'is', null), eb('leased_until', '<=', now), eb('leased_by', '=', holder)]),
          )
          .executeTakeFirst();
        return numUpdatedRows === 1n ? find(db, id) : undefined;
      }),
    finish: (
      { id, position: before, memberId, url },
      holder,
      { position, until, lastSuccessAt, disabled, deliveries },
      keep,
    ) =>
      changeUnseen(session, async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('webhooks')
          .set({
            position: sql<number>`case when position = ${before} then ${position} else position end`,
            leased_until: until,
            leased_by: until === null ? null : holder,
            holder: until === null ? null : engine.holder(),
            last_success_at: lastSuccessAt,
          })
          .where('id', '=', id)
          .where('leased_by', '=', holder)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return undefined;
        // The reason says nothing of an owner or an address that was set meanwhile.
        if (disabled)
          await db
            .updateTable('webhooks')
            .set({ disabled_at: disabled.at, disabled_reason: disabled.reason })
            .where('id', '=', id)
            .where('member_id', '=', memberId)
            .where('url', '=', url)
            .execute();
        const isNew = (delivery: Delivery) => delivery.id === 0;
        await save(db, deliveries.filter(isNew).map(rowOf));
        await save(
          db,
          deliveries
            .filter((delivery) => !isNew(delivery))
            .map((delivery) => ({ id: delivery.id, ...rowOf(delivery) })),
        );
        if (deliveries.length > 0)
          await sql`delete from webhook_deliveries where webhook_id = ${id} and due_at is null and id <=
            (select id from webhook_deliveries where webhook_id = ${id} order by id desc limit 1 offset ${keep})`.execute(
            db,
          );
        return until === null ? undefined : find(db, id);
      }),
    waiting: async (id, limit) =>
      (
        await db
          .selectFrom('webhook_deliveries')
          .selectAll()
          .where('webhook_id', '=', id)
          .where('due_at', 'is not', null)
          .orderBy('due_at')
          .limit(limit)
          .execute()
      ).map(deliveryOf),
    async nextDueAt(now) {
      const rows = await rowsOf(
        session,
        sql<{ at: number | null }>`select min((select min(d.due_at) from webhook_deliveries d
            where d.webhook_id = w.id and d.due_at is not null)) as at
          from webhooks w where w.disabled_at is null and (w.leased_until is null or w.leased_until <= ${now})`,
      );
      return rows[0]?.at ?? undefined;
    },
    hurry: (id, now) =>
      writeUnseen(session, (db) =>
        db
          .updateTable('webhook_deliveries')
          .set({ due_at: now, attempts: 0, created_at: now })
          .where('webhook_id', '=', id)
          .where('due_at', 'is not', null),
      ),

    insertDelivery: (delivery) =>
      changeUnseen(session, async (db) => {
        const { id } = await db
          .insertInto('webhook_deliveries')
          .values(rowOf(delivery))
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),
    updateDelivery: (delivery) =>
      writeUnseen(session, (db) =>
        db.updateTable('webhook_deliveries').set(rowOf(delivery)).where('id', '=', delivery.id),
      ),
    async listDeliveries(id, { limit, offset }) {
      const rows = await listed(sql`d.webhook_id = ${id}`, limit, offset);
      const [{ total } = { total: 0 }] = await rowsOf(
        session,
        sql<{ total: number }>`select count(*) as total from webhook_deliveries where webhook_id = ${id}`,
      );
      return { deliveries: rows.map(listedOf), total };
    },
    async findDelivery(id, deliveryId) {
      const [row] = await listed(sql`d.webhook_id = ${id} and d.id = ${deliveryId}`, 1);
      return row && listedOf(row);
    },
    async backlog(limit) {
      // The latest events may have no place in the order yet.
      const [row] = await rowsOf(
        session,
        sql<{ deliveries: number; events: number }>`with least as (
            select min(position) as position from webhooks where disabled_at is null
          ) select
          (select count(*) from (select 1 from webhook_deliveries where due_at is not null limit ${limit}) as d) as deliveries,
          (select count(*) from (select 1 from least join events e on ${engine.commitOrder} > least.position
            or (${engine.commitOrder} is null and least.position is not null) limit ${limit}) as n) as events`,
      );
      return row ?? { deliveries: 0, events: 0 };
    },
  };
}

/** Inserts rows, or replaces those that have an ID. */
async function save(db: Database, rows: (ReturnType<typeof rowOf> & { id?: number })[]): Promise<void> {
  if (rows.length === 0) return;
  const changing = ['state', 'due_at', 'attempts', 'attempted_at', 'status', 'answer', 'took_ms'] as const;
  await db
    .insertInto('webhook_deliveries')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => Object.fromEntries(changing.map((name) => [name, eb.ref(`excluded.${name}`)]))),
    )
    .execute();
}

/** Columns for a webhook's settings. */
function columnsOf({ memberId, url, kinds, ancestorId, format, disabled, position }: WebhookFields) {
  return {
    member_id: memberId,
    url,
    kinds: kinds?.join(',') ?? null,
    ancestor_id: ancestorId,
    body_format: format === 'standard' ? null : format,
    disabled_at: disabled?.at ?? null,
    disabled_reason: disabled?.reason ?? null,
    position,
  };
}

function webhookOf(row: WebhookRow): Webhook {
  return {
    id: row.id,
    memberId: row.member_id,
    memberName: row.member_name,
    url: row.url,
    kinds: row.kinds === null ? undefined : (row.kinds.split(',') as EventKind[]),
    ancestorId: row.ancestor_id,
    secret: row.secret,
    format: (row.body_format ?? 'standard') as WebhookFormat,
    createdAt: row.created_at,
    disabled:
      row.disabled_at === null ? undefined : { at: row.disabled_at, reason: row.disabled_reason ?? '' },
    position: row.position,
    lastSuccessAt: row.last_success_at,
    leasedUntil: row.leased_until,
  };
}

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    position: row.position,
    messageId: row.message_id,
    kind: row.kind as Delivery['kind'],
    createdAt: row.created_at,
    state: row.state as DeliveryState,
    dueAt: row.due_at,
    attempts: row.attempts,
    attemptedAt: row.attempted_at,
    status: row.status,
    answer: row.answer,
    tookMs: row.took_ms,
  };
}

function listedOf(row: DeliveryRow & { path: string | null }): ListedDelivery {
  return { ...deliveryOf(row), path: row.path };
}

function rowOf(delivery: Delivery) {
  return {
    webhook_id: delivery.webhookId,
    position: delivery.position,
    message_id: delivery.messageId,
    kind: delivery.kind,
    created_at: delivery.createdAt,
    state: delivery.state,
    due_at: delivery.dueAt,
    attempts: delivery.attempts,
    attempted_at: delivery.attemptedAt,
    status: delivery.status,
    answer: delivery.answer,
    took_ms: delivery.tookMs,
  };
}
