/** Parameters of a template, to help authors write a call. */
import { afterFacts, guardCode } from '@coppice/markdown';
import { type Parameter, parameters } from '@coppice/wikitext/parameters';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

/**
 * Returns the template parameters of the page at a path. Refuses `not-found` for a page that does not exist or that this actor
 * may not read.
 */
export async function templateParameters(reader: Reader, path: string): Promise<Parameter[]> {
  const { content } = await getReadable(reader, path);
  return parameters(content.format === 'markdown' ? guardCode(afterFacts(content.body)) : content.body);
}
