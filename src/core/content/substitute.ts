/**
 * Expands `{{subst:…}}` and signatures before a body is saved, with the author's rights, so that the history keeps the text of
 * that moment.
 */
import { hasSubstitutions } from '@coppice/wikitext/substitute';
import type { Format } from '../model/page.ts';
import { normaliseSource } from '../model/page-fields.ts';
import type { PageInput } from '../model/page-input.ts';
import { readPath } from '../model/path.ts';
import type { Reader } from '../ports/reader.ts';
import { findReadable } from '../reading/find-page.ts';
import { type ExpandInput, type Expanding, expandWhole, needsAnything } from './expand-whole.ts';
import { TooCostly } from './language.ts';
import { isModule } from './module-body.ts';
import { isPageTemplate } from './page-template.ts';

/**
 * Returns the input of an edit of the page at `path`, or of a new page, with substitutions made. Modules and page templates are not
 * changed. Input that is refused later for other reasons is returned as well.
 */
export async function withSubstitutions<Input extends PageInput>(
  { reader, renderer, now }: { reader: Reader; renderer: Expanding; now: number },
  input: Input,
  place: { path: string } | { format: Format },
): Promise<Input> {
  const { body } = input;
  if (body === undefined || !hasSubstitutions(body) || !reader.actor) return input;
  const read = 'path' in place ? readPath(place.path) : undefined;
  const page = read && 'path' in read ? await findReadable(reader, read.path) : undefined;
  if (read && !page) return input;
  const format = input.format ?? page?.content.format ?? ('format' in place ? place.format : 'wikitext');
  const title = input.title ?? page?.title ?? '';
  const type = input.type === undefined ? page?.content.type : input.type;
  const at = input.path ?? page?.path ?? '/';
  if (isModule({ title, type })) return input;
  if (isPageTemplate({ type: type ?? null, body, format, path: at }, reader.dialect)) return input;
  const facts = {
    title,
    path: at,
    type: type ?? null,
    author: reader.actor.name,
    ...(page ? { id: page.id } : {}),
  };
  return { ...input, body: await substituted(reader, renderer, { body, format, page: facts }, now) };
}

/** The body with its substitutions; unchanged if there are none, or if they take too long. */
export async function substituted(
  reader: Reader,
  renderer: Expanding,
  input: ExpandInput,
  now: number,
): Promise<string> {
  const body = normaliseSource(input.body);
  if (!hasSubstitutions(body)) return input.body;
  try {
    const { expansion } = await expandWhole({ reader, now }, renderer, { ...input, body }, true);
    return needsAnything(expansion.needs) ? body : expansion.text;
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    return body;
  }
}
