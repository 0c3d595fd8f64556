/** Rows that an erasure changes or removes. Remains in free space are removed by `Engine.scrub`. */
import { type RawBuilder, sql } from 'kysely';
import { withoutSpace } from '#core/content/quotes.ts';
import type { PastContent } from '#core/model/page.ts';
import type { ErasureWrites } from '#core/ports/erasure-store.ts';
import type { Database } from '../engine.ts';
import { emailColumns, nameColumns } from '../members/skeletons.ts';
import { forgetTextsOf } from '../pages/files-with-text.ts';
import { removeProposedFiles } from '../proposed-files.ts';
import { contentOf, liesBeneath, trailBeneath, writeTrail } from '../rows.ts';
import type { Session } from '../statements.ts';
import { type Tables, tableNames, tables } from '../tables.ts';

const changesAtOnce = 50;

/** Tables with a `member_id` whose rows are contributions and are kept. Rows of all other such tables are deleted. */
const contributions: readonly (keyof Tables)[] = ['likes'];

export function erasureWrites({ engine, db }: Session): ErasureWrites {
  return {
    async begin(at, hashes) {
      const row = { begun_at: at, hashes: JSON.stringify(hashes) };
      const { id } = await db.insertInto('erasures').values(row).returning('id').executeTakeFirstOrThrow();
      return id;
    },
    contentsOf: (pageId) => contents(db, sql`page_id = ${pageId}`),
    contentsBeneath: ({ id, trail, path }) =>
      contents(
        db,
        sql`page_id in (select p.id from pages p
            where ${liesBeneath(sql.ref('p.trail'), trailBeneath({ id, trail: writeTrail(trail) }))}
          union all select t.id from trashed_pages t join trash d on d.id = t.trash_id
            where ${at('t.path', path)} and d.trail like ${`%/${id}/%`})`,
      ),
    contentsSignedBy: (memberId) =>
      contents(db, sql`content like ${`%[[Special:Redirect/user/${memberId}|%`}`),
    contentsMergedWith: (memberId) =>
      contents(db, sql`content like ${'%(proposal %'} and page_id in (${pagesMergedWith(memberId)})`),
    async namesInMerges(memberId) {
      const merges = await namesInMergesOf(db, memberId);
      return new Map(merges.map(({ id, names }) => [id, names[memberId] ?? '']));
    },
    async forgetNamesInMerges(memberId, name) {
      const merges = await namesInMergesOf(db, memberId);
      const rows = merges.map(({ id, names }) => [id, JSON.stringify({ ...names, [memberId]: name })]);
      const t = engine.rows({ id: 'integer', names: 'text' }, rows);
      if (rows.length > 0)
        await sql`update proposals set merged_names = t.names from ${t} as t where proposals.id = t.id`.execute(
          db,
        );
    },
    async rewriteMessagesOfMerges(memberId, message) {
      const { rows } = await sql<{ id: number; msg: string }>`select id, msg from events
        where msg like ${'%(proposal %'} and page_id in (${pagesMergedWith(memberId)})`.execute(db);
      const changed = rows.flatMap(({ id, msg }) => (message(msg) === msg ? [] : [[id, message(msg)]]));
      const t = engine.rows({ id: 'integer', msg: 'text' }, changed);
      if (changed.length > 0)
        await sql`update events set msg = t.msg from ${t} as t where events.id = t.id`.execute(db);
    },
    async rewrite(changes) {
      if (changes.length === 0) return;
      engine.invalidate(db, 'all');
      const rows = changes.map(({ id, content }) => [id, JSON.stringify(content satisfies PastContent)]);
      const t = engine.rows({ id: 'integer', content: 'text' }, rows);
      await sql`update changes set content = (select t.content from ${t} as t where t.id = changes.id)
        where id in (select t.id from ${t} as t)`.execute(db);
      for (const table of ['pages', 'trashed_pages'] as const)
        await sql`update ${sql.table(table)} set history_bytes = (
            select coalesce(sum(octet_length(c.content)), 0) from changes c
            where c.page_id = ${sql.ref(`${table}.id`)} and c.id >= ${sql.ref(`${table}.history_from`)})
          where id in (select c.page_id from changes c where c.id in (select t.id from ${t} as t))`.execute(
          db,
        );
    },
    async removeFiles(names) {
      const { rows } = await sql<{ hash: string; thumbnail_hash: string | null }>`delete from files
        where ${engine.amongTexts(sql.ref('name'), names)} returning hash, thumbnail_hash`.execute(db);
      const hashes = [
        ...new Set(rows.flatMap(({ hash, thumbnail_hash }) => [hash, thumbnail_hash ?? []].flat())),
      ];
      await forgetTextsOf(db, engine.amongTexts(sql.ref('hash'), hashes));
      return hashes;
    },
    async forgetNames({ id, title, path }, { changeIds, titles, paths }) {
      const isErased = engine.among(sql.ref('change_id'), changeIds);
      await sql`update events set msg = '' where page_id = ${id} and ${isErased}`.execute(db);
      for (const [column, value] of [
        ['title', title],
        ['from_title', null],
      ] as const)
        await sql`update events set ${sql.ref(column)} = ${value}
          where page_id = ${id} and ${engine.amongTexts(sql.ref(column), titles)}`.execute(db);
      const aliases: string[] = [];
      for (const old of paths) {
        const beneath = (column: string) => at(column, old);
        await sql`update events set path = coalesce((select p.path from pages p where p.id = events.page_id), ${path})
          where ${beneath('path')}`.execute(db);
        await sql`update events set from_path = null where ${beneath('from_path')}`.execute(db);
        await sql`update audit set subject_name = ${path} where subject_kind = 'page' and ${beneath('subject_name')}`.execute(
          db,
        );
        const fromTrash = sql`select id from trash where trail like ${`%/${id}/%`}`;
        const moved = sql`${path} || substr(path, ${length(old) + 1})`;
        await sql`update trash set path = ${moved} where ${beneath('path')} and id in (${fromTrash})`.execute(
          db,
        );
        await sql`update trashed_pages set path = ${moved}
          where ${beneath('path')} and trash_id in (${fromTrash})`.execute(db);
        const left = await sql<{
          path: string;
        }>`delete from aliases where ${beneath('path')} returning path`.execute(db);
        aliases.push(...left.rows.map((row) => row.path));
      }
      return aliases;
    },
    async forgetQuotes(pageId, text) {
      await sql`delete from comment_texts where page_id = ${pageId}`.execute(db);
      await sql`delete from outside_links where page_id = ${pageId}`.execute(db);
      // Texts that were not saved begin with that of the page.
      await sql`delete from editor_drafts where page_id = ${pageId}`.execute(db);
      const squeezed = withoutSpace(text);
      const quoted = await sql<{ id: number; quote: string }>`select id, quote from comments
        where page_id = ${pageId} and quote is not null`.execute(db);
      const erased = quoted.rows.filter(({ quote }) => !squeezed.includes(withoutSpace(quote)));
      await sql`update comments set quote_before = '', quote_after = ''
        where page_id = ${pageId} and quote is not null`.execute(db);
      const ids = erased.map(({ id }) => id);
      await sql`update comments set quote = '' where ${engine.among(sql.ref('id'), ids)}`.execute(db);
    },
    async forgetProposed(pageId) {
      const hashes = await removeProposedFiles(db, sql`page_id = ${pageId}`);
      await sql`delete from proposal_changes where page_id = ${pageId}`.execute(db);
      await sql`delete from submissions where page_id = ${pageId}`.execute(db);
      await sql`update proposal_reviews set quote = null where shown_with = ${pageId}`.execute(db);
      return hashes;
    },
    async forgetMentions(memberId, name) {
      const { rows } = await sql<{
        id: number;
        body: string;
        written: string;
      }>`select c.id, c.body, n.name as written
        from comment_mentions n join comments c on c.id = n.comment_id where n.member_id = ${memberId}`.execute(
        db,
      );
      const bodies = rows.map(({ id, body, written }) => [id, body.replaceAll(`@${written}`, `@${name}`)]);
      const t = engine.rows({ id: 'integer', body: 'text' }, bodies);
      if (bodies.length > 0)
        await sql`update comments set body = t.body from ${t} as t where comments.id = t.id`.execute(db);
    },
    async forgetAnswers() {
      await sql`update webhook_deliveries set answer = ''`.execute(db);
      await sql`update idempotency_keys set body = null, bytes = 0, headers = '{}' where headers is not null`.execute(
        db,
      );
    },
    async forgetMember(id, name) {
      engine.invalidate(db, 'all');
      const email = `member-${id}@erased.invalid`;
      const { rows } = await sql<{
        email_key: string;
      }>`select email_key from members where id = ${id}`.execute(db);
      // A mail to the former address of a member names the new one.
      for (const { email_key } of rows) {
        const named = `%${JSON.stringify(email_key)
          .slice(1, -1)
          .replace(/[\\%_]/g, '\\$&')}%`;
        await sql`delete from mails where address_key = ${email_key} or lower(mail) like ${named} escape '\\'`.execute(
          db,
        );
        await sql`delete from sent_mails where address_key = ${email_key}`.execute(db);
        await sql`delete from sign_ups where email_key = ${email_key}`.execute(db);
      }
      const owned = tableNames.filter(
        (table) => Object.hasOwn(tables[table].columns, 'member_id') && !contributions.includes(table),
      );
      await sql`delete from webhook_deliveries
        where webhook_id in (select id from webhooks where member_id = ${id})`.execute(db);
      // In reverse, because a table comes after those it refers to.
      for (const table of owned.toReversed())
        await sql`delete from ${sql.table(table)} where member_id = ${id}`.execute(db);
      // Drafts are for their author and the members they invited.
      const drafts = sql`select id from proposals where author_id = ${id} and state = 'draft'`;
      const hashes = await removeProposedFiles(db, sql`proposal_id in (${drafts})`);
      for (const table of ['proposal_changes', 'proposal_reviews'] as const)
        await sql`delete from ${sql.table(table)} where proposal_id in (${drafts})`.execute(db);
      await sql`delete from proposals where author_id = ${id} and state = 'draft'`.execute(db);
      await sql`update audit set from_address = null, note = '' where actor_id = ${id}
        or (subject_kind = 'member' and subject_id = ${id})`.execute(db);
      await db
        .updateTable('members')
        .set({
          name,
          ...nameColumns(name),
          email,
          email_key: email,
          ...emailColumns(email),
          passphrase_hash: null,
          group_ids: '',
          role: 'writer',
          block_reason: null,
          language: null,
          is_active: false,
          epoch: sql<number>`epoch + 1`,
          failed_sign_ins: 0,
          failed_since: null,
        })
        .where('id', '=', id)
        .execute();
      return hashes;
    },
  };
}

async function namesInMergesOf(db: Database, memberId: number) {
  const { rows } = await sql<{ id: number; merged_names: string }>`select id, merged_names from proposals
    where merged_names like ${`%"${memberId}":%`}`.execute(db);
  return rows.flatMap(({ id, merged_names }) => {
    const names: Record<number, string> = JSON.parse(merged_names);
    return memberId in names ? [{ id, names }] : [];
  });
}

/** IDs of pages in merged proposals that the member made, reviewed or merged. */
function pagesMergedWith(memberId: number): RawBuilder<unknown> {
  return sql`select c.page_id from proposal_changes c join proposals p on p.id = c.proposal_id
    where p.merged_at is not null and c.page_id is not null and (p.author_id = ${memberId} or p.merged_by = ${memberId}
      or exists (select 1 from proposal_reviews r where r.proposal_id = p.id and r.member_id = ${memberId}))`;
}

/** All changes that meet the condition, in order of their IDs. */
async function* contents(db: Database, condition: RawBuilder<unknown>) {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; page_id: number; at: number; content: string }>`
      select id, page_id, at, content from changes
      where id > ${after} and ${condition} order by id limit ${changesAtOnce}`.execute(db);
    for (const { id, page_id: pageId, at, content } of rows)
      yield { id, pageId, at, content: contentOf(content, id, pageId) };
    const last = rows.at(-1);
    if (!last || rows.length < changesAtOnce) return;
    after = last.id;
  }
}

/** Both engines count code points. */
function length(text: string): number {
  return [...text].length;
}

/** The path itself, or a path beneath it. `0` is the character after the slash. */
function at(column: string, path: string): RawBuilder<boolean> {
  const name = sql.ref(column);
  return sql`(${name} = ${path} or (${name} >= ${`${path}/`} and ${name} < ${`${path}0`}))`;
}
