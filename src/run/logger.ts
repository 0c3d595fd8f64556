/** Creates the log of the process. */
import cluster from 'node:cluster';
import pino from 'pino';
import type { Config } from '#config/config.ts';

/** Writes JSON lines, or colours on a terminal. Requests are logged without headers, bodies and query strings. */
export async function createLogger(config: Config): Promise<pino.Logger> {
  const base = cluster.worker ? { worker: cluster.worker.id } : null;
  const options = { level: config.logLevel, base, serializers: { err: withoutAddresses } };
  if (!process.stdout.isTTY) return pino(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ ignore: 'pid,hostname' }));
}

/** Errors without e-mail addresses, because databases quote values in their messages. */
function withoutAddresses(error: Error): Record<string, unknown> {
  const serialized = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  const hide = (text: unknown) =>
    typeof text === 'string' ? text.replace(/[^\s@'"()=<>]+@[^\s@'"()=<>]+/g, '…@…') : text;
  const { type, message, stack, code } = serialized;
  return { type, code, message: hide(message), stack: hide(stack) };
}
