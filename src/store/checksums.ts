/** Contents of changes and their checksums, by which a content is known to be whole without being parsed. */
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { contentText } from '#domain/content-text.ts';
import { damageInContent } from '#domain/damage.ts';
import type { Content } from '#domain/page.ts';
import { readable } from './readable.ts';
import { changeUnseen, type Session } from './session.ts';

/** What a change is stored as. */
export function contentColumns(content: Content): { content: string; content_crc: number } {
  const stored = contentText(content);
  return { content: stored, content_crc: crc32(stored) };
}

/** Gives those that earlier versions wrote their checksum. A transaction for each slice that lacks some, so that no writer waits long. */
export async function fillChecksums(session: Session): Promise<void> {
  const { engine, db } = session;
  for await (const changes of readable(engine, db, 'changes', () => {})) {
    const wrong = changes.filter(({ content, content_crc }) => checksumOf(content) !== content_crc);
    if (wrong.length === 0) continue;
    const t = engine.rows(
      { id: 'integer', content_crc: 'integer' },
      wrong.map(({ id, content }) => [id, checksumOf(content)]),
    );
    await changeUnseen(session, (db) =>
      sql`update changes set content_crc = t.content_crc from ${t} as t where changes.id = t.id`.execute(db),
    );
  }
}

/** Null unless `contentText` gives the same. */
function checksumOf(stored: string): number | null {
  const isUsual =
    damageInContent(stored) === undefined && contentText(JSON.parse(stored) as Content) === stored;
  return isUsual ? crc32(stored) : null;
}
