/** Access to pages: rights of an actor, and the form in which they may see a page. */

import type { Granted } from './grant.ts';
import type { Ancestor, PageOutline } from './page.ts';
import {
  type Actor,
  actorAt,
  canSee,
  may,
  mayModerate,
  type TreePlace,
  type Visibility,
  visibilityOf,
  type Wiki,
} from './permission.ts';

/** Fields of a page that decide an actor's rights. */
export interface PageAccess extends TreePlace {
  permissions: number;
  owner: { id: number };
  group: { id: number } | null;
  granted?: Granted;
}

/** Whether digits and grants let the member write the page. Strangers never may; protection is not looked at. */
export function mayWrite(actor: Actor, page: PageAccess, wiki: Wiki): boolean {
  return actor !== null && may(actor, 'write', { ...accessOf(page), ownerId: page.owner.id }, wiki);
}

/** Whether the actor may delete the page, restore it and undo its changes. */
export function mayModeratePage(actor: Actor, page: PageAccess, wiki: Wiki): boolean {
  return mayModerate(actor, { ...accessOf(page), ownerId: page.owner.id }, wiki);
}

/** Whether digits and grants let the actor read the page. */
export function mayRead(actor: Actor, page: PageAccess, wiki: Wiki): boolean {
  return may(actor, 'read', { ...accessOf(page), ownerId: page.owner.id }, wiki);
}

function accessOf({ permissions, group, granted, id, trail }: PageAccess) {
  return {
    permissions,
    group,
    ...(granted ? { granted } : {}),
    ...(id === undefined ? {} : { id }),
    ...(trail ? { trail } : {}),
  };
}

/**
 * The first change of a page that this reader may see. Owner and administrators see all changes; for others the visible history
 * may begin later.
 */
export function firstChangeFor(
  actor: Actor,
  page: { historyFrom: number; owner: { id: number } } & TreePlace,
): number {
  const here = actorAt(actor, page);
  return here?.isAdmin || here?.memberId === page.owner.id ? 0 : page.historyFrom;
}

/** Pages that the actor may read, in the form in which they may see them. */
export function readableOf<P extends PageOutline>(actor: Actor, pages: P[], wiki: Wiki): P[] {
  const visibility = visibilityOf(actor, wiki);
  return pages.filter((page) => mayRead(actor, page, wiki)).map((page) => visibleTo(visibility, page));
}

/** The page as this visibility may see it: of unreadable ancestors only their position in the tree remains. */
export function visibleTo<P extends Pick<PageOutline, 'lineage' | 'aboveByAddress' | 'original'>>(
  visibility: Visibility,
  page: P,
): P {
  const shown = (above: Ancestor[]) => above.map((ancestor) => hideUnlessSeen(visibility, ancestor));
  const { lineage, aboveByAddress, original } = page;
  return {
    ...page,
    lineage: shown(lineage),
    ...(aboveByAddress ? { aboveByAddress: shown(aboveByAddress) } : {}),
    ...(original ? { original: hideUnlessSeen(visibility, original) } : {}),
  };
}

function hideUnlessSeen(visibility: Visibility, ancestor: Ancestor): Ancestor {
  if (canSee(visibility, { ...ancestor, ownerId: ancestor.owner.id })) return ancestor;
  const { id, path, title, depth, permissions, audience, protection, rule } = ancestor;
  return {
    id,
    path,
    title,
    depth,
    permissions,
    audience,
    isHidden: true,
    // Protection of an ancestor applies to the page, but its reason may be hidden from the reader.
    ...(protection ? { protection: { ...protection, reason: '' } } : {}),
    ...(rule ? { rule } : {}),
    slug: '',
    description: '',
    type: null,
    location: null,
    language: null,
    parentId: null,
    owner: { id: 0, name: '' },
    group: null,
  };
}
