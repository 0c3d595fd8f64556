/** Submissions of people without an account, and how many came from each address today. */
import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '#core/model/permission.ts';
import type { NewSubmission, Submission, SubmissionStore } from '#core/ports/submission-store.ts';
import type { Database } from '#store/engine.ts';
import { invalidate } from '#store/invalidation.ts';
import { changeSome, changeUnseen, rowsOf, type Session } from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';
import { visible } from '#store/visibility.ts';

/** Without a decision, submissions are deleted after 90 days. */
const keptForMs = 90 * 24 * 60 * 60_000;

type Row = RowOf<'submissions'> & { path: string | null; title: string | null };

export function submissionStore(session: Session): SubmissionStore {
  const { engine, db } = session;
  const count = async (visibility: Visibility) => {
    const counted = sql<{ total: number }>`select count(*) as total ${seen(visibility)}`;
    const [row] = await rowsOf(session, counted);
    return Number(row?.total ?? 0);
  };
  return {
    count,
    insert: ({ kind, contents, pageId, stranger, email, sender, at }) =>
      changeUnseen(session, async (db) => {
        await db
          .deleteFrom('submissions')
          .where('at', '<', at - keptForMs)
          .execute();
        const row = {
          kind,
          contents: JSON.stringify(contents),
          page_id: pageId,
          stranger,
          email,
          sender,
          at,
        };
        const made = db.insertInto('submissions').values(row).returning('id');
        return (await made.executeTakeFirstOrThrow()).id;
      }),
    countToday: (sender, day) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('stranger_days').where('day', '<', day).execute();
        const { submitted } = await db
          .insertInto('stranger_days')
          .values({ sender, day, submitted: 1 })
          .onConflict((conflict) =>
            conflict
              .columns(['sender', 'day'])
              .doUpdateSet({ submitted: sql<number>`stranger_days.submitted + 1` }),
          )
          .returning('submitted')
          .executeTakeFirstOrThrow();
        return submitted;
      }),
    async countWaiting() {
      const [row] = await rowsOf(session, sql<{ total: number }>`select count(*) as total from submissions`);
      return Number(row?.total ?? 0);
    },
    async list(visibility, { limit, offset }) {
      const rows = await rowsOf(
        session,
        sql<Row & { of_sender: number }>`select s.*, p.path, p.title,
          count(*) over (partition by s.sender) as of_sender
          ${seen(visibility)} order by s.id limit ${limit} offset ${offset}`,
      );
      const submissions = rows.map(({ of_sender, ...row }) => ({
        ...submissionOf(row),
        ofSender: Number(of_sender),
      }));
      return { submissions, total: await count(visibility) };
    },
    async find(id, visibility) {
      const { rows } =
        await sql<Row>`select s.*, p.path, p.title ${seen(visibility)} and s.id = ${id}`.execute(db);
      return rows[0] && submissionOf(rows[0]);
    },
    remove: (which, visibility) =>
      changeUnseen(session, async (db) => {
        const chosen =
          'sender' in which ? sql`s.sender = ${which.sender}` : engine.among(sql.ref('s.id'), which.ids);
        const { numAffectedRows } = await sql`delete from submissions
          where id in (select s.id ${seen(visibility)} and ${chosen})`.execute(db);
        return Number(numAffectedRows ?? 0);
      }),
    erase: (stranger) =>
      changeSome(session, async (db) => {
        const submissions = await changed(db, sql`delete from submissions where stranger = ${stranger}`);
        const written = await sql<{ page_id: number }>`select distinct page_id from comments
          where stranger = ${stranger}`.execute(db);
        invalidate({ engine, db }, 'comments', 'all', written.rows);
        const theirs = sql`(select id from comments where stranger = ${stranger})`;
        await sql`delete from comment_mentions where comment_id in ${theirs}`.execute(db);
        const answered = await changed(
          db,
          sql`update comments set body = '', stranger = null, quote = null, quote_before = null,
              quote_after = null, quote_start = null, quote_end = null, quote_state = null, deleted_at = at
            where stranger = ${stranger} and id in (select reply_to from comments where reply_to is not null)`,
        );
        const single = await changed(db, sql`delete from comments where stranger = ${stranger}`);
        const merged = await changed(
          db,
          sql`update proposals set stranger = '', title = '…', body = ''
            where stranger = ${stranger} and state = 'merged'`,
        );
        const unmerged = sql`(select id from proposals where stranger = ${stranger})`;
        for (const table of ['proposal_changes', 'proposal_reviews'] as const)
          await sql`delete from ${sql.table(table)} where proposal_id in ${unmerged}`.execute(db);
        const withdrawn = await changed(db, sql`delete from proposals where stranger = ${stranger}`);
        return { submissions, comments: answered + single, proposals: merged + withdrawn };
      }),
  };
}

async function changed(db: Database, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0);
}

/** Submissions (s) about pages (p) that can be seen, and about new root pages. */
function seen(visibility: Visibility): RawBuilder<unknown> {
  return sql`from submissions s left join pages p on p.id = s.page_id
    where (s.page_id is null or (p.id is not null and ${visible('p', visibility)}))`;
}

function submissionOf({ contents, page_id, path, title, kind, ...row }: Row): Submission {
  const given = { kind, contents: JSON.parse(contents) } as Pick<NewSubmission, 'kind' | 'contents'>;
  const page = page_id === null ? null : { id: page_id, path: path ?? '', title: title ?? '' };
  return { ...row, ...given, pageId: page_id, page } as Submission;
}
