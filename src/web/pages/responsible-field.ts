/**
 * The member responsible for a page, by name in its form. In forms of contents the field holds the address of the page about the
 * member, which is exchanged for the name when the form is shown, and found again when it is sent.
 */
import { memberNamed } from '#core/members/member-named.ts';
import { idInMemberUrl, memberUrl } from '#core/model/member-address.ts';
import type { Content, MemberName } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import type { FieldError } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { completesMembers, field } from '../form-fields.ts';
import { type Form, formWith } from '../forms.ts';
import { type Html, html } from '../html.ts';

export type MemberNames = ReadonlyMap<number, MemberName>;

/** Names of the members whom these contents name; no statement if they name none. */
export async function membersIn(
  { grants }: Pick<Store, 'grants'>,
  contents: readonly Content[],
): Promise<MemberNames> {
  const subjects = contents.flatMap(({ responsible }) => (responsible ? [{ member: responsible }] : []));
  return subjects.length === 0 ? new Map() : (await grants.namesOf(subjects)).members;
}

/** The form as it is shown, with the name in place of the address. */
export async function withShownMember(store: Pick<Store, 'grants'>, form: Form): Promise<Form> {
  const id = idInMemberUrl(form.text('responsible'));
  if (id === undefined) return form;
  const { members } = await store.grants.namesOf([{ member: id }]);
  const address = memberUrl(id);
  return formWith(form, { responsible: members.get(id)?.name ?? address, 'responsible-was': address });
}

/** The form as it was sent, with the address in place of the name. Refuses `invalid` for a name that not exactly one member has. */
export async function withFoundMember(
  store: Pick<Store, 'grants' | 'members'>,
  actor: Actor,
  form: Form,
): Promise<Form> {
  const name = form.text('responsible').trim();
  if (!actor || name === '') return form;
  // Somebody whose account was closed since, or whose name others have, stays responsible.
  const shown = await withShownMember(store, formWith(form, { responsible: form.text('responsible-was') }));
  if (shown.text('responsible') === name)
    return formWith(form, { responsible: shown.text('responsible-was') });
  const member = await memberNamed(store, actor, name, '/responsible');
  return formWith(form, { responsible: memberUrl(member.id) });
}

export function responsibleField(form: Form, errors: FieldError[]): Html {
  const attributes = html`value="${form.text('responsible')}" placeholder="${say('editForm.theOwner')}" maxlength="255" ${completesMembers}`;
  return field('responsible', say('editFields.responsible'), attributes, {
    errors,
    hint: say('editForm.isToldWhenAReviewIsDue'),
  });
}
