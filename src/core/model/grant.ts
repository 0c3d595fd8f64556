/**
 * Grants: rights of single groups and members on a page, and on pages beneath it. They add to the three digits and take nothing
 * away. A page's own grants are part of its content. Its own and those that it inherits are its effective grants; together with
 * the readers by its digits they make an audience, which is a row that all pages with the same readers and writers share.
 */

/** Grantee by ID. `name`: name of the group when the grant was made. */
export type GrantSubject = { group: number; name?: string } | { member: number };

/** A grant as contents store it. `beneath`: it also holds for all pages beneath, also for those that come there later. */
export type Grant = GrantSubject & { may: 'read' | 'write'; beneath: boolean };

/** Grants of one page, so that reading and showing them stays cheap. */
export const maxGrants = 100;
/** Names in one audience, own and inherited together. */
export const maxGranted = 1000;

/**
 * A row of the table `audiences`. `key`: the subject that reads by the digits, if any, a slash, and the effective grants in order
 * of their subjects, `w` marking writers: `0/5 12w`. Rows never change and IDs are never reused.
 */
export interface Granted {
  id: number;
  key: string;
}

/** Subjects as numbers, for indexes: 0 all members, 2g the group g, 2m + 1 the member m. */
export function subjectOf(subject: GrantSubject | 'members'): number {
  if (subject === 'members') return 0;
  return 'group' in subject ? 2 * subject.group : 2 * subject.member + 1;
}

/** Audiences from this number on are those of rows: twice the row's ID more, plus 1 if the owner may not read. */
export const firstGranted = 2 ** 40;

/** Number of the audience of this row of `audiences`, with or without the owner. */
export function grantedAudience(id: number, isOwners: boolean): number {
  return firstGranted + 2 * id + (isOwners ? 0 : 1);
}

/** Effective grants as the second part of a key; empty if there are none. Writing includes reading. */
export function entriesOf(grants: readonly Grant[]): string {
  return mergeEntries(
    grants.map((grant) => `${subjectOf(grant)}${grant.may === 'write' ? 'w' : ''}`).join(' '),
  );
}

/** Union of several lists of entries: a subject may write if any of its entries says so. Ascending by subject. */
export function mergeEntries(...some: readonly string[]): string {
  const mayWrite = new Map<number, boolean>();
  for (const entry of some.join(' ').split(' ').filter(Boolean)) {
    const subject = Number.parseInt(entry, 10);
    mayWrite.set(subject, mayWrite.get(subject) === true || entry.endsWith('w'));
  }
  return [...mayWrite]
    .sort(([a], [b]) => a - b)
    .map(([subject, writes]) => `${subject}${writes ? 'w' : ''}`)
    .join(' ');
}

/**
 * Effective grants of a page, and the grants that hold for all pages beneath it. `above`: entries that hold for all pages beneath
 * its parent.
 */
export function effectiveEntries(own: readonly Grant[], above: string): { here: string; beneath: string } {
  return {
    here: mergeEntries(above, entriesOf(own)),
    beneath: mergeEntries(above, entriesOf(own.filter(({ beneath }) => beneath))),
  };
}

/** An audience by the digits whose pages nobody reads but administrators. */
export const noReaders = 3;

/**
 * Key of a page with these effective grants: readers by its digits, a slash, and the entries. `audience`: the audience by the
 * digits.
 */
export function audienceKey(audience: number, entries: string): string {
  const reader = audience <= 1 ? '0' : audience <= 3 ? '' : String(2 * Math.floor((audience - 2) / 2));
  return `${reader}/${entries}`;
}

/** Subjects with grants, separated by spaces and ascending; `w` follows those who write. */
export function entriesIn({ key }: Pick<Granted, 'key'>): string {
  return key.slice(key.indexOf('/') + 1);
}

/** Subjects with effective grants, ascending. */
export function subjectsIn(granted: Pick<Granted, 'key'>): number[] {
  return (entriesIn(granted).match(/\d+/g) ?? []).map(Number);
}

/** Subjects who read, by the digits or by grants. The owner is not among them. */
export function readersOf({ key }: Pick<Granted, 'key'>): number[] {
  return key.split(/[/ ]/).flatMap((part) => (part === '' ? [] : [Number.parseInt(part, 10)]));
}

/** Subjects with a grant to write, ascending. */
export function writersOf(granted: Pick<Granted, 'key'>): number[] {
  return entriesIn(granted)
    .split(' ')
    .flatMap((entry) => (entry.endsWith('w') ? [Number.parseInt(entry, 10)] : []));
}

/** Whether two lists contain equal grants, in any order. */
export function sameGrants(some: readonly Grant[], others: readonly Grant[]): boolean {
  const words = (grants: readonly Grant[]) =>
    grants.map((grant) => `${subjectOf(grant)} ${grant.may} ${grant.beneath}`).sort();
  return String(words(some)) === String(words(others));
}

/** For the audit log, which names subjects by their IDs: `group 3 write beneath, member 5 read`. */
export function grantsWords(grants: readonly Grant[]): string {
  const words = grants.map((grant) => {
    const subject = 'group' in grant ? `group ${grant.group}` : `member ${grant.member}`;
    return `${subject} ${grant.may}${grant.beneath ? ' beneath' : ''}`;
  });
  return words.join(', ') || 'none';
}
