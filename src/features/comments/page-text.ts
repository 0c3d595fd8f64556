/**
 * Plain text of a page, in which the positions of quotes count: the text of its rendering, with each block on a line of its own and
 * white space collapsed.
 *
 * It is rendered for a reader who sees nothing but what everybody sees who may read this wiki, so that positions and quotes tell nobody
 * anything about templates that they cannot read. In a private wiki that is a member without groups. Guests there, and tokens limited
 * to a subtree, see less: they quote, and are shown, only words that their own rendering has.
 */
import { renderBody } from '#core/content/cached-rendering.ts';
import type { Renderer } from '#core/content/render.ts';
import type { WholePage } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import { renderInputOf } from '#core/pages/page-view.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';

/** Pages of a list whose quotes are shown to those who see less. */
const maxNarrow = 10;

/** The reader for whom texts are rendered: a stranger, or a member without groups where strangers read nothing. */
export function readerOfTexts(store: Store): Reader {
  return store.readAs(store.isPrivate ? { memberId: 0, name: '', isAdmin: false } : null);
}

/** `page`: as a program of the wiki itself loaded it, also in the state after an older change. */
export async function textOfPage(
  reader: Reader,
  renderer: Renderer,
  page: WholePage,
  now: number,
): Promise<string> {
  const { html } = await renderBody(reader, renderer, renderInputOf(page), now);
  return textOfMarkup(html);
}

/** Texts of these pages, as far as the actor may see less than `readerOfTexts`; undefined for all others. */
export async function narrowTexts(
  { store, renderer, actor, now }: { store: Store; renderer: Renderer; actor: Actor; now: number },
  pageIds: readonly number[],
): Promise<Map<number, string> | undefined> {
  const seesLess = actor === null || actor.role === 'guest' || actor.within !== undefined;
  if (!store.isPrivate || !seesLess) return undefined;
  const reader = store.readAs(actor);
  const texts = new Map<number, string>();
  for (const page of await reader.pages.load(pageIds.slice(0, maxNarrow), 'none'))
    texts.set(page.id, await textOfPage(reader, renderer, page, now));
  return texts;
}

/** The renderer escapes `<` and `>` in text and attributes, so that each `<` begins a tag. */
export function textOfMarkup(html: string): string {
  return collapsed(
    html
      .replace(/<(annotation|script|style)\b[\s\S]*?<\/\1>/g, '')
      .replace(/<\/?([a-z][a-z0-9]*)[^>]*>/gi, (_, name: string) =>
        blocks.has(name.toLowerCase()) ? '\n' : '',
      )
      .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, reference),
  );
}

const blocks = new Set(
  'blockquote br caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table td th tr ul'.split(
    ' ',
  ),
);
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function reference(written: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return named[name] ?? written;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : written;
}

function collapsed(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}
