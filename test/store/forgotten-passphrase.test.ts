/** Asking for a new passphrase and sending the mail: the same work for every address. */
import { describe, expect, test } from 'vitest';
import { sendMails } from '#core/mail/send-mails.ts';
import { askForPassphrase } from '#core/sign-in/forgotten-passphrase.ts';
import { openStore } from '#run/open-store.ts';
import { emptyDatabases } from '../support/postgres.ts';
import { addMember } from '../support/write-pages.ts';

const minute = 60_000;
const wiki = { name: 'Wiki', language: 'en', url: 'https://wiki.example.org' };

describe.each(emptyDatabases)('on %s', (_engine, fresh) => {
  test('the same statements run for known, unknown and deactivated addresses, at once and again', async () => {
    await using database = await fresh();
    const statements: string[] = [];
    await using store = await openStore(database.config, {
      hasMailServer: true,
      onQuery: ({ sql }) => void statements.push(sql),
    });
    const known = await store.members.findById(await addMember(store, 'Ann', false));
    const gone = await store.members.findById(await addMember(store, 'Bob', false));
    if (!known || !gone) throw new Error('There are no members.');
    await store.members.update(gone.id, { isActive: false });
    const sent: string[] = [];
    const server = {
      send: async ({ to }: { to: { address: string } }) => void sent.push(to.address),
      close: () => {},
    };
    const ran = async (work: () => Promise<unknown>) => {
      statements.length = 0;
      await work();
      return [...statements];
    };
    const of = async (email: string) => {
      const asked = [];
      for (const at of [0, 1, 10 * minute]) asked.push(await ran(() => askForPassphrase(store, email, at)));
      const now = 11 * minute;
      const writer = { store, secrets: { make, hash: (text: string) => text }, wiki };
      const mailed = await ran(() =>
        sendMails(
          writer,
          server,
          () => now,
          () => {},
        ),
      );
      // Letters are written concurrently, so their statements come in any order.
      return { asked, mailed: mailed.sort() };
    };
    let made = 0;
    const make = () => ({ secret: `s${++made}`, hash: `h${made}` });
    // Statements are prepared by the first use.
    await of('warm@example.org');
    const expected = await of(known.email);
    expect(expected.asked[1]).toEqual(expected.asked[0]);
    expect(await of('nobody@example.org')).toEqual(expected);
    expect(await of(gone.email)).toEqual(expected);
    expect(sent).toEqual([known.email, known.email]);
  });
});
