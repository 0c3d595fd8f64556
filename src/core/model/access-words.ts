/**
 * The sentence that says who can read and edit a page: beside Save, on the page, on the page about its access, in the API and in
 * mail. Groups stand by their names, single members are counted, and administrators, who may do everything, are left out.
 */
import { entriesIn, type Granted } from './grant.ts';
import type { GroupName } from './page.ts';
import { may, type Wiki } from './permission.ts';

/** `groups`: names of the groups that its grants may concern, by ID. */
export interface AccessInWords {
  permissions: number;
  group: GroupName | null;
  granted?: Pick<Granted, 'key'> | undefined;
  groups?: ReadonlyMap<number, GroupName>;
}

/** Such as `Anyone can read, only the owner, the group “Board” and 2 people can edit`. */
export function accessSentence(access: AccessInWords, wiki: Wiki): string {
  const readers = who('read', access, wiki);
  const writers = who('write', access, wiki);
  const first = `${readers.charAt(0).toUpperCase()}${readers.slice(1)}`;
  return readers === writers ? `${first} can read and edit` : `${first} can read, ${writers} can edit`;
}

const owner = { memberId: 1, name: '', isAdmin: false };
const member = { ...owner, memberId: 2 };

/** Without grants the digits decide; grants are listed beside those whom the digits let in. */
function who(action: 'read' | 'write', access: AccessInWords, wiki: Wiki): string {
  const { permissions, group } = access;
  const page = { permissions, ownerId: owner.memberId, group };
  // Only reading is possible without signing in.
  if (action === 'read' && may(null, action, page, wiki)) return 'anyone';
  const named = namedBy(action, access);
  // Guests may be among those whom grants name, and they are no members in this sense.
  if (may(member, action, page, wiki)) return listed(['members', ...named]);
  const some = may(owner, action, page, wiki) ? ['the owner'] : [];
  if (group && may({ ...member, groupIds: [group.id] }, action, page, wiki)) some.push(groupWords(group));
  return `only ${listed([...new Set([...some, ...named])]) || 'administrators'}`;
}

function namedBy(action: 'read' | 'write', { granted, groups }: AccessInWords): string[] {
  const subjects = (granted ? entriesIn(granted) : '')
    .split(' ')
    .filter((entry) => entry !== '' && (action === 'read' || entry.endsWith('w')))
    .map((entry) => Number.parseInt(entry, 10));
  const people = subjects.filter((subject) => subject % 2 === 1).length;
  return [
    ...subjects.flatMap((subject) => {
      const group = subject % 2 === 0 ? groups?.get(subject / 2) : undefined;
      return group ? [groupWords(group)] : [];
    }),
    ...(people === 0 ? [] : [people === 1 ? '1 person' : `${people} people`]),
  ];
}

function groupWords({ name }: GroupName): string {
  return `the group “${name}”`;
}

function listed(some: readonly string[]): string {
  const last = some.at(-1) ?? '';
  return some.length < 2 ? last : `${some.slice(0, -1).join(', ')} and ${last}`;
}
