/**
 * Metrics for Prometheus. Requests are counted by route pattern and not by path, which would reveal pages and grow without
 * limit.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Problem } from '#core/model/problem.ts';
import type { ScheduledExport } from '#core/ports/export-schedule.ts';
import type { MetricsAccess, Server, Service, Siblings } from './service.ts';

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  /** Counts a response of the fast path, which runs no hooks. */
  countHit(request: CompletedRequest): void;
  /** Counts a stranger's read that was refused under pressure. */
  countRefusedRead(): void;
  /** Has the open event streams counted by this function. */
  watchStreams(count: () => number): void;
}

interface CompletedRequest {
  method: string;
  route: string;
  status: number;
  ms: number;
}

/** Long, because computing the sizes visits all files. */
const sizesForMs = 60_000;
/** Counting ends here, because it takes time for each row. */
const maxBacklog = 10_000;

export function registerMetrics(
  server: Server,
  service: Service,
  version: string,
  siblings?: Siblings,
): Metrics {
  const registry = Registry.merge([metricsOfProcess()]);
  const durations = new Histogram({
    name: 'coppice_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({ name: 'coppice_workers', help: 'Processes that serve requests.', registers: [registry] }).set(
    1,
  );
  new Gauge({
    name: 'coppice_build_info',
    help: 'Always 1; the labels are the versions of Coppice and of Node.',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    registers: [registry],
  }).set({ version, node: process.version }, 1);
  let streams = () => 0;
  new Gauge({
    name: 'coppice_event_streams',
    help: 'Open streams of the change feed.',
    registers: [registry],
    collect() {
      this.set(streams());
    },
  });
  registerFigures(registry, service);
  const bugs = new Counter({
    name: 'coppice_http_bugs_total',
    help: 'Requests that failed because of an internal error.',
    registers: [registry],
  });
  const cacheHits = new Counter({
    name: 'coppice_http_kept_answers_total',
    help: 'Requests that were answered from the response cache.',
    registers: [registry],
  });
  const refusedReads = new Counter({
    name: 'coppice_http_refused_reads_total',
    help: 'Reads by callers who are not signed in that were refused because there were too many at once.',
    registers: [registry],
  });
  const count = ({ method, route, status, ms }: CompletedRequest) =>
    durations.observe({ method, route, status: String(status) }, ms / 1000);
  server.addHook('onResponse', async (request, { statusCode: status, elapsedTime: ms }) => {
    const { method, routeOptions } = request;
    if (request.isCacheHit) cacheHits.inc();
    const route = (routeOptions.config?.isCatchAll ? undefined : routeOptions.url) ?? 'none';
    count({ method, route, status, ms });
  });
  server.addHook('onError', async (_request, reply) => {
    if (reply.statusCode >= 500 && reply.statusCode !== 503) bugs.inc();
  });
  siblings?.shareMetrics(() => registry.getMetricsAsJSON());
  return {
    contentType: registry.contentType,
    text: () => siblings?.metrics() ?? registry.metrics(),
    countHit(request) {
      count(request);
      cacheHits.inc();
    },
    countRefusedRead: () => refusedReads.inc(),
    watchStreams(count) {
      streams = count;
    },
  };
}

let ofProcess: Registry | undefined;

/** Metrics of Node, once for a process: what observes it cannot be stopped, and would keep every server that was closed in memory. */
function metricsOfProcess(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

type Figure = number | undefined;
/** Registers a figure. `aggregator`: how values of several workers are combined, which share the disk and the database. */
type Figures = (
  name: string,
  help: string,
  ask: () => Figure | Promise<Figure>,
  aggregator?: 'max' | 'sum',
) => void;

/** Registers metrics of the disk and of writes. */
function registerFigures(registry: Registry, service: Service): void {
  const figure: Figures = (name, help, ask, aggregator = 'max') => {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const value = await Promise.resolve(ask()).catch(() => undefined);
        // An unknown value is omitted.
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  let sizes: { at: number; found: ReturnType<Service['store']['maintenance']['sizes']> } | undefined;
  const sizesNow = () => {
    const now = service.clock();
    if (!sizes || now - sizes.at > sizesForMs) sizes = { at: now, found: service.store.maintenance.sizes() };
    return sizes.found;
  };
  figure(
    'coppice_disk_free_bytes',
    'Free bytes on the disk of the data folder.',
    () => service.disk.space()?.freeBytes,
  );
  figure('coppice_database_bytes', 'Size of the database.', async () => (await sizesNow()).databaseBytes);
  figure(
    'coppice_database_log_bytes',
    'Size of the write-ahead log of SQLite.',
    async () => (await sizesNow()).logBytes,
  );
  figure('coppice_files_bytes', 'Size of all attached files.', async () => (await sizesNow()).fileBytes);
  figure('coppice_cache_bytes', 'Size of the cache on disk.', () => service.spillFile?.size ?? 0, 'sum');
  figure(
    'coppice_writes_waiting',
    'Writes that wait for other writes.',
    () => service.store.writesWaiting(),
    'sum',
  );
  new Gauge({
    name: 'coppice_renderings_waiting',
    help: 'Long texts that wait to be rendered, separately for members and others: pages read or saved, previews and older versions.',
    aggregator: 'sum',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, waiting] of Object.entries(service.renderingsWaiting())) this.set({ kind }, waiting);
    },
  });
  figure(
    'coppice_mails_waiting',
    'Mails that wait to be sent.',
    async () => (await service.store.mails.counts()).waiting,
  );
  figure(
    'coppice_mails_failed',
    'Mails that are not tried again.',
    async () => (await service.store.mails.counts()).failed,
  );
  figure(
    'coppice_erasures_pending',
    'Erasures whose erased data is partly still stored in the database or as files.',
    async () => (await service.store.pendingErasures.list()).length,
  );
  const backlog = () => service.store.webhooks.backlog(maxBacklog);
  figure(
    'coppice_webhook_deliveries_waiting',
    `Deliveries to webhooks that failed and are tried again, at most ${maxBacklog}.`,
    async () => (await backlog()).deliveries,
  );
  figure(
    'coppice_webhook_events_waiting',
    `Events that some webhook has not been sent yet, at most ${maxBacklog}.`,
    async () => (await backlog()).events,
  );
  figure('coppice_read_only', 'Whether read-only mode is on.', () =>
    service.store.settings.current().readOnly ? 1 : 0,
  );
  registerConnections(service, figure);
  const ofExports = async (gauge: Gauge, value: (one: ScheduledExport) => number | undefined) => {
    gauge.reset();
    const rows = await service.store.exportSchedule.list().catch(() => []);
    for (const row of rows) {
      const found = value(row);
      if (found !== undefined && service.scheduledExports.includes(row.format))
        gauge.inc({ format: row.format }, found);
    }
  };
  if (service.scheduledExports.length > 0) {
    new Gauge({
      name: 'coppice_export_age_seconds',
      help: 'Time since the latest successful scheduled export of a format.',
      aggregator: 'max',
      labelNames: ['format'],
      registers: [registry],
      collect() {
        return ofExports(this, ({ succeededAt }) =>
          succeededAt === null ? undefined : (service.clock() - succeededAt) / 1000,
        );
      },
    });
    new Gauge({
      name: 'coppice_exports_failed',
      help: 'Scheduled exports of a format that have failed so far.',
      aggregator: 'max',
      labelNames: ['format'],
      registers: [registry],
      collect() {
        return ofExports(this, ({ failures }) => failures);
      },
    });
  }
  figure('coppice_backup_age_seconds', 'Time since the latest backup was finished.', () => {
    const at = service.disk.lastBackupAt();
    return at === undefined ? undefined : (service.clock() - at) / 1000;
  });
  figure(
    'coppice_copy_age_seconds',
    'Time by which the continuous copy is behind the wiki. Infinite until the copy is complete, and missing without COPPICE_COPY_TO.',
    () => service.disk.copy()?.ageSeconds,
  );
  figure(
    'coppice_copy_check_age_seconds',
    'Time since the last check that restored the continuous copy and found no problems. Infinite before the first such check.',
    () => service.disk.copy()?.checkAgeSeconds,
  );
  new Counter({
    name: 'coppice_writes_failed_total',
    help: 'Writes that failed because of the storage and not because of the request.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(service.store.failedWrites)) this.inc({ reason }, count);
    },
  });
}

