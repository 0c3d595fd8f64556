/** Other wikis as uploads: begun here, gone on with after the answer, asked for until they are done. */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readPath } from '#domain/pages/path.ts';
import type { Actor } from '#domain/permission.ts';
import type { ImportJob } from '#domain/ports/import-store.ts';
import { invalid, Problem } from '#domain/problem.ts';
import { deadAt, keptAlive, runJob } from '#import/job.ts';
import { kinds } from '#import/source.ts';
import { dropRest, partsOf, registerMultipart } from '../request-body/multipart.ts';
import { idField } from '../schemas/output.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Import'];
const maxImportBytes = 20_000_000_000;
/** Uploads this old belong to a process that was stopped. */
const abandonedMs = 24 * 60 * 60 * 1000;
const untilItEnds = 2 ** 31 - 1;
const streamEveryMs = 1000;
const cancelledWithinMs = 5000;
const params = Type.Object({ id: idField('ID of the import.', 7) });

const ImportStatus = Type.Object(
  {
    state: Type.Union(
      [Type.Literal('running'), Type.Literal('done'), Type.Literal('failed'), Type.Literal('cancelled')],
      { description: 'State of the import.', examples: ['running'] },
    ),
    done: Type.Integer({ description: 'Pages written so far.', minimum: 0, examples: [120] }),
    total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Pages to write; null while the source is still being read.',
      examples: [206],
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Reason of the failure, in a sentence; otherwise null.',
      examples: ['There is no page in the source.'],
    }),
    certificate: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description:
        'Account of the import once it is done: numbers in source and result, every link, all that was adapted or left out and why. Of a dry run, `tree` is what would be made.',
      examples: [{ kind: 'mediawiki', numbers: {} }],
    }),
  },
  { title: 'Import', description: 'An import and how far it is.' },
);

