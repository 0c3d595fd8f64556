/**
 * HTML of comments: Markdown without templates, files and IDs. Links to pages are resolved for the reader, all in one batch.
 */
import type { Language } from '#core/content/language.ts';
import type { Comment } from '#core/ports/comment-store.ts';
import type { Reader } from '#core/ports/reader.ts';

/** Texts that are parsed at a time. */
const parsedAtOnce = 20;

/** HTML by ID of the comment. */
export async function markupOf(
  reader: Reader,
  language: Language,
  comments: readonly Pick<Comment, 'id' | 'body' | 'page'>[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let first = 0; first < comments.length; first += parsedAtOnce) {
    const some = comments.slice(first, first + parsedAtOnce);
    const texts = await Promise.all(
      some.map(({ body, page }) =>
        language.open({ format: 'markdown', text: body, calls: [], dialect: reader.dialect }, page.path),
      ),
    );
    const targets = texts.flatMap(({ references }) => references.links.map(({ target }) => target));
    const pages = targets.length === 0 ? new Map() : await reader.links.resolve(targets);
    const drawn = await Promise.all(
      texts.map((text, index) => {
        const { path, title } = some[index]?.page ?? { path: '/', title: '' };
        return text.draw({ pages, files: new Map(), page: { path, title }, listings: new Map() });
      }),
    );
    for (const [index, { html }] of drawn.entries()) found.set(some[index]?.id ?? 0, withoutIds(html));
  }
  return found;
}

/** IDs would meet those of the page's headings. */
function withoutIds(html: string): string {
  return html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/ id="[^"]*"/g, ''));
}
