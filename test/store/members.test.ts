/** Contract of both engines: members, invitations, and sign-in methods. */
import { expect, test } from 'vitest';
import { changeMember } from '#core/members/manage-members.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addMember, all, codeOf } from '../support/write-pages.ts';

forEachEngine((open) => {
  test('members are found by ID and by address without regard to case; an address is unique', async () => {
    await using store = await open();
    const ann = await store.members.insert({
      email: 'Ann@Example.org',
      name: 'Ann',
      isAdmin: true,
      passphraseHash: null,
      createdAt: 5,
    });
    expect(ann).toEqual({
      id: 1,
      email: 'Ann@Example.org',
      name: 'Ann',
      isAdmin: true,
      isActive: true,
      language: null,
      groupIds: [],
      block: null,
      role: 'administrator',
      isBot: false,
      epoch: 0,
      passphraseHash: null,
      createdAt: 5,
    });
    expect(await store.members.findById(1)).toEqual(ann);
    expect(await store.members.findByEmail('aNN@example.ORG')).toEqual(ann);
    expect(await store.members.findByEmail('bob@example.org')).toBeUndefined();
    expect(await codeOf(addMember(store, 'ann'))).toBe('invalid');
    const bob = await addMember(store, 'Bob');
    expect((await store.members.list({ limit: 1, offset: 1 })).members.map(({ id }) => id)).toEqual([bob]);
    expect((await store.members.list(all)).total).toBe(2);
  });

  test('a new passphrase and deactivation raise the epoch, a new name does not', async () => {
    await using store = await open();
    const id = await addMember(store, 'Ann', true);
    expect(await store.members.update(id, { name: 'Anna' })).toMatchObject({ name: 'Anna', epoch: 0 });
    expect((await store.members.update(id, { passphraseHash: 'x' })).epoch).toBe(1);
    expect(await store.members.countActiveAdmins()).toBe(1);
    expect(await store.members.update(id, { isActive: false })).toMatchObject({ isActive: false, epoch: 2 });
    expect(await store.members.countActiveAdmins()).toBe(0);
    await store.members.raiseEpoch(id);
    expect((await store.members.findById(id))?.epoch).toBe(3);
    expect(await codeOf(store.members.update(99, { name: 'Nobody' }))).toBe('not-found');
  });

  test('one of two administrators who demote each other concurrently stays', async () => {
    await using store = await open();
    for (let round = 0; round < 10; round++) {
      const two = [`Ann${round}`, `Bob${round}`];
      for (const name of two) await addMember(store, name, true);
      const demote = (name: string) => changeMember(store, `${name}@example.org`, { role: 'writer' });
      const done = await Promise.allSettled(two.map(demote));
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const name of two) {
        const member = await store.members.findByEmail(`${name}@example.org`);
        if (member) await store.members.update(member.id, { role: 'writer' });
      }
    }
  });

  test('an invitation is used once, also concurrently, and not after it expired', async () => {
    await using store = await open();
    const invitation = {
      role: 'reader' as const,
      byCommandLine: false,
      inviter: null,
      createdAt: 1,
      expiresAt: 100,
    };
    await store.members.insertInvitation({ tokenHash: 'a', ...invitation });
    await store.members.insertInvitation({ tokenHash: 'b', ...invitation });
    expect(await store.members.findInvitation('a')).toEqual({
      id: 1,
      role: 'reader',
      byCommandLine: false,
      inviter: null,
      createdAt: 1,
      expiresAt: 100,
    });
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => store.transact((store) => store.members.useInvitation('a', 50))),
    );
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await store.members.findInvitation('a')).toBeUndefined();
    expect(await store.members.useInvitation('b', 100)).toBe(false);
    expect(await store.members.useInvitation('c', 1)).toBe(false);
  });

  test('a handle signs in only for its provider and until it is removed', async () => {
    await using store = await open();
    const memberId = await addMember(store, 'Ann');
    const handle = { handleHash: 'h', memberId, provider: 'github', createdAt: 7 };
    await store.members.insertHandle(handle);
    await store.members.insertHandle({ ...handle, handleHash: 'i' });
    expect(await store.members.findHandle('github', 'h')).toEqual({
      memberId,
      provider: 'github',
      createdAt: 7,
    });
    expect(await store.members.findHandle('gitlab', 'h')).toBeUndefined();
    expect(await store.members.removeHandles(memberId, 'github')).toBe(2);
    expect(await store.members.findHandle('github', 'h')).toBeUndefined();
  });
});
