/**
 * Brings the quotes of a page up to its current text, change by change from the text in which they were last found. Edits, merges and
 * rollbacks are all changes of the page; an edit of a template is noticed because the same change has another text now.
 */

import { carryingBudget } from '#core/content/carry-quotes.ts';
import type { Renderer } from '#core/content/render.ts';
import type { WholePage } from '#core/model/page.ts';
import { Problem } from '#core/model/problem.ts';
import type { KnownText, Quote } from '#core/ports/comment-store.ts';
import type { Store } from '#core/ports/store.ts';
import { readerOfTexts, textOfPage } from './page-text.ts';

/** Changes that are followed one by one; earlier ones of a longer row are passed over. */
const maxSteps = 50;
/** Rounds until nobody else changes the quotes meanwhile. */
const maxRounds = 3;

/** Returns the text of the page, or undefined if there is no such page. `isAlways`: even if nothing is quoted. */
export async function refreshQuotes(
  { store, renderer, now }: { store: Store; renderer: Renderer; now: number },
  pageId: number,
  { isAlways = false } = {},
): Promise<KnownText | undefined> {
  for (let round = 1; ; round++) {
    const [known, quotes] = await Promise.all([
      store.comments.textOf(pageId),
      store.comments.quotesOf(pageId),
    ]);
    if (quotes.length === 0 && !isAlways) return known;
    const [page] = await store.readAsSystem().pages.load([pageId], 'none');
    if (!page) return undefined;
    const current = {
      changeId: page.changeId,
      text: await textOfPage(readerOfTexts(store), renderer, page, now),
    };
    if (known?.changeId === current.changeId && known.text === current.text) return current;
    const placed = known
      ? await carriedOn({ store, renderer, now }, page, { known, current, quotes })
      : await found(renderer, current, quotes);
    const moved = placed.filter((quote, index) => quote !== quotes[index]);
    const isSaved = await store
      .transact(async (store) => {
        const locked = await store.comments.lockText(pageId);
        const isSame = locked?.changeId === known?.changeId && locked?.text === known?.text;
        if (!isSame || (await store.comments.quotesOf(pageId)).length !== quotes.length) {
          store.pages.keep();
          return false;
        }
        await store.comments.place(pageId, current, moved);
        return true;
      })
      .catch((error: unknown) => {
        // Comments are read also while nothing can be written.
        if (error instanceof Problem && error.code === 'unavailable') return true;
        throw error;
      });
    if (isSaved || round === maxRounds) return current;
  }
}

type Placed = Quote & { id: number };

async function carriedOn(
  { store, renderer, now }: { store: Store; renderer: Renderer; now: number },
  page: WholePage,
  { known, current, quotes }: { known: KnownText; current: KnownText; quotes: Placed[] },
): Promise<Placed[]> {
  const { language } = renderer;
  let text = known.text;
  let carried = { quotes, left: carryingBudget };
  if (page.changeId !== known.changeId) {
    const { changes } = await store.readAsSystem().changes.list(page, { limit: maxSteps, offset: 0 });
    const between = changes.filter(({ id }) => id > known.changeId && id < page.changeId).reverse();
    for (const { id, at, content } of between) {
      if (content.erasedAt !== undefined) continue;
      const version = { ...page, title: content.title, changeId: id, updatedAt: at, content };
      const next = await textOfPage(readerOfTexts(store), renderer, version, now);
      carried = await language.carryQuotes({ before: text, after: next }, carried.quotes, id, carried.left);
      text = next;
    }
  }
  return (
    await language.carryQuotes(
      { before: text, after: current.text },
      carried.quotes,
      current.changeId,
      carried.left,
    )
  ).quotes;
}

/** Quotes in a text that is not known yet, as after an import. */
async function found(
  { language }: Renderer,
  { text, changeId }: KnownText,
  quotes: readonly Placed[],
): Promise<Placed[]> {
  const sought = quotes.map((quote) => ({ ...quote, state: 'gone' as const }));
  const carried = await language.carryQuotes({ before: '', after: text }, sought, changeId, carryingBudget);
  return carried.quotes.map((quote) => ({ ...quote, goneId: null }));
}
