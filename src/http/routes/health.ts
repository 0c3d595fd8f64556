/** Health checks and metrics for operators. */
import { Type } from 'typebox';
import { Problem } from '#core/model/problem.ts';
import { component, integer, object, oneOf, text } from '#core/operations/fields.ts';
import type { WriteTrouble } from '#core/ports/store.ts';
import { checkMetricsAccess, type Metrics } from '../metrics.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Running'];

const sentences: Record<WriteTrouble, string> = {
  full: 'The disk is full: nothing can be saved. Make room on it.',
  'read-only': 'The data may not be written: nothing can be saved.',
  gone: 'The data folder is not there any more: nothing can be saved. Bring it back and start the server again.',
  failed: 'Nothing can be saved: the log says why.',
};

const Status = component('Status', 'All is well.', {
  status: Type.Literal('ok', { description: 'Always `ok`.', examples: ['ok'] }),
});

const Readiness = component('Readiness', 'Whether the server takes reads and writes now.', {
  status: oneOf(
    ['ok', 'read-only'],
    '`read-only` while the database takes no writes: reads are answered, writes with 503.',
    'ok',
  ),
  reads: Type.Literal('ok', { description: 'Always `ok`: without, the answer is 503.', examples: ['ok'] }),
  writes: oneOf(['ok', 'read-only'], '`read-only` while no server of the database takes writes.', 'ok'),
  replicas: Type.Optional(
    object('Replicas of the database, if there are any.', {
      inUse: integer('Replicas that reads go to now.', 2),
      all: integer('Replicas that are configured.', 2),
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
        description: 'Answers without asking anything else.',
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
          'Reads from the database and, where nothing was saved for ten seconds, writes to it. 503 while either fails for a reason that lies with this server: `reads` and `writes` say which, and why. While no server of a replicated database takes writes, reads are answered and this says `read-only` with 200.',
        response: { 200: Readiness },
        problems: ['unavailable'],
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { isWritable, trouble, replicas } = await service.store.ping().catch((error: unknown) => {
        request.log.error({ err: error }, 'database unavailable');
        const details = { reads: 'failed', writes: 'failed' };
        throw new Problem('unavailable', 'The database does not answer.', { details, cause: error });
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
          'Durations of requests by route, and figures of the process, in the Prometheus text format. `COPPICE_METRICS` says who is told: by default programs on the server itself alone.',
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
