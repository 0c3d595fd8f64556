/**
 * Comments on pages and on words of pages: threads of one level, which are resolved and opened again. Whoever may read a page and is a
 * member may comment on it, unless the page says otherwise.
 */

import { Type } from 'typebox';
import { quoteAt } from '#core/content/quotes.ts';
import { refuseBlocked } from '#core/model/may-write.ts';
import type { Page } from '#core/model/page.ts';
import { type Actor, everything, visibilityOf } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, flag, idField, oneOf, optionalText, text } from '#core/operations/fields.ts';
import { converted, listOf, nothing, operation } from '#core/operations/operation.ts';
import { countOf, limitField, rangeFields, rangeOf } from '#core/operations/paging.ts';
import type { Comment } from '#core/ports/comment-store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { findQuote, mayChange, mayComment, mentionsIn, readBody, refuseUnlessCommenter } from './comments.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { criteriaOf, getComment, lockComment, placeOf, show, showOne } from './find-comments.ts';
import { narrowTexts } from './page-text.ts';
import { refreshQuotes } from './refresh.ts';
import { body, CommentObject, commentJson, pathExample, type ShownComment } from './schemas.ts';
import { writeComment } from './write-comment.ts';

/** Pages of a list whose quotes are brought up to date before they are shown. */
const maxRefreshed = 20;

/** Most answers of a thread that the site shows. */
const maxReplies = 200;

const stateField = Type.Optional(
  oneOf(['open', 'resolved'], 'Comments in open threads, or in resolved ones.', 'open'),
);

const shown = converted(CommentObject, commentJson);

export const comment = operation({
  name: 'comment',
  summary: 'Comment on a page',
  description:
    'For members who may read the page, also those with the role `reader`, unless the page sets `comments` to `writers` or `off`. `quote` names words of the page: `before` and `after` choose among several places. A reply to a reply belongs to the same thread. Members who watch the page are notified, and so are those whom the comment mentions and those who wrote in the thread.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  input: component('NewComment', 'A new comment.', {
    page: optionalText('Path of the page. A reply needs none.', pathExample),
    body,
    quote: Type.Optional(
      Type.Object(
        {
          text: text(
            'Words of the page, at most 2,000 characters. White space does not matter.',
            'planted in 1912',
          ),
          before: optionalText('Text before these words.', 'roses were '),
          after: optionalText('Text after these words.', ' by Ada'),
        },
        { description: 'Words of the page that the comment is about.' },
      ),
    ),
    replyTo: Type.Optional(idField('Comment that the new one answers.', 18)),
  }),
  output: shown,
  problems: ['not-found', 'gone', 'not-permitted', 'blocked'],
  writes: 'itself',
  audit: [],
  ports: ['store', 'renderer', 'secrets'],
  async run({ store, renderer, secrets }, { input, by, now }) {
    refuseBlocked(by);
    const reader = store.readAs(by);
    const { pageId, replyTo } = await placeOf(store, reader, input);
    const body = readBody(input.body);
    if (replyTo !== null && input.quote) throw invalid('/quote', say('problem.aReplyIsAboutTheWordsOf'));
    const own = input.quote && (await narrowTexts({ store, renderer, actor: by, now }, [pageId]));
    if (own && input.quote) findQuote(own.get(pageId) ?? '', input.quote);
    const written = { pageId, replyTo, body, quote: input.quote };
    const id = await writeComment({ store, renderer, secrets, now }, by, written);
    return showOne({ store, renderer, reader, now }, id);
  },
});

export const listComments = operation({
  name: 'listComments',
  summary: 'List comments',
  description:
    'Comments on pages that the caller may read, oldest first. All criteria that are given must hold. Continue with the value of `cursor` in `Link: rel="next"`.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({
    page: optionalText('Path of a page: comments on it.', pathExample),
    ancestor: optionalText('Path of a page: comments on it and on pages beneath it.', '/garden'),
    author: optionalText('ID of a member, or `me`: comments by them.', 'me'),
    mentions: Type.Optional(oneOf(['me'], '`me`: comments that mention the caller.', 'me')),
    state: stateField,
    limit: limitField(100, 25),
    cursor: optionalText(
      'Empty for the first comments, then the value from `Link: rel="next"`. Nothing is repeated or skipped.',
      '',
    ),
  }),
  output: listOf(shown, 'The comments.'),
  problems: ['not-found', 'gone', 'unauthenticated'],
  ports: ['store', 'reader', 'renderer'],
  async run({ store, reader, renderer }, { input, by, now }) {
    const actor = by === 'command line' ? null : by;
    const criteria = await criteriaOf(reader, actor, input);
    const limit = countOf(input.limit, 100);
    // The page is known to be readable, also for a token that sees little in lists.
    const visibility =
      criteria.pageId === undefined && by !== 'command line' ? visibilityOf(by, reader) : everything;
    const list = () => store.comments.list(criteria, readCursor(input.cursor), limit, visibility);
    const refresh = async (pageIds: readonly number[]) => {
      for (const id of pageIds.slice(0, maxRefreshed)) await refreshQuotes({ store, renderer, now }, id);
    };
    if (criteria.pageId !== undefined) await refresh([criteria.pageId]);
    let { comments, total } = await list();
    if (criteria.pageId === undefined) {
      const quoting = comments.flatMap(({ quote, page }) => (quote ? [page.id] : []));
      const outdated = await store.comments.outdatedAmong([...new Set(quoting)]);
      await refresh(outdated);
      if (outdated.length > 0) ({ comments, total } = await list());
    }
    const last = comments.at(-1);
    const next = last && comments.length === limit ? writeCursor(last.id) : undefined;
    return { items: await show({ store, renderer, reader, now }, comments), total, next };
  },
});

