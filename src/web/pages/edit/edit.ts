/**
 * Writing: a new page, a whole page, or a section. Plain forms that keep all input through errors, conflicts, lost sessions and
 * failures.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { yourSide } from '#core/content/conflict-marks.ts';
import type { WholePage } from '#core/model/page.ts';
import { isReserved, readPath } from '#core/model/path.ts';
import { freePathOf, freeWords } from '#core/model/path-taken.ts';
import { type FieldError, fieldError, Problem } from '#core/model/problem.ts';
import { refuseUnlessWritable } from '#core/pages/edit-page.ts';
import { pageCreation, pageEdit } from '#core/pages/operations.ts';
import { bodyPreview, movePreview, pageBeginning, pageOpening } from '#core/pages/preview-operations.ts';
import { refuseProtectedHere } from '#core/pages/protection.ts';
import type { Reader } from '#core/ports/reader.ts';
import { findReadable, getWhole } from '#core/reading/find-page.ts';
import { signingIn } from '#core/sign-in/session-operations.ts';
import { logProblem, problemOf } from '#http/problems.ts';
import { say } from '#words/say.ts';
import { pageUrl, urlOfVisit } from '../../components.ts';
import { formRoutes, redirectWithNotice, refusalOf } from '../../form-routes.ts';
import { sizeWords } from '../../format.ts';
import { type Form, formFrom, formWith } from '../../forms.ts';
import { pickedFreePath } from '../../free-path.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import { movedUrl, pathOf } from '../../page-address.ts';
import type { Site, Visit } from '../../site.ts';
import { mergedForm } from '../merge.ts';
import { withFoundMember } from '../responsible-field.ts';
import { reauthenticate } from '../sign-in/reauthenticate.ts';
import { titleOf, writeUrl } from '../view/not-found.ts';
import { unsolvedConflicts, withChosenSides } from './conflict-choices.ts';
import {
  entriesOf,
  formOfPage,
  getSection,
  inputOf,
  inputWithSection,
  readFormat,
  sectionOfForm,
} from './edit-fields.ts';
import { type EditPage, sendEditPage } from './edit-form.ts';
import { begunForm, withDefaultTemplate, withTemplate } from './template-choice.ts';

export function editRoutes(server: FastifyInstance, site: Site): void {
  server.get('/new', reads(pageBeginning), async (request, reply) => {
    if (!request.visit.actor) throw new Problem('unauthenticated', say('edit.signInToWriteAPage'));
    const { isProposal } = await carryFor(site, request)(pageBeginning, {});
    const query = urlOfVisit(request.visit).searchParams;
    const form = await withDefaultTemplate(request.reader, query, await newForm(site, request, query));
    try {
      return await sendEditPage(site, reply, { form: await begunForm(request.reader, form), isProposal });
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'invalid')) throw error;
      return sendEditPage(site, reply, {
        form: formWith(form, { from: '' }),
        ...refusalOf(error),
        status: 400,
      });
    }
  });

  const onForm = formRoutes(server, site);
  onForm('/new', [pageCreation, bodyPreview, signingIn], async (given, request, reply) => {
    const form = withPickedPath(given);
    if (!(await reauthenticate(site, reply, form))) return reply;
    if (form.text('intent') !== 'save' || form.tooLarge.length > 0) return showAgain(site, reply, form);
    return saving({ site, reply }, form, undefined, async () => {
      const found = await withFoundMember(site.service.store, request.visit.actor, form);
      const page = await carryFor(site, request)(pageCreation, {
        page: withTemplate(form, inputOf(found, undefined)),
        defaultFormat: site.settings.defaultFormat,
      });
      return redirectWithNotice(reply, pageUrl(page.path), 'created');
    });
  });

  server.get('/edit/*', reads(pageOpening), async (request, reply) => {
    const { visit } = request;
    const path = pathOf(request);
    if (!visit.actor) throw new Problem('unauthenticated', say('edit.signInToEditAPage'));
    const moved = await movedUrl(request.reader, '/edit', path);
    if (moved) return reply.redirect(moved, 308);
    const { page, isProposal } = await carryFor(site, request)(pageOpening, { path });
    if (!page) return reply.redirect(writeUrl(getUsable(path)), 303);
    const wanted = urlOfVisit(visit).searchParams.get('section');
    const section =
      wanted === null ? undefined : getSection(page.content, page.path, wanted, site.service.store.dialect);
    const form = formOfPage(page, section);
    beginDocument(site, request, page, form);
    return sendEditPage(site, reply, { page, section, form, isProposal });
  });

  onForm('/edit/*', [pageEdit, bodyPreview, movePreview, signingIn], async (given, request, reply) => {
    const form = withChosenSides(withPickedPath(given));
    if (!(await reauthenticate(site, reply, form))) return reply;
    const page = await findPage(request.reader, pathOf(request));
    if (form.text('intent') !== 'save' || form.tooLarge.length > 0) return showAgain(site, reply, form, page);
    const left = unsolvedConflicts(form);
    if (left > 0)
      return sendEditPage(site, reply, {
        page,
        form,
        message: say('edit.conflictsLeft', { count: left }),
        status: 409,
      });
    return saving({ site, reply }, form, page, () => saveForm(site, reply, form, page));
  });
}

/** Below this length, a document is read at once. */
const leastBegun = 20_000;

