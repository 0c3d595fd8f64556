/** Replaces the own grants of a page, as a change of the page. */

import { type Grant, grantsWords, maxGranted, maxGrants, readersOf, subjectOf } from '#core/model/grant.ts';
import { groupKey, noGroupNamed } from '#core/model/group-name.ts';
import type { Page } from '#core/model/page.ts';
import { type Actor, isInGroup } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { applyEdit } from '#core/pages/edit-page.ts';
import type { Transaction } from '#core/ports/store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { refuseForeign } from './access.ts';

export interface GivenGrant {
  group?: string;
  member?: number;
  may: 'read' | 'write';
  beneath?: boolean;
}

/**
 * For the owner and administrators. `version`: of the grants that the caller has seen. Refuses `not-found`, `not-permitted`,
 * `protected`, `access-changed` if the page has other grants by now, and `invalid` for a member who does not
 * exist, and for a group that does not exist or that the actor is not in, unless the page has it already.
 */
export async function changeGrants(
  { store, actor, now }: { store: Transaction; actor: NonNullable<Actor>; now: number },
  path: string,
  given: readonly GivenGrant[],
  version?: string,
): Promise<Page> {
  // Read first, so that a page that the actor may not see is as one that does not exist.
  const seen = await getReadable(store.readAs(actor), path);
  refuseForeign(actor, seen);
  const page = await store.pages.lockByPath(seen.path, 'update');
  if (!page) throw new Problem('not-found', say('problem.thereIsNoPageAt', { path }));
  refuseForeign(actor, page);
  if (version !== undefined && version !== grantsWords(page.content.grants ?? []))
    throw new Problem('access-changed', say('problem.somebodyElseHasChangedWithWhomThe'));
  const grants = await checked(store, actor, given, page.content.grants ?? []);
  // Absent without any, as in pages that never had one.
  const content = { grants: grants.length === 0 ? undefined : grants } as { grants?: Grant[] };
  const asked = { given: content, files: [], defaultMessage: 'Changed access' };
  const { page: saved } = await applyEdit({ store, actor, now }, page, asked, {
    prepared: [],
    history: 'none',
  });
  if (saved.granted && readersOf(saved.granted).length > maxGranted)
    throw invalid('/grants', say('problem.togetherWithThePagesAboveItWould', { maxGranted }));
  return saved;
}

async function checked(
  store: Transaction,
  actor: NonNullable<Actor>,
  given: readonly GivenGrant[],
  held: readonly Grant[],
): Promise<Grant[]> {
  if (given.length > maxGrants)
    throw invalid('/grants', say('problem.aPageCanBeSharedWithAt', { maxGrants }));
  const names = given.flatMap(({ group }) => (group === undefined ? [] : [group]));
  const groups = names.length === 0 ? [] : await store.groups.lockByNames(names);
  const ids = given.flatMap(({ member }) => (member === undefined ? [] : [{ member }]));
  const { members } = await store.grants.namesOf(ids);
  const bySubject = new Map<number, Grant>();
  given.forEach(({ group: name, member, may, beneath = false }, index) => {
    const pointer = `/grants/${index}`;
    if ((name === undefined) === (member === undefined))
      throw invalid(pointer, say('problem.aGrantNamesEitherAGroupOr'));
    if (name !== undefined) {
      const group = groups.find((one) => groupKey(one.name) === groupKey(name));
      const isKnown =
        group && (actor.isAdmin || isInGroup(actor, group) || held.some((one) => isOf(one, group.id)));
      if (!isKnown) throw invalid(`${pointer}/group`, noGroupNamed(name, actor), 'not-found');
      add(bySubject, { group: group.id, name: group.name, may, beneath }, pointer);
    } else if (member !== undefined) {
      if (!members.has(member))
        throw invalid(
          `${pointer}/member`,
          say('problem.thereIsNoMemberWithTheId2', { member: String(member) }),
          'not-found',
        );
      add(bySubject, { member, may, beneath }, pointer);
    }
  });
  return [...bySubject].sort(([a], [b]) => a - b).map(([, grant]) => grant);
}

function isOf(grant: Grant, groupId: number): boolean {
  return 'group' in grant && grant.group === groupId;
}

function add(bySubject: Map<number, Grant>, grant: Grant, pointer: string): void {
  const subject = subjectOf(grant);
  if (bySubject.has(subject)) throw invalid(pointer, say('problem.nameEachGroupAndEachMemberOnce'));
  bySubject.set(subject, grant);
}
