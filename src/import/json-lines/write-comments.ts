/** Writes the comments of an export, after its pages. Those that a page has already are not written again. */
import type { Store } from '#core/ports/store.ts';
import { knownComments, markOf } from '../known-comments.ts';
import type { LinesOutline } from './outline.ts';
import type { People } from './people.ts';
import { type LineOf, linesOf } from './records.ts';

const writtenAtOnce = 200;

export async function writeComments(
  store: Store,
  path: string,
  outline: LinesOutline,
  people: People,
): Promise<void> {
  const idOf = (page: number) => {
    const { isApart = false, newId } = outline.pages.get(page) ?? {};
    return isApart ? undefined : newId;
  };
  /** Comments of the pages of one part of the file, which are numbered from 1: their IDs here. */
  let ids = new Map<number, number>();
  const known = new Map<number, Map<string, number>>();
  let waiting: LineOf<'comment'>[] = [];
  const flush = async () => {
    for (const line of waiting) {
      const pageId = idOf(line.page);
      if (pageId !== undefined && !known.has(pageId)) known.set(pageId, await knownComments(store, pageId));
    }
    const some = waiting;
    waiting = [];
    const authors = new Map<LineOf<'comment'>, { authorId: number; resolverId: number | undefined }>();
    for (const line of some) {
      const resolverId = line.resolvedBy && (await people.idOf(line.resolvedBy));
      authors.set(line, { authorId: await people.idOf(line.author), resolverId });
    }
    await store.transact(async (store) => {
      for (const line of some) {
        if (line.number === 1) ids = new Map();
        const pageId = idOf(line.page);
        const { authorId = 0, resolverId } = authors.get(line) ?? {};
        const mark = markOf(authorId, Date.parse(line.at), line.body);
        const written = pageId === undefined ? undefined : known.get(pageId);
        if (pageId === undefined || !written) continue;
        const resolved =
          line.resolved === undefined ? null : { at: Date.parse(line.resolved), by: resolverId ?? authorId };
        const id =
          written.get(mark) ??
          (await store.comments.insert(
            {
              pageId,
              authorId,
              body: line.body,
              at: Date.parse(line.at),
              resolved,
              stranger: line.stranger ?? null,
              editedAt: line.edited === undefined ? null : Date.parse(line.edited),
              replyTo: (line.replyTo !== undefined && ids.get(line.replyTo)) || null,
              quote: line.quote ? { ...line.quote, start: 0, end: 0, state: 'gone', goneId: null } : null,
            },
            [],
          ));
        ids.set(line.number, id);
      }
    });
  };
  for await (const line of linesOf(path)) {
    if (line.kind !== 'comment') continue;
    waiting.push(line);
    if (waiting.length === writtenAtOnce) await flush();
  }
  if (waiting.length > 0) await flush();
}
