/** The file library: all files in a grid, with their uses, and ways to replace and remove them. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { fileList } from '#core/files/operations.ts';
import { invalid } from '#core/model/problem.ts';
import { pageEdit } from '#core/pages/operations.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { type FileOrder, fileOrders, type LibraryFile } from '#core/ports/file-rows.ts';
import { bareType, fileUrl } from '#core/ports/file-store.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { changedAddress, joined, pageLink, pagingLinks, urlOfVisit } from '../components.ts';
import { checkbox, choices, errorSummary } from '../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { fileKind, sizeWords, timeAgo } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Html, html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import type { Site, Visit } from '../site.ts';

const shown = 60;

const kinds = {
  'image/*': say('files.pictures'),
  'video/*': say('files.videos'),
  'audio/*': say('files.sound'),
  'text/*': say('files.texts'),
  'application/*': say('files.documentsAndOthers'),
};
const orders: Record<FileOrder, Words> = {
  name: say('common.name'),
  date: say('files.latest'),
  size: say('files.largest'),
};

export function fileLibraryRoutes(server: FastifyInstance, site: Site): void {
  server.get('/files', reads(fileList), async (_request, reply) => sendFiles(site, reply));

  const onForm = formRoutes(server, site, sendFiles);
  onForm('/files', [pageEdit], async (form, request, reply) => {
    const [path, filename] = [form.text('page'), form.text('filename')];
    const isRemoval = form.text('intent') === 'remove';
    const change = isRemoval
      ? { removeFiles: [form.text('name')], msg: `Removed ${filename}` }
      : { files: [{ file: { ...replacement(site, form), filename } }], msg: `Replaced ${filename}` };
    const { outcome } = await carryFor(site, request)(pageEdit, { path, edit: change });
    const done = isRemoval ? 'file-removed' : 'file-replaced';
    return redirectWithNotice(reply, request.url, outcome === 'unchanged' ? outcome : done);
  });
}

function replacement({ settings }: Site, form: Form) {
  const [given] = form.files;
  if (given) return given.file;
  throw invalid(
    '/file',
    form.tooLarge.length > 0
      ? say('files.tooLarge', { size: sizeWords(settings.maxUploadBytes) })
      : say('files.chooseAFileFirst'),
  );
}

async function sendFiles(
  site: Site,
  reply: FastifyReply,
  { message, errors = [], status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const url = urlOfVisit(visit);
  const given = (name: string) => url.searchParams.get(name)?.trim() || undefined;
  const sort = (Object.keys(fileOrders) as FileOrder[]).find((order) => order === given('sort')) ?? 'name';
  const unused = url.searchParams.has('unused');
  const query = {
    q: given('q'),
    mime: given('mime'),
    page: given('page'),
    ancestor: given('ancestor'),
    unused,
    sort,
  };
  const cursor = given('cursor');
  const { files, next } = await carryFor(site, reply.request)(fileList, {
    query: { ...query, cursor, limit: shown },
  });
  const pageIds = files.map(({ page }) => page.id);
  const editable = await editableAmong(reply.request.reader, pageIds, visit.now);
  const place = query.page ?? query.ancestor;
  const isLimited = query.q !== undefined || query.mime !== undefined || unused || place !== undefined;
  const main = html`<div class="plain">
<h1>${say('files.files')}</h1>
<p class="lede">${unused ? say('files.filesThatNoPageShowsOrLinks') : say('files.picturesDocumentsAndOther')}${
    place !== undefined &&
    html` ${query.page === undefined ? say('files.onPagesBeneath') : say('files.onThePage')} <code dir="auto">${place}</code>.`
  }</p>
${errorSummary(errors[0]?.detail ?? message)}
<form method="get" action="/files" class="file-filter">
${query.page !== undefined && html`<input type="hidden" name="page" value="${query.page}">`}${query.ancestor !== undefined && html`<input type="hidden" name="ancestor" value="${query.ancestor}">`}
<p><label for="files-q">${say('common.name')}</label><input id="files-q" type="search" name="q" value="${query.q ?? ''}" autocomplete="off" spellcheck="false"></p>
<p><label for="files-mime">${say('files.kind')}</label><select id="files-mime" name="mime"><option value="">${say('files.all')}</option>${choices(Object.entries(kinds), query.mime)}</select></p>
<p><label for="files-sort">${say('files.order')}</label><select id="files-sort" name="sort">${choices(Object.entries(orders), sort)}</select></p>
${checkbox('unused', '1', unused, say('files.unusedOnly'))}
<button type="submit">${say('files.show')}</button>${isLimited && html` <a href="/files">${say('files.showAllFiles')}</a>`}</form>
${
  files.length === 0
    ? html`<p class="empty">${isLimited ? say('files.noMatchingFiles') : say('files.noPageHasFilesYetYouCanAdd')}</p>`
    : html`<ul class="file-grid">${files.map((file) => card(visit, reply.request.url, file, editable.has(file.page.id)))}</ul>`
}
${pagingLinks(
  cursor !== undefined &&
    html`<a href="${changedAddress(url, { cursor: undefined })}">${say('files.first')}</a>`,
  next !== undefined &&
    html`<a rel="next" href="${changedAddress(url, { cursor: next })}">${say('files.more')}</a>`,
)}
</div>`;
  return sendLayout(site, reply, { title: say('files.files'), kind: 'files', main, status });
}

function card(
  { now }: Visit,
  here: string,
  { file, page, versions, usedOn, hasMoreUses }: LibraryFile,
  isEditable: boolean,
): Html {
  const { name, filename, mime, sizeBytes, thumbnail, uploadedAt, width, height } = file;
  const measures = width === null || height === null ? [] : [html`<bdi dir="ltr">${width} × ${height}</bdi>`];
  const facts = [html`<bdi>${sizeWords(sizeBytes)}</bdi>`, ...measures, timeAgo(uploadedAt, now)];
  return html`<li>
<a class="file-picture" href="${fileUrl(name)}" tabindex="-1" aria-hidden="true">${
    thumbnail === null
      ? html`<span>${fileKind(filename)}</span>`
      : html`<img src="${fileUrl(thumbnail)}" alt="" loading="lazy">`
  }</a>
<div class="file-facts">
<p class="file-name"><a href="${fileUrl(name)}" dir="auto">${filename}</a></p>
<p class="quiet" title="${bareType(mime)}">${joined(facts)}</p>
<p>${say('files.ofPage', { page: pageLink(page) })}${versions > 1 && html` · <a href="${urlOf('/history', page.path)}">${say('count.versions', { count: versions })}</a>`}</p>
<p>${
    usedOn.length === 0
      ? html`<span class="quiet">${say('files.notUsedOnAnyPage')}</span>`
      : say(hasMoreUses ? 'files.usedOnAndOthers' : 'files.usedOn', {
          pages: html`${joined(usedOn.map(pageLink))}`,
        })
  }</p>
${isEditable && changes(here, file, page, usedOn.length > 0)}
</div></li>`;
}

function changes(
  here: string,
  { name, filename }: LibraryFile['file'],
  page: LibraryFile['page'],
  isUsed: boolean,
): Html {
  const fields = html`<input type="hidden" name="page" value="${page.path}"><input type="hidden" name="filename" value="${filename}">`;
  return html`<details name="file-changes"><summary>${say('files.replaceOrRemoveFilename', { filename, span: (words) => html`<span class="unseen">${words}</span>` })}</summary>
<form method="post" action="${here}" enctype="multipart/form-data">${fields}
<label>${say('files.newVersionOfTheFile')} <input type="file" name="file" required></label>
<button type="submit" name="intent" value="replace">${say('files.replace')}</button></form>
<form method="post" action="${here}">${fields}<input type="hidden" name="name" value="${name}">
<p class="quiet">${isUsed ? say('files.pagesThatUseItWillShowAGap') : say('files.noPageUsesIt')} ${say('files.itStaysInTheHistory')}</p>
<button type="submit" name="intent" value="remove">${say('files.remove')}</button></form></details>`;
}
