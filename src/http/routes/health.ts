/** Health checks and metrics for operators. */
import { Type } from 'typebox';
import { Problem } from '#core/model/problem.ts';
import { component, integer, object, oneOf, text } from '#core/operations/fields.ts';
import type { WriteFailure } from '#core/ports/store.ts';
import { checkMetricsAccess, type Metrics } from '../metrics.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Running'];

const sentences: Record<WriteFailure, string> = {
  full: 'The disk is full, so nothing can be saved. Free some space.',
  'read-only': 'The data cannot be written, so nothing can be saved.',
  gone: 'The data folder no longer exists, so nothing can be saved. Restore it and restart the server.',
  failed: 'Nothing can be saved. The log says why.',
};

const Status = component('Status', 'The server works.', {
  status: Type.Literal('ok', { description: 'Always `ok`.', examples: ['ok'] }),
});

const Readiness = component('Readiness', 'Whether the server accepts reads and writes now.', {
  status: oneOf(
    ['ok', 'read-only'],
    '`read-only` while the database accepts no writes. Then reads work, and writes get 503.',
    'ok',
  ),
  reads: Type.Literal('ok', { description: 'Always `ok`; otherwise the status is 503.', examples: ['ok'] }),
  writes: oneOf(['ok', 'read-only'], '`read-only` while no server of the database accepts writes.', 'ok'),
  replicas: Type.Optional(
    object('Replicas of the database, if there are any.', {
      inUse: integer('Number of replicas that currently serve reads.', 2),
      all: integer('Number of configured replicas.', 2),
    }),
  ),
});

export async function healthRoutes(
  server: Server,
  service: Service,
  metrics: Metrics,
  settings: HttpSettings,
): Promise<void> {
  server.get(
    '/healthz',
    {
      schema: {
        operationId: 'health',
        tags,
        summary: 'Is the process alive?',
        description: 'Responds without using the database or anything else.',
        response: { 200: Status },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { status: 'ok' as const };
    },
  );

  server.get(
    '/readyz',
    {
      schema: {
        operationId: 'ready',
        tags,
        summary: 'Can it serve?',
        description:
          'Reads from the database, and writes to it if nothing was saved for ten seconds. The status is 503 while either fails for a reason that lies with this server; `reads` and `writes` say which, and why. While no server of a replicated database accepts writes, reads work and the response is `read-only` with 200.',
        response: { 200: Readiness },
        problems: ['unavailable'],
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (service.isStopping) {
        const details = { reads: 'ok', writes: 'stopping' };
        throw new Problem('unavailable', 'The server is stopping. Send requests to another one.', {
          details,
        });
      }
      const { isWritable, trouble, replicas } = await service.store.ping().catch((error: unknown) => {
        request.log.error({ err: error }, 'database unavailable');
        const details = { reads: 'failed', writes: 'failed' };
        throw new Problem('unavailable', 'The database is unavailable.', { details, cause: error });
      });
      const writes = trouble ?? (await service.files.store.trouble());
      if (writes) {
        request.log.error({ writes }, 'nothing can be saved');
        throw new Problem('unavailable', sentences[writes], { details: { reads: 'ok', writes } });
      }
      const status = isWritable ? ('ok' as const) : ('read-only' as const);
      return { status, reads: 'ok' as const, writes: status, ...(replicas && { replicas }) };
    },
  );

  server.get(
    '/metrics',
    {
      schema: {
        operationId: 'metrics',
        tags,
        summary: 'Numbers for Prometheus',
        description:
          'Durations of requests by route, and figures of the process, in the Prometheus text format. `COPPICE_METRICS` defines who can read them; the default is only programs on the server itself.',
        response: {
          200: text('Prometheus text format.', 'process_cpu_seconds_total 1.5'),
        },
        problems: ['unauthenticated', 'not-found'],
        contentType: 'text/plain',
      },
    },
    async (request, reply) => {
      checkMetricsAccess(settings.metrics, request);
      reply.header('cache-control', 'no-store').type(metrics.contentType);
      return metrics.text();
    },
  );
}
