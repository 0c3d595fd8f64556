/** Parsers for values of settings. Each returns the parsed value, or undefined if the text is invalid. */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isEmail } from '#core/model/email.ts';
import { readPath } from '#core/model/path.ts';
import type { MetricsAccess } from '#http/service.ts';
import { addressesOf } from '#store/postgres/addresses.ts';

const maxWorkers = 64;

export function readInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `45m`, `12h` or `30d` to milliseconds. */
export function readDuration(text: string, minMs: number, maxMs: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return ms >= minMs && ms <= maxMs ? ms : undefined;
}

export function readWorkers(text: string): number | undefined {
  return text === 'auto' ? Math.min(availableParallelism(), maxWorkers) : readInteger(text, 1, maxWorkers);
}

export function readSwitch(text: string): boolean | undefined {
  return text === 'on' ? true : text === 'off' ? false : undefined;
}

export function readMetrics(text: string): MetricsAccess | undefined {
  if (text === 'local' || text === 'open' || text === 'off') return text;
  const token = /^token:([\x21-\x7e]{16,200})$/.exec(text)?.[1];
  return token === undefined ? undefined : { token };
}

export function readDatabaseUrl(text: string): string | undefined {
  if (text === '') return text;
  const isUrl = (address: string) => /^postgres(ql)?:$/.test(urlOf(address)?.protocol ?? '');
  return addressesOf(text).every(isUrl) ? text : undefined;
}

export function readReplicas(text: string): string[] | undefined {
  // Splits only at commas before a scheme, because one URL may list several hosts separated by commas.
  const urls = text === '' ? [] : text.split(/\s*,\s*(?=[a-z]+:\/\/)/i);
  return urls.every((url) => readDatabaseUrl(url)) ? urls : undefined;
}

/** Bucket names follow Amazon's rules. The prefix consists of plain names, so that no client or proxy interprets it. */
export function readFilesPlace(text: string): 'disk' | { bucket: string; prefix: string } | undefined {
  if (text === 'disk') return text;
  const [, bucket, prefix = ''] =
    /^s3:([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w-][\w.-]*(?:\/[\w-][\w.-]*)*))?$/.exec(text) ?? [];
  return bucket === undefined || prefix.length > 200 ? undefined : { bucket, prefix };
}

export function readEndpoint(text: string): string | undefined {
  if (text === '') return text;
  const url = urlOf(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) return undefined;
  return url.href.replace(/\/$/, '');
}

/** `varnish:` and an address, or a provider and the ID of a service or zone there. Empty for none. */
export function readPurge(
  text: string,
): '' | { kind: 'varnish'; url: string } | { kind: 'fastly' | 'cloudflare'; id: string } | undefined {
  if (text === '') return text;
  const [, kind = '', place = ''] = /^(varnish|fastly|cloudflare):(.+)$/.exec(text) ?? [];
  if (kind === 'varnish') {
    const url = readEndpoint(place);
    return url ? { kind, url } : undefined;
  }
  if (kind !== 'fastly' && kind !== 'cloudflare') return undefined;
  return /^[\w-]{1,64}$/.test(place) ? { kind, id: place } : undefined;
}

export function readMailServer(text: string): string | undefined {
  if (text === '') return text;
  const url = urlOf(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
  return (url.pathname === '' || url.pathname === '/') && !url.search && !url.hash ? text : undefined;
}

/** Parses a mail address, optionally with a display name. Rejects anything that could start another header. */
export function readSender(text: string): string | undefined {
  const start = text.indexOf('<');
  const [name, address] =
    start >= 0 && text.endsWith('>') ? [text.slice(0, start), text.slice(start + 1, -1)] : ['', text];
  const isSender = isEmail(address) && !/[<>\p{Cc}]/u.test(name) && text.length <= 320;
  return text === '' || isSender ? text : undefined;
}

export function readRegion(text: string): string | undefined {
  return /^[a-z0-9-]{1,50}$/i.test(text) ? text : undefined;
}

export function readHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ? text : undefined;
}

export function readTiles(text: string): string | undefined {
  if (text === '') return text;
  const isWhole = ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
  // Other characters could become a directive of the site's content security policy.
  const isPlain = /^(https?:\/\/[a-z0-9.-]+(:\d+)?)?\/[^/\\\s"'<>][^\s"'<>\\]*$/i.test(text);
  return isWhole && isPlain ? text : undefined;
}

export function readBytes(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,12})\s*(B|kB|MB|GB)?$/i.exec(text) ?? [];
  if (digits === '') return undefined;
  const factor =
    { '': 1, b: 1, kb: 1000, mb: 1_000_000, gb: 1_000_000_000 }[unit.toLowerCase()] ?? Number.NaN;
  const bytes = Number(digits) * factor;
  return bytes >= 1000 && bytes <= 10_000_000_000 ? bytes : undefined;
}

export function readKey(text: string): string | undefined {
  if (text === '') return text;
  const isKey = (key: string) => /^([\w+/-]{43}=?|[0-9a-f]{64})$/i.test(key.trim());
  return text.split(',').every(isKey) ? text : undefined;
}

export function readTrust(text: string): false | number | string[] | undefined {
  if (text === 'off') return false;
  const hops = readInteger(text, 1, 100);
  if (hops !== undefined) return hops;
  const names = text.split(',').map((name) => name.trim());
  return names.every(isRange) ? names : undefined;
}

function isRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || readInteger(bits, 1, version === 4 ? 32 : 128) !== undefined;
}

export function readName(text: string): string | undefined {
  return [...text].length <= 100 && !/\p{Cc}/u.test(text) ? text : undefined;
}

export function readUrl(text: string): string | undefined {
  if (text === '') return text;
  const url = urlOf(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // Coppice's own paths begin at the root, so an address with a path would lead nowhere.
  return url.pathname === '/' && !url.search && !url.hash && !url.username ? url.origin : undefined;
}

export function readHome(text: string): string | undefined {
  const read = readPath(text);
  return 'path' in read ? read.path : undefined;
}

/** Parses `prefix=https://…$1 …`. An empty address removes a prefix that is preset. */
export function readInterwiki(text: string): Record<string, string> | undefined {
  const pairs: [string, string][] = [];
  for (const written of text.split(/\s+/).filter((part) => part !== '')) {
    const [, prefix, address] = /^([\p{L}\d][\p{L}\d_-]{0,63})=(.*)$/u.exec(written) ?? [];
    if (prefix === undefined || address === undefined || own.has(prefix.toLowerCase())) return undefined;
    const isAddress = /^https?:\/\/[^\s"'<>\\]{1,1000}$/.test(address) && address.includes('$1');
    if (address !== '' && (!isAddress || urlOf(address) === undefined)) return undefined;
    pairs.push([prefix.toLowerCase(), address]);
  }
  return pairs.length > 1000 ? undefined : Object.fromEntries(pairs);
}

/** Keys that have a meaning of their own before a colon in double brackets. */
const own = new Set(['type', 'location', 'category', 'file', 'image', 'media', 'template', 'http', 'https']);

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
