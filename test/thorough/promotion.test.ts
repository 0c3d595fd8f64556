/** Members read the latest text while a standby of PostgreSQL takes the place of the primary. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Servers } from '#store/postgres/servers.ts';
import { type PostgresServer, type Replication, startReplication } from '../support/replication.ts';

/** Less than a server may take to answer a check. */
const patienceMs = 300;

const formerPrimary: [string, (primary: PostgresServer) => unknown][] = [
  ['is gone', (primary) => primary.kill()],
  ['hangs', (primary) => primary.pause()],
  ['goes on', () => {}],
];

test.each(formerPrimary)(
  'members read what another process wrote to a server that this one does not know as the primary yet, while the former one %s',
  async (_, happen) => {
    await using postgres = await startWithNotes();
    const [heir, follower] = postgres.replicas;
    await using servers = await openServers(postgres);
    await follower.query('select pg_wal_replay_pause()');
    await happen(postgres.primary);
    // Waited for without a turn of the event loop, so that this process looks at no server meanwhile.
    const write = `import pg from 'pg';
    const client = new pg.Client({ connectionString: process.env.URL, options: '-c synchronous_commit=local' });
    await client.connect();
    await client.query('select pg_promote()');
    await client.query("insert into notes values ('new')");
    await client.end();`;
    const env = { ...process.env, URL: heir.url };
    execFileSync(process.execPath, ['--input-type=module', '--eval', write], { env });
    // Answers later than all others.
    heir.pause();
    const notes = notesFor(servers);
    await Promise.race([notes, sleep(patienceMs)]);
    heir.resume();
    expect(await notes).toEqual([{ text: 'new' }]);
  },
);

test('members read what the former primary acknowledged as soon as a standby shows it', async () => {
  await using postgres = await startWithNotes();
  await using servers = await openServers(postgres);
  for (const standby of postgres.replicas) await standby.query('select pg_wal_replay_pause()');
  await postgres.primary.query("insert into notes values ('new')");
  await postgres.primary.kill();
  await expect.poll(() => servers.primary === undefined).toBe(true);
  const notes = notesFor(servers);
  await Promise.race([notes, sleep(patienceMs)]);
  for (const standby of postgres.replicas) await standby.query('select pg_wal_replay_resume()');
  expect(await notes).toEqual([{ text: 'new' }]);
});

async function startWithNotes(): Promise<Replication> {
  const postgres = await startReplication();
  await postgres.primary.query('create table notes (text text)');
  for (const standby of postgres.replicas) {
    const hasTable = () =>
      standby.query('select 1 from notes').then(
        () => true,
        () => false,
      );
    await expect.poll(hasTable).toBe(true);
  }
  return postgres;
}

async function openServers({ primary, replicas }: Replication): Promise<Servers> {
  const servers = await Servers.open([primary, ...replicas].map(({ url }) => url));
  await expect.poll(() => servers.replicas.length).toBe(2);
  return servers;
}

/** Reads as a member, from the second standby if the servers know no better. */
function notesFor(servers: Servers): Promise<unknown[]> {
  const text = 'select text from notes';
  return servers.reading({ key: '1', isLatest: true }, () =>
    servers.read(async (server) => (await server.query({ text })).rows),
  );
}
