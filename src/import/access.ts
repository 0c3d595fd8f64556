/**
 * Access to a page as its source states it. Exports of this wiki state it in one form, whatever the format. A
 * statement that cannot be understood is a restriction: nobody but the importer can read the page here.
 */

import { allMembers, groupKey, readGroupName } from '#core/model/group-name.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Protection } from '#core/model/page.ts';
import { readPermissionCode } from '#core/model/permission.ts';

/** Groups and owners by name, because IDs differ between wikis. A group of null means all members. */
export interface StatedAccess {
  permissions: number;
  group: string | null;
  owner?: string;
  protection?: Protection;
  /** Whether the protection stands for a rule of approval, which only JSON lines state. */
  replacesApproval?: true;
  /** Access of new pages beneath the page. */
  defaults?: { permissions: number; group: string | null };
  /** Whether earlier changes are for the owner and administrators only. */
  hidesHistory?: true;
  /** The page that was exported and its owner, by which the same wiki recognises its own member. */
  origin?: { page: number; createdAt: number; owner: number };
}

/** `restriction`: the statement as written, shown in the certificate. */
export type Stated = { access: StatedAccess } | { restriction: string };

const maxRestrictionLength = 200;

/** The form in which exports write it; `readAccess` reads it. */
export function accessRecord(access: StatedAccess): Record<string, unknown> {
  const { permissions, group, owner, protection, replacesApproval, defaults, hidesHistory, origin } = access;
  return {
    permissions: shownCode(permissions),
    ...(group === null ? {} : { group }),
    ...(owner === undefined ? {} : { owner }),
    ...(protection ? { protection: { ...protection, until: isoTime(protection.until) } } : {}),
    ...(replacesApproval ? { replacesApproval } : {}),
    ...(defaults
      ? { defaults: { permissions: shownCode(defaults.permissions), group: defaults.group ?? allMembers } }
      : {}),
    ...(hidesHistory ? { hidesHistory } : {}),
    ...(origin
      ? { origin: { page: origin.page, created: isoTime(origin.createdAt), owner: origin.owner } }
      : {}),
  };
}

/** Undefined if the record states no permissions: without them, the other names mean something else in other programs. */
export function readAccess(record: Readonly<Record<string, unknown>>): Stated | undefined {
  const stated = record.permissions;
  if (stated === undefined || stated === null) return undefined;
  const unread = (key: string): Stated => ({ restriction: shownFact(key, record[key]) });
  const permissions = codeOf(stated);
  if (permissions === undefined) return unread('permissions');
  const group = groupOf(record.group);
  if (group === undefined) return unread('group');
  const access: StatedAccess = { permissions, group };
  const { owner } = record;
  if (typeof owner === 'string') access.owner = owner;
  else if (owner !== undefined && owner !== null) return unread('owner');
  if (record.protection !== undefined && record.protection !== null) {
    const protection = protectionOf(record.protection);
    if (!protection) return unread('protection');
    access.protection = protection;
  }
  if (record.defaults !== undefined && record.defaults !== null) {
    const { permissions, group } = objectOf(record.defaults);
    const defaults = { permissions: codeOf(permissions), group: groupOf(group) };
    if (defaults.permissions === undefined || defaults.group === undefined) return unread('defaults');
    access.defaults = { permissions: defaults.permissions, group: defaults.group };
  }
  if (record.hidesHistory !== undefined && record.hidesHistory !== false) access.hidesHistory = true;
  if (access.protection && record.replacesApproval === true) access.replacesApproval = true;
  const { page, created, owner: ownerId } = objectOf(record.origin);
  const createdAt = typeof created === 'string' ? Date.parse(created) : Number.NaN;
  if (isId(page) && isId(ownerId) && !Number.isNaN(createdAt))
    access.origin = { page, createdAt, owner: ownerId };
  return { access };
}

/** The statement as fields of an outline. */
export function outlinedAccess(
  stated: Stated | undefined,
): { access: StatedAccess } | { isHidden: true; restriction: string } | undefined {
  if (!stated) return undefined;
  return 'access' in stated ? stated : { isHidden: true, restriction: stated.restriction };
}

/** Reads what `accessRecord` wrote as JSON. Anything else is a restriction. */
export function statedInJson(text: string): Stated {
  const unread = { restriction: text.slice(0, maxRestrictionLength) };
  try {
    return readAccess(objectOf(JSON.parse(text))) ?? unread;
  } catch {
    return unread;
  }
}

/** Returns a statement as it is shown, shortened. */
export function shownFact(key: string, value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return `${key}: ${text}`.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxRestrictionLength);
}

/** Rights that both codes give. */
export function narrowerCode(a: number, b: number): number {
  const digits = [100, 10, 1].map((place) => (Math.floor(a / place) % 10) & (Math.floor(b / place) % 10));
  return Number(digits.join(''));
}

/** A text where a number would lose its zeros, which other programs might read as octal. */
function shownCode(permissions: number): number | string {
  return permissions < 100 ? String(permissions).padStart(3, '0') : permissions;
}

/** Also takes the fourth digit that Unix writes in front, if it is 0. */
function codeOf(value: unknown): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return readPermissionCode(/^0[0-7]{3}$/.test(text) ? text.slice(1) : text);
}

/** Undefined if it names no group. */
function groupOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return undefined;
  if (groupKey(value) === allMembers) return null;
  const read = readGroupName(value);
  return 'name' in read ? read.name : undefined;
}

/** Undefined if it is none. */
export function protectionOf(value: unknown): Protection | undefined {
  const { level, subtree, reason, until } = objectOf(value);
  if (level !== 'moderators' && level !== 'administrators') return undefined;
  const end = until === undefined || until === null ? null : Date.parse(String(until));
  if (Number.isNaN(end)) return undefined;
  return { level, subtree: subtree !== false, reason: typeof reason === 'string' ? reason : '', until: end };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
