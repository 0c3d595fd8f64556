/** The access that a form of a page states while somebody chooses, and the labels that follow it. */
import type { GrantsInWords } from '#core/model/access-words.ts';
import { defaultPermissionsIn, readPermissionCode, type Wiki } from '#core/model/permission.ts';
import { type Access, type AccessFields, chosenAccess, groupNamed, readGrants } from '#web/chosen-access.ts';
import { permissionChoice, permissionWords } from '#web/format.ts';
import { textHere } from './words.ts';

export function accessIn(form: HTMLFormElement): Access {
  return chosenAccess(accessFieldsOf(form), accessKept(form), form.dataset.path === '');
}

/** Access of the page, or what pages above give to a new one. */
function accessKept(form: HTMLFormElement): Access {
  const { permissions, group = '' } = form.dataset;
  return {
    permissions: readPermissionCode(permissions) ?? defaultPermissionsIn(wikiOf(form)),
    group: groupNamed(group),
  };
}

export function accessFieldsOf(form: HTMLFormElement): AccessFields {
  return { permissions: fieldValueOf(form, 'permissions'), group: fieldValueOf(form, 'group') };
}

export function fieldValueOf(form: HTMLFormElement, name: string): string | undefined {
  return (form.elements.namedItem(name) as HTMLInputElement | null)?.value;
}

export function wikiOf({ dataset }: HTMLFormElement): Wiki {
  return { isPrivate: dataset.privateWiki !== undefined };
}

/** Grants that hold besides whatever the form states. */
export function grantsOf({ dataset }: HTMLFormElement): GrantsInWords {
  return readGrants(dataset.grants);
}

/** Access that the form states, in words. */
export function accessWords(form: HTMLFormElement, place: 'sentence' | 'within' = 'sentence'): string {
  const { permissions, group } = accessIn(form);
  return textHere(permissionWords(permissions, { group, wiki: wikiOf(form) }, grantsOf(form), place));
}

/** Labels of the permissions name the chosen group. `isOpen`: pages above decide about the option without a code. */
export function labelPermissions(form: HTMLFormElement, isOpen = false): void {
  const { group } = accessIn(form);
  for (const option of form.querySelectorAll<HTMLOptionElement>('#permissions-choice option')) {
    const code = readPermissionCode(option.value);
    // The server's words before the colon of the language.
    const [, usual = option.text, colon = ': '] = /^(.+?)(: |：)/.exec(option.text) ?? [];
    const kept = permissionWords(
      accessKept(form).permissions,
      { group, wiki: wikiOf(form) },
      grantsOf(form),
      'within',
    );
    const label =
      code !== undefined
        ? textHere(permissionChoice(code, group, wikiOf(form), grantsOf(form)))
        : isOpen
          ? usual
          : `${usual}${colon}${textHere(kept)}`;
    if (option.text !== label) option.text = label;
  }
}
