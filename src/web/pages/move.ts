/** Moves a page in two steps: first a preview of moving pages, conflicts and access, then the move. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WholePage } from '#core/model/page.ts';
import { readPath } from '#core/model/path.ts';
import type { Wiki } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { generatedPath } from '#core/pages/create-page.ts';
import { refuseLoop } from '#core/pages/edit-page.ts';
import { pageEdit } from '#core/pages/operations.ts';
import { movePreview } from '#core/pages/preview-operations.ts';
import type { Reader } from '#core/ports/reader.ts';
import { findReadable } from '#core/reading/find-page.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { pageLink, pageUrl, urlOfVisit } from '../components.ts';
import { described, errorSummary, field, mistake } from '../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice, refusalOf } from '../form-routes.ts';
import { permissionWords } from '../format.ts';
import { type Form, formFrom, formWith } from '../forms.ts';
import { freePathButton, pickedFreePath } from '../free-path.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import { followMove, pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';
import { findWritableWhole } from './edit/edit.ts';

const listed = 100;

export function moveRoutes(server: FastifyInstance, site: Site): void {
  server.get('/move/*', { ...reads(movePreview), preHandler: followMove }, async (request, reply) => {
    const page = await getMovable(request);
    const parent = urlOfVisit(request.visit).searchParams.get('parent');
    const form = formFrom([
      ['parent', parent ?? page.lineage.at(-1)?.path ?? ''],
      ['slug', lastPart(page.path)],
    ]);
    if (parent === null) return sendMove(site, reply, { form });
    try {
      const { preview } = await previewed({ site, request }, form, page);
      return await sendMove(site, reply, { form, preview });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return sendMove(site, reply, { form, ...refusalOf(error), status: 400 });
    }
  });

  const onForm = formRoutes(server, site, sendMove);
  onForm('/move/*', [pageEdit], async (given, request, reply) => {
    const free = pickedFreePath(given);
    const form = free === undefined ? given : formWith(given, { slug: lastPart(free), 'use-path': '' });
    const page = await getMovable(request);
    const { parent, to, isParentKept, preview } = await previewed({ site, request }, form, page);
    // Enter in a field presses the first button; a move to another target than the previewed one is previewed first.
    if (form.text('intent') !== 'move' || form.text('seen') !== to || preview.taken.length > 0) {
      return sendMove(site, reply, { form, preview });
    }
    const input = {
      ...(isParentKept ? {} : { parent }),
      path: to,
      msg: form.text('msg') || `Moved from ${page.path}`,
      base: page.changeId,
    };
    const moved = await carryFor(site, request)(pageEdit, { path: page.path, edit: input });
    return redirectWithNotice(reply, pageUrl(moved.page.path), 'moved');
  });
}

/** The target that the form names, with the pages that would move there. Refuses `invalid`, `path-loop`. */
async function previewed(
  { site, request }: { site: Site; request: FastifyRequest },
  form: Form,
  page: WholePage,
) {
  const { parent, to } = await readTarget(request.reader, form, page);
  const isParentKept = parent === (page.lineage.at(-1)?.path ?? null);
  if (to === page.path && isParentKept) throw invalid('/slug', say('move.thePageAlreadyHasThisAddress'));
  const target = { path: page.path, to, ...(isParentKept ? {} : { parent: parent ?? '' }) };
  const preview = await carryFor(site, request)(movePreview, target);
  return { parent, to, isParentKept, preview: { ...preview, to } };
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

interface Shown extends RefusedForm {
  form: Form;
  preview?: { to: string; moves: { from: string; to: string }[]; taken: string[]; freePath?: string };
}

async function sendMove(site: Site, reply: FastifyReply, shown: Shown): Promise<FastifyReply> {
  const { form, preview, errors = [] } = shown;
  const page = await getMovable(reply.request);
  const main = html`<div class="plain move">
<p class="above">${pageLink(page)}</p>
<h1>${say('move.moveThisPage')}</h1>
<p class="lede">${say('move.allPagesBelowItAreMovedAs')}</p>
${errorSummary(shown.message)}
<form method="post" action="${urlOf('/move', page.path)}" class="narrow-form" data-path="${page.path}" data-complete-url="/search/titles">
<p class="quiet">${say('move.nowAtPath', { path: html`<code dir="auto">${page.path}</code>` })}</p>
${field(
  'parent',
  say('move.newParentPage'),
  html`value="${form.text('parent')}" placeholder="${say('editForm.atTheRoot')}" autocomplete="off"`,
  { errors, hint: html`${say('move.itsAddressSuchAsCodeEmptyFor', { code: html`<code>/garden</code>` })}` },
)}
<div class="field"><label for="slug">${say(
    'move.lastPartOfTheNewAddress',
  )}</label><input id="slug" name="slug" required value="${form.text('slug')}" autocomplete="off"${described(
    errors,
    'slug',
  )}>${mistake(errors, 'slug')}${mistake(errors, 'path')}${mistake(errors, 'to')}</div>
${preview && previewOf(reply.request.visit, page, preview)}
${
  preview &&
  preview.taken.length === 0 &&
  html`<input type="hidden" name="seen" value="${preview.to}">
${field('msg', say('move.message'), html`value="${form.text('msg')}" placeholder="${say('move.movedFrom', { path: page.path })}" dir="auto"`)}`
}
<div class="buttons">
${preview && preview.taken.length === 0 && html`<button type="submit" name="intent" value="move" class="button">${say('move.movePage', { count: preview.moves.length })}</button>`}
<button type="submit" name="intent" value="preview" class="button${preview ? ' quiet-button' : ''}">${say('move.showWhichPagesMove')}</button>
${freePathButton(preview?.freePath ?? shown.freePath, say('move.moveItTo'))}
<a href="${pageUrl(page.path)}">${say('move.cancel')}</a></div>
</form></div>`;
  const layout = {
    title: say('move.moveTitle', { title: page.title }),
    kind: 'move',
    main,
    scripts: ['move'],
  };
  return sendLayout(site, reply, { ...layout, status: shown.status });
}

function previewOf(wiki: Wiki, page: WholePage, { moves, taken, to }: NonNullable<Shown['preview']>): Html {
  if (taken.length > 0) {
    return html`<div class="banner bad" role="alert"><p>${taken.length === 1 ? say('move.itCannotBeMovedThereBecause') : say('move.cannotBeMovedThere', { count: taken.length })}</p>
<ul>${taken.slice(0, listed).map((path) => html`<li><code dir="auto">${path}</code></li>`)}</ul></div>`;
  }
  return html`<div class="banner" role="status"><p>${say('move.pageMovesToTo', { count: moves.length, to: html`<code dir="auto">${to}</code>` })}</p>
<ul class="moves">${moves.slice(0, listed).map(({ from, to }) => html`<li><code dir="auto">${from}</code> → <code dir="auto">${to}</code></li>`)}${
    moves.length > listed && html`<li>${say('common.andMore', { count: moves.length - listed })}</li>`
  }</ul>
<p>${say('move.whoMayReadThePagesDoesNot', { access: permissionWords(page.permissions, { group: page.group, wiki }, {}, 'within') })}</p></div>`;
}

/** The chosen parent under its current path, and the resulting path. Refuses `invalid`, `path-loop`. */
async function readTarget(
  reader: Reader,
  form: Form,
  page: WholePage,
): Promise<{ parent: string | null; to: string }> {
  const named = form.text('parent').trim();
  const slug = form
    .text('slug')
    .trim()
    .replace(/^\/+|\/+$/g, '');
  if (slug === '' || slug.includes('/')) throw invalid('/slug', say('move.theLastPartOfAnAddressIsOne'));
  if (named === '' || named === '/') return { parent: null, to: generatedPath(null, slug) };
  const above = page.lineage.at(-1);
  // Changing only the last segment does not require reading the parent.
  if (above?.path === named) return { parent: named, to: generatedPath(above, slug) };
  const read = readPath(named);
  const parent = 'path' in read ? await findReadable(reader, read.path) : undefined;
  if (!parent) throw invalid('/parent', say('move.noSuchParent', { path: named }));
  refuseLoop(page, parent);
  return { parent: parent.path, to: generatedPath(parent, slug) };
}

async function getMovable(request: FastifyRequest): Promise<WholePage> {
  const { visit, reader } = request;
  const path = pathOf(request);
  if (!visit.actor) throw new Problem('unauthenticated', say('move.signInToMoveAPage'));
  const page = await findWritableWhole(reader, path, visit.now);
  if (!page) throw new Problem('not-found', say('move.noSuchPage', { path: path.slice(0, 200) }));
  return page;
}
