/**
 * Authors of a source as members who cannot sign in: deactivated, without a passphrase, with an address in a reserved domain
 * (RFC 2606 §2). Existing members are only used if a mapping file says so, because equal names prove nothing.
 */
import { hash } from 'node:crypto';
import { isEmail } from '#core/model/email.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { LargeMaps } from './large-map.ts';
import type { Author } from './source.ts';

const maxNameLength = 100;
/** Longest line in the file of members. */
const maxLineLength = 1000;
export const idLength = 32;

export class Authors implements Disposable {
  readonly #maps = new LargeMaps();
  readonly #ids = this.#maps.make<number>();
  readonly #source: string;
  readonly #store: Store;
  readonly #now: number;

  /** `mapped`: name in the source → member's ID. `source`: sources with the same name share their authors. */
  constructor(store: Store, source: string, mapped: ReadonlyMap<string, number>, now: number) {
    this.#store = store;
    this.#source = source;
    this.#now = now;
    for (const [name, id] of mapped) this.#ids.set(`user:${name}`, id);
  }

  /** Keys of all authors of revisions in this or an earlier run. */
  readonly seen = this.#maps.make<true>();

  [Symbol.dispose](): void {
    this.#maps[Symbol.dispose]();
  }

  idOf(author: Author): number {
    const id = this.#ids.get(author.key);
    if (id === undefined) throw new Error(`The author ${author.key} does not exist.`);
    return id;
  }

  /** Creates members for authors without one. */
  async ensure(authors: Iterable<Author | null>): Promise<void> {
    for (const author of authors) {
      if (!author || this.#ids.has(author.key)) continue;
      this.#ids.set(author.key, await this.#memberFor(author));
    }
  }

  async #memberFor({ key, name }: Author): Promise<number> {
    const id = hash('sha256', `${this.#source}\0${key}`).slice(0, idLength);
    return importedMember(this.#store, { id, name, suffix: id.slice(0, 6), now: this.#now });
  }
}

/**
 * ID of the member who represents an author of a source; created if necessary. `id`: 32 hexadecimal digits. `suffix`
 * distinguishes them from other members with that name. `wanted`: the member's ID, if it is free.
 */
export async function importedMember(
  store: Store,
  {
    id,
    name,
    suffix,
    now,
    wanted,
  }: { id: string; name: string; suffix: string; now: number; wanted?: number },
): Promise<number> {
  const email = `${id}@import.invalid`;
  const known = await store.members.findByEmail(email);
  if (known) return known.id;
  return store.transact(async (store) => {
    const meanwhile = await store.members.findByEmail(email);
    if (meanwhile) return meanwhile.id;
    const own = cleanName(name);
    const alike = await store.members.lockLookalikes({ name: own }, 0);
    const isFree = wanted !== undefined && (await store.members.findById(wanted)) === undefined;
    const member = await store.members.insert({
      ...(isFree ? { id: wanted } : {}),
      email,
      name: alike.name ? `${own} (imported ${suffix})` : own,
      isAdmin: false,
      passphraseHash: null,
      createdAt: now,
    });
    await store.members.update(member.id, { isActive: false });
    return member.id;
  });
}

function cleanName(name: string): string {
  const clean = name
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return [...clean].slice(0, maxNameLength - 20).join('') || 'Unknown author';
}

/** Parses lines `Name in the source = address of a member`. Refuses `invalid` for other lines and unknown addresses. */
export async function readMembers(store: Store, text: string): Promise<Map<string, number>> {
  const mapped = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const { name, email } = mappingIn(line);
    const member = await store.members.findByEmail(email);
    if (!member) throw new Problem('not-found', `There is no member with the address ${email}.`);
    mapped.set(name, member.id);
  }
  return mapped;
}

/** Names and addresses may contain “=”: the name ends at the first one that an address follows. */
function mappingIn(line: string): { name: string; email: string } {
  const parts = line.length <= maxLineLength ? line.split('=') : [];
  for (let count = 1; count < parts.length; count++) {
    const name = parts.slice(0, count).join('=').trim();
    const email = parts.slice(count).join('=').normalize('NFC').trim();
    if (name !== '' && isEmail(email)) return { name, email };
  }
  const shown = line.slice(0, maxLineLength);
  throw new Problem('invalid', `Expected “Name = address” in the file of members, got “${shown}”.`);
}
