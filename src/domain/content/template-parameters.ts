/** Parameters of a template, for those who write a call of it. */
import { guardCode } from '@coppice/markdown';
import { type Parameter, parameters } from '@coppice/wikitext/parameters';
import { getReadable } from '../pages/find-page.ts';
import type { Reader } from '../reader.ts';

/**
 * Template parameters of the page at a path. Refuses `not-found` for a page that this actor may not read, as for one that
 * does not exist.
 */
export async function templateParameters(reader: Reader, path: string): Promise<Parameter[]> {
  const { content } = await getReadable(reader, path);
  return parameters(content.format === 'markdown' ? guardCode(content.body) : content.body);
}
