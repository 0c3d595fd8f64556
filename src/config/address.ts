/** Address of the wiki, for links that are printed and mailed. */
import type { Config } from './config.ts';

/** Public address of the wiki from the settings, or an address of this machine. */
export function addressOf(config: Config, port: number): string {
  const host = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(config.host) ? 'localhost' : config.host;
  return config.url || `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
