/**
 * The floor: what the same machine, runtime and framework reach when each request does only one look-up by primary key, or one
 * transaction with the same bytes. `node bench/requests/floor.ts sqlite FILE` or `postgres URL`.
 *
 * It sends the wiki's own responses, stored beforehand, so that the number of bytes is the same.
 */

import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import pg from 'pg';

interface Answer {
  tag: string | null;
  body: string;
}

export interface FloorRows extends AsyncDisposable {
  /** Answers get the IDs `set * 100,000 + position`. */
  store(set: number, answers: Answer[]): Promise<void>;
}

interface Floor {
  find(id: number): Answer | undefined | Promise<Answer | undefined>;
  write(text: string): void | Promise<void>;
}

const perSet = 100_000;

/** Creates the tables of an empty database. */
export async function openFloorRows(engine: string, target: string): Promise<FloorRows> {
  if (engine === 'sqlite') {
    const db = openFile(target);
    db.exec('create table answers (id integer primary key, tag text, body text not null) strict');
    db.exec('create table written (id integer primary key, body text not null) strict');
    const insert = db.prepare('insert into answers (id, tag, body) values (?, ?, ?)');
    return {
      async store(set, answers) {
        db.exec('begin');
        for (const [i, { tag, body }] of answers.entries()) insert.run(set * perSet + i, tag, body);
        db.exec('commit');
      },
      async [Symbol.asyncDispose]() {
        db.close();
      },
    };
  }
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  await client.query('create table answers (id bigint primary key, tag text, body text not null)');
  await client.query(
    'create table written (id bigint generated always as identity primary key, body text not null)',
  );
  return {
    async store(set, answers) {
      for (const [i, { tag, body }] of answers.entries())
        await client.query('insert into answers values ($1, $2, $3)', [set * perSet + i, tag, body]);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

if (import.meta.main) {
  const [engine = 'sqlite', target = ''] = process.argv.slice(2);
  const floor = engine === 'sqlite' ? overSqlite(target) : overPostgres(target);
  const server = Fastify();
  const json = 'application/json; charset=utf-8';
  server.get('/ready', () => 'ready');
  server.get<{ Params: { id: string } }>('/read/:id', async (request, reply) => {
    const answer = await floor.find(Number(request.params.id));
    reply.type(json);
    return answer?.body;
  });
  server.get<{ Params: { id: string } }>('/fresh/:id', async (request, reply) => {
    const answer = await floor.find(Number(request.params.id));
    reply.header('etag', answer?.tag);
    if (request.headers['if-none-match'] === answer?.tag) return reply.code(304).send();
    return reply.type(json).send(answer?.body);
  });
  server.post<{ Params: { id: string } }>('/write/:id', async (request, reply) => {
    await floor.write(JSON.stringify(request.body));
    const answer = await floor.find(Number(request.params.id));
    reply.type(json);
    return answer?.body;
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  console.log(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
  process.on('SIGTERM', () => process.exit(0));
}

/** Uses the same settings as the wiki's own file. */
function openFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  db.exec(
    'pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -8192',
  );
  return db;
}

function overSqlite(file: string): Floor {
  const db = openFile(file);
  const find = db.prepare('select tag, body from answers where id = ?');
  const insert = db.prepare('insert into written (body) values (?)');
  return {
    find: (id) => find.get(id) as unknown as Answer | undefined,
    write(text) {
      db.exec('begin immediate');
      insert.run(text);
      db.exec('commit');
    },
  };
}

function overPostgres(url: string): Floor {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  return {
    async find(id) {
      const found = await pool.query<Answer>({
        name: 'find',
        text: 'select tag, body from answers where id = $1',
        values: [id],
      });
      return found.rows[0];
    },
    async write(text) {
      await pool.query({ name: 'write', text: 'insert into written (body) values ($1)', values: [text] });
    },
  };
}
