/** Imports of other wikis as uploads: started here, continued after the response, and polled. */

import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { parse as parseDisposition } from 'content-disposition';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  importBeginning,
  importCancellation,
  importReading,
  importRepetition,
} from '#core/imports/operations.ts';
import { invalid } from '#core/model/problem.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import {
  component,
  count,
  idField,
  oneOf,
  option,
  optionalText,
  orNull,
  textOrNull,
} from '#core/operations/fields.ts';
import type { ImportJob } from '#core/ports/import-store.ts';
import { maxImportBytes, readParent } from '#import/imports.ts';
import { maxOriginLength } from '#import/origin.ts';
import { kinds } from '#import/source.ts';
import { say } from '#words/say.ts';
import { untilItEnds } from '../listener.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { dropRest, partsOf, registerMultipart } from '../request-body/multipart.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Import'];
const streamEveryMs = 1000;
const params = Type.Object({ id: idField('ID of the import.', 7) });

const sourceName = Type.Optional(
  Type.String({
    maxLength: maxOriginLength,
    description:
      'Name of the source, recorded with its pages. A later import with this name continues this one. Default: the name that the source gives itself, or the name of the file.',
    examples: ['handbook'],
  }),
);
const prunes = option(
  'Moves pages to the trash that an earlier import of this source made and that the source no longer has, and moves pages whose files were moved. Pages that were changed in this wiki stay.',
  true,
);

const fetches = option(
  'Fetches pictures of other sites that texts show, and attaches them to the pages: at most 1,000, for at most ten minutes, from public addresses only.',
  true,
);

const ImportStatus = component('Import', 'An import and its progress.', {
  state: oneOf(['running', 'done', 'failed', 'cancelled'], 'State of the import.', 'running'),
  done: count('Pages written so far.', 120),
  total: orNull(
    Type.Integer({ minimum: 0 }),
    'Number of pages to write. Null while the source is still being read.',
    206,
  ),
  error: textOrNull(
    'Reason of the failure, in one sentence. Null otherwise.',
    'The source contains no page.',
  ),
  certificate: orNull(
    Type.Record(Type.String(), Type.Unknown()),
    'Account of the import once it is done: numbers in source and result, every link, all that was adapted or left out and why. `comparison` names each page on which readers see something else than in the source, with missing and added words, numbers of parts, and links that lead nowhere. A dry run does not compare, so it has no `comparison`; its `tree` lists the pages that the import would create.',
    { kind: 'mediawiki', numbers: {} },
  ),
});

const BegunImport = component('BegunImport', 'The import has been started.', {
  id: idField('ID of the import.', 7),
});

