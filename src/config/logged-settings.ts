/** The settings that the log states at the start. Only settings named here are logged, so that no secret ever is. */
import type { Config } from './config.ts';

export function loggedSettings(config: Config) {
  const { host, port, workers, url, fixed } = config;
  const { maxUploadBytes, maxCacheBytes, requestTimeoutMs, sessions, trashDays, auditDays } = config;
  const { databaseUrl, s3, mail, metrics, providers, scheduledExports } = config;
  return {
    host,
    port,
    workers,
    url,
    fixed,
    maxUploadBytes,
    maxCacheBytes,
    requestTimeoutMs,
    sessions,
    trashDays,
    auditDays,
    ...(databaseUrl !== undefined && {
      databaseConnections: config.databaseConnections,
      databaseWaitMs: config.databaseWaitMs,
      replicas: config.replicaUrls.length,
    }),
    files: s3 ? 's3' : 'disk',
    hasRateLimits: config.hasRateLimits,
    metrics: typeof metrics === 'string' ? metrics : 'token',
    trustProxy: config.trustProxy,
    secondFactor: config.secondFactor,
    sendsMail: mail !== undefined,
    providers: providers.map(({ name }) => name),
    scheduledExports: scheduledExports?.formats ?? [],
    purge: config.purge?.kind,
    logLevel: config.logLevel,
  };
}
