/**
 * Texts of pages as numbers of their terms, kept in memory: ranking the pages of a question reads hundreds of texts, most of them
 * again and again. A text is read anew when its page may have been changed since, as by an erasure.
 */
import { type RawBuilder, sql } from 'kysely';
import { BoundedCache } from '#cache/bounded-cache.ts';
import { NumberedTerms } from '#core/model/numbered-terms.ts';
import { rowsOf, type Session } from '../statements.ts';

/** Numbers that are kept, 4 bytes each, and what else a text takes. */
const mostNumbers = 4_000_000;
const besides = 60;
/** Terms that are numbered before all is forgotten and begun anew: they take about 100 bytes each. */
const mostTerms = 200_000;
/** Characters of a text that decide how likely it is. */
const readLength = 4000;
/** Texts read before other requests have a turn. */
const atATime = 20;

interface ReadText {
  revision: string;
  title: Int32Array;
  body: Int32Array;
}

/** The current version of a page, with its title. */
interface Version {
  id: number;
  changeId: number;
  title: string;
}

export class ReadTexts {
  #numbered = new NumberedTerms();
  #texts = new BoundedCache<ReadText, number>(mostNumbers);

  /** In the order of the versions. One statement, if any of them has to be read. */
  async read(
    session: Session,
    versions: readonly Version[],
  ): Promise<{ texts: Pick<ReadText, 'title' | 'body'>[]; numbered: NumberedTerms }> {
    if (this.#numbered.terms.length > mostTerms) {
      this.#numbered = new NumberedTerms();
      this.#texts = new BoundedCache(mostNumbers);
    }
    const [numbered, texts] = [this.#numbered, this.#texts];
    const revision = await session.engine.revision();
    const found = versions.map(({ id, changeId }) => {
      const text = texts.get(changeId);
      if (text && text.revision !== revision) {
        if (!session.engine.isUnchanged(text.revision, [id])) return undefined;
        text.revision = revision;
      }
      return text;
    });
    const missing = versions.filter((_, i) => !found[i]);
    const bodies = await bodiesOf(
      session,
      missing.map(({ changeId }) => changeId),
    );
    let reads = 0;
    for (const [i, { changeId, title }] of versions.entries()) {
      if (found[i]) continue;
      if (++reads % atATime === 0) await new Promise((resolve) => setImmediate(resolve));
      const text = {
        revision,
        title: Int32Array.from(numbered.read(title)),
        body: Int32Array.from(numbered.read(bodies.get(changeId) ?? '')),
      };
      found[i] = text;
      // Texts that a transaction reads may never be committed.
      if (!session.isTransaction) texts.set(changeId, text, text.title.length + text.body.length + besides);
    }
    return { texts: found as ReadText[], numbered };
  }
}

async function bodiesOf(session: Session, changeIds: readonly number[]): Promise<Map<number, string>> {
  if (changeIds.length === 0) return new Map();
  const { engine } = session;
  const body: RawBuilder<string | null> =
    sql`substr(${engine.jsonText(sql.ref('c.content'), 'body')}, 1, ${sql.lit(readLength)})`;
  const rows = await rowsOf(
    session,
    sql<{ id: number; body: string | null }>`select c.id, ${body} as body from changes c
      where ${engine.among(sql.ref('c.id'), changeIds)}`,
    'words',
  );
  return new Map(rows.map(({ id, body }) => [id, body ?? '']));
}
