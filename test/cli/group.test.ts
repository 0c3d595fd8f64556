/** Groups from the command line. */
import { describe, expect, test } from 'vitest';
import { engines, startWiki } from '../support/cli.ts';

describe.each(engines)('on %s', (engine) => {
  test('groups are made, joined, renamed, left and deleted; refusals give a reason', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    await wiki.coppice(['member', 'add', 'ada@example.org', '--name', 'Ada Lovelace', '--no-passphrase']);
    const group = async (...args: string[]) => {
      const { code, out, err } = await wiki.coppice(['group', ...args]);
      return [code, out || err];
    };
    expect(await group('list')).toEqual([0, 'There are no groups.\n']);
    expect(await group('add', 'Night watch')).toEqual([0, 'Night watch\n']);
    expect(await group('add', 'night WATCH')).toEqual([1, 'A group with this name already exists.\n']);
    expect(await group('add', 'members')).toEqual([
      1,
      '“members” is the group of all members, which always exists.\n',
    ]);
    expect(await group('join', 'Night watch', 'ada@example.org')).toEqual([
      0,
      'Ada Lovelace is in the group Night watch.\n',
    ]);
    expect((await group('join', 'Night watch', 'eve@example.org'))[0]).toBe(1);
    expect(await group('join', 'Day watch', 'ada@example.org')).toEqual([
      1,
      'There is no group “Day watch”. `coppice group list` lists all groups.\n',
    ]);
    expect(await group('rename', 'night watch', 'Day watch')).toEqual([0, 'Day watch\n']);
    const [, listed] = await group('list', '--json');
    expect(JSON.parse(String(listed))).toEqual([{ id: 1, name: 'Day watch', memberCount: 1 }]);
    expect((await group('members', 'Day watch'))[1]).toMatch(/^\d+\tAda Lovelace\n$/);
    expect(await group('leave', 'Day watch', 'ada@example.org')).toEqual([
      0,
      'Ada Lovelace is not in the group Day watch.\n',
    ]);
    expect(await group('delete', 'Day watch')).toEqual([0, 'Deleted: Day watch.\n']);
    expect((await group('conquer'))[0]).toBe(2);
  });
});
