/**
 * Rows that mention words after their erasure: whatever people wrote elsewhere, such as links of other pages. Looks through every
 * table but those derived from the current content of pages, so a new table is looked through without being named here.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Mentions } from '#core/ports/maintenance-store.ts';
import { slices } from '../maintenance/readable-rows.ts';
import type { Session } from '../statements.ts';
import { type RowOf, type Tables, tableNames } from '../tables.ts';

/** `changes` is read differently, and names of members are their own. */
const leftOut: ReadonlySet<keyof Tables> = new Set([
  ...([
    'changes',
    'tags',
    'trashed_tags',
    'trashed_searches',
    'links',
    'wanted',
    'members',
    'erasures',
  ] as const),
]);

const labels: Partial<Record<keyof Tables, string>> = {
  pages: 'reasons of protections',
  events: 'the change feed',
  audit: 'the audit log',
  trash: 'the trash',
  trashed_pages: 'the trash',
  watches: 'watches of members',
  imports: 'accounts of imports',
  mails: 'queued mail',
  aliases: 'old addresses',
  files: 'names of files',
  idempotency_keys: 'idempotency keys',
};

const changesAtOnce = 250;
const maxPages = 20;
const letter = '[\\p{L}\\p{N}\\p{M}]';

export async function mentionsOf({ db }: Session, words: readonly string[]): Promise<Mentions> {
  const pages = new Set<number>();
  const others = new Set<string>();
  if (words.length === 0) return { paths: [], pages: 0, others: [] };
  const patterns = words.map(patternOf);
  const says = (text: string) => patterns.some((pattern) => pattern.test(text));
  const isLikely = sql.join(words.map(maySay), sql` or `);
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from changes`.execute(db);
  for (let after = 0; after < (rows[0]?.last ?? 0); after += changesAtOnce) {
    const { rows } = await sql<{ page_id: number; content: string }>`select page_id, content from changes
      where id > ${after} and id <= ${after + changesAtOnce} and (${isLikely})`.execute(db);
    for (const { page_id, content } of rows) if (says(textOf(content))) pages.add(page_id);
    await yieldToEventLoop();
  }
  for (const table of tableNames)
    if (!leftOut.has(table))
      for await (const rows of slices(db, table)) {
        const isSaid = rows.some((row) =>
          // The rest of a page follows from its latest change.
          (table === 'pages' ? [(row as RowOf<'pages'>).protection] : Object.values(row)).some(
            (value) => typeof value === 'string' && says(textOf(value)),
          ),
        );
        if (isSaid) others.add(labels[table] ?? `the table ${table}`);
        await yieldToEventLoop();
      }
  if (pages.size === 0) return { paths: [], pages: 0, others: [...others] };
  const shown = [...pages].slice(0, maxPages);
  const found = await db
    .selectFrom('pages')
    .select('path')
    .where('id', 'in', shown)
    .unionAll(db.selectFrom('trashed_pages').select('path').where('id', 'in', shown))
    .orderBy('path')
    .execute();
  return { paths: found.map(({ path }) => path), pages: pages.size, others: [...others] };
}

/** Matches a word or phrase in any spelling of addresses and links: in either case, with any characters between its parts. */
function patternOf(word: string): RegExp {
  const parts = word.match(new RegExp(`${letter}+`, 'gu'));
  if (!parts) return new RegExp(RegExp.escape(word), 'u');
  return new RegExp(
    `(?<!${letter})${parts.map(RegExp.escape).join(`(?!${letter})[^]{1,3}?(?<!${letter})`)}(?!${letter})`,
    'iu',
  );
}

/** The longest part of the word decides which contents are looked at. */
function maySay(word: string): RawBuilder<boolean> {
  const parts = word.match(new RegExp(`${letter}+`, 'gu')) ?? [];
  const longest = parts.toSorted((a, b) => b.length - a.length)[0] ?? '';
  return sql<boolean>`(content like ${`%${longest}%`} or lower(content) like ${`%${longest.toLowerCase()}%`})`;
}

/** All strings in a text of JSON, or the text itself. */
function textOf(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    const texts: string[] = [];
    JSON.parse(text, (key, value: unknown) => {
      texts.push(key);
      if (typeof value === 'string') texts.push(value);
    });
    return texts.join('\n');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}
