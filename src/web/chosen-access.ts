/** The access that a form states, decided alike by the server and by the editor while somebody chooses. */
import { allMembers, groupKey } from '#core/model/group-name.ts';
import type { GroupName } from '#core/model/page.ts';
import { readPermissionCode, type Wiki } from '#core/model/permission.ts';
import { lowerFirst, permissionWords } from './format.ts';

export interface Access {
  permissions: number;
  group?: GroupName | null | undefined;
}

/** Fields as they are sent; undefined for those that the form does not have. */
export interface AccessFields {
  code: string | undefined;
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

export function chosenCode({ code = '', permissions = '' }: AccessFields): number | undefined {
  return readPermissionCode(code.trim() || permissions);
}

/** The group of this name for display only, because it may not exist yet; null for all members. */
export function groupNamed(given: string): GroupName | null {
  const name = given.trim();
  return name === '' || groupKey(name) === allMembers ? null : { id: 1, name };
}

/** Sentence about pages that get this access. */
export function accessMeans({ permissions, group }: Access, wiki: Wiki): string {
  return `After the change: ${lowerFirst(permissionWords(permissions, group, wiki))}.`;
}
