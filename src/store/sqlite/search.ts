/** Queries of the search indexes on SQLite: conditions and tables for queries over pages. */
import { type RawBuilder, sql } from 'kysely';
import { seesEverything, seesNothing } from '#core/model/permission.ts';
import type { Phrase, TextQuery } from '#core/model/terms.ts';
import { type Engine, type FoldedName, maxRanked } from '../engine.ts';
import { visible } from '../visibility.ts';
import { hiddenPages, namedPages } from './search-indexes.ts';
import { textShare, titleWeight } from './text-share.ts';

/** Columns of the index; they contain folded names. */
const indexColumns = { title: 'title_key', path: 'path_key' } satisfies Record<FoldedName, string>;
const columns = {
  title: sql.ref('p.sort_key'),
  path: sql`coalesce(p.path_fold, p.path_key)`,
} satisfies Record<FoldedName, RawBuilder<unknown>>;

export function textMatches(id: RawBuilder<unknown>, query: TextQuery): RawBuilder<boolean> {
  return sql`${id} in (select rowid from page_text where page_text match ${matchOf(query)})`;
}

/** Alternatives of all words that are ranked by. */
const maxAlternatives = 24;
/** Sorts after all others. */
const lastCharacter = '\u{10ffff}';

/** `rank`: a sum over all alternatives, so that it depends on no other page. */
export function textRanking(query: TextQuery): RawBuilder<unknown> {
  const saturations = query.phrases
    .flatMap(alternativesOf)
    .slice(0, maxAlternatives)
    .map(
      (match) => sql`select page_text.rowid as id, ${textShare} as share
        from page_text cross join page_text_docsize d on d.id = page_text.rowid
        where page_text match ${match} and page_text.rowid >= (select min(id) from newest)
          and +page_text.rowid in (select id from newest)`,
    );
  // Materialized, because otherwise the index would be queried again for each page.
  return sql`(
      with titled as materialized (
        select rowid as id from page_text where page_text match ${except(inTitle(query.phrases), query)} order by rowid desc limit ${maxRanked}
      ), newest as materialized (
        select rowid as id from page_text where page_text match ${matchOf(query)} order by rowid desc limit ${maxRanked}
      ), shares as materialized (${sql.join(saturations, sql` union all `)}
      ), found as materialized (
        select n.id, -sum(s.share) as rank from newest n left join shares s on s.id = n.id group by n.id
      ), typed as materialized (
        select rowid as id from page_text where page_text match ${asTyped(query.phrases)} order by rowid desc limit ${maxRanked}
      )
      select id, rank, case when id in (select id from titled) then 1 else 0 end as title_hit, case when id in (select id from typed) then 1 else 0 end as exact_hit from found
      union all select id, null, 1, 0 from titled where id not in (select id from found))`;
}

/**
 * The same for one word, from its occurrences: they are read once, while matches are looked up five times and more, because they do not
 * say how often and where a page has each alternative. Absent if more than `maxRanked` visible pages match, and empty if more do.
 */
export function wordRanking(
  { phrases, excluded }: TextQuery,
  total: number,
): RawBuilder<unknown> | undefined {
  const [phrase, ...others] = phrases;
  if (!phrase || others.length + excluded.length > 0 || total > maxRanked) return undefined;
  const words = [phrase, ...(phrase.or ?? [])].flatMap(wordsOf);
  if (words.length > maxAlternatives || words.some(({ isPlain }) => !isPlain)) return undefined;
  // Raw, because building a statement of many parts takes longer than running it.
  const exact = ({ term, prefix }: Word, i: number) =>
    i > 0 ? sql`0` : prefix ? sql`term = ${term}` : sql`1`;
  const occurrences = words.map(
    (
      word,
      i,
    ) => sql`select doc as id, ${sql.raw(`${i} as word, case col when 'title' then ${titleWeight} else 1 end as weight`)}, ${exact(word, i)} as exact
      from few cross join page_words where few.isFew and ${isWord(word)}`,
  );
  const weights = words.map((_, i) => `sum(case word when ${i} then weight else 0 end) as weight${i}`);
  return sql`(
      with few as materialized (
        select count(*) <= ${maxRanked} as isFew from (select 1 from page_text where page_text match ${phraseOf(phrase)} limit ${maxRanked + 1})
      ), found as materialized (
        select id, max(weight) > 1 as title_hit, max(exact) as exact_hit, ${sql.raw(weights.join())}
        from (${sql.join(occurrences, sql` union all `)}) group by id
      )
      select found.id, title_hit, exact_hit, -word_shares(d.sz, ${sql.raw(words.map((_, i) => `weight${i}`).join())}) as rank
      from found cross join page_text_docsize d on d.id = found.id)`;
}

