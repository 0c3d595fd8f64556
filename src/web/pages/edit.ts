/**
 * Writing: a new page, a whole page, one section of it. Plain forms that keep whatever was typed: through mistakes,
 * conflicts, a lost session and failures of ours.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPage } from '#domain/create-page.ts';
import { type EditInput, editPage, getWritable } from '#domain/edit-page.ts';
import { findReadable, getWhole } from '#domain/find-page.ts';
import type { Content, Page, WholePage } from '#domain/page.ts';
import type { PageInput } from '#domain/page-input.ts';
import { type SourceSection, sectionsOf } from '#domain/page-sections.ts';
import { isReserved, readPath } from '#domain/path.ts';
import { type Actor, defaultPermissions, readPermissionCode, sightOf } from '#domain/permission.ts';
import { previewMove } from '#domain/preview-move.ts';
import { previewPage } from '#domain/preview-page.ts';
import { type FieldError, invalid, Problem } from '#domain/problem.ts';
import { readableSize } from '#http/page-json.ts';
import { tailOf } from '#http/page-paths.ts';
import { logProblem, problemOf } from '#http/problems.ts';
import { type Form, formFrom, readForm } from '../forms.ts';
import { pageUrl } from '../parts.ts';
import type { Site } from '../site.ts';
import { leaveNotice, refuseForeign } from '../visitor.ts';
import { type EditPage, sendEditPage } from './edit-form.ts';
import { signInAgain } from './kept.ts';
import { mergedForm } from './merge.ts';
import { titleOf, writeUrl } from './missing.ts';
import { movedUrl } from './view.ts';

export function editRoutes(server: FastifyInstance, site: Site): void {
  server.get('/new', async (request, reply) => {
    if (!request.visit.actor)
      throw new Problem('unauthenticated', 'Writing a page needs a signed-in member.');
    const query = new URL(request.url, request.visit.origin).searchParams;
    return sendEditPage(site, request, reply, { form: await newForm(site, request, query) });
  });

  server.post('/new', async (request, reply) => {
    refuseForeign(request);
    const form = await readForm(site, request);
    if (!(await signInAgain(site, request, reply, form))) return reply;
    if (form.text('intent') !== 'save' || form.tooLarge.length > 0)
      return showAgain(site, request, reply, form);
    return saving(site, request, reply, form, undefined, async () => {
      const { visit } = request;
      const { store, files } = site.service;
      const input = inputOf(form, undefined);
      const page = await createPage(store, files, visit.actor, input, visit.now, {
        format: site.settings.defaultFormat,
      });
      leaveNotice(request, reply, 'created');
      return reply.redirect(pageUrl(page.path), 303);
    });
  });

  server.get('/edit/*', async (request, reply) => {
    const { visit } = request;
    const path = `/${tailOf(request.url, '/edit/*')}`;
    const { actor } = visit;
    if (!actor) throw new Problem('unauthenticated', 'Editing a page needs a signed-in member.');
    const moved = await movedUrl(site, actor, '/edit', path);
    if (moved) return reply.redirect(moved, 308);
    const page = await findWritableWhole(site, actor, path);
    if (!page) return reply.redirect(writeUrl(getUsable(path)), 303);
    const wanted = new URL(request.url, visit.origin).searchParams.get('section');
    const section = wanted === null ? undefined : getSection(page.content, page.path, wanted);
    return sendEditPage(site, request, reply, { page, section, form: formOfPage(page, section) });
  });

  server.post('/edit/*', async (request, reply) => {
    refuseForeign(request);
    const path = `/${tailOf(request.url, '/edit/*')}`;
    const form = await readForm(site, request);
    if (!(await signInAgain(site, request, reply, form))) return reply;
    const page = await findPage(site, request, path);
    if (form.text('intent') !== 'save' || form.tooLarge.length > 0)
      return showAgain(site, request, reply, form, page);
    return saving(site, request, reply, form, page, () => saveEdit(site, request, reply, form, page));
  });
}

async function saveEdit(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  page: WholePage | undefined,
): Promise<FastifyReply> {
  const { visit } = request;
  const { store, files, renderer } = site.service;
  if (!page) throw new Problem('not-found', 'The page is not here any more, or no longer for you to read.');
  const input = await inputWithSection(site, page, form);
  if (input.path !== undefined && form.text('move-seen') !== input.path) {
    const { moves, taken } = await previewMove(store, visit.actor, page.path, input.path);
    const errors =
      taken.length > 0
        ? [{ pointer: '/path', detail: `There is a page at ${taken.join(', ')} already.` }]
        : [];
    const shown = { page, form, errors, section: sectionOfForm(page, form) };
    return sendEditPage(
      site,
      request,
      reply,
      taken.length > 0 ? shown : { ...shown, moves: { to: input.path, pages: moves } },
    );
  }
  const view = await editPage(store, files, renderer, visit.actor, page.path, input, visit.now);
  leaveNotice(request, reply, wasMerged(view.page, input) ? 'merged' : 'saved');
  const section = form.text('section');
  return reply.redirect(
    pageUrl(view.page.path) + (section === '' ? '' : `#${encodeURIComponent(section)}`),
    303,
  );
}

function wasMerged(page: WholePage, input: EditInput): boolean {
  return (page.history.at(-1)?.content.msg ?? '') !== (input.msg ?? '');
}

/** Runs a save; whatever refuses it, the form comes back whole, with the reason beside its cause. */
async function saving(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  page: WholePage | undefined,
  save: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await save();
  } catch (error) {
    const { status, body, isBug } = problemOf(error, request.id);
    logProblem(request, error, isBug);
    if (error instanceof Problem && error.code === 'edit-conflict' && page) {
      const current = await findPage(site, request, page.path);
      if (current) return sendEditPage(site, request, reply, mergedForm(current, form, error), 409);
    }
    const message = isBug
      ? `${String(body.detail)} It is ${request.id}. Your text is kept: try to save again.`
      : String(body.detail);
    const errors: FieldError[] = error instanceof Problem ? (error.errors ?? []) : [];
    if (error instanceof Problem && error.code === 'path-taken')
      errors.push({ pointer: '/path', detail: message });
    const shown: EditPage = { page, form, errors, message, section: page && sectionOfForm(page, form) };
    return sendEditPage(
      site,
      request,
      reply,
      shown,
      error instanceof Problem && error.code === 'not-permitted' ? 403 : status,
    );
  }
}

