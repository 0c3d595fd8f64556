/** A page as Markdown for one reader: the source of pages in Markdown, a conversion of pages in wikitext. */
import { renderBody } from '../content/cached-rendering.ts';
import { shownBody } from '../content/module-body.ts';
import type { Renderer } from '../content/render.ts';
import type { WholePage } from '../model/page.ts';
import type { HistoryWanted, Reader } from '../ports/reader.ts';
import { renderInputOf } from './page-view.ts';
import { findVersion } from './view-page.ts';

export interface MarkdownView {
  page: WholePage;
  /** Ends in a line end unless the page is empty and in Markdown. */
  markdown: string;
}

/**
 * Refuses as `viewPage` does. A page in Markdown is returned as written, including template calls. One in wikitext begins with
 * its title as a heading, has its templates expanded, and links only to pages that the reader can see. With `frontMatter`, the
 * wiki's data about the page precedes it in YAML, unless the page has front matter of its own.
 */
export async function viewMarkdown(
  { reader, renderer, now }: { reader: Reader; renderer: Renderer; now: number },
  path: string,
  wanted: { version?: number; history?: HistoryWanted; frontMatter?: boolean },
): Promise<MarkdownView | { movedTo: string }> {
  const found = await findVersion(reader, path, { history: 'latest', ...wanted });
  if ('movedTo' in found) return found;
  const { page } = found;
  const text = await markdownOf(reader, renderer, page, now);
  const hasOwn = page.content.format === 'markdown' && /^(?:---|\+\+\+)[ \t]*\n/.test(text);
  if (!wanted.frontMatter || hasOwn) return { page, markdown: text };
  const { writeFrontMatter } = await import('@coppice/markdown/from-wikitext');
  return { page, markdown: `${writeFrontMatter(factsOf(page))}\n${text}` };
}

/** A part of a page's source as Markdown. Notes defined in other parts are missing. */
export async function markdownOfPart(
  { reader, renderer, now }: { reader: Reader; renderer: Renderer; now: number },
  page: WholePage,
  part: string,
): Promise<string> {
  if (page.content.format === 'markdown') return part;
  const { cacheKey: _, ...input } = renderInputOf(page);
  const { html } = await renderBody(reader, renderer, { ...input, body: part, output: 'markdown' }, now);
  return html;
}

/** The page as Markdown, converted if it is written in wikitext; then with its title as a heading. */
export async function markdownOf(
  reader: Reader,
  renderer: Renderer,
  page: WholePage,
  now: number,
): Promise<string> {
  if (page.content.format === 'markdown') return shownBody(page.content);
  const input = { ...renderInputOf(page), output: 'markdown' as const };
  const { html: markdown } = await renderBody(reader, renderer, input, now);
  const title = page.title.replace(/([\\`*_[\]<>&{}#|~$^])/g, '\\$1');
  return `# ${title}\n${markdown === '' ? '' : `\n${markdown}`}`;
}

function factsOf(page: WholePage): Record<string, unknown> {
  const { title, path, description, type, location, tags, updatedAt, changeId } = page;
  return {
    title,
    path,
    ...(description === '' ? {} : { description }),
    ...(type === null ? {} : { type }),
    ...(location === null ? {} : { location: `${location.lat}, ${location.lon}` }),
    ...(Object.keys(tags).length > 0 ? { facts: tags } : {}),
    updated: new Date(updatedAt).toISOString(),
    change: changeId,
  };
}
