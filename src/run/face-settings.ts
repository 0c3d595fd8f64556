/** Settings as the API and the site read them. Those that administrators change are read anew each time. */
import type { Config } from '#config/config.ts';
import type { Store } from '#core/ports/store.ts';
import { isLoopback } from '#http/host.ts';
import type { HttpSettings } from '#http/service.ts';
import type { WebSettings } from '#web/site.ts';
import { version } from './version.ts';

export function httpSettings(config: Config, { settings }: Store): HttpSettings {
  return {
    get name() {
      return settings.current().name;
    },
    version,
    baseUrl: config.url,
    get defaultFormat() {
      return settings.current().format;
    },
    maxUploadBytes: config.maxUploadBytes,
    hasRateLimits: config.hasRateLimits,
    metrics: config.metrics,
    isPurged: config.purge !== undefined,
    trustProxy: config.trustProxy,
    isLocal: isLoopback(config.host),
    requestTimeoutMs: config.requestTimeoutMs,
  };
}

export function webSettings(config: Config, { settings }: Store): WebSettings {
  const { url: baseUrl, maxUploadBytes, tiles, trashDays } = config;
  return {
    baseUrl,
    maxUploadBytes,
    tiles,
    trashDays,
    get name() {
      return settings.current().name;
    },
    get home() {
      return settings.current().home;
    },
    get defaultFormat() {
      return settings.current().format;
    },
  };
}
