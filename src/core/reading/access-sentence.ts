/** The sentence about a page's access, with the names that the reader of the sentence may know. */
import { accessSentence } from '../model/access-words.ts';
import { type GrantSubject, subjectsIn } from '../model/grant.ts';
import type { GroupName, MemberName, Page } from '../model/page.ts';
import { type Actor, actorAt, isInGroup } from '../model/permission.ts';
import type { Store } from '../ports/store.ts';

/** Owner and administrators, in the subtree of a limited token: they may see and change who can read and edit the page. */
export function mayChangeAccess(actor: Actor, page: Pick<Page, 'id' | 'trail' | 'owner'>): boolean {
  const here = actorAt(actor, page);
  return here !== null && (here.isAdmin || here.memberId === page.owner.id);
}

/**
 * The owner and administrators know all names, others those of their own groups. At most two statements, and none for
 * pages without grants.
 */
export async function sentenceFor(
  store: Pick<Store, 'grants' | 'isPrivate'>,
  actor: Actor,
  page: Pick<Page, 'id' | 'trail' | 'owner' | 'permissions' | 'group' | 'granted'>,
): Promise<string> {
  if (!page.granted) return accessSentence(page, store);
  const knowsAll = mayChangeAccess(actor, page);
  const subjects = subjectsIn(page.granted).map(
    (subject): GrantSubject => (subject % 2 === 0 ? { group: subject / 2 } : { member: (subject - 1) / 2 }),
  );
  const found = await store.grants.namesOf(subjects);
  const mayKnow = (group: GroupName) => knowsAll || (actor !== null && isInGroup(actor, group));
  const groups = [...found.groups].map(([id, group]) => [id, mayKnow(group) ? group : null] as const);
  const people: ReadonlyMap<number, MemberName> = knowsAll ? found.members : new Map();
  return accessSentence({ ...page, groups: new Map(groups), people }, store);
}
