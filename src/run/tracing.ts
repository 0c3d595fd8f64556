/**
 * Traces of requests and of the statements that they run, sent by OpenTelemetry to the collector that COPPICE_TRACES names. The
 * libraries are loaded only then. Spans have statements without values, routes without what stands in their place, and no
 * addresses, so that they are as discreet as the log.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#config/config.ts';
import type { RequestTracing } from '#http/service.ts';
import type { Statement } from '#store/engine.ts';
import { version } from './version.ts';

/** How long the end of the server waits for the collector. */
const stopMs = 2000;

interface Tracing extends RequestTracing {
  /** See `EngineOptions`. */
  onStatement(query: Statement): () => void;
  /** Sends what is left. Never fails, because a collector may be away. */
  stop(): Promise<void>;
}

/** Undefined unless COPPICE_TRACES is set. */
export async function startTracing({ traces: collector, databaseUrl }: Config): Promise<Tracing | undefined> {
  if (collector === undefined) return undefined;
  const engine = databaseUrl === undefined ? 'sqlite' : 'postgresql';
  const [api, { NodeSDK }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME ?? 'coppice',
    traceExporter: new OTLPTraceExporter({ url: `${collector.replace(/\/$/, '')}/v1/traces` }),
    // Requests to others and metrics are not sent.
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  const tracer = api.trace.getTracer('coppice', version);
  const spans = new WeakMap<IncomingMessage, ReturnType<typeof tracer.startSpan>>();
  return {
    listening: (listener) => (request, response) => {
      const { method = 'GET' } = request;
      const caller = api.propagation.extract(api.context.active(), request.headers);
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes }, caller);
      spans.set(request, span);
      response.once('close', () => {
        const { statusCode } = response;
        span.setAttribute('http.response.status_code', statusCode);
        // A caller who went away has seen no status.
        if (statusCode >= 500 || !response.writableFinished)
          span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      });
      api.context.with(api.trace.setSpan(caller, span), () => listener(request, response));
    },
    named(request, route) {
      const span = spans.get(request);
      span?.setAttribute('http.route', route);
      span?.updateName(`${request.method} ${route}`);
    },
    onStatement({ sql }) {
      // Loops of the server trace nothing.
      if (!api.trace.getActiveSpan()) return () => {};
      const name = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? 'statement';
      const attributes = { 'db.system.name': engine, 'db.operation.name': name, 'db.query.text': sql };
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes });
      return () => span.end();
    },
    async stop() {
      await Promise.race([sdk.shutdown().catch(() => {}), sleep(stopMs, undefined, { ref: false })]);
      for (const part of [api.trace, api.context, api.propagation]) part.disable();
    },
  };
}
