/** Access to a page in full: its digits, its own grants, and the grants that it inherits, with names. */

import { accessSentence } from '#core/model/access-words.ts';
import { type Grant, grantsWords } from '#core/model/grant.ts';
import type { Page } from '#core/model/page.ts';
import { shownGroup } from '#core/model/page-group.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { refuseOutside } from '#core/pages/token-limit.ts';
import type { GrantNames } from '#core/ports/grant-store.ts';
import type { Store } from '#core/ports/store.ts';
import { mayChangeAccess } from '#core/reading/access-sentence.ts';
import { openedBySettings } from '#core/reading/named-pages.ts';
import { say } from '#words/say.ts';

/** A grant with the name of its subject. */
export type NamedGrant = ({ group: string } | { member: number; name: string }) & {
  may: 'read' | 'write';
  beneath: boolean;
};

/** `from`: path of the page above that has the grant. */
export type InheritedGrant = { from: string } & NamedGrant;

export interface PageAccessInFull {
  page: Page;
  /** Names of all groups and members in its effective grants. */
  names: GrantNames;
  /** Whether the settings name the page, so that the site shows it to everybody if all members can read it. */
  isNamed: boolean;
  code: number;
  group: string;
  grants: NamedGrant[];
  inherited: InheritedGrant[];
  /** Groups of its own grants that were deleted, by their names then. They let nobody in, and go with the next change of grants. */
  deleted: string[];
  summary: string;
  /** Equal for equal grants of the page itself. */
  version: string;
}

export function refuseForeign(actor: NonNullable<Actor>, page: Pick<Page, 'id' | 'trail' | 'owner'>): void {
  refuseOutside(actor, page);
  if (mayChangeAccess(actor, page)) return;
  throw new Problem('not-permitted', say('problem.onlyTheOwnerOfAPageAnd4'));
}

/** The effective grants of a page by where they are from, nearest page above last, and the names of their subjects. */
export async function grantsOf(store: Pick<Store, 'grants'>, page: Page) {
  const own = page.content.grants ?? [];
  const above = page.granted ? await store.grants.passedOnBy(page.trail) : [];
  const inherited = page.trail.flatMap((id) => above.find((one) => one.id === id) ?? []);
  const names = await store.grants.namesOf([...own, ...inherited.flatMap(({ grants }) => grants)]);
  return { own, inherited, names };
}

/** Two statements besides those of the page. For those who may change the access: all names are in it. */
export async function accessInFull(store: Store, page: Page): Promise<PageAccessInFull> {
  const [{ own, inherited, names }, opened] = await Promise.all([
    grantsOf(store, page),
    openedBySettings(store, [page]),
  ]);
  const isNamed = opened.has(page.id);
  return {
    page,
    names,
    isNamed,
    code: page.permissions,
    group: shownGroup(page.group),
    grants: own.flatMap((grant) => named(grant, names)),
    inherited: inherited.flatMap(({ path, grants }) =>
      grants.flatMap((grant) => named(grant, names).map((one) => ({ from: path, ...one }))),
    ),
    deleted: own.flatMap((grant) =>
      'group' in grant && !names.groups.has(grant.group) ? [grant.name ?? String(grant.group)] : [],
    ),
    summary: accessSentence({ ...page, groups: names.groups, people: names.members, isNamed }, store),
    version: grantsWords(own),
  };
}

/** Empty if the group was deleted. */
export function named(grant: Grant, { groups, members }: GrantNames): NamedGrant[] {
  const { may, beneath } = grant;
  if ('group' in grant) {
    const group = groups.get(grant.group);
    return group ? [{ group: group.name, may, beneath }] : [];
  }
  const member = members.get(grant.member);
  return member ? [{ member: member.id, name: member.name, may, beneath }] : [];
}
