import { expect, test } from 'vitest';
import type { Store } from '#core/ports/store.ts';
import { readMembers } from './authors.ts';

const asked: string[] = [];
const findByEmail = async (email: string) => ({ id: asked.push(email) });
const store = { members: { findByEmail } } as unknown as Store;

test('a line of the file of members is a name and an address that follows the rule of members', async () => {
  const mapped = await readMembers(
    store,
    '# Comment\r\n\r\nFred = fred@example.org\nE = mc² = albert+a=b@example.org \nBo=bo@example.org',
  );
  expect([...mapped.keys()]).toEqual(['Fred', 'E = mc²', 'Bo']);
  expect(asked).toEqual(['fred@example.org', 'albert+a=b@example.org', 'bo@example.org']);
  for (const line of ['Fred', 'Fred = <a@b.c>', 'Fred = a@b.c,d@e.f', '= a@b.c', `${'='.repeat(2000)}a@b.c`])
    await expect(readMembers(store, line), line).rejects.toThrow('Expected “Name = address”');
});