function isWord({ term, prefix }: Word): RawBuilder<boolean> {
  return prefix ? sql`term >= ${term} and term < ${term + lastCharacter}` : sql`term = ${term}`;
}

export function fromTitlesMatching(phrases: Phrase[]): RawBuilder<unknown> {
  return sql`from page_text cross join pages p
      where page_text match ${inTitle(phrases)} and p.id = page_text.rowid`;
}

export function titleMatches(id: RawBuilder<unknown>, phrases: Phrase[]): RawBuilder<boolean> {
  return sql`${id} in (select rowid from page_text where page_text match ${inTitle(phrases)})`;
}

export function fromKeysContaining(name: FoldedName, fragment: string): RawBuilder<unknown> {
  return sql`from page_names cross join pages p
      where page_names match ${inKey(name, fragment)} and p.id = page_names.rowid`;
}

export function keyContains(name: FoldedName, fragment: string): RawBuilder<boolean> {
  // The trigram index needs three characters; shorter fragments are searched in the keys themselves.
  if ([...fragment].length < 3) return keyHolds(name, fragment);
  return sql`p.id in (select rowid from page_names where page_names match ${inKey(name, fragment)})`;
}

export const keyHolds: Engine['keyHolds'] = (name, fragment) => sql`instr(${columns[name]}, ${fragment}) > 0`;

// A row of the table is ten times as long as one of this index.
export const pagesById: Engine['pagesById'] = sql`pages p indexed by ${sql.ref(namedPages)}`;

export const countByIndex: Engine['countByIndex'] = {
  texts: (query) => sql`(select rowid as id from page_text where page_text match ${matchOf(query)})`,
  keys: (name, fragment) =>
    sql`(select rowid as id from page_names where page_names match ${inKey(name, fragment)})`,
  isSeen(id, visibility) {
    if (seesEverything(visibility)) return sql`1 = 1`;
    if (seesNothing(visibility)) return sql`1 = 0`;
    if (visibility.maxAudience < 0)
      return sql`exists (select 1 from pages h where h.id = ${id} and ${visible('h', visibility)})`;
    // Without the hint, SQLite looks up the page by ID in the table, which is a hundred times as large.
    return sql`not exists (select 1 from pages h indexed by ${sql.ref(hiddenPages)}
      where h.id = ${id} and h.audience > 0 and not ${visible('h', visibility)})`;
  },
};

/** For example `("open source" * AND "wiki") NOT ("old")`: all phrases must occur, and no excluded phrase may. */
function matchOf(query: TextQuery): string {
  return except(query.phrases.map(phraseOf).join(' AND '), query);
}

function except(match: string, { excluded }: TextQuery): string {
  return excluded.length === 0 ? match : `(${match}) NOT (${excluded.map(phraseOf).join(' OR ')})`;
}

/** Words as they are typed, without stems and longer words. */
function asTyped(phrases: Phrase[]): string {
  return phrases.map(({ terms }) => quoted(terms.join(' '))).join(' AND ');
}

function inTitle(phrases: Phrase[]): string {
  return phrases.map((phrase) => `{title} : ${phraseOf(phrase)}`).join(' AND ');
}

function phraseOf({ terms, prefix, stems = [], or = [], inTitle }: Phrase): string {
  const some = [quoted(terms.join(' ')) + (prefix ? ' *' : ''), ...stems.map(quoted)];
  const own = inTitle ? `{title} : (${some.join(' OR ')})` : some.join(' OR ');
  const any = [inTitle && or.length > 0 ? `(${own})` : own, ...or.map(phraseOf)].join(' OR ');
  return some.length + or.length === 1 && !inTitle ? any : `(${any})`;
}

/** Each by itself: words as they are typed, stems, and words that may stand instead. */
function alternativesOf({ terms, prefix, stems = [], or = [], inTitle }: Phrase): string[] {
  const own = [quoted(terms.join(' ')) + (prefix ? ' *' : ''), ...stems.map(quoted)];
  return [...own.map((one) => (inTitle ? `{title} : ${one}` : one)), ...or.flatMap(alternativesOf)];
}

interface Word {
  term: string;
  prefix: boolean;
  /** Whether occurrences of the term in any place are those of the word. */
  isPlain: boolean;
}

function wordsOf({ terms, prefix, stems = [], inTitle, or }: Phrase, i: number): Word[] {
  const isPlain = terms.length === 1 && !inTitle && (i === 0 || !or);
  const [term = ''] = terms;
  return [{ term, prefix, isPlain }, ...stems.map((stem) => ({ term: stem, prefix: false, isPlain }))];
}

function inKey(name: FoldedName, fragment: string): string {
  return `{${indexColumns[name]}} : ${quoted(fragment)}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
