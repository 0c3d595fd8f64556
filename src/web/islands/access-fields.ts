/** The access that a form of a page states while somebody chooses, and the labels that follow it. */
import { defaultPermissions, readPermissionCode } from '#core/model/permission.ts';
import { type Access, type AccessFields, chosenAccess, groupNamed } from '#web/chosen-access.ts';
import { lowerFirst, permissionWords } from '#web/format.ts';

export function accessIn(form: HTMLFormElement): Access {
  return chosenAccess(accessFieldsOf(form), accessKept(form), form.dataset.path === '');
}

/** Access of the page, or what pages above give to a new one. */
function accessKept({ dataset }: HTMLFormElement): Access {
  const permissions = readPermissionCode(dataset.permissions) ?? defaultPermissions;
  return { permissions, group: groupNamed(dataset.group ?? '') };
}

export function accessFieldsOf(form: HTMLFormElement): AccessFields {
  const [code, permissions] = [fieldValueOf(form, 'permissions-code'), fieldValueOf(form, 'permissions')];
  return { code, permissions, group: fieldValueOf(form, 'group') };
}

export function fieldValueOf(form: HTMLFormElement, name: string): string | undefined {
  return (form.elements.namedItem(name) as HTMLInputElement | null)?.value;
}

export function accessWords({ permissions, group }: Access): string {
  return permissionWords(permissions, group);
}

/** Labels of the permissions name the chosen group. `isOpen`: pages above decide about the option without a code. */
export function labelPermissions(form: HTMLFormElement, isOpen = false): void {
  const { group } = accessIn(form);
  for (const option of form.querySelectorAll<HTMLOptionElement>('#permissions-choice option')) {
    const words = permissionWords(readPermissionCode(option.value) ?? accessKept(form).permissions, group);
    const [usual = ''] = option.text.split(':', 1);
    const label = option.value !== '' ? words : isOpen ? usual : `${usual}: ${lowerFirst(words)}`;
    if (option.text !== label) option.text = label;
  }
}
