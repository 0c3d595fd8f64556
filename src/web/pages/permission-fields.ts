/** Fields for permissions: in words, and the group that they name. */

import type { GrantsInWords } from '#core/model/access-words.ts';
import { allMembers, maxGroupNameLength } from '#core/model/group-name.ts';
import type { GroupName } from '#core/model/page.ts';
import type { Wiki } from '#core/model/permission.ts';
import { say } from '#words/say.ts';
import { choices, field } from '../form-fields.ts';
import { permissionChoice, permissionCode } from '../format.ts';
import { type Html, html } from '../html.ts';

/** Permission codes to choose from, most common first. */
const usual = [774, 744, 444, 770, 740, 700];

/** Options for the common permissions, preceded by `now` if it is another code. `chosen`: the selected code; defaults to `now`. */
export function permissionChoices(
  now: number,
  group: GroupName | null | undefined,
  wiki: Wiki,
  { chosen = now, grants = {} }: { chosen?: number | null; grants?: GrantsInWords | undefined } = {},
): Html[] {
  const codes = usual.includes(now) ? usual : [now, ...usual];
  const pairs = codes.map(
    (code) => [permissionCode(code), permissionChoice(code, group, wiki, grants)] as const,
  );
  return choices(pairs, permissionCode(chosen));
}

/** Names are typed, with suggestions, because an administrator may see very many groups. */
export function groupField(
  groups: readonly string[],
  attributes: Html,
  options: Parameters<typeof field>[3],
): Html {
  const own = html`list="groups" maxlength="${maxGroupNameLength}" ${attributes} autocomplete="off" dir="auto"`;
  const names = [
    html`<option value="${allMembers}" label="${say('access.allMembers')}"></option>`,
    ...groups.map((name) => html`<option value="${name}"></option>`),
  ];
  return html`${field('group', say('permissionFields.group'), own, options)}<datalist id="groups">${names}</datalist>`;
}
