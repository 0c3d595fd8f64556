/** Texts of attached files: rows by the hash of their bytes, so that a file is read once however many pages have it. */
import { sql } from 'kysely';
import type { FileTextStore } from '#core/ports/file-text-store.ts';
import { invalidateFileTexts } from '#store/pages/files-with-text.ts';
import { changeSome, rowsOf, type Session } from '#store/statements.ts';

const maxAttempts = 2;

export function fileTextStore(session: Session): FileTextStore {
  const { engine } = session;
  return {
    async after({ uploadedAt, name }, staleBefore, limit) {
      const rows = await rowsOf(
        session,
        sql<Row>`select f.hash, f.mime, f.filename, f.size_bytes, f.uploaded_at, f.name,
            case when t.read_at is not null or t.attempts >= ${maxAttempts} or t.begun_at > ${staleBefore}
              then 1 else 0 end as is_known
          from files f left join file_texts t on t.hash = f.hash
          where f.until_change_id is null and (f.uploaded_at, f.name) > (${uploadedAt}, ${name})
          order by f.uploaded_at, f.name limit ${limit}`,
      );
      return rows.map((row) => ({
        hash: row.hash,
        mime: row.mime,
        filename: row.filename,
        sizeBytes: Number(row.size_bytes),
        position: { uploadedAt: Number(row.uploaded_at), name: row.name },
        isKnown: Number(row.is_known) === 1,
      }));
    },
    claim: (hash, now, staleBefore) =>
      changeSome(session, async (db) => {
        engine.invalidate(db, []);
        const { rows } = await sql`insert into file_texts (hash, begun_at, attempts, read_at)
          values (${hash}, ${now}, 1, null)
          on conflict (hash) do update set begun_at = ${now}, attempts = file_texts.attempts + 1
            where file_texts.read_at is null and file_texts.begun_at <= ${staleBefore}
              and file_texts.attempts < ${maxAttempts}
          returning hash`.execute(db);
        return rows.length > 0;
      }),
    save: (hash, parts, now) =>
      changeSome(session, async (db) => {
        invalidateFileTexts(engine, db);
        const { rows } = await sql`update file_texts set read_at = ${now}
          where hash = ${hash} and exists (select 1 from files f where f.hash = file_texts.hash) returning hash`.execute(
          db,
        );
        await sql`delete from file_text_parts where hash = ${hash}`.execute(db);
        await sql`delete from file_terms where hash = ${hash}`.execute(db);
        if (rows.length === 0) {
          await sql`delete from file_texts where hash = ${hash}`.execute(db);
          return;
        }
        const texts = parts.map(({ number, text }) => [number, text]);
        const p = engine.rows({ number: 'integer', text: 'text' }, texts);
        await sql`insert into file_text_parts (hash, number, text)
          select ${hash}, p.number, p.text from ${p} as p`.execute(db);
        const terms = parts.flatMap(({ number, terms }) => terms.map((term) => [term, number]));
        for (let from = 0; from < terms.length; from += termsAtOnce) {
          const t = engine.rows({ term: 'text', number: 'integer' }, terms.slice(from, from + termsAtOnce));
          await sql`insert into file_terms (term, hash, number)
            select t.term, ${hash}, t.number from ${t} as t`.execute(db);
        }
      }),
  };
}

const termsAtOnce = 20_000;

interface Row {
  hash: string;
  mime: string;
  filename: string;
  size_bytes: number;
  uploaded_at: number;
  name: string;
  is_known: number;
}
