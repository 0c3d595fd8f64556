/** Connection strings, taken apart. */

/** One address for each host that a connection string names: `postgres://user@a,b:5433/wiki` is two. */
export function addressesOf(url: string): string[] {
  const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i.exec(url);
  if (!parts) return [url];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => before + host + after);
}
