/**
 * Changes permissions and group of a page and its subtree, in one transaction. Only pages that the actor owns are changed (all
 * pages for administrators); others are kept, and counted as far as the actor can see them. Each changed page gets its own
 * change.
 */

import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { refuseUnlessWriter } from '../model/may-write.ts';
import type { GroupName, Page } from '../model/page.ts';
import { readGiven } from '../model/page-fields.ts';
import { accessWords, checkAccess } from '../model/page-group.ts';
import { type Actor, audienceOf, canSee, may, visibilityOf, type Wiki } from '../model/permission.ts';
import { allInvalid, type FieldError, fieldError, invalid, Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';
import type { PagesByAccess } from '../ports/trash-store.ts';
import { getReadable } from '../reading/find-page.ts';
import { withBeneath } from './delete-page.ts';
import { accessNamed } from './name-group.ts';
import { refuseBeneathProtected, refuseProtected, refuseProtectedBeneath } from './protection.ts';
import { refuseOutside } from './token-limit.ts';

export interface AccessInput {
  permissions?: number | string;
  /** Empty, null or `members`: the group of all members. */
  group?: string | null;
  /** Hides all earlier changes from other readers, and deletes the pages' former addresses. */
  history?: 'from now';
  msg?: string;
}

/** People who gain or lose a right on a number of pages. */
export interface AccessChange {
  who: 'everyone' | 'members' | 'owners' | 'group';
  /** Name of the group. */
  group?: string;
  action: 'read' | 'write';
  pages: number;
}

export interface AccessPlan {
  page: Page;
  /** Number of pages that change. */
  pages: number;
  /** Number of visible pages that the actor cannot change. */
  kept: number;
  gains: AccessChange[];
  loses: AccessChange[];
}

/** New access of pages. Undefined fields are kept; a group of null means all members. */
interface NewAccess {
  permissions?: number;
  group?: GroupName | null;
}

/**
 * With `isDry`, nothing changes. Refuses `unauthenticated`, `not-found`, `not-permitted` unless the actor owns the page or is an
 * administrator, and `invalid`, also if neither permissions nor a group is given.
 */
export async function changeAccess(
  { store, actor, now }: { store: Store; actor: Actor; now: number },
  path: string,
  input: AccessInput,
  isDry: boolean,
): Promise<AccessPlan> {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToChangePermissions'));
  const checked = checkInput(input);
  return store.transact(async (store) => {
    const page = await getReadable(store.readAs(actor), path);
    refuseForeign(actor, page);
    await refuseProtected({ store, actor, now }, page);
    await refuseProtectedBeneath(store, actor, page, now);
    const held = isDry ? [] : await store.trash.lockSubtree(page.id);
    await refuseBeneathProtected(store, actor, { ids: [], paths: held.map(({ path }) => path) }, now);
    const named = await accessNamed(store, actor, checked);
    const access: NewAccess = {
      ...(checked.permissions === undefined ? {} : { permissions: checked.permissions }),
      ...('group' in named ? { group: named.group ?? null } : {}),
    };
    const { groups: beneath } = await store.readAs(actor).trash.survey(page);
    const plan = planOf({ actor, wiki: store }, page, beneath, access);
    if (isDry || plan.pages === 0) {
      store.pages.keep();
      return plan;
    }
    const changing = held.filter((one) => isOwn(actor, one) && differs(one, access));
    await store.pages.changeAccess(
      changing.map(({ id }) => id),
      {
        ...access,
        hidesHistory: input.history === 'from now',
        isPrivate: await store.settings.holdPrivate(),
      },
      { at: now, editorId: actor.memberId, msg: checked.msg ?? 'Changed permissions' },
    );
    const group = access.group ?? page.group;
    const after = { permissions: access.permissions ?? page.permissions, ...(group ? { group } : {}) };
    const note = [accessWords(after), withBeneath(changing.length)]
      .filter((words) => words !== '')
      .join(', ');
    const subject = { kind: 'page', id: page.id, name: page.path } as const;
    await store.audit.record({ kind: 'permissions-changed', subject, note });
    return plan;
  });
}

function checkInput({ permissions, group, msg }: AccessInput) {
  const errors: FieldError[] = [];
  const refuse = (field: string, detail: Words) => errors.push(fieldError(`/${field}`, detail));
  const fields = readGiven(
    { ...(permissions === undefined ? {} : { permissions }), ...(msg ? { msg } : {}) },
    refuse,
  );
  const access = checkAccess(group === undefined ? {} : { group }, refuse);
  if (errors.length > 0) throw allInvalid(errors);
  if (permissions === undefined && group === undefined)
    throw invalid('/permissions', say('problem.giveThePermissionsOrTheGroupThat'));
  return { ...fields, ...access };
}

function refuseForeign(actor: NonNullable<Actor>, page: Page): void {
  refuseOutside(actor, page);
  refuseUnlessWriter(actor);
  if (isOwn(actor, { ownerId: page.owner.id })) return;
  throw new Problem('not-permitted', say('problem.onlyTheOwnerOfAPageAnd'));
}

function isOwn(actor: NonNullable<Actor>, { ownerId }: { ownerId: number }): boolean {
  return actor.isAdmin || actor.memberId === ownerId;
}

function differs(
  page: { permissions: number; group: { id: number } | null },
  { permissions = page.permissions, group = page.group as GroupName | null }: NewAccess,
): boolean {
  return permissions !== page.permissions || group?.id !== page.group?.id;
}

function planOf(
  { actor, wiki }: { actor: NonNullable<Actor>; wiki: Wiki },
  page: Page,
  beneath: readonly PagesByAccess[],
  access: NewAccess,
): AccessPlan {
  const { permissions, group, granted, owner } = page;
  const own: PagesByAccess = {
    permissions,
    group,
    ...(granted ? { granted } : {}),
    ownerId: owner.id,
    pages: 1,
  };
  const all = [own, ...beneath];
  const changing = all.filter((one) => isOwn(actor, one) && differs(one, access));
  const visibility = visibilityOf(actor, wiki);
  const kept = all.filter(
    (one) => !isOwn(actor, one) && canSee(visibility, { ...one, audience: audienceOf(one, wiki) }),
  );
  const sum = (some: readonly PagesByAccess[]) => some.reduce((sum, { pages }) => sum + pages, 0);
  return { page, pages: sum(changing), kept: sum(kept), ...differencesOf(changing, access, wiki) };
}

interface Party extends Pick<AccessChange, 'who' | 'group'> {
  as(page: PagesByAccess): Actor;
}

const plain = { memberId: -1, name: '', isAdmin: false };
const everyone: Party = { who: 'everyone', as: () => null };
const members: Party = { who: 'members', as: () => plain };
const owners: Party = { who: 'owners', as: ({ ownerId }) => ({ ...plain, memberId: ownerId }) };

function differencesOf(changing: readonly PagesByAccess[], access: NewAccess, wiki: Wiki) {
  const groups = new Map<number, GroupName>();
  for (const group of [access.group, ...changing.map(({ group }) => group)])
    if (group) groups.set(group.id, group);
  const parties: Party[] = [
    everyone,
    members,
    ...[...groups.values()].map(
      ({ id, name }): Party => ({ who: 'group', group: name, as: () => ({ ...plain, groupIds: [id] }) }),
    ),
    owners,
  ];
  const [gains, loses]: [AccessChange[], AccessChange[]] = [[], []];
  for (const { as, ...party } of parties)
    for (const action of ['read', 'write'] as const) {
      const pagesWhere = (had: boolean, has: boolean) =>
        changing.reduce((sum, page) => {
          const after = {
            ...page,
            permissions: access.permissions ?? page.permissions,
            group: access.group === undefined ? page.group : access.group,
          };
          const isSo =
            may(as(page), action, page, wiki) === had && may(as(page), action, after, wiki) === has;
          return isSo ? sum + page.pages : sum;
        }, 0);
      const [gained, lost] = [pagesWhere(false, true), pagesWhere(true, false)];
      if (gained > 0) gains.push({ ...party, action, pages: gained });
      if (lost > 0) loses.push({ ...party, action, pages: lost });
    }
  return { gains, loses };
}
