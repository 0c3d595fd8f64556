/** Structured data of a page: what was given with it, and what its front matter says besides. */
import { readFrontMatter } from '@coppice/markdown';
import type { Content, Data } from './page.ts';

/** The title that front matter states, for a page that is given no other. */
export function titleInBody({
  body = '',
  format,
}: {
  body?: string;
  format: Content['format'];
}): string | undefined {
  const title = format === 'markdown' ? readFrontMatter(body)?.data.title : undefined;
  return typeof title === 'string' || typeof title === 'number' ? String(title) : undefined;
}

/** Front matter goes before data of the same name: it is what the author sees, and who sends back a page that was read sends both. */
export function dataOf({ body, format, data }: Pick<Content, 'body' | 'format' | 'data'>): Data {
  const facts = format === 'markdown' ? readFrontMatter(body) : undefined;
  return facts ? { ...data, ...facts.data } : data;
}