/** The form as typed, with a preview if one was asked for, and files that this wiki does not take named. */
async function showAgain(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  page?: WholePage,
): Promise<FastifyReply> {
  const { visit } = request;
  const { store, renderer } = site.service;
  const shown: EditPage = { page, form, section: page && sectionOfForm(page, form) };
  if (form.tooLarge.length > 0) {
    const most = readableSize(site.settings.maxUploadBytes);
    const message = `${form.tooLarge.join(', ')}: together the files of a page can have at most ${most} at once. Nothing else of the form is lost.`;
    const errors = [{ pointer: '/files', detail: message }];
    return sendEditPage(site, request, reply, { ...shown, message, errors }, 413);
  }
  if (form.text('intent') !== 'preview') return sendEditPage(site, request, reply, shown);
  const read = readPath(form.text('path') || page?.path || '');
  try {
    const preview = await previewPage(
      store,
      renderer,
      visit.actor,
      {
        body: form.text('body'),
        ...('path' in read ? { path: page?.path ?? read.path } : {}),
        ...(form.text('title').trim() === '' ? {} : { title: form.text('title').trim() }),
        format: readFormat(form.text('format')) ?? page?.content.format ?? site.settings.defaultFormat,
      },
      visit.now,
    );
    return sendEditPage(site, request, reply, { ...shown, preview });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return sendEditPage(
      site,
      request,
      reply,
      { ...shown, message: error.message, errors: error.errors ?? [] },
      400,
    );
  }
}

/** What an address says of a page to be written: `/new?title=…&path=…&parent=…&type=…`. */
async function newForm(site: Site, request: FastifyRequest, query: URLSearchParams): Promise<Form> {
  const path = readPath(query.get('path') ?? '');
  const given = 'path' in path ? path.path : '';
  let parent = query.get('parent') ?? '';
  const above = given.slice(0, given.lastIndexOf('/'));
  if (parent === '' && above !== '' && (await findReadable(site.service.store, request.visit.actor, above)))
    parent = above;
  return formFrom([
    ['title', query.get('title') ?? (given === '' ? '' : titleOf(given))],
    ['path', given],
    ['parent', parent],
    ['type', query.get('type') ?? ''],
    ['body', query.get('body') ?? ''],
    ['permissions', String(defaultPermissions)],
    ['format', site.settings.defaultFormat],
  ]);
}

function formOfPage(page: WholePage, section: SourceSection | undefined): Form {
  return formFrom([...entriesOf(page.content), ...keyEntries(page), ...sectionEntries(page, section)]);
}

/** A page's content as the fields of its form. */
export function entriesOf(content: Content): [string, string][] {
  const { location } = content;
  return [
    ['title', content.title],
    ['body', content.body],
    ['description', content.description ?? ''],
    ['type', content.type ?? ''],
    ['permissions', String(content.permissions).padStart(3, '0')],
    ['place', location === false ? 'none' : location ? 'given' : 'text'],
    ['lat', location ? String(location.lat) : ''],
    ['lon', location ? String(location.lon) : ''],
    ['image', content.image ?? ''],
    ['format', content.format],
    ['data', Object.keys(content.data).length === 0 ? '' : JSON.stringify(content.data, null, 2)],
  ];
}

/** What the edit starts from, and where the page lies: fields left as they were say nothing. */
export function keyEntries(page: WholePage): [string, string][] {
  const parent = page.lineage.at(-1)?.path ?? '';
  return [
    ['base', String(page.changeId)],
    ['path', page.path],
    ['path-was', page.path],
    ['parent', parent],
    ['parent-was', parent],
  ];
}

