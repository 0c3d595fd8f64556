/**
 * PostgreSQL as an engine that only speaks its protocol (docs/scaling.md): a role that may not call what others lack, transactions that are
 * serializable and fail now and then; with `unordered`, they do not fail, and IDs of pages do not grow. `npm run test:plain` runs tests so.
 */
import pg from 'pg';
import { type Proxy as Passage, serializableProxy } from './postgres-proxy.ts';

const kind = process.env.COPPICE_TEST_POSTGRES;
export const isPlain = kind === 'plain' || kind === 'unordered';

const role = 'plain';

const failingChanges = `
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.changes') then
        create trigger fail_sometimes after insert on public.changes for each statement execute function fail_sometimes();
      end if;`;

/** Tests that know IDs of pages cannot be run so. */
const descendingPages = `
      if exists (select from pg_event_trigger_ddl_commands()
          where object_identity = 'public.pages' and command_tag = 'CREATE TABLE') then
        alter sequence public.pages_id_seq increment by -1 minvalue 1 maxvalue 1000000 start 1000000 restart;
      end if;`;

/** In the template of all databases. The event trigger is called with the rights of the one who creates a table. */
const preparation = `
  create role ${role} login password '${role}';
  revoke execute on function pg_current_xact_id(), pg_current_snapshot(), pg_snapshot_xmin(pg_snapshot),
    pg_snapshot_xmax(pg_snapshot), pg_snapshot_xip(pg_snapshot), pg_advisory_xact_lock(bigint),
    pg_advisory_xact_lock_shared(bigint), pg_try_advisory_lock(int, int), pg_try_advisory_lock(bigint),
    hashtextextended(text, bigint) from public;
  create function fail_sometimes() returns trigger language plpgsql as $$
    begin
      if random() < 0.03 then
        raise exception 'another transaction was in the way' using errcode = '40001';
      end if;
      return null;
    end $$;
  create function make_worse() returns event_trigger language plpgsql as $$
    begin
      ${kind === 'unordered' ? descendingPages : failingChanges}
    end $$;
  create event trigger make_worse on ddl_command_end when tag in ('CREATE TABLE') execute function make_worse()`;

/** `server`: URL of an administrator, which ends in a slash. The result has the URL of the role. */
export async function startPlain(server: string): Promise<Passage> {
  const client = new pg.Client({ connectionString: `${server}template1` });
  await client.connect();
  await client.query(preparation);
  await client.end();
  return serializableProxy(server.replace(/\/\/[^@]*@/, `//${role}:${role}@`));
}
