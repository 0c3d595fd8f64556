/** Page fields on the site: names, values in words, and conversion between page and form. */

import type { Dialect } from '@coppice/wikitext/dialect';
import type { FieldChange } from '#core/content/diff.ts';
import { type SourceSection, sectionsOf } from '#core/content/page-sections.ts';
import { allMembers, groupKey } from '#core/model/group-name.ts';
import { parseId } from '#core/model/id.ts';
import { idInMemberUrl, memberUrl } from '#core/model/member-address.ts';
import type { Content, Page, WholePage } from '#core/model/page.ts';
import { shownGroup } from '#core/model/page-group.ts';
import type { PageInput } from '#core/model/page-input.ts';
import { readPermissionCode, type Wiki } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { EditInput } from '#core/pages/edit-page.ts';
import type { Reader } from '#core/ports/reader.ts';
import { say } from '#words/say.ts';
import type { Access } from '../../chosen-access.ts';
import { coordinates, languageName, permissionCode, permissionWords } from '../../format.ts';
import { type Form, formFrom } from '../../forms.ts';
import { type HtmlValue, html, type Words } from '../../html.ts';
import type { MemberNames } from '../responsible-field.ts';

export const commenterNames: Record<'members' | 'writers' | 'off', Words> = {
  members: say('editForm.membersWhoMayReadIt'),
  writers: say('editForm.thoseWhoMayEditIt'),
  off: say('editForm.nobody'),
};

const names: Record<FieldChange['field'] | 'body', Words> = {
  body: say('editFields.text'),
  title: say('editFields.title'),
  slug: say('editFields.slug'),
  path: say('editFields.address'),
  parent: say('editFields.parentPage'),
  description: say('editFields.description'),
  type: say('common.type'),
  permissions: say('common.permissions'),
  location: say('common.place'),
  format: say('editFields.format'),
  language: say('editFields.language'),
  reviewBy: say('editFields.reviewFrom'),
  verifiedOn: say('editFields.verifiedOn'),
  responsible: say('editFields.responsible'),
  data: say('editFields.data'),
  image: say('editFields.picture'),
  comments: say('editFields.comments'),
  group: say('editFields.group'),
  defaults: say('editFields.newPagesBeneath'),
};

export interface ValueContext {
  wiki: Wiki;
  members: MemberNames;
}

/** Name of a field in comparisons and conflicts. */
export function fieldName(field: string): Words {
  return (names as Record<string, Words>)[field] ?? field;
}

/** Value of a field in words, for comparisons. `members`: names of those whom the content names. */
export function fieldValue(
  field: FieldChange['field'],
  content: Content,
  { wiki, members }: ValueContext,
): HtmlValue {
  const value = content[field];
  if (field === 'location') {
    if (value === false) return say('editFields.none');
    return value
      ? html`<bdi>${coordinates(value as { lat: number; lon: number })}</bdi>`
      : say('editFields.asInTheText');
  }
  if (field === 'parent') return value === null ? say('editFields.none') : String(value);
  if (field === 'defaults') {
    const { defaults } = content;
    if (!defaults) return say('editFields.none');
    const { permissions, template } = defaults;
    const access = permissions !== undefined && accessValue({ ...defaults, permissions }, wiki);
    return html`${access}${access && template !== undefined && ', '}${template !== undefined && html`<span dir="auto">${say('editFields.beginWith', { template })}</span>`}`;
  }
  if (field === 'permissions') return accessValue(content, wiki);
  if (field === 'group')
    return content.group ? html`<span dir="auto">${content.group.name}</span>` : say('access.allMembers');
  if (field === 'responsible' && content.responsible)
    return html`<span dir="auto">${members.get(content.responsible)?.name ?? memberUrl(content.responsible)}</span>`;
  if (field === 'responsible') return say('editForm.theOwner');
  if (field === 'language') return languageName(content.language ?? null);
  if (field === 'comments') return commenterNames[content.comments ?? 'members'];
  if (value === null || value === '') return say('editFields.asInTheText');
  return html`<span dir="auto">${typeof value === 'string' ? value : JSON.stringify(value)}</span>`;
}

/** The second digit is for the group, so one means nothing without the other. */
function accessValue({ permissions, group }: Access, wiki: Wiki): HtmlValue {
  return html`<span dir="auto">${permissionWords(permissions, { group, wiki })}</span>`;
}

export function formOfPage(page: WholePage, section: SourceSection | undefined): Form {
  return formFrom([...entriesOf(page.content), ...keyEntries(page), ...sectionEntries(page, section)]);
}

/** A page's content as form fields. */
export function entriesOf(content: Content): [string, string][] {
  const { location } = content;
  return [
    ['title', content.title],
    ['body', content.body],
    ['description', content.description ?? ''],
    ['type', content.type ?? ''],
    ['permissions', permissionCode(content.permissions)],
    ['group', content.group?.name ?? ''],
    ['place', location === false ? 'none' : location ? 'given' : 'text'],
    ['lat', location ? String(location.lat) : ''],
    ['lon', location ? String(location.lon) : ''],
    ['image', content.image ?? ''],
    ['comments', content.comments ?? 'members'],
    ['format', content.format],
    ['language', content.language ?? ''],
    ['reviewBy', content.reviewBy ?? ''],
    ...['responsible', 'responsible-was'].map((name): [string, string] => [
      name,
      content.responsible ? memberUrl(content.responsible) : '',
    ]),
    ['default-template', content.defaults?.template ?? ''],
    ['data', Object.keys(content.data).length === 0 ? '' : JSON.stringify(content.data, null, 2)],
  ];
}