export async function importRoutes(server: Server, service: Service, settings: HttpSettings): Promise<void> {
  const { store, files, clock, importFolder } = service;
  const running = new Map<number, Promise<void>>();
  // The upload is read piece by piece by the handler.
  server.removeAllContentTypeParsers();
  await registerMultipart(server);
  server.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => payload);

  server.post(
    '/v1/imports',
    {
      bodyLimit: maxImportBytes,
      handlerTimeout: untilItEnds,
      config: { audit: [], access: 'required', scope: 'admin', isEndless: true },
      schema: {
        operationId: 'beginImport',
        tags,
        summary: 'Import another wiki',
        description:
          'The file is the body, of any type, or the file of a multipart form: a dump of a MediaWiki (.xml, also .bz2, .gz, .zst) or a .zip of Markdown (Obsidian, Wiki.js, MkDocs, Docusaurus, Hugo, Jekyll). The answer comes when it has arrived; ask how far it is by its ID. One runs at a time. Sending the same file again adds what is new. For administrators.',
        querystring: Type.Object({
          from: Type.Optional(
            Type.Union(
              kinds.map((kind) => Type.Literal(kind)),
              { description: 'Kind of the upload. Default: recognised by the file.', examples: ['obsidian'] },
            ),
          ),
          parent: Type.Optional(
            Type.String({
              description: 'Path of the page beneath which everything goes; it is made if need be.',
              examples: ['/notes'],
            }),
          ),
          dryRun: Type.Optional(
            Type.Boolean({ description: 'Plans and writes nothing.', default: false, examples: [true] }),
          ),
        }),
        response: {
          202: Type.Object(
            { id: idField('ID of the import.', 7) },
            { title: 'BegunImport', description: 'The import has begun.' },
          ),
        },
        problems: ['invalid', 'unauthenticated', 'administrators-only', 'too-large', 'too-many-requests'],
      },
    },
    async (request, reply) => {
      const actor = administrator(request);
      const { from: kind, parent = '/', dryRun: isDry = false } = request.query;
      const parentPath = parentOf(parent);
      const id = await store.imports.begin(actor.memberId, clock(), deadAt(clock()));
      if (id === undefined) {
        dropRest(request);
        throw new Problem('too-many-requests', 'Another import is running: wait for its end, or cancel it.', {
          details: { retryAfter: 60 },
        });
      }
      const place = join(importFolder, String(id));
      try {
        await mkdir(importFolder, { recursive: true });
        await sweep(importFolder, clock());
        await keptAlive(store, id, clock, () => receive(request, place));
      } catch (error) {
        await rm(place, { force: true });
        await store.imports.end(id, { state: 'failed', error: 'The file did not arrive whole.' });
        throw error;
      }
      const job = { place, kind, parentPath, isDry, actor, maxFileBytes: settings.maxUploadBytes };
      // It goes on after the answer.
      running.set(
        id,
        runJob({ store, files }, id, job, clock)
          .catch((error) => request.log.error({ err: error, import: id }, 'import failed'))
          .finally(() => {
            running.delete(id);
            return rm(place, { force: true });
          }),
      );
      return reply.code(202).send({ id });
    },
  );

  server.get(
    '/v1/imports/:id',
    {
      handlerTimeout: untilItEnds,
      config: { access: 'required', scope: 'admin', isEndless: true },
      schema: {
        operationId: 'getImport',
        tags,
        summary: 'Get the progress of an import',
        description:
          'With `Accept: text/event-stream`, a message each second until it has ended, with the same object. For administrators.',
        params,
        response: { 200: ImportStatus },
        otherTypes: { 'text/event-stream': 'data: {"state":"running","done":120,"total":206}\n\n' },
        problems: ['unauthenticated', 'administrators-only', 'not-found'],
      },
    },
    async (request, reply) => {
      administrator(request);
      const { id } = request.params;
      const job = await getJob(id);
      reply.header('cache-control', 'no-store').header('vary', `${reply.getHeader('vary')}, Accept`);
      if (!request.headers.accept?.includes('text/event-stream')) return statusOf(job);
      reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
      return reply.send(Readable.from(messages(job)) as never) as never;
    },
  );

  server.delete(
    '/v1/imports/:id',
    {
      config: { audit: [], access: 'required', scope: 'admin' },
      schema: {
        operationId: 'cancelImport',
        tags,
        summary: 'Cancel an import',
        description:
          'It ends after the page that it is writing. What it has written stays; sending the same file again goes on after that. One that has ended stays as it is. For administrators.',
        params,
        others: { 204: 'It is cancelled, or had ended.' },
        problems: ['unauthenticated', 'administrators-only', 'not-found'],
      },
    },
    async (request, reply) => {
      administrator(request);
      await getJob(request.params.id);
      await store.imports.end(request.params.id, { state: 'cancelled' });
      // The next one should find nothing half written.
      await Promise.race([running.get(request.params.id), setTimeout(cancelledWithinMs)]);
      return reply.code(204).send();
    },
  );

  async function getJob(id: number): Promise<ImportJob> {
    const job = await store.imports.find(id, deadAt(clock()));
    if (!job) throw new Problem('not-found', `There is no import ${id}.`);
    return job;
  }

  async function* messages(first: ImportJob): AsyncGenerator<string> {
    let job = first;
    while (true) {
      yield `data: ${JSON.stringify(statusOf(job))}\n\n`;
      if (job.state !== 'running') return;
      await setTimeout(streamEveryMs);
      job = await getJob(job.id);
    }
  }
}

function administrator({ actor }: FastifyRequest): NonNullable<Actor> {
  if (!actor) throw new Problem('unauthenticated', 'Importing needs a signed-in administrator.');
  if (!actor.isAdmin) throw new Problem('administrators-only', 'Only administrators may import other wikis.');
  return actor;
}

function statusOf({ state, done, total, error, certificate }: ImportJob) {
  return { state, done, total, error, certificate: certificate === null ? null : JSON.parse(certificate) };
}

function parentOf(text: string): string | null {
  if (text === '' || text === '/') return null;
  const read = readPath(text);
  if ('problem' in read) throw invalid('/parent', read.problem);
  return read.path;
}

async function receive(request: FastifyRequest, place: string): Promise<void> {
  if (!request.isMultipart()) return write((request.body ?? []) as AsyncIterable<Uint8Array>, place);
  let hasFile = false;
  for await (const part of partsOf(request, 20)) {
    if (part.type !== 'file') continue;
    if (hasFile) throw invalid('', 'Send one file.');
    hasFile = true;
    await write(part.file, place);
  }
  if (!hasFile) throw invalid('', 'There is no file in the form.');
}

async function write(bytes: AsyncIterable<Uint8Array>, place: string): Promise<void> {
  let length = 0;
  const counted = async function* () {
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > maxImportBytes)
        throw new Problem('too-large', `An import can have at most ${maxImportBytes} bytes.`);
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.from(counted()), createWriteStream(place, { mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new Problem('unavailable', 'The disk is full: nothing was imported.');
    throw error;
  }
  if (length === 0) throw invalid('', 'The file is empty.');
}

async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < now - abandonedMs) await rm(join(folder, name), { force: true });
  }
}
