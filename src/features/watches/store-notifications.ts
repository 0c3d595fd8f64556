/**
 * Notifications: events that matched watches. Their visibility depends on the current state of the page, as in the change feed.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Mail } from '#core/model/mail.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { Match, Notification, WatchStore } from '#core/ports/watch-store.ts';
import type { Database } from '#store/engine.ts';
import { columns, type EventRow, eventOf, joins, shown } from '#store/events/events.ts';
import { emailKey } from '#store/members/members.ts';
import { changeUnseen, rowsOf, type Session, writeUnseen } from '#store/statements.ts';

const rowsAtOnce = 500;
/** Maximum number of notifications kept for each member, and number of members per delivery whose old ones are pruned. */
const keptEach = 1000;
const trimmedAtOnce = 20;

type Part =
  | 'notifications'
  | 'countUnread'
  | 'markRead'
  | 'takeForMail'
  | 'ofMail'
  | 'position'
  | 'lease'
  | 'moveTo'
  | 'deliver';

/** `hasMail`: whether queued mail will be sent. */
export function notificationStore(session: Session, hasMail: boolean): Pick<WatchStore, Part> {
  const { engine, db } = session;
  const list = async (
    conditions: RawBuilder<boolean>[],
    visibility: Visibility,
    end: RawBuilder<unknown>,
  ) => {
    const rows = await rowsOf(
      session,
      sql<
        EventRow & { notification_id: number; watch_id: number; read_at: number | null }
      >`select ${columns(engine)},
        n.id as notification_id, n.watch_id, n.read_at
        from notifications n join ${joined} where ${sql.join([...conditions, shown(visibility)], sql` and `)} ${end}`,
    );
    return rows.map(
      (row): Notification => ({
        id: row.notification_id,
        watchId: row.watch_id,
        readAt: row.read_at,
        event: { ...eventOf(row, visibility), changeId: row.change_id },
      }),
    );
  };
  return {
    async notifications(memberId, visibility, { limit, offset }, onlyUnread) {
      const of = [sql<boolean>`n.member_id = ${memberId}`];
      if (onlyUnread) of.push(sql<boolean>`n.read_at is null`);
      const [counted] = await rowsOf(
        session,
        sql<{ total: number }>`select count(*) as total from notifications n join ${joined}
          where ${sql.join([...of, shown(visibility)], sql` and `)}`,
      );
      const end = sql`order by n.id desc limit ${limit} offset ${offset}`;
      return { notifications: await list(of, visibility, end), total: Number(counted?.total) };
    },
    async countUnread(memberId, visibility, limit) {
      const [counted] = await rowsOf(
        session,
        sql<{ total: number }>`select count(*) as total from (select 1 from notifications n join ${joined}
          where n.member_id = ${memberId} and n.read_at is null and ${shown(visibility)} limit ${limit}) as unread`,
      );
      return Number(counted?.total);
    },
    markRead: (memberId, which, at) =>
      changeUnseen(session, async (db) => {
        const those = 'upTo' in which ? sql`id <= ${which.upTo}` : engine.among(sql.ref('id'), which);
        await sql`update notifications set read_at = ${at}
          where member_id = ${memberId} and read_at is null and ${those}`.execute(db);
      }),
    takeForMail: (memberId, frequency, mailId) =>
      writeUnseen(
        session,
        () => sql`update notifications set mail_id = ${mailId}
          where member_id = ${memberId} and mail = ${frequency} and mail_id is null`,
      ),
    ofMail: (memberId, mailId, visibility, limit) =>
      list(
        [sql`n.mail_id = ${mailId}`, sql`n.member_id = ${memberId}`, sql`n.read_at is null`],
        visibility,
        sql`order by n.id limit ${limit}`,
      ),

    async position() {
      const row = await db.selectFrom('watched_events').select('position').executeTakeFirst();
      return row?.position ?? undefined;
    },
    lease: (now, until) =>
      changeUnseen(session, async (db) => {
        const taken = await sql`update watched_events
          set lease_until = ${until}, holder = ${engine.holder()}
          where lease_until <= ${now} returning id`.execute(db);
        return taken.rows.length > 0;
      }),
    moveTo: (position) =>
      writeUnseen(session, (db) =>
        db.updateTable('watched_events').set({ position, lease_until: 0, holder: null }),
      ),

    async deliver(matches, now, dueAt) {
      for (let first = 0; first < matches.length; first += rowsAtOnce) {
        const some = matches.slice(first, first + rowsAtOnce);
        await changeUnseen(session, async (db) => {
          await insert(db, some);
          if (hasMail) await queueMails(db, some, now, dueAt);
          await trim(db, some);
        });
      }
    },
  };

  async function insert(db: Database, matches: readonly Match[]): Promise<void> {
    const rows = matches.map(({ member, eventId, watchId, mail }) => [member.id, eventId, watchId, mail]);
    const t = engine.rows(
      { member_id: 'integer', event_id: 'integer', watch_id: 'integer', mail: 'text' },
      rows,
    );
    await sql`insert into notifications (member_id, event_id, watch_id, mail)
      select t.member_id, t.event_id, t.watch_id, t.mail from ${t} as t where 1 = 1
      order by t.event_id on conflict (member_id, event_id) do nothing`.execute(db);
  }

  async function queueMails(
    db: Database,
    matches: readonly Match[],
    now: number,
    dueAt: Record<string, number>,
  ): Promise<void> {
    const mails = new Map<string, unknown[]>();
    for (const { member, mail } of matches) {
      if (mail === 'off') continue;
      const queued: Mail = { kind: `watched-${mail}`, address: member.email, memberId: member.id };
      const key = emailKey(member.email);
      mails.set(`${queued.kind} ${key}`, [queued.kind, key, JSON.stringify(queued), dueAt[mail]]);
    }
    if (mails.size === 0) return;
    const columns = { kind: 'text', address_key: 'text', mail: 'text', due_at: 'integer' } as const;
    const t = engine.rows(columns, [...mails.values()]);
    // A mail that was attempted before may have been written without these notifications.
    await sql`insert into mails (kind, address_key, mail, created_at, due_at)
      select t.kind, t.address_key, t.mail, ${sql.lit(now)}, t.due_at from ${t} as t
      where not exists (select 1 from mails q where q.kind = t.kind and q.address_key = t.address_key
        and q.attempts = 0)`.execute(db);
  }

  async function trim(db: Database, matches: readonly Match[]): Promise<void> {
    const ids = [...new Set(matches.map(({ member }) => member.id))];
    // The others are pruned at a later event.
    const start = Math.floor(Math.random() * ids.length);
    const some = [...ids.slice(start), ...ids.slice(0, start)].slice(0, trimmedAtOnce);
    await sql`delete from notifications where id in (select r.id from (
      select n.id, row_number() over (partition by n.member_id order by n.id desc) as place
      from notifications n where ${engine.among(sql.ref('n.member_id'), some)}) as r
      where r.place > ${sql.lit(keptEach)})`.execute(db);
  }
}

const joined = sql`events e on e.id = n.event_id ${joins}`;
