/** New pages that begin with a page template: fields that the caller gives count before those of the template. */
import { say } from '#words/say.ts';
import { newBodyOf, pageTemplateType } from '../content/page-template.ts';
import type { AttachedFile, Content, WholePage } from '../model/page.ts';
import type { PageInput } from '../model/page-input.ts';
import { invalid } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import { findMoved, findWhole } from '../reading/find-page.ts';
import { templateBeneath } from './access-beneath.ts';

export interface NewPageInput extends PageInput {
  /** Path of a page template; empty or null for none. Without it, a page without a body takes the default of pages there. */
  from?: string | null;
}

/** The page template at a path, or at a path that leads there since it moved; undefined if the reader sees none. */
export async function findPageTemplate(reader: Reader, path: string): Promise<WholePage | undefined> {
  const found = await findWhole(reader, path, 'none');
  const movedTo = found ? undefined : await findMoved(reader, path);
  const page = movedTo === undefined ? found : await findWhole(reader, movedTo, 'none');
  return page?.type === pageTemplateType ? page : undefined;
}

/** Refuses `invalid` at `/from` if no readable page template has this path. */
export async function getPageTemplate(reader: Reader, path: string): Promise<WholePage> {
  const page = await findPageTemplate(reader, path);
  if (page) return page;
  throw invalid('/from', say('problem.thereIsNoPageTemplateAt', { path: path.slice(0, 200) }), 'not-found');
}

/** Fields that a new page takes from its template: not its title, place, description, access, or type. */
export function fieldsOfTemplate(
  { content, path }: WholePage,
  { dialect }: Reader,
): Pick<Content, 'body' | 'format' | 'data' | 'image' | 'location'> {
  const { format, data, image, location } = content;
  return { body: newBodyOf({ ...content, path }, dialect), format, data, image, location };
}

/** The template of pages there, for a page without a text of its own. */
async function defaultTemplate(
  reader: Reader,
  from: string | null | undefined,
  { body, format, parent }: PageInput,
): Promise<WholePage | undefined> {
  if (from !== undefined || body !== undefined) return undefined;
  const path = await templateBeneath(reader, parent);
  const template = path === undefined ? undefined : await findPageTemplate(reader, path);
  return format === undefined || format === template?.content.format ? template : undefined;
}

/** Input of a new page together with what its template gives, and the files of the template. Refuses `invalid`. */
export async function beginPage(
  reader: Reader,
  { from, ...given }: NewPageInput,
): Promise<{ page: PageInput; files: AttachedFile[] }> {
  const template = from ? await getPageTemplate(reader, from) : await defaultTemplate(reader, from, given);
  if (!template) return { page: given, files: [] };
  const { format } = template.content;
  if (given.body === undefined && given.format !== undefined && given.format !== format)
    throw invalid('/format', say('problem.theTemplateIsWrittenInLeaveThe', { format }));
  return { page: { ...fieldsOfTemplate(template, reader), ...given }, files: template.files };
}