/** Begins with the document of a long text, which the visual editor asks for once its scripts run. */
function beginDocument(site: Site, request: FastifyRequest, page: WholePage, form: Form): void {
  const source = { body: form.text('body'), format: page.content.format, path: page.path };
  if (source.body.length < leastBegun) return;
  const { language } = site.costs.rendererFor(request, request.visit.actor, true);
  language.document(source, request.reader.dialect).catch(() => {
    // The editor's own request says why.
  });
}

async function saveForm(
  site: Site,
  reply: FastifyReply,
  form: Form,
  page: WholePage | undefined,
): Promise<FastifyReply> {
  const { store } = site.service;
  if (!page) throw new Problem('not-found', say('edit.thePageNoLongerExistsOrYou'));
  const found = await withFoundMember(store, reply.request.visit.actor, form);
  const input = await inputWithSection(reply.request.reader, page, found);
  if (input.path !== undefined && form.text('move-seen') !== input.path) {
    const { moves, taken, freePath } = await carryFor(site, reply.request)(movePreview, {
      path: page.path,
      to: input.path,
      ...(input.parent === undefined ? {} : { parent: String(input.parent ?? '') }),
    });
    const shown = { page, form, section: sectionOfForm(page, form, store.dialect) };
    if (taken.length === 0)
      return sendEditPage(site, reply, { ...shown, moves: { to: input.path, pages: moves } });
    const exists = say('edit.pageAlreadyExists', { paths: taken.join(', ') });
    const words =
      freePath === undefined ? exists : say('edit.andFree', { exists, free: freeWords(freePath) });
    return sendEditPage(site, reply, { ...shown, errors: [fieldError('/path', words)], freePath });
  }
  const { path } = page;
  const edit = { ...input, removeFiles: form.all('remove-file') };
  const saved = await carryFor(site, reply.request)(pageEdit, { path, edit });
  const section = form.text('section');
  const hash = section === '' ? '' : `#${encodeURIComponent(section)}`;
  return redirectWithNotice(reply, pageUrl(saved.page.path) + hash, saved.outcome);
}

/** A press of the button with the next free address saves there. */
function withPickedPath(form: Form): Form {
  const path = pickedFreePath(form);
  return path === undefined ? form : formWith(form, { path, intent: 'save', 'use-path': '' });
}

/** Runs a save. If it is refused, shows the form as typed, with the error at its field. */
async function saving(
  { site, reply }: { site: Site; reply: FastifyReply },
  form: Form,
  page: WholePage | undefined,
  save: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await save();
  } catch (error) {
    const { status, isBug } = problemOf(error, reply.request.id);
    logProblem(reply.request, error, isBug);
    if (error instanceof Problem && error.code === 'edit-conflict' && page) {
      const current = await findPage(reply.request.reader, page.path);
      if (current) {
        const { language } = site.costs.rendererFor(reply.request, reply.request.visit.actor, true);
        const { store } = site.service;
        const merged = await mergedForm(
          reply.request,
          current,
          { sent: form, problem: error },
          { language, store },
        );
        return sendEditPage(site, reply, { ...merged, status: 409 });
      }
    }
    const message = isBug
      ? say('edit.notSaved', {
          detail: say('problemPage.theOperatorCanFindTheCause'),
          id: reply.request.id,
        })
      : (error as Problem).words;
    const errors: FieldError[] = error instanceof Problem ? (error.errors ?? []) : [];
    if (error instanceof Problem && error.code === 'path-taken') errors.push(fieldError('/path', message));
    const shown: EditPage = {
      page,
      form,
      errors,
      message,
      freePath: freePathOf(error),
      section: page && sectionOfForm(page, form, site.service.store.dialect),
      status: error instanceof Problem && error.code === 'not-permitted' ? 403 : status,
    };
    return sendEditPage(site, reply, shown);
  }
}

