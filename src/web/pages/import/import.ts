/** Importing another wiki, for administrators: choose a file, preview, import, report. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  importBeginning,
  importCancellation,
  importList,
  importReading,
  importRepetition,
  importUploadReading,
} from '#core/imports/operations.ts';
import { invalid } from '#core/model/problem.ts';
import type { ImportJob, ReceiveUpload } from '#core/ports/import-store.ts';
import { partsOf } from '#http/request-body/multipart.ts';
import { type ImportRequest, maxImportBytes, readParent } from '#import/imports.ts';
import type { JobCertificate } from '#import/job.ts';
import { maxOriginLength } from '#import/origin.ts';
import { kinds } from '#import/source.ts';
import { say } from '#words/say.ts';
import { stored } from '#words/stored.ts';
import { errorSummary, field } from '../../form-fields.ts';
import { type ById, formRoutes, idOf, type RefusedForm, refusalOf } from '../../form-routes.ts';
import { plainNumber, timeAgo } from '../../format.ts';
import { type Form, formFrom, maxTexts } from '../../forms.ts';
import { type Html, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';
import { accountOf, sendList } from './import-account.ts';
import { previewOf, sourceFields, whereFrom } from './import-preview.ts';

const untilItEnds = 2 ** 31 - 1;
const reloadSeconds = 3;
const upload = {
  bodyLimit: maxImportBytes,
  handlerTimeout: untilItEnds,
  config: { operations: [importBeginning], audit: importBeginning.audit, isEndless: true },
};

export function importRoutes(server: FastifyInstance, site: Site): void {
  server.get('/import', reads(importList), async (_request, reply) => sendImports(site, reply));

  server.post('/import', upload, async (request, reply) => {
    const fields = new Map<string, string>();
    try {
      const receive: ReceiveUpload = async (write) => {
        let filename = '';
        for await (const part of partsOf(request, maxTexts)) {
          if (part.type === 'text') fields.set(part.fieldname, part.text);
          else if (part.filename) {
            filename = part.filename;
            await write(part.file);
          } else part.file.resume();
        }
        return { filename, ...sourceIn(formFrom(fields)), isDry: true };
      };
      const id = await carryFor(site, request)(importBeginning, { receive });
      return reply.redirect(`/import/${id}`, 303);
    } catch (error) {
      return sendImports(site, reply, {
        ...refusalOf(error, ['invalid', 'too-many-requests', 'too-large', 'unavailable']),
        form: formFrom(fields),
      });
    }
  });

  server.get<{ Params: ById }>(
    '/import/:id',
    reads(importReading, importUploadReading),
    async ({ params }, reply) => sendImport(site, reply, {}, params),
  );

  const onForm = formRoutes<ById>(server, site, sendImport, { codes: ['invalid', 'too-many-requests'] });
  onForm('/import/:id', [importRepetition, importCancellation], async (form, request, reply) => {
    const carry = carryFor(site, request);
    const id = idOf(request);
    switch (form.text('what')) {
      case 'import':
        return reply.redirect(
          `/import/${await carry(importRepetition, { id, changes: choiceIn(form) })}`,
          303,
        );
      case 'look': {
        const next = await carry(importRepetition, { id, changes: { ...sourceIn(form), isDry: true } });
        return reply.redirect(`/import/${next}`, 303);
      }
      case 'cancel':
        await carry(importCancellation, { id });
        return reply.redirect(`/import/${id}`, 303);
      default:
        throw invalid('/what', say('common.chooseAnAction'));
    }
  });

  server.get<{ Params: ById & { list: string } }>(
    '/import/:id/:list',
    reads(importReading),
    async (request, reply) => {
      const job = await carryFor(site, request)(importReading, { id: idOf(request) });
      return sendList({ site, reply }, job.id, request.params.list, certificateOf(job));
    },
  );
}

function sourceIn(form: Form): Pick<ImportRequest, 'kind' | 'parentPath'> {
  const name = form.text('kind');
  const kind = kinds.find((one) => one === name);
  if (name !== '' && !kind) throw invalid('/kind', say('import.chooseAKindFromTheList'));
  return { kind, parentPath: readParent(form.text('parent')) };
}

/** Options of the import that follows a preview. */
function choiceIn(form: Form): Partial<ImportRequest> {
  const source = form.text('source').trim();
  if (source.length > maxOriginLength)
    throw invalid('/source', say('import.nameTooLong', { count: maxOriginLength }));
  const [prunes, fetches] = [form.text('prune') !== '', form.text('fetch') !== ''];
  return { isDry: false, prunes, fetches, ...(source === '' ? {} : { source }) };
}

function certificateOf({ certificate }: ImportJob): JobCertificate | undefined {
  return certificate === null ? undefined : JSON.parse(certificate);
}

