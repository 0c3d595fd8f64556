/** Address of the wiki, for links that are printed and mailed. */
import type { Config } from './config.ts';

/** Address of the wiki: that of the settings, or one of this machine. */
export function addressOf(config: Config, port: number): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return config.url || `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
