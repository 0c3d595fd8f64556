/** Comments and their pages as the caller may see them: where a comment belongs, and what a list asks for. */
import { locate, quoteAt, squeeze } from '#core/content/quotes.ts';
import type { Renderer } from '#core/content/render.ts';
import { refuseBlocked } from '#core/model/may-write.ts';
import type { Page } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid, notSignedIn, Problem } from '#core/model/problem.ts';
import { refuseOutside } from '#core/pages/token-limit.ts';
import type { Comment, CommentCriteria } from '#core/ports/comment-store.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { noComment } from './comments.ts';
import { markupOf } from './markup.ts';
import { narrowTexts } from './page-text.ts';
import type { ShownComment } from './schemas.ts';

/** The page and the thread of a new comment. Refuses `not-found` alike for hidden and missing ones. */
export async function placeOf(
  store: Store,
  reader: Reader,
  { page: path, replyTo }: { page?: string | undefined; replyTo?: number | undefined },
): Promise<{ pageId: number; replyTo: number | null }> {
  const page = path === undefined ? undefined : await getReadable(reader, path);
  if (replyTo === undefined) {
    if (!page) throw invalid('/page', say('problem.nameThePageToCommentOn'), 'required');
    return { pageId: page.id, replyTo: null };
  }
  const answered = await getComment(store, reader, replyTo);
  if (page && page.id !== answered.page.id)
    throw invalid('/replyTo', say('problem.commentBelongsToAnotherPage', { replyTo: String(replyTo) }));
  return { pageId: answered.page.id, replyTo: answered.replyTo ?? answered.id };
}

export async function getComment(store: Store, reader: Reader, id: number): Promise<Comment> {
  const found = await store.comments.find(id);
  const [page] = found ? await reader.pages.states([found.page.id]) : [];
  if (!found || !page) throw noComment(id);
  return found;
}

/** The page of a comment, locked against deletion and moves until the end of the transaction. */
export async function lockReadable(store: Transaction, by: Actor, pageId: number): Promise<Page> {
  const page = await store.pages.lockById(pageId, 'share');
  const [seen] = page ? await store.readAs(by).pages.states([pageId]) : [];
  if (!page || !seen) throw new Problem('not-found', say('problem.thePageNoLongerExists'));
  return page;
}

export async function showOne(
  { store, renderer, reader, now }: { store: Store; renderer: Renderer; reader: Reader; now: number },
  id: number,
): Promise<ShownComment> {
  const [shown] = await show({ store, renderer, reader, now }, [await getComment(store, reader, id)]);
  return shown as ShownComment;
}

export async function show(
  { store, renderer, reader, now }: { store: Store; renderer: Renderer; reader: Reader; now: number },
  comments: readonly Comment[],
): Promise<ShownComment[]> {
  const quoting = [...new Set(comments.flatMap(({ quote, page }) => (quote ? [page.id] : [])))];
  const [markup, texts] = await Promise.all([
    markupOf(reader, renderer.language, comments),
    narrowTexts({ store, renderer, actor: reader.actor, now }, quoting),
  ]);
  const seen = ({ quote, page }: Comment) => {
    if (!quote || !texts) return quote;
    const text = texts.get(page.id) ?? '';
    const range = locate(squeeze(text), quote);
    return range ? quoteAt(text, range) : null;
  };
  return comments.map((comment) => ({
    ...comment,
    quote: seen(comment),
    markup: markup.get(comment.id) ?? '',
  }));
}

export async function criteriaOf(
  reader: Reader,
  actor: Actor,
  input: {
    page?: string | undefined;
    ancestor?: string | undefined;
    author?: string | undefined;
    mentions?: 'me' | undefined;
    state?: 'open' | 'resolved' | undefined;
  },
): Promise<CommentCriteria> {
  const me = () => {
    if (!actor) throw notSignedIn();
    return actor.memberId;
  };
  const page = input.page === undefined ? undefined : await getReadable(reader, input.page);
  const isWhole = input.ancestor === undefined || input.ancestor === '/';
  const ancestor = isWhole ? undefined : await getReadable(reader, input.ancestor ?? '');
  return {
    ...(page ? { pageId: page.id } : {}),
    ...(ancestor ? { ancestor } : {}),
    ...(input.author === undefined
      ? {}
      : { authorId: input.author === 'me' ? me() : readMember(input.author) }),
    ...(input.mentions === undefined ? {} : { mentionedId: me() }),
    ...(input.state === undefined ? {} : { isOpen: input.state === 'open' }),
  };
}

function readMember(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw invalid('?author', say('problem.giveTheIdOfAMemberOr'));
  return Number(given);
}

/** Refuses `not-found`, `blocked` and `insufficient-scope`. */
export async function lockComment(
  store: Transaction,
  by: NonNullable<Actor>,
  id: number,
): Promise<{ found: Comment; page: Page }> {
  const before = await store.comments.find(id);
  if (!before) throw noComment(id);
  const page = await lockReadable(store, by, before.page.id);
  const found = await store.comments.lock(id);
  if (!found) throw noComment(id);
  refuseBlocked(by);
  refuseOutside(by, page);
  return { found, page };
}
