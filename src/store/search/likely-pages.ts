/** Pages that have most of the weight of a question's words, for questions of which few pages have every word. */
import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '#core/model/permission.ts';
import type { Phrase } from '#core/model/terms.ts';
import type { LikelyPage, LikelyPages, SearchCriteria } from '#core/ports/list-reads.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';
import { allOf, matching, predicatesOf } from './criteria.ts';

/** Pages with a word are counted up to this number: a word that more have says little. */
const mostCounted = 100_000;
/** Matches of all words together that are collected; words that say more come first. */
const mostCollected = 50_000;
/** Characters of a text that decide how likely it is. */
const readLength = 4000;
/** Weights are whole numbers in SQL, whose sums do not depend on their order. */
const precision = 1000;

const none: LikelyPages = { pages: [], weights: [] };

/**
 * Runs two statements. Everything is counted among the pages that the reader sees, so that hidden ones change no order.
 */
export async function likelyPages(
  session: Session,
  visibility: Visibility,
  { text, ...others }: SearchCriteria,
  limit: number,
): Promise<LikelyPages> {
  const { engine } = session;
  const { phrases = [], excluded = [] } = text ?? {};
  const predicates = await predicatesOf(session, others, visibility);
  if (phrases.length === 0 || (!predicates && others.ancestorId !== undefined)) return none;
  const pagesWith = (phrase: Phrase) => engine.countByIndex.texts({ phrases: [phrase], excluded: [] });
  const counts = phrases.map(
    (phrase) => sql`(select count(*) from (select found.id from ${pagesWith(phrase)} as found
      where ${engine.countByIndex.isSeen(sql.ref('found.id'), visibility)} limit ${mostCounted}) as counted)`,
  );
  const all = sql`(select count(*) from (select p.id from pages p where ${visible('p', visibility)} limit ${mostCounted}) as counted)`;
  const [counted] = await rowsOf(
    session,
    sql<
      Record<string, number>
    >`select ${sql.join([all, ...counts].map((count, i) => sql`${count} as ${sql.ref(`count${i}`)}`))}`,
    'words',
  );
  const numbers = phrases.map((_, i) => counted?.[`count${i + 1}`] ?? 0);
  const weights = numbers.map((count) => weightOf(count, counted?.count0 ?? 0));
  const chosen = affordable(numbers);
  if (chosen.length === 0) return none;
  const hits = chosen.map(
    (i) =>
      sql`select found.id, ${sql.lit(Math.max(1, Math.round((weights[i] ?? 0) * precision)))} as weight from ${pagesWith(phrases[i] as Phrase)} as found`,
  );
  const conditions: RawBuilder<boolean>[] = [
    predicates ? matching(predicates) : visible('p', visibility),
    ...phrases.flatMap((phrase) =>
      phrase.isQuoted || phrase.inTitle
        ? [engine.textMatches(sql.ref('p.id'), { phrases: [phrase], excluded: [] })]
        : [],
    ),
    ...excluded.map(
      (phrase) =>
        sql<boolean>`not ${engine.textMatches(sql.ref('p.id'), { phrases: [phrase], excluded: [] })}`,
    ),
  ];
  const rows = await rowsOf(
    session,
    sql<Omit<LikelyPage, 'hasAll'> & { hits: number }>`
      with best as (
        select h.id, sum(h.weight) as weight, count(*) as hits
        from (${sql.join(hits, sql` union all `)}) as h join pages p on p.id = h.id
        where ${allOf(conditions)} group by h.id order by weight desc, h.id desc limit ${limit}
      )
      select b.id, b.hits, p.title, p.language, substr(${engine.jsonText(sql.ref('c.content'), 'body')}, 1, ${sql.lit(readLength)}) as body
      from best as b join pages p on p.id = b.id join changes c on c.id = p.change_id
      order by b.weight desc, b.id desc`,
    'words',
  );
  return {
    pages: rows.map(({ hits, body, ...page }) => ({
      ...page,
      body: body ?? '',
      hasAll: Number(hits) === phrases.length,
    })),
    weights,
  };
}

/** How much a word says: the less, the more pages have it. */
function weightOf(count: number, all: number): number {
  return count === 0 ? 0 : Math.log(1 + (Math.max(all, count) - count + 0.5) / (count + 0.5));
}

/** Numbers of the phrases that are collected, those of fewest pages first, and at least one that any page has. */
function affordable(counts: readonly number[]): number[] {
  const found = [...counts.keys()]
    .filter((i) => counts[i])
    .sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
  let left = mostCollected;
  return found.filter((i, at) => {
    left -= counts[i] ?? 0;
    return at === 0 || left >= 0;
  });
}
