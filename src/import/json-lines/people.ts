/**
 * Members and groups named in an export. Its members cannot sign in here, and are not matched with existing members, except the
 * importing administrator, if ID and name are equal, and those named in a mapping file.
 */
import { hash } from 'node:crypto';
import { type Grant, subjectOf } from '#core/model/grant.ts';
import { groupKey } from '#core/model/group-name.ts';
import type { GroupName, MemberName } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { idLength, importedMember } from '../authors.ts';
import type { LineOf } from './records.ts';

export class People {
  /** ID in the file → ID here. */
  readonly #members = new Map<number, number>();
  readonly #groups = new Map<string, GroupName>();
  readonly #store: Store;
  readonly actor: NonNullable<Actor>;
  readonly #mapped: ReadonlyMap<string, number>;
  readonly now: number;

  /** `mapped`: name in the file → member's ID. */
  constructor(store: Store, actor: NonNullable<Actor>, mapped: ReadonlyMap<string, number>, now: number) {
    this.#store = store;
    this.actor = actor;
    this.#mapped = mapped;
    this.now = now;
  }

  get count(): number {
    return this.#members.size;
  }

  /** Pairs of IDs in the file and here, for those that differ. */
  get renumbered(): [number, number][] {
    return [...this.#members].filter(([was, is]) => was !== is);
  }

  /** `name` absent: the file contains only the ID, of a member who liked a page. */
  async idOf({ id, name }: { id: MemberName['id']; name?: string }): Promise<number> {
    const known = this.#members.get(id);
    if (known !== undefined) return known;
    const found = await this.#find(id, name ?? `Member ${id}`);
    this.#members.set(id, found);
    return found;
  }

  async #find(id: number, name: string): Promise<number> {
    const mapped = this.#mapped.get(name);
    if (mapped !== undefined) return mapped;
    if (this.actor.memberId === id && this.actor.name === name) return id;
    const key = hash('sha256', `jsonl\0${id}\0${name}`).slice(0, idLength);
    return importedMember(this.#store, { id: key, name, suffix: String(id), now: this.now, wanted: id });
  }

  /** Groups are matched by name; missing ones are created without members. */
  async groupOf(name: string | undefined): Promise<GroupName | undefined> {
    if (name === undefined || groupKey(name) === groupKey('members')) return undefined;
    const known = this.#groups.get(groupKey(name));
    if (known) return { ...known, name };
    const group = await this.#store.transact(
      async (store: Transaction) =>
        (await store.groups.lockByNames([name]))[0] ?? (await store.groups.insert(name, this.now)),
    );
    this.#groups.set(groupKey(name), group);
    return { id: group.id, name };
  }

  /** Grants by group name and member ID; two that mean the same subject here become one. */
  async grantsOf(given: NonNullable<LineOf<'change'>['grants']>): Promise<Grant[]> {
    const bySubject = new Map<number, Grant>();
    for (const { may, beneath, ...of } of given) {
      const group = 'group' in of ? await this.groupOf(of.group) : undefined;
      const subject =
        'member' in of
          ? { member: await this.idOf({ id: of.member }) }
          : group && { group: group.id, name: group.name };
      if (subject) bySubject.set(subjectOf(subject), { ...subject, may, beneath });
    }
    return [...bySubject.values()];
  }
}