/** Hidden fields with the base state and the page's path, so that unchanged fields have no effect. */
export function keyEntries(page: WholePage): [string, string][] {
  const parent = page.lineage.at(-1)?.path ?? '';
  const original = page.original && !page.original.isHidden ? page.original.path : '';
  return [
    ['base', String(page.changeId)],
    ['path', page.path],
    ['path-was', page.path],
    ['parent', parent],
    ['parent-was', parent],
    ['translationOf', original],
    ['translation-of-was', original],
  ];
}

function sectionEntries(page: WholePage, section: SourceSection | undefined): [string, string][] {
  if (!section) return [];
  return [
    ['section', section.id],
    ['body', page.content.body.slice(section.start, section.end)],
  ];
}

export function getSection(content: Content, path: string, id: string, dialect: Dialect): SourceSection {
  const section = sectionsOf({ ...content, path }, dialect).find((one) => one.id === id);
  if (!section) throw new Problem('not-found', say('editFields.noSuchSection', { id: id.slice(0, 100) }));
  return section;
}

export function sectionOfForm(page: WholePage, form: Form, dialect: Dialect): SourceSection | undefined {
  const id = form.text('section');
  if (id === '') return undefined;
  return (
    sectionsOf({ ...page.content, path: page.path }, dialect).find((one) => one.id === id) ?? {
      id,
      title: id,
      start: 0,
      end: 0,
    }
  );
}

/** Inserts the edited section into the text it was taken from, so that changes elsewhere on the page are merged. */
export async function inputWithSection(reader: Reader, page: WholePage, form: Form): Promise<EditInput> {
  const input: EditInput = inputOf(form, page);
  const base = parseId(form.text('base'));
  if (base !== undefined) input.base = base;
  const history = form.text('history');
  if (history === 'from now' || history === 'all') input.history = history;
  const id = form.text('section');
  if (id === '') return input;
  const change = base === undefined ? undefined : await reader.changes.find(page, base);
  const content = change?.content ?? page.content;
  const section = getSection(content, page.path, id, reader.dialect);
  const text = form.text('body').replace(/\r\n?/g, '\n');
  const rest = content.body.slice(section.end);
  const glue = rest !== '' && !text.endsWith('\n') ? '\n' : '';
  input.body = content.body.slice(0, section.start) + text + glue + rest;
  return input;
}

/** Form fields as input of the core, after `withFoundMember`. Unchanged fields are omitted; an empty field means “as the text says”. */
export function inputOf(form: Form, page: Page | undefined): PageInput {
  const input: PageInput = { title: form.text('title'), body: form.text('body'), msg: form.text('msg') };
  for (const name of ['description', 'type', 'image', 'reviewBy'] as const) {
    if (form.has(name)) input[name] = form.text(name).trim() || null;
  }
  if (form.has('responsible')) input.responsible = idInMemberUrl(form.text('responsible')) ?? null;
  const permissions = form.text('permissions');
  // Compared as numbers, because 774 and "0774" are the same code; invalid codes are refused by the core.
  if (permissions !== '' && !(page && readPermissionCode(permissions) === page.permissions))
    input.permissions = permissions;
  const group = form.text('group').trim();
  // An empty code on a new page means the default from its ancestors.
  if (
    form.has('group') &&
    (page || group !== '') &&
    !(page && groupKey(group || allMembers) === groupKey(shownGroup(page.group)))
  )
    input.group = group;
  const template = form.text('default-template').trim();
  if (page && form.has('default-template') && template !== (page.defaults?.template ?? ''))
    input.defaults = defaultsWith(page, template);
  const [path, parent] = [form.text('path').trim(), form.text('parent').trim()];
  if (path !== '' && path !== form.text('path-was')) input.path = path.startsWith('/') ? path : `/${path}`;
  if (form.has('parent') && (!page || parent !== form.text('parent-was')))
    input.parent = parent === '' ? null : parent;
  const location = readPlace(form);
  if (location !== undefined) input.location = location;
  const original = form.text('translationOf').trim();
  if (original !== form.text('translation-of-was')) input.translationOf = original || null;
  const language = form.text('language').trim();
  // Without a language, a new page gets that of its parent.
  if (form.has('language') && (page || language !== '')) input.language = language || null;
  const comments = form.text('comments');
  if (comments === 'off' || comments === 'members' || comments === 'writers') input.comments = comments;
  const format = readFormat(form.text('format'));
  if (format) input.format = format;
  if (form.has('data')) input.data = readData(form.text('data'));
  if (form.files.length > 0) input.files = form.files;
  return input;
}

/** The defaults of the page with another template; its access for new pages stays. */
function defaultsWith({ defaults }: Page, template: string): PageInput['defaults'] {
  const { permissions, group } = defaults ?? {};
  if (permissions === undefined) return template === '' ? null : { template };
  return { permissions, group: shownGroup(group), template };
}

function readPlace(form: Form): PageInput['location'] {
  const [lat, lon] = [form.text('lat').trim(), form.text('lon').trim()];
  switch (form.text('place')) {
    case 'none':
      return false;
    case 'text':
      return null;
    case 'given': {
      const number = /^[+-]?\d{1,3}([.,]\d{1,20})?$/;
      if (!number.test(lat) || !number.test(lon)) {
        throw invalid('/location', say('editFields.giveTheLocationAsTwoNumbers'));
      }
      return { lat: Number(lat.replace(',', '.')), lon: Number(lon.replace(',', '.')) };
    }
    default:
      return undefined;
  }
}

export function readFormat(text: string): Content['format'] | undefined {
  return text === 'wikitext' || text === 'markdown' ? text : undefined;
}

function readData(text: string): Content['data'] {
  if (text.trim() === '') return {};
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Content['data'];
  } catch {
    // Refused later, like every other value that is not an object.
  }
  throw invalid('/data', say('problem.structuredDataMustBeOneJsonObject'));
}
