/** The group of a page and the defaults for new pages beneath it: as callers give them, and as contents store them. */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { allMembers, groupKey, readGroupName } from './group-name.ts';
import type { AccessDefaults, Content, Defaults, GroupName } from './page.ts';
import { readPath } from './path.ts';
import { defaultPermissions, readPermissionCode } from './permission.ts';

/** Input from callers. A group of null, an empty name or `members` means all members. Null removes the defaults. */
export interface GivenAccess {
  group?: string | null;
  defaults?: { permissions?: number | string; group?: string | null; template?: string | null } | null;
}

/** Checked input: null means all members. */
export interface CheckedAccess {
  group?: string | null;
  defaults?: { permissions?: number; group: string | null; template?: string } | null;
}

/** Content fields that define access besides `permissions`. */
export type AccessFields = Pick<Content, 'group' | 'defaults'>;

/** Name of the group as the API has it: that of all members if the page belongs to none. */
export function shownGroup(group: GroupName | null | undefined): string {
  return group?.name ?? allMembers;
}

/** Defaults of new pages as the API has them, or null for none. */
export function shownDefaults(defaults: Defaults | null | undefined) {
  if (!defaults) return null;
  const { permissions, group, template } = defaults;
  return {
    ...(permissions === undefined ? {} : { permissions, group: shownGroup(group) }),
    ...(template === undefined ? {} : { template }),
  };
}

/** Group and defaults in normal form. Calls `refuse` for each bad field, and goes on with the others. */
export function checkAccess(
  { group, defaults }: GivenAccess,
  refuse: (field: string, detail: Words) => void,
): CheckedAccess {
  const checked: CheckedAccess = {};
  if (group !== undefined) checked.group = nameOf(group, (detail) => refuse('group', detail));
  if (defaults === null) checked.defaults = null;
  else if (defaults !== undefined) {
    const template = templateOf(defaults.template, (detail) => refuse('defaults/template', detail));
    const named = nameOf(defaults.group ?? null, (detail) => refuse('defaults/group', detail));
    // A template by itself gives no access.
    const isAccess = defaults.permissions !== undefined || named !== null || template === undefined;
    const permissions = readPermissionCode(defaults.permissions ?? defaultPermissions);
    if (permissions === undefined)
      refuse('defaults/permissions', say('problem.permissionsMustBeThreeOctalDigits02'));
    checked.defaults = {
      ...(isAccess ? { permissions: permissions ?? 0 } : {}),
      group: named,
      ...(template === undefined ? {} : { template }),
    };
  }
  return checked;
}

function templateOf(given: string | null | undefined, refuse: (detail: Words) => void): string | undefined {
  if (given === undefined || given === null || given.trim() === '') return undefined;
  const read = readPath(given);
  if ('path' in read) return read.path;
  refuse(read.problem);
  return undefined;
}

function nameOf(given: string | null, refuse: (detail: Words) => void): string | null {
  if (given === null || given.trim() === '' || groupKey(given) === allMembers) return null;
  const read = readGroupName(given);
  if ('name' in read) return read.name;
  refuse(read.problem);
  return null;
}

/**
 * Defaults for new pages beneath this one: its own, or those of the nearest ancestor that has any. `all`: defaults of each page
 * that has any, by ID.
 */
export function defaultsBeneath(
  { id, trail }: { id: number; trail: readonly number[] },
  all: ReadonlyMap<number, AccessDefaults>,
): AccessDefaults | undefined {
  const nearest = [...trail, id].findLast((one) => all.has(one));
  return nearest === undefined ? undefined : all.get(nearest);
}

/** Group and defaults of a content, for use in another content of the same page. */
export function accessIn({ group, defaults }: AccessFields): AccessFields {
  return { ...(group ? { group } : {}), ...(defaults ? { defaults } : {}) };
}

/** `774`, or `770 editors` for a page of a group. */
export function accessWords({ permissions, group }: Pick<Content, 'permissions' | 'group'>): string {
  return `${String(permissions).padStart(3, '0')}${group ? ` ${group.name}` : ''}`;
}

/** Defaults of new pages in English, for comparisons of changes; `none` without any. */
export function defaultsWords({ defaults }: AccessFields): string {
  const { permissions, group, template } = defaults ?? {};
  const words = [
    ...(permissions === undefined ? [] : [accessWords({ permissions, ...(group ? { group } : {}) })]),
    ...(template === undefined ? [] : [`template ${template}`]),
  ];
  return words.join(', ') || 'none';
}

/** Whether the input differs from the page. */
export function changesAccess(
  { group, defaults }: CheckedAccess,
  page: { group: GroupName | null; defaults: Defaults | null },
): boolean {
  const isGroup = (name: string | null, held: GroupName | null | undefined) =>
    groupKey(name ?? allMembers) === groupKey(shownGroup(held));
  if (group !== undefined && !isGroup(group, page.group)) return true;
  if (defaults === undefined) return false;
  const held = page.defaults;
  return defaults === null || held === null
    ? defaults !== held
    : defaults.permissions !== held.permissions ||
        defaults.template !== held.template ||
        !isGroup(defaults.group, held.group);
}
