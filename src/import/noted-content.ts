/** The content of an imported page, including the record by which a later run recognises it. */
import type { Content } from '#core/model/page.ts';
import { maxMessageLength, maxTitleLength } from '#core/model/page-fields.ts';
import { checkInput } from '#core/model/page-input.ts';
import { defaultPermissions } from '#core/model/permission.ts';
import { hashOf, type ImportNote, withNote } from './note.ts';
import type { PlannedPage } from './planned-page.ts';
import type { PageOutline } from './source.ts';

/** Refuses `invalid` for impossible contents. */
export function notedContent(
  { outline, title, path, wanted, parentPath, existing }: PlannedPage,
  { body, msg = '', revision }: { body: string; msg?: string; revision: string },
  source: Pick<ImportNote, 'from' | 'origin' | 'beneath'>,
): { content: Content; note: ImportNote } {
  const { given } = checkInput({
    title: shortened(title, maxTitleLength),
    path,
    data: outline?.data ?? {},
    description: outline?.description ?? null,
    type: outline?.type ?? null,
    msg: shortened(msg.replaceAll('\0', '').toWellFormed(), maxMessageLength),
  });
  const shown = given.title ?? title;
  const access = statedIn(outline);
  const note = {
    ...source,
    source: outline?.key ?? '',
    revision,
    body: hashOf(body),
    title: shown,
    // A moved file whose page stays for now: a later run can still move it.
    wanted: existing?.note.wanted === path ? path : wanted,
    ...(outline?.fingerprint === undefined ? {} : { text: outline.fingerprint }),
    ...(access === undefined ? {} : { access }),
  };
  const content: Content = {
    title: shown,
    slug: path.slice(path.lastIndexOf('/') + 1),
    path,
    parent: parentPath,
    description: given.description ?? null,
    type: given.type ?? null,
    location: null,
    permissions: defaultPermissions,
    body,
    format: outline?.format ?? 'wikitext',
    data: withNote(given.data ?? {}, note),
    image: null,
    msg: given.msg ?? '',
    ...(outline?.language === undefined ? {} : { language: outline.language }),
  };
  return { content, note };
}

/** Fields that people set here, and about which the source says nothing. */
export function keptFields(
  { outline, existing }: PlannedPage,
  held: Content,
  { data, language: stated = null }: Content,
  { isForced }: { isForced: boolean },
): Partial<Content> {
  const { location, image, language = stated, reviewBy = null, verifiedOn = null, responsible = null } = held;
  const hasOwnTitle = existing && held.title !== existing.note.title && !isForced;
  return {
    location,
    image,
    language,
    reviewBy,
    verifiedOn,
    responsible,
    ...(hasOwnTitle ? { title: held.title } : {}),
    ...(outline?.description === undefined ? { description: held.description } : {}),
    ...(outline?.type === undefined ? { type: held.type } : {}),
    ...(outline?.data === undefined ? { data: { ...held.data, import: data.import } } : {}),
  };
}

/** The access that the source states, to be compared with a later one. */
export function statedIn(outline: PageOutline | undefined): string | undefined {
  if (outline?.isHidden) return 'hidden';
  const { access } = outline ?? {};
  return access && `${access.permissions} ${access.group ?? ''}`.trim();
}

export function noteIn(content: Content): ImportNote {
  return content.data.import as ImportNote;
}

function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
