/** Export of everything that the caller may read, as one streamed file. */
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import { Type } from 'typebox';
import { findReadable } from '#domain/pages/find-page.ts';
import { Problem, tooManyRequests } from '#domain/problem.ts';
import { formatNames } from '#export/format-names.ts';
import { callerOf } from '../address-group.ts';
import type { Costs } from '../costs.ts';
import { isStillActor } from '../identity.ts';
import { untilItEnds } from '../listener.ts';
import { oneOf, optionalText, text } from '../schemas/fields.ts';
import type { Server, Service } from '../service.ts';

/** Maximum number of running exports in one process, and of one member or address. */
const maxOpen = { total: 10, each: 2 };
/** Number of pieces after which the caller's credential is checked again. */
const piecesBetweenChecks = 500;

export async function exportRoutes(server: Server, service: Service, costs: Costs): Promise<void> {
  const { store, files } = service;
  const openOf = new Map<string, number>();

  server.get(
    '/v1/export',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within', isEndless: true, strangersMs: 500 },
      handlerTimeout: untilItEnds,
      schema: {
        operationId: 'export',
        tags: ['Export'],
        summary: 'Export the wiki',
        description:
          'Every page that the caller may read, and their files, in one of several formats; folders come as a zip. `jsonl` and `mediawiki-xml` hold the changes that each page shows to the caller. At most two at a time for each caller.',
        querystring: Type.Object({
          format: oneOf(
            formatNames,
            '`jsonl`: JSON lines, one object a line; the last one has the `kind` `end`, without it something is missing. `markdown`, `wikitext`: a file for each page. `mediawiki-xml`: as a dump of MediaWiki. `site`: a website that needs no server. `html`: one file to read or print. `epub`: a book.',
            'jsonl',
          ),
          ancestor: optionalText('Path of a page: it and those beneath it.', '/garden'),
        }),
        response: {
          200: text('The file.', '{"kind":"export"}\n'),
        },
        contentType: 'application/jsonl',
        otherTypes: {
          'application/zip': 'PK…',
          'application/xml': '<mediawiki>…</mediawiki>',
          'text/html': '<!doctype html>…',
          'application/epub+zip': 'PK…',
        },
        headersOut: {
          'Content-Disposition': {
            description: 'A name for the file.',
            example: 'attachment; filename=export.jsonl',
          },
        },
        problems: ['not-found', 'too-many-requests', 'unavailable'],
      },
    },
    async (request, reply) => {
      const { actor, query, reader } = request;
      const top = query.ancestor === undefined ? null : await findReadable(reader, query.ancestor);
      if (top === undefined) throw new Problem('not-found', 'No page exists at the path in “ancestor”.');
      const { exportAs, formats } = await import('#export/formats.ts');
      const { newCounts } = await import('#export/walk.ts');
      const { mime, ending } = formats[query.format];
      reply
        .type(mime)
        .header('cache-control', 'no-store')
        .header('content-disposition', contentDisposition(`export.${ending}`));
      if (request.method === 'HEAD') return reply.send(Readable.from([]) as never);

      const release = take(callerOf(request));
      // Also if the client disconnects before the first line.
      reply.raw.once('close', release);
      const source = {
        ...{
          reader: () => store.readAs(actor),
          readerAs: store.readAs,
          files: files.store,
          now: service.clock(),
        },
        ...{ renderer: costs.rendererFor(request, actor), ...service.exporting },
      };
      return reply.send(Readable.from(sent()) as never);

      async function* sent() {
        try {
          let pieces = 0;
          for await (const piece of exportAs(query.format, source, top ?? null, newCounts())) {
            if (++pieces % piecesBetweenChecks === 0 && !(await isStillActor(service, request)))
              throw new Problem('unauthenticated', 'The session of this export has ended.');
            costs.spendBytes(request, actor, piece.length);
            yield piece;
          }
        } finally {
          release();
        }
      }
    },
  );

  /** Refuses, or counts a running export until the returned function is called. */
  function take(caller: string): () => void {
    const open = openOf.get(caller) ?? 0;
    const total = openOf.values().reduce((sum, count) => sum + count, 0);
    if (open >= maxOpen.each)
      throw tooManyRequests(`${open} exports of yours are under way: wait for their end.`, 60);
    if (total >= maxOpen.total)
      throw new Problem('unavailable', 'This server makes as many exports as it can. Try again later.', {
        details: { retryAfter: 60 },
      });
    openOf.set(caller, open + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (openOf.get(caller) ?? 1) - 1;
      if (left > 0) openOf.set(caller, left);
      else openOf.delete(caller);
    };
  }
}
