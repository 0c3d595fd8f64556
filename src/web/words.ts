/** How the site says things: times, sizes, counts and permissions in plain words. */
import { may } from '#domain/permission.ts';
import { type Html, html } from './html.ts';

/** `3 hours ago`, exact on hover; the reader's own zone and language are put in by script where there is one. */
export function timeAgo(at: number, now: number): Html {
  const date = new Date(at);
  return html`<time datetime="${date.toISOString()}" title="${exactTime(at)}">${relative(at, now)}</time>`;
}

/** Milliseconds for which `timeAgo` will surely say the same, at least half a minute: to that it is never exact. */
export function sameWordsForMs(at: number, now: number): number {
  const said = relative(at, now);
  return [dayMs, dayMs / 24, dayMs / 240].find((ms) => relative(at, now + ms) === said) ?? 30_000;
}

const dayMs = 24 * 60 * 60 * 1000;

export function exactTime(at: number): string {
  return `${exact.format(at)} UTC`;
}

function relative(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${count(minutes, 'minute')} ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${count(hours, 'hour')} ago`;
  const days = Math.round(hours / 24);
  if (days === 1) return 'yesterday';
  if (days < 14) return `${days} days ago`;
  return new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear()
    ? dayInYear.format(at)
    : day.format(at);
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const dayInYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

export function dayOf(at: number): string {
  return day.format(at);
}

/** `1 page`, `14 pages`, `1,204 pages`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${number === 1 ? one : many}`;
}

export function plainNumber(number: number): string {
  return numbers.format(number);
}

const numbers = new Intl.NumberFormat('en');

export function distance(metres: number): string {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${metres < 100_000 ? (metres / 1000).toFixed(1) : numbers.format(Math.round(metres / 1000))} km`;
}

/** `52.5163° N, 13.4° E`: to the metre, without needless noughts. */
export function coordinates({ lat, lon }: { lat: number; lon: number }): string {
  const side = (degrees: number, plus: string, minus: string) =>
    `${Number(Math.abs(degrees).toFixed(5))}° ${degrees < 0 ? minus : plus}`;
  return `${side(lat, 'N', 'S')}, ${side(lon, 'E', 'W')}`;
}

/** `Anyone can read, members can edit`: what a permission code means. */
export function permissionWords(permissions: number): string {
  const readers = who('read', permissions);
  const writers = who('write', permissions);
  if (readers === writers)
    return `Only ${readers.replace(/^only /, '')} can read and edit`.replace(/^Only members/, 'Members');
  return `${readers.charAt(0).toUpperCase()}${readers.slice(1)} can read, ${writers} can edit`;
}

function who(action: 'read' | 'write', permissions: number): string {
  const page = { permissions, ownerId: 1 };
  // A write by nobody in particular does not exist: everyone who writes is signed in.
  if (action === 'read' && may(null, action, page)) return 'anyone';
  if (may({ memberId: 2, name: '', isAdmin: false }, action, page)) return 'members';
  if (may({ memberId: 1, name: '', isAdmin: false }, action, page)) return 'only the owner';
  return 'only administrators';
}

/** The codes that people choose from, most usual first. */
export const usualPermissions = [774, 744, 444, 770, 740, 700];
