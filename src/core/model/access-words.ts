/**
 * Who can read and edit a page: as facts, and as the sentence made from them that stands beside Save, on the page, on the page about
 * its access, in the API and in mail. Administrators, who may do everything, are left out, and so is whatever keeps single members
 * from writing anywhere.
 */
import { type LocalText, MadeOnce, type Words } from '#html/html.ts';
import { kept } from '#words/evaluate.ts';
import { inLanguage, listOf, say, textOf } from '#words/say.ts';
import { entriesIn, type Granted } from './grant.ts';
import type { GroupName, MemberName } from './page.ts';
import { may, type Wiki } from './permission.ts';

interface AccessInWords extends GrantsInWords {
  permissions: number;
  group: GroupName | null;
}

/** Effective grants of a page, with names. */
export interface GrantsInWords {
  granted?: Pick<Granted, 'key'> | undefined;
  /** Existing groups that its grants may concern, by ID: null if the reader of the sentence may not know the name. */
  groups?: ReadonlyMap<number, GroupName | null>;
  /** Members whose names the reader of the sentence may know, by ID; the others are counted. */
  people?: ReadonlyMap<number, MemberName>;
  /** Whether the site shows the page to everybody while all members can read it, because the settings name it. */
  isNamed?: boolean;
}

/** Everybody who has a right on a page. Each part holds regardless of the others. */
export interface Holders {
  /** For writing, everyone who is signed in. */
  everyone: boolean;
  /** All members but guests. */
  members: boolean;
  owner: boolean;
  /** IDs, of groups that exist and of those that were deleted. */
  groups: number[];
  people: number[];
}

/** The owner and the group's digit, asked by the rule itself. */
const owner = { memberId: 1, name: '', isAdmin: false, role: 'guest' } as const;
const guest = { ...owner, memberId: 2 };
const member = { memberId: 2, name: '', isAdmin: false };

/** Everyone, groups and members to whom digits and grants give the action. Owner and administrators are not among them. */
export function holdersOf(
  action: 'read' | 'write',
  { permissions, group, granted }: Pick<AccessInWords, 'permissions' | 'group' | 'granted'>,
  wiki: Wiki,
): Holders {
  const page = { permissions, ownerId: owner.memberId, group };
  const isFor = (actor: Parameters<typeof may>[0]) => may(actor, action, page, wiki);
  const subjects = (granted ? entriesIn(granted) : '')
    .split(' ')
    .filter((entry) => entry !== '' && (action === 'read' || entry.endsWith('w')))
    .map((entry) => Number.parseInt(entry, 10));
  const ofGroup = group !== null && isFor({ ...guest, groupIds: [group.id] }) ? [group.id] : [];
  const granting = subjects.filter((subject) => subject % 2 === 0).map((subject) => subject / 2);
  return {
    everyone: isFor(guest),
    members: isFor(member),
    owner: isFor(owner),
    groups: [...new Set([...ofGroup, ...granting])],
    people: subjects.filter((subject) => subject % 2 === 1).map((subject) => (subject - 1) / 2),
  };
}

/** Such as `Anyone can read, only the owner, the group “Board” and Ann can edit`, in English. */
export function accessSentence(access: AccessInWords, wiki: Wiki): string {
  return textOf(accessWords(access, wiki), 'en');
}

/** The same in any language. `place`: whether it stands alone, or within a sentence, where its first letter is small. */
export function accessWords(
  access: AccessInWords,
  wiki: Wiki,
  place: 'sentence' | 'within' = 'sentence',
): LocalText {
  if (access.group || access.granted) return madeWords(access, wiki, place);
  const { permissions, isNamed = false } = access;
  const key = [permissions, isNamed, wiki.isPrivate, place].join();
  return kept(
    usualWords,
    key,
    () => new MadeOnce(madeWords({ permissions, isNamed, group: null }, wiki, place)),
  );
}

/** Pages without groups and grants: there are as many sentences as permission codes, and every page of the site shows one. */
const usualWords = new Map<string, LocalText>();

function madeWords(access: AccessInWords, wiki: Wiki, place: 'sentence' | 'within'): LocalText {
  const readers = words('read', access, wiki);
  const writers = words('write', access, wiki);
  const isSame = textOf(readers, 'en') === textOf(writers, 'en');
  const sentence = isSame
    ? say('access.readAndEdit', { who: readers })
    : say('access.readOrEdit', { readers, writers });
  if (place === 'within') return sentence;
  return inLanguage((locale, language) => {
    const text = sentence.textIn(language);
    return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
  });
}

/** Further groups and people are counted. */
const mostNamed = 5;

/** Grants are listed beside those whom the digits let in. */
function words(action: 'read' | 'write', access: AccessInWords, wiki: Wiki): LocalText {
  const holders = holdersOf(action, access, wiki);
  const isOpened = action === 'read' && access.isNamed && holders.members;
  if (holders.everyone || isOpened)
    return action === 'read' ? say('access.anyone') : say('access.everyoneSignedIn');
  const groups = holders.groups.flatMap((id) => {
    const known = id === access.group?.id ? access.group : access.groups?.get(id);
    return known === undefined ? [] : [known];
  });
  // The owner is usually a member, and members are in the group of all members.
  if (holders.members) {
    const others = groups.filter((one) => one !== access.group);
    return listOf([say('access.members'), ...named(others, holders, access)]);
  }
  const all = [...(holders.owner ? [say('access.theOwner')] : []), ...named(groups, holders, access)];
  return say('access.onlyThese', { who: all.length > 0 ? listOf(all) : say('access.administrators') });
}

function named(groups: (GroupName | null)[], { people }: Holders, access: AccessInWords): Words[] {
  const names = groups.flatMap((group) => (group ? [say('access.theGroup', { name: group.name })] : []));
  const persons = people.flatMap((id) => access.people?.get(id)?.name ?? []);
  const ofGroups = (count: number, isMore: boolean) =>
    isMore ? say('access.moreGroups', { count }) : say('access.groups', { count });
  const ofPeople = (count: number, isMore: boolean) =>
    isMore ? say('access.morePeople', { count }) : say('access.people', { count });
  return [...some(names, groups.length, ofGroups), ...some(persons, people.length, ofPeople)];
}

/** The first names, and how many there are besides. */
function some(
  names: Words[],
  total: number,
  counted: (count: number, isMore: boolean) => LocalText,
): Words[] {
  const shown = names.slice(0, mostNamed);
  const rest = total - shown.length;
  return rest === 0 ? shown : [...shown, counted(rest, shown.length > 0)];
}
