/** Finds the groups and the template that a caller names for a page, and refuses those that they may not use. */
import { say } from '#words/say.ts';
import { groupKey, noGroupNamed } from '../model/group-name.ts';
import type { GroupName } from '../model/page.ts';
import type { AccessFields, CheckedAccess } from '../model/page-group.ts';
import { type Actor, isInGroup } from '../model/permission.ts';
import { invalid } from '../model/problem.ts';
import type { Transaction } from '../ports/store.ts';
import { findPageTemplate } from './begin-page.ts';

/**
 * Group and defaults of a content; all members are represented by absence. Groups are locked, so that none is deleted meanwhile.
 * Refuses `invalid` for a group that does not exist or that the actor is not in, unless it is the page's group already. Where a
 * proposal is shown, such a group is left out instead, so that the view says nothing about groups of others.
 */
export async function accessNamed(
  store: Transaction,
  actor: NonNullable<Actor>,
  { group, defaults }: CheckedAccess,
  before: AccessFields = {},
): Promise<AccessFields> {
  const by = actor.shownTo ?? actor;
  const names = [group, defaults?.group].filter((name) => typeof name === 'string');
  const found = names.length === 0 ? [] : await store.groups.lockByNames(names);
  const named = (name: string | null, held: GroupName | undefined, pointer: string) => {
    if (name === null) return undefined;
    const one = found.find((one) => groupKey(one.name) === groupKey(name));
    if (one && held?.id === one.id) return held;
    if (one && (by.isAdmin || isInGroup(by, one))) return { id: one.id, name: one.name };
    if (actor.shownTo) return held;
    throw invalid(pointer, noGroupNamed(name, by), 'not-found');
  };
  const access: AccessFields = {};
  if (group !== undefined) Object.assign(access, { group: named(group, before.group, '/group') });
  if (defaults !== undefined) {
    const ofDefaults = defaults && named(defaults.group, before.defaults?.group, '/defaults/group');
    Object.assign(access, {
      defaults: defaults
        ? {
            ...(defaults.permissions === undefined ? {} : { permissions: defaults.permissions }),
            ...(ofDefaults ? { group: ofDefaults } : {}),
            ...(await templateNamed(store, actor, defaults.template, before)),
          }
        : undefined,
    });
  }
  return access;
}

/** A template that is there already stays, also for those who cannot read it. */
async function templateNamed(
  store: Transaction,
  actor: NonNullable<Actor>,
  template: string | undefined,
  before: AccessFields,
): Promise<{ template?: string }> {
  if (template === undefined || template === before.defaults?.template) return template ? { template } : {};
  const found = await findPageTemplate(store.readAs(actor.shownTo ?? actor), template);
  if (found) return { template: found.path };
  if (actor.shownTo) return before.defaults?.template ? { template: before.defaults.template } : {};
  throw invalid('/defaults/template', say('problem.thereIsNoPageTemplateAt2', { template }), 'not-found');
}
