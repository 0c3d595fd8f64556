/** The access that a form states, decided alike by the server and by the editor while somebody chooses. */

import type { GrantsInWords } from '#core/model/access-words.ts';
import { allMembers, groupKey } from '#core/model/group-name.ts';
import type { GroupName } from '#core/model/page.ts';
import { readPermissionCode, type Wiki } from '#core/model/permission.ts';
import type { LocalText } from '#html/html.ts';
import { say } from '#words/say.ts';
import { permissionWords } from './format.ts';

export interface Access {
  permissions: number;
  group?: GroupName | null | undefined;
}

/** Fields as they are sent; undefined for those that the form does not have. */
export interface AccessFields {
  permissions: string | undefined;
  group: string | undefined;
}

/** `kept`: access that counts where the form states none, of the page, or of the pages above a new one. */
export function chosenAccess(fields: AccessFields, kept: Access, isNew: boolean): Access {
  const { group } = fields;
  return {
    permissions: chosenCode(fields) ?? kept.permissions,
    group: group === undefined || (isNew && group.trim() === '') ? kept.group : groupNamed(group),
  };
}

export function chosenCode({ permissions = '' }: Pick<AccessFields, 'permissions'>): number | undefined {
  return readPermissionCode(permissions);
}

/** IDs of groups are smaller, and audiences are numbers that hold it. */
const noGroup = 2 ** 31;

/** The group of this name for display only, with an ID that no group has; null for all members. */
export function groupNamed(given: string): GroupName | null {
  const name = given.trim();
  return name === '' || groupKey(name) === allMembers ? null : { id: noGroup, name };
}

/** Sentence about a page that gets this access and keeps its grants. */
export function accessMeans(
  { permissions, group }: Access,
  wiki: Wiki,
  grants: GrantsInWords = {},
): LocalText {
  return say('access.afterTheChange', {
    access: permissionWords(permissions, { group, wiki }, grants, 'within'),
  });
}

/** Grants as the value of the attribute `data-grants` of a form. */
export function writeGrants({ granted, groups, people, isNamed = false }: GrantsInWords): string {
  if (!granted && !isNamed) return '';
  return JSON.stringify([granted?.key ?? null, [...(groups ?? [])], [...(people ?? [])], isNamed]);
}

export function readGrants(written: string | undefined): GrantsInWords {
  if (!written) return {};
  const [key, groups, people, isNamed] = JSON.parse(written);
  return {
    granted: key === null ? undefined : { key },
    isNamed,
    groups: new Map(groups),
    people: new Map(people),
  };
}
