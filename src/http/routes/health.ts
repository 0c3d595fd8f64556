/** For whoever runs the server: is it alive, does it work, how is it doing. */
import { Type } from 'typebox';
import { Problem } from '#domain/problem.ts';
import { checkMetricsAccess, type Metrics } from '../metrics.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Running'];

const Status = Type.Object(
  { status: Type.Literal('ok', { description: 'Always `ok`.', examples: ['ok'] }) },
  { title: 'Status', description: 'All is well.' },
);

const Readiness = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('read-only')], {
      description: '`read-only` while the database takes no writes: reads are answered, writes with 503.',
      examples: ['ok'],
    }),
    replicas: Type.Optional(
      Type.Object(
        {
          inUse: Type.Integer({ description: 'Those that reads go to now.', examples: [2] }),
          all: Type.Integer({ description: 'Those there could be.', examples: [2] }),
        },
        { description: 'Replicas of the database, if there are any.' },
      ),
    ),
  },
  { title: 'Readiness', description: 'What the server can do now.' },
);

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
        description: 'Asks the database; 503 while it does not answer.',
        response: { 200: Readiness },
        problems: ['unavailable'],
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { isWritable, replicas } = await service.store.ping().catch((error: unknown) => {
        request.log.error({ err: error }, 'the database does not answer');
        throw new Problem('unavailable', 'The database does not answer.', { cause: error });
      });
      return { status: isWritable ? ('ok' as const) : ('read-only' as const), ...(replicas && { replicas }) };
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
          200: Type.String({
            description: 'Prometheus text format.',
            examples: ['process_cpu_seconds_total 1.5'],
          }),
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
