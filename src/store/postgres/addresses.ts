/** Parsing of PostgreSQL connection strings. */

/** Returns one address for each host in a connection string: `postgres://user@a,b:5433/wiki` has two. */
export function addressesOf(url: string): string[] {
  const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i.exec(url);
  if (!parts) return [url];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => before + host + after);
}
