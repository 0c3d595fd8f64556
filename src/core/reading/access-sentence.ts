/** The sentence about a page's access, with the names that the reader of the sentence may know. */
import type { Words } from '#html/html.ts';
import { accessWords, type GrantsInWords } from '../model/access-words.ts';
import { entriesOf, type GrantSubject, subjectsIn } from '../model/grant.ts';
import type { GroupName, Page, WholePage } from '../model/page.ts';
import { type Actor, actorAt, isInGroup } from '../model/permission.ts';
import type { GrantNames } from '../ports/grant-store.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import { findReadable } from './find-page.ts';
import { namedPaths, openedBySettings } from './named-pages.ts';

type Shown = Pick<Page, 'id' | 'trail' | 'owner' | 'permissions' | 'group' | 'granted'>;

/** Owner and administrators, in the subtree of a limited token: they may see and change who can read and edit the page. */
export function mayChangeAccess(actor: Actor, page: Pick<Page, 'id' | 'trail' | 'owner'>): boolean {
  const here = actorAt(actor, page);
  return here !== null && (here.isAdmin || here.memberId === page.owner.id);
}

/**
 * Sentence that says who can read and write the page, without names of groups and members that are hidden from the actor.
 */
export async function sentenceFor(
  store: Pick<Store, 'grants' | 'isPrivate' | 'readAs' | 'settings'>,
  actor: Actor,
  page: Shown,
): Promise<Words> {
  return (await sentencesFor(store, actor, [page])).get(page.id) ?? '';
}

/**
 * By page ID. At most two statements, and none for pages without grants; a few more if the settings name pages as imprint and privacy
 * policy.
 */
export async function sentencesFor(
  store: Pick<Store, 'grants' | 'isPrivate' | 'readAs' | 'settings'>,
  actor: Actor,
  pages: readonly Shown[],
): Promise<Map<number, Words>> {
  const [names, opened] = await Promise.all([namesIn(store, pages), openedBySettings(store, pages)]);
  return new Map(
    pages.map((page) => {
      const access = { ...page, ...knownTo(actor, page, names), isNamed: opened.has(page.id) };
      return [page.id, accessWords(access, store)];
    }),
  );
}

/** Grants of the page for its sentence. The owner and administrators know all names, others those of their own groups. */
export async function grantsInWords(
  store: Pick<Store, 'grants' | 'readAs' | 'settings'>,
  actor: Actor,
  page: Shown,
): Promise<GrantsInWords> {
  const [names, opened] = await Promise.all([namesIn(store, [page]), openedBySettings(store, [page])]);
  return { ...knownTo(actor, page, names), isNamed: opened.has(page.id) };
}

/**
 * Grants that a page beneath the page at `parent` inherits: a new one, whose author will own it and so knows all names, or `page` once it
 * has moved there. `path`: its address, as far as it is known.
 */
export async function grantsBeneath(
  store: Pick<Store, 'grants' | 'settings'>,
  reader: Reader,
  { parent: above, path, page }: { parent: string; path: string; page?: WholePage },
): Promise<GrantsInWords> {
  const isNamed = namedPaths(store.settings.current()).includes(path);
  const parent = above.startsWith('/') ? await findReadable(reader, above) : undefined;
  const passedOn = parent ? await store.grants.passedOnBy([...parent.trail, parent.id]) : [];
  const grants = [...(page?.content.grants ?? []), ...passedOn.flatMap(({ grants }) => grants)];
  if (grants.length === 0) return { isNamed };
  const names = await store.grants.namesOf(grants);
  const granted = { id: 0, key: `/${entriesOf(grants)}` };
  if (page) return { ...knownTo(reader.actor, { ...page, granted }, names), isNamed };
  return { granted, groups: names.groups, people: names.members, isNamed };
}

async function namesIn(store: Pick<Store, 'grants'>, pages: readonly Shown[]): Promise<GrantNames> {
  const all = new Set(pages.flatMap(({ granted }) => (granted ? subjectsIn(granted) : [])));
  if (all.size === 0) return { groups: new Map(), members: new Map() };
  return store.grants.namesOf(
    [...all].map(
      (subject): GrantSubject => (subject % 2 === 0 ? { group: subject / 2 } : { member: (subject - 1) / 2 }),
    ),
  );
}

function knownTo(actor: Actor, page: Shown, { groups, members }: GrantNames): GrantsInWords {
  if (!page.granted) return {};
  const { granted } = page;
  if (mayChangeAccess(actor, page)) return { granted, groups, people: members };
  const mayKnow = (group: GroupName) => actor !== null && isInGroup(actor, group);
  return {
    granted,
    groups: new Map([...groups].map(([id, group]) => [id, mayKnow(group) ? group : null])),
  };
}
