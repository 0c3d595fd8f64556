/** Export of everything that the caller may read, as one streamed file. */

import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Problem, tooManyRequests } from '#core/model/problem.ts';
import { oneOf, optionalText, text } from '#core/operations/fields.ts';
import { wikiExport } from '#core/pages/export-operations.ts';
import { fileTypes, formatNames } from '#export/format-names.ts';
import { say } from '#words/say.ts';
import { addressGroup, callerOf } from '../address-group.ts';
import type { Costs } from '../costs.ts';
import { isStillActor } from '../identity.ts';
import { untilItEnds } from '../listener.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

/**
 * Maximum number of running exports in one process: of one member or stranger, of one address, of all strangers, of strangers
 * and members together, and with one place that is kept for administrators.
 */
const maxOpen = { caller: 2, address: 4, strangers: 5, members: 9, total: 10 };
/** Number of pieces after which the caller's credential is checked again. */
const piecesBetweenChecks = 10;

export async function exportRoutes(
  server: Server,
  service: Service,
  { requestTimeoutMs }: HttpSettings,
  costs: Costs,
): Promise<void> {
  const { exporter } = service;
  const running = new Set<{ caller: string; address: string; rank: string }>();

  server.get(
    '/v1/export',
    {
      config: { ...limitsOf(wikiExport), isEndless: true, strangersMs: 500 },
      handlerTimeout: untilItEnds,
      schema: {
        ...descriptionOf(wikiExport),
        tags: ['Export'],
        querystring: Type.Object({
          format: oneOf(
            formatNames,
            '`jsonl`: JSON lines, one object per line. The last object has the `kind` `end`; without it the file is incomplete. `markdown`, `wikitext`: one file for each page. `mdbook`, `mkdocs`, `docusaurus`, `hugo`: Markdown with the order of pages as these programs state it. `mediawiki-xml`: like a dump of MediaWiki. `site`: a website that needs no server. `html`: one file to read or print. `epub`: an e-book.',
            'jsonl',
          ),
          ancestor: optionalText('Path of a page, to export this page and all pages beneath it.', '/garden'),
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
            description: 'Name for the file.',
            example: 'attachment; filename=export.jsonl',
          },
        },
      },
    },
    async (request, reply) => {
      const { actor, query } = request;
      const { ancestor } = query;
      const asked = ancestor === undefined ? {} : { ancestor };
      const rights = await carryFor(service, request as FastifyRequest)(wikiExport, asked);
      const { mime, ending } = fileTypes[query.format];
      reply
        .type(mime)
        .header('cache-control', 'no-store')
        .header('content-disposition', contentDisposition(`export.${ending}`));
      if (request.method === 'HEAD') return reply.send(Readable.from([]) as never);

      const release = take(request);
      // Also if the client disconnects before the first line.
      reply.raw.once('close', release);
      const order = { format: query.format, ...rights };
      return reply.send(Readable.from(sent()) as never);

      async function* sent() {
        try {
          let pieces = 0;
          for await (const piece of exporter.run(order, (cpuMs) => costs.spend(request, actor, cpuMs))) {
            if (++pieces % piecesBetweenChecks === 0 && !(await isStillActor(service, request)))
              throw new Problem('unauthenticated', say('problem.theSessionOfThisExportHasEnded'));
            costs.spendBytes(request, actor, piece.length);
            // Nobody keeps a place without reading: each piece of some 64 kB has to be read in time.
            const reading = setTimeout(() => reply.raw.destroy(), requestTimeoutMs);
            yield piece;
            clearTimeout(reading);
          }
        } finally {
          release();
        }
      }
    },
  );

  /** Refuses, or counts a running export until the returned function is called. */
  function take(request: FastifyRequest): () => void {
    const { actor, ip } = request;
    const caller = callerOf(request);
    const rank = actor?.isAdmin ? 'total' : actor ? 'members' : 'strangers';
    const one = { caller, address: `address ${addressGroup(ip)}`, rank };
    const open = [...running];
    const mine = open.filter((other) => other.caller === caller).length;
    if (mine >= maxOpen.caller)
      throw tooManyRequests(say('problem.youAlreadyHaveExportsInProgressWait', { mine }), 60);
    if (open.filter(({ address }) => address === one.address).length >= maxOpen.address)
      throw tooManyRequests(say('problem.yourAddressAlreadyHasTheMaximumNumber'), 60);
    const isFull =
      open.filter((other) => rank !== 'strangers' || other.rank === rank).length >= maxOpen[rank];
    if (isFull || open.length >= maxOpen.total)
      throw new Problem('unavailable', say('problem.theServerCannotRunAnyMoreExports'), {
        details: { retryAfter: 60 },
      });
    running.add(one);
    return () => void running.delete(one);
  }
}
