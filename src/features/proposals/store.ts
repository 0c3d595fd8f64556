/** Proposals, their changes and reviews. */
import { type RawBuilder, sql } from 'kysely';
import type {
  ChangeRow,
  NewProposal,
  ProposalFilter,
  ProposalReader,
  ProposalRow,
  ProposalStore,
  ProposedChange,
  ProposedFields,
  Review,
  ReviewedChange,
} from '#core/ports/proposal-store.ts';
import type { Database } from '#store/engine.ts';
import { insertRows } from '#store/insert-rows.ts';
import { type MemberRow, memberOf } from '#store/members/members.ts';
import { removeProposedFiles } from '#store/proposed-files.ts';
import { liesBeneath, trailBeneath, writeTrail } from '#store/rows.ts';
import { changeUnseen, rowsOf, type Session } from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';
import { visible } from '#store/visibility.ts';
import { type FileRow, fileOf, fileRowsOf } from './store-files.ts';

/** Reviews that are shown of a proposal, besides the latest verdict of each member, which comments must not push out. */
const mostReviews = 100;
/** Withdrawn proposals of one author that are kept, and how many older ones are deleted at once. */
const maxWithdrawn = 100;
const droppedAtOnce = 100;
/** Verdicts of one member on a proposal that are kept. */
const mostVerdicts = 20;

type Row = RowOf<'proposals'> & { author_name: string; merger_name: string | null };
type Change = RowOf<'proposal_changes'>;

const selectProposal = sql`select p.*, a.name as author_name, m.name as merger_name
  from proposals p join members a on a.id = p.author_id left join members m on m.id = p.merged_by`;

