/** Writes a comment with its mentions, and tells those who watch. */
import type { Renderer } from '#core/content/render.ts';
import { beginMatching } from '#core/members/watches.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { Quote } from '#core/ports/comment-store.ts';
import type { Secrets } from '#core/ports/credentials.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { findQuote, maxQuotes, mentionsIn, noComment, refuseUnlessCommenter } from './comments.ts';
import { lockReadable } from './find-comments.ts';
import { refreshQuotes } from './refresh.ts';

interface Written {
  pageId: number;
  replyTo: number | null;
  body: string;
  quote: { text: string; before?: string | undefined; after?: string | undefined } | undefined;
  /** Name of the person without an account whose comment the member approves. Its words may be gone meanwhile. */
  stranger?: string;
}

/** `within`: further work in the same transaction. Returns the ID. */
export async function writeComment(
  { store, renderer, secrets, now }: { store: Store; renderer: Renderer; secrets: Secrets; now: number },
  by: NonNullable<Actor>,
  { pageId, replyTo, body, quote: given, stranger }: Written,
  within: (store: Transaction) => Promise<void> = async () => {},
): Promise<number> {
  for (let round = 1; ; round++) {
    const known = given && (await refreshQuotes({ store, renderer, now }, pageId, { isAlways: true }));
    const quote = known && given ? quoteIn(known.text, given, stranger !== undefined) : null;
    const id = await store.transact(async (store) => {
      const page = await lockReadable(store, by, pageId);
      refuseUnlessCommenter(by, page, store);
      if (replyTo !== null && !(await store.comments.lock(replyTo))) throw noComment(replyTo);
      if (quote && known) {
        const locked = await store.comments.lockText(pageId);
        // Another process has carried the quotes on meanwhile.
        if (locked && (locked.changeId !== known.changeId || locked.text !== known.text)) return undefined;
        if ((await store.comments.countQuotes(pageId, maxQuotes)) === maxQuotes)
          throw invalid('/quote', say('problem.atMostCommentsCanQuoteAPage', { maxQuotes }));
        if (!locked) await store.comments.place(pageId, known, []);
      }
      await within(store);
      const mentions = await mentionsIn(store.comments, body, page, store);
      const made = { pageId, authorId: by.memberId, body, at: now, replyTo, quote };
      const id = await store.comments.insert({ ...made, stranger: stranger ?? null }, mentions);
      await beginMatching(store);
      const join = (ids: number[], kind: 'mentions' | 'threads') =>
        store.watches.join(ids, kind, now, () => secrets.make().secret);
      await join(
        mentions.map((member) => member.id),
        'mentions',
      );
      if (stranger === undefined) await join([by.memberId], 'threads');
      const event = { kind: 'commented', pageId, at: now, editorId: by.memberId, msg: '' } as const;
      await store.events.record([{ ...event, commentId: id, keepsFacts: true }]);
      return id;
    });
    if (id !== undefined) return id;
    if (round === 3) throw new Problem('unavailable', say('problem.thePageIsBeingChangedTryAgain'));
  }
}

function quoteIn(text: string, given: NonNullable<Written['quote']>, mayBeGone: boolean): Quote {
  try {
    return findQuote(text, given);
  } catch (error) {
    if (!mayBeGone || !(error instanceof Problem)) throw error;
    const { before = '', after = '' } = given;
    return { text: given.text, before, after, start: 0, end: 0, state: 'gone', goneId: null };
  }
}