/** Figures of the connections to a database server, and of its replicas. */
function registerConnections({ store }: Service, figure: Figures): void {
  if (!store.connections) return;
  const now = () => store.connections?.();
  figure(
    'coppice_database_connections',
    'Open connections to the database, used and idle.',
    () => now()?.open,
    'sum',
  );
  figure(
    'coppice_database_connections_idle',
    'Open connections to the database that are idle.',
    () => now()?.idle,
    'sum',
  );
  figure(
    'coppice_database_connections_waited_for',
    'Requests that wait for a connection to the database.',
    () => now()?.waiting,
    'sum',
  );
  figure(
    'coppice_replica_lag_seconds',
    'Age of what the replica that is furthest behind shows; infinite while it does not answer. Missing without replicas.',
    () => {
      const lagMs = now()?.replicaLagMs;
      return lagMs === undefined ? undefined : lagMs / 1000;
    },
  );
}

/** Refuses `not-found`, or `unauthenticated` if a token would help. */
export function checkMetricsAccess(access: MetricsAccess, request: FastifyRequest): void {
  if (access === 'open') return;
  if (access === 'off') throw new Problem('not-found', 'Not found.');
  if (access === 'local') {
    if (isLocal(request)) return;
    throw new Problem(
      'not-found',
      'Metrics are available only to programs on the server itself. See COPPICE_METRICS.',
    );
  }
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() === 'bearer' && isSame(token, access.token)) return;
  throw new Problem('unauthenticated', 'Send the token that COPPICE_METRICS defines as bearer token.');
}

/** A proxy on this machine forwards other clients, and says so in a header. */
function isLocal({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers);
  return !isForwarded && /^(::1$|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '');
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Combines the metrics of several workers: counters are added, delays averaged. */
export function addedUp(numbers: unknown[]): Promise<string> {
  return AggregatorRegistry.aggregate(numbers as object[]).metrics();
}
