/** Pages that have most of the weight of a question's words, for questions of which few pages have every word. */
import { type RawBuilder, sql } from 'kysely';
import { namesOfPages, newPages } from '#cache/dependency.ts';
import { NumberedTerms } from '#core/model/numbered-terms.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { Phrase } from '#core/model/terms.ts';
import type { LikelyPages, SearchCriteria } from '#core/ports/list-reads.ts';
import type { CachedLists } from '../cached-lists.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';
import { allOf, matching, predicatesOf } from './criteria.ts';
import type { ReadTexts } from './read-texts.ts';

/** Pages with a word are counted up to this number: a word that more have says little. */
const mostCounted = 100_000;
/** Matches of all words together that are collected; words that say more come first. */
const mostCollected = 50_000;
/** Weights are whole numbers in SQL, whose sums do not depend on their order. */
const precision = 1000;

/** `texts` and `sizes`: what is known of earlier searches. */
export interface LikelySource {
  session: Session;
  texts: ReadTexts;
  /** Numbers of visible pages. */
  sizes: CachedLists<never>;
}

/**
 * Runs two statements, and one if texts have to be read. Everything is counted among the pages that the reader sees, so that
 * hidden ones change no order.
 */
export async function likelyPages(
  { session, texts, sizes }: LikelySource,
  visibility: Visibility,
  { text, ...others }: SearchCriteria,
  limit: number,
): Promise<LikelyPages> {
  const { engine } = session;
  const none = { pages: [], weights: [], numbered: new NumberedTerms() };
  const { phrases = [], excluded = [] } = text ?? {};
  const predicates = await predicatesOf(session, others, visibility);
  if (phrases.length === 0 || (!predicates && others.ancestorId !== undefined)) return none;
  const pagesWith = (phrase: Phrase) => engine.countByIndex.texts({ phrases: [phrase], excluded: [] });
  const counts = phrases.map(
    (phrase) => sql`(select count(*) from (select found.id from ${pagesWith(phrase)} as found
      where ${engine.countByIndex.isSeen(sql.ref('found.id'), visibility)} limit ${mostCounted}) as counted)`,
  );
  const [counted] = await rowsOf(
    session,
    sql<
      Record<string, number>
    >`select ${sql.join(counts.map((count, i) => sql`${count} as ${sql.ref(`count${i}`)}`))}`,
    'words',
  );
  const all = await countSeen(session, sizes, visibility);
  const numbers = phrases.map((_, i) => counted?.[`count${i}`] ?? 0);
  const weights = numbers.map((count) => weightOf(count, all));
  const chosen = affordable(numbers);
  if (chosen.length === 0) return none;
  const hits = chosen.map(
    (i) =>
      sql`select found.id, ${sql.lit(Math.max(1, Math.round((weights[i] ?? 0) * precision)))} as weight from ${pagesWith(phrases[i] as Phrase)} as found`,
  );
  const conditions: RawBuilder<boolean>[] = [
    predicates ? matching(predicates) : engine.countByIndex.isSeen(sql.ref('found.id'), visibility),
    ...phrases.flatMap((phrase) =>
      phrase.isQuoted || phrase.inTitle
        ? [engine.textMatches(sql.ref('found.id'), { phrases: [phrase], excluded: [] })]
        : [],
    ),
    ...excluded.map(
      (phrase) =>
        sql<boolean>`not ${engine.textMatches(sql.ref('found.id'), { phrases: [phrase], excluded: [] })}`,
    ),
  ];
  const rows = await rowsOf(
    session,
    sql<{ id: number; changeId: number; hits: number; title: string; language: string | null }>`
      with best as (
        select found.id, found.weight, found.hits
        from (
          select id, sum(weight) as weight, count(*) as hits
          from (${sql.join(hits, sql` union all `)}) as hit group by id
        ) as found ${predicates ? sql`join pages p on p.id = found.id` : sql``}
        where ${allOf(conditions)} order by found.weight desc, found.id desc limit ${limit}
      )
      select b.id, b.hits, p.change_id as "changeId", p.title, p.language
      from best as b join pages p on p.id = b.id order by b.weight desc, b.id desc`,
    'words',
  );
  const read = await texts.read(session, rows);
  return {
    pages: rows.map(({ id, hits, language }, i) => ({
      ...(read.texts[i] as { title: Int32Array; body: Int32Array }),
      id,
      language,
      hasAll: Number(hits) === phrases.length,
    })),
    weights,
    numbered: read.numbered,
  };
}

/** The number of pages that a reader sees. */
async function countSeen(
  session: Session,
  sizes: CachedLists<never>,
  visibility: Visibility,
): Promise<number> {
  const { total } = await sizes.get(session, visibility, async () => {
    const [counted] = await rowsOf(
      session,
      sql<{ total: number }>`select count(*) as total from
        (select p.id from pages p where ${visible('p', visibility)} limit ${mostCounted}) as counted`,
    );
    return { pages: [], total: counted?.total ?? 0, dependencies: [newPages, namesOfPages] };
  });
  return total;
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
