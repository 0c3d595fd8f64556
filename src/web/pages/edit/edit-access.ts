/** Access of the page in an edit form: its fields, and the sentence about it beside Save. */

import type { FastifyRequest } from 'fastify';
import type { GrantsInWords } from '#core/model/access-words.ts';
import { allMembers } from '#core/model/group-name.ts';
import type { AccessDefaults, WholePage } from '#core/model/page.ts';
import { defaultPermissionsIn, type Wiki } from '#core/model/permission.ts';
import type { FieldError } from '#core/model/problem.ts';
import { accessBeneath } from '#core/pages/access-beneath.ts';
import { grantsBeneath, grantsInWords } from '#core/reading/access-sentence.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { type Access, type AccessFields, chosenAccess, chosenCode } from '../../chosen-access.ts';
import { selectField } from '../../form-fields.ts';
import { permissionWords } from '../../format.ts';
import type { Form } from '../../forms.ts';
import { type Html, html, type Words } from '../../html.ts';
import type { Site, Visit } from '../../site.ts';
import { groupField, permissionChoices } from '../permission-fields.ts';
import { historyShown } from './edit-controls.ts';

export interface AccessShown {
  /** Undefined for a new page. */
  page?: WholePage | undefined;
  form: Form;
  errors?: FieldError[];
  /** Names of available groups. */
  groups?: readonly string[];
  /** Access that a new page inherits from its ancestors. */
  inherited?: AccessDefaults | undefined;
  /** Whether an ancestor that the member cannot read may decide about the access of a new page. */
  isOpen?: boolean;
  /** Grants of the page at the place that the form says. */
  grants?: GrantsInWords;
  /** Whether the member cannot save the page, but propose the change. */
  isProposal?: boolean;
}

/** The access that pages above give at the place that the form says. */
export async function accessAt(
  site: Site,
  { reader, visit }: FastifyRequest,
  { page, form }: AccessShown,
): Promise<Pick<AccessShown, 'inherited' | 'isOpen' | 'grants'>> {
  const { store } = site.service;
  const [parent, path] = [form.text('parent'), form.text('path')];
  const above = page ? undefined : await accessBeneath(reader, parent);
  const stays = page && (!form.has('parent') || parent === (page.lineage.at(-1)?.path ?? ''));
  return {
    inherited: above?.defaults,
    isOpen: above?.isOpen ?? false,
    grants: stays
      ? await grantsInWords(store, visit.actor, page)
      : await grantsBeneath(store, reader, { parent, path, ...(page ? { page } : {}) }),
  };
}

export function mayChangeAccess({ actor }: Visit, page: WholePage): boolean {
  return actor?.isAdmin === true || actor?.memberId === page.owner.id;
}

/** The common permissions and the page's own, in words. Only shown to the owner and administrators. */
export function permissions(visit: Visit, shown: AccessShown): Html | undefined {
  const { page, form, errors = [], groups = [], inherited, grants } = shown;
  if (page && !mayChangeAccess(visit, page)) return undefined;
  const chosen = chosenCode(accessFields(form));
  const { permissions: now, group } = accessShown(shown, visit);
  const isWrong = errors.some(({ pointer }) => pointer === '/permissions');
  const kept = permissionWords(
    accessKept(shown, visit).permissions,
    { group, wiki: visit },
    grants,
    'within',
  );
  const isOpen = isAccessOpen(shown);
  const asUsual = isOpen
    ? say('editForm.asThePagesAboveDecideOpen')
    : say(inherited ? 'editForm.asThePagesAboveDecide' : 'editForm.asUsual', { access: kept });
  const usual = html`<option value=""${chosen === undefined && html` selected`}>${asUsual}</option>`;
  const offered = [
    !page && usual,
    permissionChoices(now, group, visit, { chosen: page ? now : (chosen ?? null), grants }),
  ];
  const label = page ? say('common.permissions') : say('editForm.permissionsOfTheNewPage');
  return html`<details${(isWrong || now !== defaultPermissionsIn(visit)) && html` open`}><summary>${say(
    'editForm.whoMayReadAndEditPermission',
    {
      permission: html`<span class="quiet" id="permissions-brief">${!isOpen && permissionWords(now, { group, wiki: visit }, grants)}</span>`,
    },
  )}</summary><div class="fields" id="permissions">
${selectField('permissions', label, offered, { id: 'permissions-choice', errors, isWide: true })}
${
  (groups.length > 0 || page?.group) &&
  groupField(
    groups,
    html`value="${form.text('group')}" placeholder="${say(page ? 'access.allMembers' : 'editForm.asAbove')}"`,
    { errors, hint: say('editForm.groupHint', { allMembers }) },
  )
}
${page && html`<p class="wide"><a href="${urlOf('/access', page.path)}">${say('editForm.changeThisPageAndAllPages')}</a></p>`}
${page && historyShown(page, form)}
</div></details>`;
}

/** Access of the page, or what pages above give to a new one. */
export function accessKept({ page, inherited }: AccessShown, wiki: Wiki): Access {
  return page ?? inherited ?? { permissions: defaultPermissionsIn(wiki) };
}

function accessFields(form: Form): AccessFields {
  return { permissions: form.text('permissions'), group: form.has('group') ? form.text('group') : undefined };
}

/** True if a new page takes its access from pages above that the writer cannot read. */
function isAccessOpen({ isOpen = false, form }: AccessShown): boolean {
  const fields = accessFields(form);
  return isOpen && (chosenCode(fields) === undefined || (fields.group ?? '').trim() === '');
}

function accessShown(shown: AccessShown, wiki: Wiki): Access {
  return chosenAccess(accessFields(shown.form), accessKept(shown, wiki), !shown.page);
}

export function saveMeans(shown: AccessShown, wiki: Wiki): Words {
  if (shown.isProposal) return say('editForm.youCannotSaveThisDirectly');
  if (isAccessOpen(shown)) return say('editorSaveSummary.publishesThePageWhereYou');
  const { permissions, group } = accessShown(shown, wiki);
  const access = (place: 'sentence' | 'within') =>
    permissionWords(permissions, { group, wiki }, shown.grants, place);
  return shown.page
    ? say('editForm.savedAccess', { access: access('sentence') })
    : say('editForm.publishes', { access: access('within') });
}