function sectionEntries(page: WholePage, section: SourceSection | undefined): [string, string][] {
  if (!section) return [];
  return [
    ['section', section.id],
    ['body', page.content.body.slice(section.start, section.end)],
  ];
}

function getSection(content: Content, path: string, id: string): SourceSection {
  const section = sectionsOf({ body: content.body, path }).find((one) => one.id === id);
  if (!section)
    throw new Problem(
      'not-found',
      `The page has no section “${id.slice(0, 100)}” of its own. Edit the whole page.`,
    );
  return section;
}

function sectionOfForm(page: WholePage, form: Form): SourceSection | undefined {
  const id = form.text('section');
  if (id === '') return undefined;
  return (
    sectionsOf({ body: page.content.body, path: page.path }).find((one) => one.id === id) ?? {
      id,
      title: id,
      start: 0,
      end: 0,
    }
  );
}

/** The section put back into the text it was taken from, so that a change elsewhere on the page merges. */
async function inputWithSection(site: Site, page: WholePage, form: Form): Promise<EditInput> {
  const input: EditInput = inputOf(form, page);
  const base = readNumber(form.text('base'));
  if (base !== undefined) input.base = base;
  const id = form.text('section');
  if (id === '') return input;
  const change = base === undefined ? undefined : await site.service.store.changes.find(page.id, base);
  const content = change?.content ?? page.content;
  const section = getSection(content, page.path, id);
  const text = form.text('body').replace(/\r\n?/g, '\n');
  const rest = content.body.slice(section.end);
  const glue = rest !== '' && !text.endsWith('\n') ? '\n' : '';
  input.body = content.body.slice(0, section.start) + text + glue + rest;
  return input;
}

/** Fields as the domain takes them. Those left as they were are left out; an empty one means “as the text says”. */
function inputOf(form: Form, page: Page | undefined): PageInput {
  const input: PageInput = { title: form.text('title'), body: form.text('body'), msg: form.text('msg') };
  for (const name of ['description', 'type', 'image'] as const) {
    if (form.has(name)) input[name] = form.text(name).trim() || null;
  }
  const permissions = form.text('permissions-code').trim() || form.text('permissions');
  // 774 and "0774" are the same to nobody but a person; the domain refuses what is no code.
  if (permissions !== '' && !(page && readPermissionCode(permissions) === page.permissions))
    input.permissions = permissions;
  const [path, parent] = [form.text('path').trim(), form.text('parent').trim()];
  if (path !== '' && path !== form.text('path-was')) input.path = path.startsWith('/') ? path : `/${path}`;
  if (form.has('parent') && (!page || parent !== form.text('parent-was')))
    input.parent = parent === '' ? null : parent;
  const location = readPlace(form);
  if (location !== undefined) input.location = location;
  const format = readFormat(form.text('format'));
  if (format) input.format = format;
  if (form.has('data')) input.data = readData(form.text('data'));
  if (form.files.length > 0) input.files = form.files;
  return input;
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
        throw invalid('/location', 'Give the place as two numbers in degrees, such as 52.5163 and 13.3777.');
      }
      return { lat: Number(lat.replace(',', '.')), lon: Number(lon.replace(',', '.')) };
    }
    default:
      return undefined;
  }
}

function readFormat(text: string): Content['format'] | undefined {
  return text === 'wikitext' || text === 'markdown' ? text : undefined;
}

function readData(text: string): Content['data'] {
  if (text.trim() === '') return {};
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Content['data'];
  } catch {
    // Said below, as for everything else that is no object.
  }
  throw invalid('/data', 'Structured data is one JSON object, such as {"population": 1200}.');
}

function readNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

async function findPage(site: Site, request: FastifyRequest, path: string): Promise<WholePage | undefined> {
  const { store } = site.service;
  const { actor } = request.visit;
  let found = await findReadable(store, actor, path);
  if (!found) {
    // Somebody moved the page while it was edited: the edit follows it.
    const moved = await movedUrl(site, actor, '', path);
    found = moved === undefined ? undefined : await findReadable(store, actor, decodeURIComponent(moved));
  }
  return found && getWhole(store, sightOf(actor), found.id, 'none');
}

/** Refuses `not-permitted`. One that may not be read is as good as missing, here as everywhere on the site. */
export async function findWritableWhole(
  { service: { store } }: Site,
  actor: NonNullable<Actor>,
  path: string,
): Promise<WholePage | undefined> {
  if (!(await findReadable(store, actor, path))) return undefined;
  const page = await getWritable(store, actor, path);
  return getWhole(store, sightOf(actor), page.id, 'none');
}

/** Refuses `not-found` for a path that no page could have. */
function getUsable(path: string): string {
  const read = readPath(path);
  if ('path' in read && !isReserved(read.path)) return read.path;
  throw new Problem('not-found', `There can be no page at ${path.slice(0, 200)}.`);
}