export interface Threads {
  page: Page;
  /** First comments, each followed by its answers. */
  comments: (ShownComment & { words: { text: string; before: string; after: string } | null })[];
  /** Number of threads in this state, and of open ones. */
  total: number;
  open: number;
  mayComment: boolean;
}

export const readThreads = operation({
  name: 'readThreads',
  summary: 'Read the comments of a page',
  description: 'Threads with their answers, for the site.',
  access: 'anyone',
  scope: 'none',
  input: Type.Object({ path: text('Path of the page.', pathExample), state: stateField, ...rangeFields(50) }),
  output: Type.Unsafe<Threads>({}),
  problems: ['not-found', 'gone'],
  ports: ['store', 'reader', 'renderer'],
  async run({ store, reader, renderer }, { input, by, now }): Promise<Threads> {
    const page = await getReadable(reader, input.path);
    const known = await refreshQuotes({ store, renderer, now }, page.id);
    const isOpen = input.state === undefined ? undefined : input.state === 'open';
    const range = { ...rangeOf(input, 50), ...(isOpen === undefined ? {} : { isOpen }) };
    const [{ comments, total }, open] = await Promise.all([
      store.comments.threads(page.id, range, maxReplies),
      store.comments.countOpen(page.id),
    ]);
    const shown = await show({ store, renderer, reader, now }, comments);
    const all = shown.map((comment, n) => {
      // Readers who see less of the page get the quote as their own text has it.
      const isNarrow = comment.quote !== comments[n]?.quote;
      const words = known && comment.quote ? wordsAt(known.text, comment.quote) : null;
      return { ...comment, words: isNarrow ? comment.quote : words };
    });
    const actor = by === 'command line' ? null : by;
    return { page, comments: all, total, open, mayComment: mayComment(actor, page, store) };
  },
});

/** The present words of a quote with their context; null if they are gone. */
function wordsAt(text: string, { start, end, state }: NonNullable<Comment['quote']>) {
  if (state === 'gone') return null;
  const { text: words, before, after } = quoteAt(text, { start, end });
  return { text: words, before, after };
}

const id = idField('ID of the comment.', 18);

export const readComment = operation({
  name: 'readComment',
  summary: 'Read a comment',
  description: 'For everybody who may read the page.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ id }),
  output: shown,
  problems: ['not-found'],
  ports: ['store', 'reader', 'renderer'],
  async run({ store, reader, renderer }, { input, now }) {
    const found = await getComment(store, reader, input.id);
    if (found.quote) await refreshQuotes({ store, renderer, now }, found.page.id);
    return showOne({ store, renderer, reader, now }, input.id);
  },
});

export const changeComment = operation({
  name: 'changeComment',
  summary: 'Edit or resolve a comment',
  description:
    'Authors edit their own comments, moderators any. `resolved` resolves a thread or opens it again, for everybody who may comment on the page; give the ID of its first comment.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  input: component('CommentChange', 'Changes of a comment.', {
    id,
    body: Type.Optional(body),
    resolved: Type.Optional(flag('Whether the thread is resolved.', true)),
  }),
  output: shown,
  problems: ['not-found', 'not-permitted', 'blocked'],
  writes: 'itself',
  audit: [],
  ports: ['store', 'renderer'],
  async run({ store, renderer }, { input: { id, body, resolved }, by, now }) {
    if (body === undefined && resolved === undefined)
      throw invalid('/body', say('problem.giveANewTextOrWhetherThe'), 'required');
    const reader = store.readAs(by);
    await getComment(store, reader, id);
    const text = body === undefined ? undefined : readBody(body);
    await store.transact(async (store) => {
      const { found, page } = await lockComment(store, by, id);
      if (text !== undefined) refuseUnlessChanger(by, found);
      if (resolved !== undefined) {
        refuseUnlessCommenter(by, page, store);
        if (found.replyTo !== null)
          throw invalid(
            '/resolved',
            say('problem.aReplyHasNoStateOfIts', { replyTo: String(found.replyTo) }),
          );
      }
      const isNews = text !== undefined && text !== found.body;
      const isTurned = resolved !== undefined && resolved !== (found.resolved !== null);
      if (!isNews && !isTurned) store.pages.keep();
      if (isNews)
        await store.comments.edit(found, text, await mentionsIn(store.comments, text, page, store), now);
      if (isTurned) await store.comments.resolve(found, resolved ? { at: now, by: by.memberId } : null);
    });
    return showOne({ store, renderer, reader, now }, id);
  },
});

export const deleteComment = operation({
  name: 'deleteComment',
  summary: 'Delete a comment',
  description: 'For the author of the comment and for moderators. Replies to the comment stay.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  input: Type.Object({ id }),
  output: nothing('The comment has been deleted.'),
  problems: ['not-found', 'not-permitted', 'blocked'],
  writes: true,
  audit: [],
  ports: ['store'],
  run: ({ store }, { input, by, now }) =>
    store.transact(async (store) => {
      await getComment(store, store.readAs(by), input.id);
      const { found } = await lockComment(store, by, input.id);
      refuseUnlessChanger(by, found);
      await store.comments.remove(found, now);
    }),
});

function refuseUnlessChanger(by: NonNullable<Actor>, comment: Comment): void {
  if (mayChange(by, comment)) return;
  throw new Problem('not-permitted', say('problem.onlyItsAuthorAndModeratorsMayChange'));
}
