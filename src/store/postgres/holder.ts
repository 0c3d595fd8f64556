/**
 * A process as a holder of leases: it keeps one session open, which holds an advisory lock. The server releases the lock with the
 * session. If the session breaks while the process lives, another one takes its place under the same name.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Servers } from './servers.ts';

/** First key of the locks, an arbitrary number that is the same in every process. */
const lockClass = 7_277_114;
/**
 * If the session of this process broke, so may those of others have, as when the database was started again: for so long, locks
 * that are missing say nothing.
 */
const doubtMs = 60_000;
/** Time in which a process whose session broke has another one. */
const replacedWithinMs = 250;

export class SessionHolder implements AsyncDisposable {
  readonly #servers: Servers;
  readonly #key = randomInt(1, 2 ** 31);
  #session: pg.Client | undefined;
  #opening: Promise<void> | undefined;
  #lostAt = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  get name(): string | null {
    return this.#session ? String(this.#key) : null;
  }

  /** Does nothing while the database takes no more sessions. */
  async hold(): Promise<void> {
    if (this.#isOver || this.#session) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  /** Without a lock of its own for a while, a process cannot rely on the locks of others. */
  async ended(names: readonly string[]): Promise<string[]> {
    if (!this.#session || performance.now() - this.#lostAt < doubtMs) return [];
    const missing = await this.#missing(names);
    if (missing.length === 0) return [];
    await sleep(replacedWithinMs);
    return this.#missing(missing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#opening;
    await this.#session?.end();
  }

  async #open(): Promise<void> {
    try {
      const session = await this.#servers.writer().openSession('coppice-leases');
      session.once('end', () => {
        if (this.#session !== session) return;
        this.#session = undefined;
        this.#lostAt = performance.now();
        void this.hold();
      });
      await session.query('set idle_session_timeout = 0');
      const { rows } = await session.query<{ held: boolean }>(
        `select pg_try_advisory_lock(${lockClass}, ${this.#key}) as held`,
      );
      // Not held if the server has not noticed yet that the session before has ended.
      if (rows[0]?.held && !this.#isOver) this.#session = session;
      else await session.end();
    } catch {
      // The leases of this process only expire, until this is tried again.
    }
  }

  async #missing(names: readonly string[]): Promise<string[]> {
    const keys = names.filter((name) => /^\d{1,10}$/.test(name));
    const { rows } = await this.#servers.writer().query<{ name: string }>({
      text: `select name from unnest($1::text[]) as name where not exists (select 1 from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
          and classid = ${lockClass} and objid = name::bigint::oid and objsubid = 2 and granted)`,
      values: [keys],
    });
    return rows.map(({ name }) => name);
  }
}
