/** Structured data of a page: data given explicitly, combined with its front matter. */
import { readFrontMatter } from '@coppice/markdown';
import type { Content, Data } from '../model/page.ts';

/** The title in the front matter, for a page without an explicit title. */
export function titleInBody({
  body = '',
  format,
}: Partial<Pick<Content, 'body' | 'format'>>): string | undefined {
  const title = format === 'markdown' ? readFrontMatter(body)?.data.title : undefined;
  return typeof title === 'string' || typeof title === 'number' ? String(title) : undefined;
}

/**
 * Front matter takes precedence over explicit data of the same name, because it is what the author sees; a client that sends
 * back a page sends both.
 */
export function dataOf({ body, format, data }: Pick<Content, 'body' | 'format' | 'data'>): Data {
  const facts = format === 'markdown' ? readFrontMatter(body) : undefined;
  return facts ? { ...data, ...facts.data } : data;
}