/** Shows the form as typed, with a preview if requested, and names files that were refused. */
async function showAgain(
  site: Site,
  reply: FastifyReply,
  form: Form,
  page?: WholePage,
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { store } = site.service;
  const shown: EditPage = { page, form, section: page && sectionOfForm(page, form, store.dialect) };
  if (form.tooLarge.length > 0) {
    const most = sizeWords(site.settings.maxUploadBytes);
    const message = say('edit.filesTooLarge', { files: form.tooLarge.join(', '), size: most });
    const errors = [fieldError('/files', message)];
    return sendEditPage(site, reply, { ...shown, message, errors, status: 413 });
  }
  if (form.text('intent') !== 'preview') return sendEditPage(site, reply, shown);
  const read = readPath(form.text('path') || page?.path || '');
  try {
    const renderer = site.costs.rendererFor(reply.request, visit.actor, true);
    const input = {
      // Shows your side of conflicts, because conflict marks would be rendered as headings and quotes.
      body: yourSide(form.text('body').replace(/\r\n?/g, '\n')),
      ...('path' in read ? { path: page?.path ?? read.path } : {}),
      ...(form.text('title').trim() === '' ? {} : { title: form.text('title').trim() }),
      format: readFormat(form.text('format')) ?? page?.content.format ?? site.settings.defaultFormat,
    };
    const preview = await carryFor(site, reply.request, renderer)(bodyPreview, input);
    return sendEditPage(site, reply, { ...shown, preview });
  } catch (error) {
    return sendEditPage(site, reply, { ...shown, ...refusalOf(error), status: 400 });
  }
}

/** Fields of a new page from its URL: `/new?title=…&path=…&parent=…&type=…`, or those of the page to be translated. */
async function newForm(site: Site, request: FastifyRequest, query: URLSearchParams): Promise<Form> {
  const translated = query.get('translationOf');
  const original = translated === null ? undefined : await findPage(request.reader, translated);
  if (original)
    return formFrom([
      ...entriesOf(original.content).filter(([name]) => ['title', 'body', 'type', 'format'].includes(name)),
      ['parent', original.lineage.at(-1)?.path ?? ''],
      ['translationOf', original.path],
      ['language', query.get('language') ?? languageOfReader(site, request.visit, original)],
    ]);
  const path = readPath(query.get('path') ?? '');
  const given = 'path' in path ? path.path : '';
  let parent = query.get('parent') ?? '';
  const above = given.slice(0, given.lastIndexOf('/'));
  if (parent === '' && above !== '' && (await findReadable(request.reader, above))) parent = above;
  const title = query.get('title') ?? (given === '' ? '' : titleOf(given));
  const type = /^Template:./i.test(title) ? 'Template' : '';
  return formFrom([
    ['title', title],
    ['path', given],
    ['parent', parent],
    ['type', query.get('type') ?? type],
    ['from', query.get('from') ?? ''],
    ['body', query.get('body') ?? ''],
    ['format', site.settings.defaultFormat],
  ]);
}

/** The reader's, unless the original is in it. */
function languageOfReader(site: Site, { language }: Visit, original: WholePage): string {
  const own = original.language ?? site.look().settings.language;
  return own.split('-')[0] === language.split('-')[0] ? '' : language;
}

async function findPage(reader: Reader, path: string): Promise<WholePage | undefined> {
  let found = await findReadable(reader, path);
  if (!found) {
    // The page was moved during editing: the edit applies at its new path.
    const moved = await movedUrl(reader, '', path);
    found = moved === undefined ? undefined : await findReadable(reader, decodeURIComponent(moved));
  }
  return found && getWhole(reader, found.id, 'none');
}

/** Refuses `not-permitted` and `protected`. Unreadable pages count as missing, as everywhere on the site. */
export async function findWritableWhole(
  reader: Reader,
  path: string,
  now: number,
): Promise<WholePage | undefined> {
  const page = await findReadable(reader, path);
  if (page) refuseUnlessWritable(reader.actor, page, reader);
  const whole = page && (await getWhole(reader, page.id, 'none'));
  if (whole) refuseProtectedHere(reader.actor, whole, now);
  return whole;
}

/** Refuses `not-found` for an invalid path. */
function getUsable(path: string): string {
  const read = readPath(path);
  if ('path' in read && !isReserved(read.path)) return read.path;
  throw new Problem('not-found', say('edit.noAddress', { path: path.slice(0, 200) }));
}
