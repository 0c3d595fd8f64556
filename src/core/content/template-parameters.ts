/** Parameters of a template, to help authors write a call. */
import { afterFacts, guardCode } from '@coppice/markdown';
import { type Parameter, parameters } from '@coppice/wikitext/parameters';
import { type DescribedParameter, templateData } from '@coppice/wikitext/template-data';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

type TemplateParameter = Parameter & Partial<DescribedParameter>;

/**
 * Returns the template parameters of the page at a path: those that its `<templatedata>` describes, required ones first and then
 * suggested ones, and after them any others that its text uses. Refuses `not-found` for a page that does not exist or that this actor
 * may not read.
 */
export async function templateParameters(reader: Reader, path: string): Promise<TemplateParameter[]> {
  const { content } = await getReadable(reader, path);
  const used = parameters(content.format === 'markdown' ? guardCode(afterFacts(content.body)) : content.body);
  const described = templateData(content.body).map((one) => ({
    ...one,
    default: one.default ?? used.find(({ name }) => name === one.name)?.default ?? '',
  }));
  const rank = ({ isRequired, isSuggested }: DescribedParameter) => (isRequired ? 0 : isSuggested ? 1 : 2);
  const names = new Set(described.map(({ name }) => name));
  return [
    ...described.sort((one, other) => rank(one) - rank(other)),
    ...used.filter(({ name }) => !names.has(name)),
  ];
}