export async function importRoutes(server: Server, service: Service): Promise<void> {
  // The handler streams the upload itself.
  server.removeAllContentTypeParsers();
  await registerMultipart(server);
  server.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => payload);

  server.post(
    '/v1/imports',
    {
      bodyLimit: maxImportBytes,
      handlerTimeout: untilItEnds,
      config: { ...limitsOf(importBeginning), isEndless: true },
      schema: {
        ...descriptionOf(importBeginning),
        tags,
        querystring: Type.Object({
          from: Type.Optional(
            oneOf(kinds, 'Kind of the upload. Default: recognised from the file.', 'obsidian'),
          ),
          parent: optionalText(
            'Path of the page beneath which all pages are imported. It is created if it does not exist.',
            '/notes',
          ),
          dryRun: option('Plans the import and writes nothing.', true),
          source: sourceName,
          prune: prunes,
          fetch: fetches,
        }),
        response: {
          202: BegunImport,
        },
      },
    },
    async (request, reply) => {
      const { from: kind, parent = '/', dryRun: isDry = false, source, prune, fetch } = request.query;
      const parentPath = readParent(parent);
      try {
        const carry = carryFor(service, request as FastifyRequest);
        const id = await carry(importBeginning, {
          receive: async (write) => {
            const filename = await receive(request as FastifyRequest, write);
            return { filename, kind, parentPath, isDry, source, prunes: prune, fetches: fetch };
          },
        });
        return reply.code(202).send({ id });
      } catch (error) {
        dropRest(request);
        throw error;
      }
    },
  );

  server.post(
    '/v1/imports/:id',
    {
      config: limitsOf(importRepetition),
      schema: {
        ...descriptionOf(importRepetition),
        tags,
        params,
        querystring: Type.Object({ source: sourceName, prune: prunes, fetch: fetches }),
        response: { 202: BegunImport },
      },
    },
    async (request, reply) => {
      const { source, prune, fetch } = request.query;
      const changes = {
        isDry: false,
        ...(source === undefined ? {} : { source }),
        ...(prune === undefined ? {} : { prunes: prune }),
        ...(fetch === undefined ? {} : { fetches: fetch }),
      };
      const id = await carryFor(service, request)(importRepetition, { ...request.params, changes });
      return reply.code(202).send({ id });
    },
  );

  server.get(
    '/v1/imports/:id',
    {
      handlerTimeout: untilItEnds,
      config: { ...limitsOf(importReading), isEndless: true },
      schema: {
        ...descriptionOf(importReading),
        tags,
        params,
        response: { 200: ImportStatus },
        otherTypes: { 'text/event-stream': 'data: {"state":"running","done":120,"total":206}\n\n' },
      },
    },
    async (request, reply) => {
      const carry = carryFor(service, request);
      const job = await carry(importReading, request.params);
      reply.header('cache-control', 'no-store').header('vary', `${reply.getHeader('vary')}, Accept`);
      if (!request.headers.accept?.includes('text/event-stream')) return statusOf(job);
      reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
      return reply.send(Readable.from(messages(carry, job)) as never) as never;
    },
  );

  server.delete(
    '/v1/imports/:id',
    {
      config: limitsOf(importCancellation),
      schema: {
        ...descriptionOf(importCancellation),
        tags,
        params,
        others: { 204: 'The import is cancelled, or had already ended.' },
      },
    },
    (request) => carryFor(service, request)(importCancellation, request.params),
  );

  async function* messages(carry: Carry, first: ImportJob): AsyncGenerator<string> {
    let job = first;
    while (true) {
      yield `data: ${JSON.stringify(statusOf(job))}\n\n`;
      if (job.state !== 'running') return;
      await setTimeout(streamEveryMs);
      job = await carry(importReading, { id: job.id });
    }
  }
}

function statusOf({ state, done, total, error, certificate }: ImportJob) {
  return { state, done, total, error, certificate: certificate === null ? null : JSON.parse(certificate) };
}

/** Resolves to the file name, empty if there is none. */
async function receive(
  request: FastifyRequest,
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<string> {
  if (!request.isMultipart()) {
    await write((request.body ?? []) as AsyncIterable<Uint8Array>);
    return nameOf(request.headers);
  }
  let name: string | undefined;
  for await (const part of partsOf(request, 20)) {
    if (part.type !== 'file') continue;
    if (name !== undefined) throw invalid('', say('problem.sendOneFile'));
    name = part.filename ?? '';
    await write(part.file);
  }
  return name ?? '';
}

/** Endings of the names that bodies of a media type have, where nothing in their bytes tells what they are. */
const endings: Readonly<Record<string, string>> = { csv: 'csv', html: 'html', markdown: 'md' };

/** Name of a body that is no form, as its headers state it (RFC 6266) or its media type lets it be called. */
function nameOf({ 'content-disposition': stated, 'content-type': type = '' }: IncomingHttpHeaders): string {
  const { filename } = stated === undefined ? {} : parseDisposition(stated).parameters;
  if (filename) return filename;
  const ending = endings[/^text\/(\w+)/i.exec(type)?.[1]?.toLowerCase() ?? ''];
  return ending === undefined ? '' : `page.${ending}`;
}