export function proposalStore(session: Session): ProposalStore {
  const { engine, db } = session;
  const find = async (id: number) => {
    const { rows } = await sql<Row>`${selectProposal} where p.id = ${id}`.execute(db);
    return rows[0] && proposalOf(rows[0]);
  };
  const save = (db: Database, id: number, changes: readonly ProposedChange[]) => {
    insertRows(
      { engine, db },
      'proposal_changes',
      changes.map((change, n) => rowOf(id, n, change)),
    );
    const files = changes.flatMap((change, n) => fileRowsOf(id, n, change));
    insertRows({ engine, db }, 'proposal_files', files);
  };
  return {
    insert: (proposal, changes, at) =>
      changeUnseen(session, async (db) => {
        const { id } = await db
          .insertInto('proposals')
          .values({
            title: proposal.title,
            body: proposal.text,
            state: proposal.state,
            author_id: proposal.authorId,
            invited: invitedText(proposal.invited),
            created_at: at,
            updated_at: at,
            publish_at: proposal.publishAt,
            stranger: proposal.stranger ?? null,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        save(db, id, changes);
        return id;
      }),
    bringBack: ({ changes, reviews, ...proposal }) =>
      changeUnseen(session, async (db) => {
        const { authorId, createdAt, text, invited, updatedAt, mergedAt, mergedBy, ...others } = proposal;
        const known = await db
          .selectFrom('proposals')
          .select('id')
          .where('author_id', '=', authorId)
          .where('created_at', '=', createdAt)
          .executeTakeFirst();
        if (known) return false;
        const { id } = await db
          .insertInto('proposals')
          .values({
            ...others,
            body: text,
            author_id: authorId,
            invited: invitedText(invited),
            created_at: createdAt,
            updated_at: updatedAt,
            merged_at: mergedAt,
            merged_by: mergedBy,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        save(db, id, changes);
        const rows = reviews.map(({ memberId, verdict, text, at, revision, on }) => ({
          proposal_id: id,
          member_id: memberId,
          verdict,
          body: text,
          at,
          revision,
          ...placeOf(on),
        }));
        insertRows({ engine, db }, 'proposal_reviews', rows);
        return true;
      }),
    update: (id, fields, changes, at) =>
      changeUnseen(session, async (db) => {
        const { state } = await db
          .updateTable('proposals')
          .set({ ...columnsOf(fields), updated_at: at })
          .$if(changes !== undefined, (update) => update.set({ revision: sql`revision + 1` }))
          .where('id', '=', id)
          .returning('state')
          .executeTakeFirstOrThrow();
        const isWithdrawn = state === 'withdrawn';
        if (isWithdrawn) await dropWithdrawn({ engine, db }, id);
        if (!changes && !isWithdrawn) return [];
        const removed = await removeProposedFiles(db, sql`proposal_id = ${id}`);
        if (!changes) return removed;
        await db.deleteFrom('proposal_changes').where('proposal_id', '=', id).execute();
        save(db, id, isWithdrawn ? changes.map((one) => ({ ...one, files: [] })) : changes);
        return removed;
      }),
    find,
    async lock(id) {
      await sql`select p.id from proposals p where p.id = ${id} ${engine.lockRows('update')}`.execute(db);
      return find(id);
    },
    async list(reader, filter, { limit, offset }) {
      const where = conditionOf(reader, filter);
      const [rows, counted] = await Promise.all([
        rowsOf(
          session,
          sql<Row>`${selectProposal} where ${where} order by ${filter.after === undefined ? sql`p.id desc` : sql`p.id`} limit ${limit} offset ${offset}`,
        ),
        rowsOf(session, sql<{ total: number }>`select count(*) as total from proposals p where ${where}`),
      ]);
      return { proposals: rows.map(proposalOf), total: Number(counted[0]?.total) };
    },
    async countUnfinished(authorId, most) {
      const { rows } = await sql<{ total: number }>`select count(*) as total from (select 1 from proposals
        where author_id = ${authorId} and stranger is null and state in ('draft', 'open') limit ${most}) as unfinished`.execute(
        db,
      );
      return Number(rows[0]?.total);
    },
    async changesOf(ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<
        Omit<Change, 'fields'>
      >`select proposal_id, n, action, path, page_id, shown_with, base,
        bytes from proposal_changes where ${engine.among(sql.ref('proposal_id'), ids)} order by proposal_id, n`.execute(
        db,
      );
      return rows.map(changeOf);
    },
    async fieldsOf(changes) {
      if (changes.length === 0) return new Map();
      const wanted = engine.rows(
        { proposal_id: 'integer', n: 'integer' },
        changes.map(({ proposalId, n }) => [proposalId, n]),
      );
      const { rows } = await sql<Change>`select c.* from ${wanted} as w
        join proposal_changes c on c.proposal_id = w.proposal_id and c.n = w.n`.execute(db);
      const fields = new Map<string, ProposedFields>();
      // Texts of some megabytes, read one after another.
      for (const row of rows) {
        await new Promise((resolve) => setImmediate(resolve));
        fields.set(`${row.proposal_id}/${row.n}`, JSON.parse(row.fields) as ProposedFields);
      }
      return fields;
    },
    async filesOf(ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<FileRow>`select * from proposal_files
        where ${engine.among(sql.ref('proposal_id'), ids)} order by proposal_id, n, name`.execute(db);
      return rows.map(fileOf);
    },
    async findFile(name) {
      const own = /^thumb-(.*)\.webp$/s.exec(name)?.[1] ?? name;
      const { rows } = await sql<FileRow>`select * from proposal_files where name = ${own}`.execute(db);
      return rows[0] && fileOf(rows[0]);
    },
    async fileBytesOf(memberId) {
      const { rows } = await sql<{ bytes: number | null }>`select sum(size_bytes) as bytes
        from proposal_files where uploader_id = ${memberId}`.execute(db);
      return Number(rows[0]?.bytes ?? 0);
    },
    async reviewsOf(ids) {
      if (ids.length === 0) return new Map();
      const { rows } = await sql<
        RowOf<'proposal_reviews'> & { name: string }
      >`select * from (select r.*, m.name,
          row_number() over (partition by r.proposal_id order by r.id desc) as place,
          row_number() over (partition by r.proposal_id, r.member_id, r.verdict = 'comment' order by r.id desc) as own
          from proposal_reviews r join members m on m.id = r.member_id
          where ${engine.among(sql.ref('r.proposal_id'), ids)}) as latest
        where place <= ${mostReviews} or (own = 1 and verdict <> 'comment') order by id`.execute(db);
      const byProposal = Map.groupBy(rows, ({ proposal_id }) => proposal_id);
      return new Map([...byProposal].map(([id, some]) => [id, some.map(reviewOf)]));
    },
    async approvers(memberIds) {
      if (memberIds.length === 0) return new Map();
      const { rows } = await sql<MemberRow & { factors: number }>`select m.*,
          (select count(*) from second_factors f where f.member_id = m.id and f.confirmed_at is not null)
            + (select count(*) from passkeys k where k.member_id = m.id) as factors
        from members m where ${engine.among(sql.ref('m.id'), memberIds)}`.execute(db);
      const found = rows.map((row) => ({ member: memberOf(row), hasSecondFactor: Number(row.factors) > 0 }));
      return new Map(found.flatMap((one) => (one.member.isActive ? [[one.member.id, one] as const] : [])));
    },
    async countComments(id, memberId) {
      const { rows } = await sql<{ total: number; own: number | null }>`select count(*) as total,
          sum(case when member_id = ${memberId} then 1 else 0 end) as own
        from proposal_reviews where proposal_id = ${id} and verdict = 'comment'`.execute(db);
      return { all: Number(rows[0]?.total), own: Number(rows[0]?.own ?? 0) };
    },
    addReview: (id, { memberId, verdict, text, revision, on }, at) =>
      changeUnseen(session, async (db) => {
        await db
          .insertInto('proposal_reviews')
          .values({ proposal_id: id, member_id: memberId, verdict, body: text, at, revision, ...placeOf(on) })
          .execute();
        if (verdict !== 'comment')
          await sql`delete from proposal_reviews where id in (select id from proposal_reviews
            where proposal_id = ${id} and member_id = ${memberId} and verdict <> 'comment'
            order by id desc limit 1000 offset ${mostVerdicts})`.execute(db);
        await db.updateTable('proposals').set({ updated_at: at }).where('id', '=', id).execute();
      }),
    close: (id, { by, pageIds, names }, at) =>
      changeUnseen(session, async (db) => {
        const merged_names = JSON.stringify(Object.fromEntries(names.map(({ id, name }) => [id, name])));
        const merged = { state: 'merged', merged_at: at, merged_by: by, merged_names } as const;
        await db
          .updateTable('proposals')
          .set({ ...merged, updated_at: at, publish_at: null })
          .where('id', '=', id)
          .execute();
        // The files of pages name the bytes now.
        await db.deleteFrom('proposal_files').where('proposal_id', '=', id).execute();
        if (pageIds.size === 0) return;
        const made = engine.rows({ n: 'integer', page_id: 'integer' }, [...pageIds]);
        await sql`update proposal_changes set page_id = t.page_id, shown_with = t.page_id from ${made} as t
          where proposal_id = ${id} and proposal_changes.n = t.n`.execute(db);
        await sql`update proposal_reviews set shown_with = c.shown_with from proposal_changes as c
          where c.proposal_id = ${id} and proposal_reviews.proposal_id = ${id}
            and c.path = proposal_reviews.path`.execute(db);
      }),
    async takenAmong(paths) {
      if (paths.length === 0) return [];
      const { rows } = await sql<{ path: string; id: number }>`select p.path, p.id from pages p
        where ${engine.amongTexts(sql.ref('p.path'), paths)}`.execute(db);
      return rows;
    },
    async due(now, limit) {
      const { rows } = await sql<{ id: number }>`select id from proposals where publish_at is not null
        and publish_at <= ${now} and state = 'open' order by publish_at limit ${limit}`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}

/** Proposals that the reader may see, with all of what the filter asks; a change that they may not see counts for nothing. */
function conditionOf(reader: ProposalReader, filter: ProposalFilter): RawBuilder<boolean> {
  const { memberId } = reader;
  const isOwn = sql`p.author_id = ${memberId}`;
  const isInvited = sql`p.invited like ${`% ${memberId} %`}`;
  const mayBeSeen = sql`(p.state <> 'draft' ${memberId === null ? sql`` : sql`or ${isInvited}`})`;
  const { state, authorId, path, ancestor, after } = filter;
  const wanted = [
    state === undefined ? sql`1 = 1` : sql`p.state = ${state}`,
    after === undefined ? sql`1 = 1` : sql`p.id > ${after}`,
    authorId === undefined ? sql`1 = 1` : sql`p.author_id = ${authorId}`,
    path === undefined
      ? sql`1 = 1`
      : hasVisible(
          reader,
          path.pageId === null
            ? sql`c.action = 'create' and c.path = ${path.path}`
            : sql`c.shown_with = ${path.pageId} and c.page_id = ${path.pageId}`,
        ),
    ancestor === undefined
      ? sql`1 = 1`
      : hasVisible(
          reader,
          sql`(s.id = ${ancestor.id} or ${liesBeneath(sql.ref('s.trail'), trailBeneath({ id: ancestor.id, trail: writeTrail([...ancestor.trail]) }))})`,
        ),
  ];
  const seen = sql`(${mayBeSeen} and ${hasVisible(reader, sql`1 = 1`)})`;
  return sql<boolean>`${memberId === null ? seen : sql`(${isOwn} or ${seen})`} and ${sql.join(wanted, sql` and `)}`;
}

/** Whether the proposal p has such a change c, shown with the page s, that the reader may see. */
function hasVisible(
  { visibility, seesRoot }: ProposalReader,
  such: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const isSeen = seesRoot
    ? sql`(c.shown_with is null or ${visible('s', visibility)})`
    : visible('s', visibility);
  const joined = seesRoot ? sql`left join` : sql`join`;
  return sql`exists (select 1 from proposal_changes c ${joined} pages s on s.id = c.shown_with
    where c.proposal_id = p.id and (c.shown_with is null or s.id is not null) and ${isSeen} and ${such})`;
}

function proposalOf(row: Row): ProposalRow {
  return {
    id: row.id,
    title: row.title,
    text: row.body,
    state: row.state,
    author: { id: row.author_id, name: row.author_name },
    stranger: row.stranger,
    invited: row.invited.trim() === '' ? [] : row.invited.trim().split(/ +/).map(Number),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    publishAt: row.publish_at,
    publishProblem: row.publish_problem,
    mergedAt: row.merged_at,
    mergedBy: row.merged_by === null ? null : { id: row.merged_by, name: row.merger_name ?? '' },
  };
}

function invitedText(ids: readonly number[]): string {
  return ids.length === 0 ? '' : ` ${ids.toSorted((a, b) => a - b).join(' ')} `;
}

/** Deletes the oldest withdrawn proposals of the author of this one. */
async function dropWithdrawn({ engine, db }: Pick<Session, 'engine' | 'db'>, id: number): Promise<void> {
  const author = sql`(select author_id from proposals where id = ${id})`;
  const { rows } = await sql<{ id: number }>`select p.id from proposals p
    where p.author_id = ${author} and p.state = 'withdrawn'
    order by p.updated_at desc, p.id desc limit ${sql.lit(droppedAtOnce)} offset ${sql.lit(maxWithdrawn)}
    ${engine.lockRows('update')}`.execute(db);
  if (rows.length === 0) return;
  const dropped = sql.join(rows.map(({ id }) => id));
  for (const table of ['proposal_files', 'proposal_changes', 'proposal_reviews'] as const)
    await sql`delete from ${sql.table(table)} where proposal_id in (${dropped})`.execute(db);
  await sql`delete from proposals where id in (${dropped})`.execute(db);
}

function columnsOf({
  text,
  invited,
  publishAt,
  publishProblem,
  ...fields
}: Partial<NewProposal> & { publishProblem?: string | null }) {
  return {
    ...fields,
    ...(text === undefined ? {} : { body: text }),
    ...(invited === undefined ? {} : { invited: invitedText(invited) }),
    ...(publishAt === undefined ? {} : { publish_at: publishAt }),
    ...(publishProblem === undefined ? {} : { publish_problem: publishProblem }),
  };
}

function rowOf(proposalId: number, n: number, change: ProposedChange) {
  const fields = JSON.stringify(change.fields);
  const { action, path, pageId: page_id, shownWith: shown_with, base } = change;
  return {
    proposal_id: proposalId,
    n,
    action,
    path,
    page_id,
    shown_with,
    base,
    fields,
    bytes: Buffer.byteLength(fields),
  };
}

function changeOf({ proposal_id, page_id, shown_with, ...row }: Omit<Change, 'fields'>): ChangeRow {
  return { ...row, proposalId: proposal_id, pageId: page_id, shownWith: shown_with };
}

function placeOf(on: ReviewedChange | null) {
  return { path: on?.path ?? null, shown_with: on?.shownWith ?? null, quote: on?.quote ?? null };
}

function reviewOf(row: RowOf<'proposal_reviews'> & { name: string }): Review {
  const { id, member_id, name, verdict, body, at, revision, path, shown_with, quote } = row;
  const on = path === null ? null : { path, shownWith: shown_with, quote };
  return { id, member: { id: member_id, name }, verdict, text: body, at, revision, on };
}
