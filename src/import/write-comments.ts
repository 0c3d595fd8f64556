/** Writes the comments of a source after its pages, which decide who may read them. Nobody is told of them. */
import { hasMoreCharacters } from '#core/model/bytes.ts';
import type { Store } from '#core/ports/store.ts';
import { knownComments, markOf } from './known-comments.ts';
import type { SourceComment } from './source.ts';
import type { Writing } from './write.ts';

const writtenAtOnce = 200;
const maxLength = 10_000;
const maxQuoteLength = 2000;

export async function writeComments(
  store: Store,
  { source, plan, authors, ledger }: Omit<Writing, 'access' | 'comparer'>,
): Promise<void> {
  const known = new Map<number, Map<string, number>>();
  /** IDs here of first comments, by their key in the source. */
  const threads = new Map<string, number>();
  let waiting: SourceComment[] = [];
  const flush = async () => {
    const some = waiting;
    waiting = [];
    await authors.ensure(some.map(({ author }) => author));
    const paths = new Map(
      some.flatMap(({ page }) => {
        const planned = plan.placed(page);
        return planned ? [[page, planned.existing?.path ?? planned.path] as const] : [];
      }),
    );
    const pages = await store.readAsSystem().links.resolve([...new Set(paths.values())]);
    for (const { id } of pages.values()) if (!known.has(id)) known.set(id, await knownComments(store, id));
    await store.transact(async (store) => {
      for (const { key, page, replyTo, author, at, body, isResolved, quote } of some) {
        const pageId = pages.get(paths.get(page) ?? '')?.id;
        const written = pageId === undefined ? undefined : known.get(pageId);
        if (pageId === undefined || !written) continue;
        const authorId = authors.idOf(author);
        const mark = markOf(authorId, at, body);
        const words = quote.slice(0, maxQuoteLength);
        const made = {
          pageId,
          authorId,
          body,
          at,
          replyTo: (replyTo !== null && threads.get(replyTo)) || null,
          resolved: isResolved ? { at, by: authorId } : null,
          // Found in the text of the page when that is read.
          quote:
            words.trim() === '' || replyTo !== null
              ? null
              : ({
                  text: words,
                  before: '',
                  after: '',
                  start: 0,
                  end: 0,
                  state: 'gone',
                  goneId: null,
                } as const),
        };
        const id = written.get(mark) ?? (await store.comments.insert(made, []));
        written.set(mark, id);
        threads.set(key, id);
      }
    });
  };
  for await (const comment of source.comments?.() ?? []) {
    if (!plan.placed(comment.page)) continue;
    if (comment.body.trim() === '' || hasMoreCharacters(comment.body, maxLength))
      ledger.leaveOut({ source: `comment ${comment.key}`, why: 'its text is empty or too long' });
    else waiting.push(comment);
    if (waiting.length === writtenAtOnce) await flush();
  }
  if (waiting.length > 0) await flush();
}