async function sendImports(
  site: Site,
  reply: FastifyReply,
  { message, errors, form, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const jobs = await carryFor(site, reply.request)(importList, {});
  const main = html`<div class="plain">
<h1>${say('import.import')}</h1>
<p class="lede">${say('import.importAnotherWikiWithIts')}</p>
${errorSummary(message)}
<form method="post" action="/import" enctype="multipart/form-data" class="narrow-form">
${sourceFields({ kind: form?.text('kind'), parent: form?.text('parent'), errors })}
${field('file', say('import.file'), html`type="file" required`, { hint: say('import.aDumpOfAMediawikiXmlAlsoBz2') })}
<div class="buttons"><button type="submit" class="button">${say('import.preview')}</button></div></form>
${whereFrom}
${
  jobs.length > 0 &&
  html`<section><h2>${say('import.latestImports')}</h2><ul class="updates">${jobs.map(
    (job) =>
      html`<li><a class="updates-page" href="/import/${job.id}">${say('import.importId', { id: job.id })}</a> <span class="quiet">${say(
        'import.stateBegunTime',
        { state: stateWords(job), time: timeAgo(job.begunAt, visit.now) },
      )}</span></li>`,
  )}</ul></section>`
}
</div>`;
  return sendLayout(site, reply, { title: say('import.import'), kind: 'import', main, status });
}

function stateWords({ state, done, total }: Pick<ImportJob, 'state' | 'done' | 'total'>): Words {
  if (state === 'running') return say('import.running');
  if (state === 'failed') return say('import.failed');
  if (state === 'cancelled') return say('import.cancelled');
  return done === 0
    ? say('import.previewOfPages', { count: total ?? 0 })
    : say('import.importedPages', { count: done });
}

async function sendImport(
  site: Site,
  reply: FastifyReply,
  refused: RefusedForm,
  params: ById,
): Promise<FastifyReply> {
  const carry = carryFor(site, reply.request);
  const job = await carry(importReading, { id: idOf({ params }) });
  const upload = (await carry(importUploadReading, { id: job.id })) as ImportRequest | undefined;
  const certificate = certificateOf(job);
  const { title, body } =
    certificate === undefined
      ? unfinished(job, upload)
      : certificate.isDryRun
        ? { title: say('import.pagesThatTheImportWould'), body: previewOf(job, certificate, upload, refused) }
        : { title: say('import.imported'), body: accountOf(job.id, certificate) };
  const main = html`<div class="plain">
<p class="above"><a href="/import">${say('import.import')}</a></p>
<h1>${title}</h1>
${errorSummary(refused.message)}
${body}
</div>`;
  const isRunning = job.state === 'running';
  return sendLayout(site, reply, {
    title,
    kind: 'import',
    main,
    ...(isRunning && {
      head: html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`,
      scripts: ['import'],
    }),
    status: refused.status,
  });
}

function unfinished(job: ImportJob, upload: ImportRequest | undefined): { title: Words; body: Html } {
  const { id, state, done, total, error } = job;
  const act = (what: string, words: Words, more = '') =>
    html`<form method="post" action="/import/${id}" class="buttons"><button type="submit" name="what" value="${what}" class="button${more}">${words}</button></form>`;
  const name = upload?.filename ? html`<bdi>${upload.filename}</bdi>` : say('import.theFile');
  if (state === 'running')
    return {
      title: upload?.isDry ? say('import.readingTheFile') : say('import.importing'),
      body: html`<div data-import="${id}">
<p class="lede"><span data-import-words>${
        total === null || upload?.isDry
          ? html`${say('import.readingName', { name })}`
          : html`${say('import.numberOfNumber2PagesHaveBeen', { number: plainNumber(done), number2: plainNumber(total) })}`
      }</span></p>
<p><progress${total !== null && !upload?.isDry && html` value="${done}" max="${total}"`}>${total !== null && say('components.rangeOfTotal', { range: done, total })}</progress></p>
<p class="quiet">${say('import.youMayLeaveThisPageTheImport')}</p>
${act('cancel', say('import.cancel'), ' quiet-button')}</div>`,
    };
  const canGoOn = upload !== undefined && !upload.isDry;
  const left = done > 0 && html` ${say('import.numberPagesHaveBeenWritten', { number: plainNumber(done) })}`;
  return {
    title: state === 'failed' ? say('import.theImportFailed') : say('import.theImportWasCancelled'),
    body: html`<p class="lede">${error !== null && stored(error)}${left}</p>
${canGoOn ? act('import', say('import.continueTheImport')) : html`<p><a href="/import" class="button">${say('import.chooseAFile')}</a></p>`}`,
  };
}
