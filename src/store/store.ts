/** Opens the store: one implementation of the port, over either engine. Parts whose rows belong to features are passed in. */
import { existsSync } from 'node:fs';
import { defaultDialect } from '#core/content/dialect.ts';
import { type AuditContext, commandLine } from '#core/model/audit-entry.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { Settings } from '#core/model/settings.ts';
import type { FeaturePorts } from '#core/ports/feature-ports.ts';
import type { Store, Transaction, WriteFailure } from '#core/ports/store.ts';
import type { Database, Engine, EngineOptions } from './engine.ts';
import { erasureWrites } from './erasure/erasure.ts';
import { pendingErasures } from './erasure/pending.ts';
import { eventStore } from './events/events.ts';
import { exportSchedule } from './export-schedule.ts';
import { importStore } from './imports.ts';
import { leaseStore } from './leases.ts';
import { linkStore } from './links/links.ts';
import { endBulkLoad } from './maintenance/bulk-load.ts';
import { maintenanceStore } from './maintenance/maintenance.ts';
import { idempotencyStore } from './members/idempotency-keys.ts';
import { identityStore } from './members/identities.ts';
import { mailQueue } from './members/mails.ts';
import { memberStore } from './members/members.ts';
import { passkeyStore } from './members/passkeys.ts';
import { secondFactorStore } from './members/second-factors.ts';
import { sessionStore } from './members/sessions.ts';
import { signUpStore } from './members/sign-ups.ts';
import { migrate, refuseUnlessMigrated } from './migrate.ts';
import { changeStore } from './pages/changes.ts';
import { fileRows } from './pages/files.ts';
import { listStore } from './pages/lists.ts';
import { pageStore } from './pages/pages.ts';
import type { Parts } from './parts.ts';
import { createReader } from './reader.ts';
import { type DialectIn, KnownSettings, settingsStore } from './settings.ts';
import { openSqlite } from './sqlite/engine.ts';
import type { Session } from './statements.ts';
import { trashStore } from './trash/trash.ts';
import { WriteHealth } from './write-health.ts';
import { WritePause } from './write-pause.ts';

/** Loads the languages only where text is read: many commands read none, and begin in half the time. */
const deriveHere: NonNullable<StoreOptions['derive']> = async (content, dialect) =>
  (await import('#core/content/derive.ts')).deriveAndRead(content, dialect);

export type StoreConfig =
  | { kind: 'sqlite'; file: string }
  | { kind: 'postgres'; url: string; replicaUrls?: readonly string[] };

/**
 * `dialectIn`: the dialect of a wiki in this language; without it, the default one is used. Without `derive`, data is derived on
 * this thread. `hasMailServer`: whether queued mail will be sent. Without `audit`, the actor is the command line.
 */
export type StoreOptions = EngineOptions & {
  dialectIn?: DialectIn;
  derive?: (
    content: Parameters<Store['derive']>[0],
    dialect: Store['dialect'],
  ) => ReturnType<Store['derive']>;
  hasMailServer?: boolean;
  /** Settings that the environment decides. */
  settings?: Partial<Settings>;
  audit?: AuditContext;
  /** Whether the setting `readOnly` refuses writes. */
  obeysReadOnly?: boolean;
};

/** Makes the port to the rows of each feature. */
export type FeatureStores = {
  [Name in keyof FeaturePorts]: (session: Session, foundations: Foundations) => FeaturePorts[Name];
};

/** Opens the database, creates it if it does not exist (SQLite), and migrates it. */
export async function openStoreWith(
  features: FeatureStores,
  config: StoreConfig,
  options: StoreOptions = {},
): Promise<Store> {
  const engine = await openEngine(config, options);
  let trouble: WriteFailure | undefined;
  try {
    trouble = await prepareDatabase(engine, options);
  } catch (error) {
    await engine[Symbol.asyncDispose]();
    throw error;
  }
  const { dialectIn = () => defaultDialect, hasMailServer = false, settings = {} } = options;
  const { derive = deriveHere } = options;
  const { audit = { origin: () => commandLine, clock: Date.now } } = options;
  const known = new KnownSettings(engine, settings, dialectIn);
  await known.refresh();
  const foundations: Foundations = {
    get dialect() {
      return known.dialect;
    },
    derive: (content) => derive(content, known.dialect),
    hasMailServer,
    audit,
    features,
    settings: known,
  };
  const pause = new WritePause(engine, known, options.obeysReadOnly === true);
  return storeOver(engine, foundations, pause, trouble);
}

/** Migrates. Where nothing can be written, a current database serves to be read; returns why then. */
async function prepareDatabase(engine: Engine, options: StoreOptions): Promise<WriteFailure | undefined> {
  try {
    if (options.isReadOnly) await refuseUnlessMigrated(engine);
    else {
      await migrate(engine, options.beforeCreating);
      await endBulkLoad(engine);
      if (options.serverProcesses !== undefined) await lookForRoom(engine);
    }
    return undefined;
  } catch (error) {
    const trouble = options.isReadOnly ? undefined : engine.writeFailureOf(error);
    if (trouble !== 'full' && trouble !== 'read-only') throw error;
    await refuseUnlessMigrated(engine).catch((cause: unknown) => {
      // A new database has no tables: the disk was full before they were made.
      throw cause instanceof Problem ? cause : error;
    });
    return trouble;
  }
}

/** Fails if the disk is full, which the statements before need not notice. */
async function lookForRoom(engine: Engine): Promise<void> {
  await engine.tryWriting?.('full').catch((error: unknown) => {
    if (engine.writeFailureOf(error) !== undefined) throw error;
  });
}

async function openEngine(config: StoreConfig, options: EngineOptions): Promise<Engine> {
  if (config.kind === 'sqlite') {
    if (!existsSync(config.file)) options.beforeCreating?.();
    return openSqlite(config.file, options);
  }
  // Imported on demand, so that SQLite users do not load the other driver.
  const { openPostgres } = await import('./postgres/engine.ts');
  return openPostgres([config.url, ...(config.replicaUrls ?? [])], options);
}

const systemActor: Actor = { memberId: 0, name: '', isAdmin: true };

export type Foundations = Required<Pick<StoreOptions, 'hasMailServer' | 'audit'>> & {
  readonly dialect: Store['dialect'];
  derive: Store['derive'];
  features: FeatureStores;
  settings: KnownSettings;
};

function storeOver(
  engine: Engine,
  foundations: Foundations,
  pause: WritePause,
  trouble: WriteFailure | undefined,
): Store {
  const { derive, audit } = foundations;
  const health = new WriteHealth(engine, trouble);
  /** Pages say whether anything can be saved, so a change of that makes all of them stale. */
  const marked = (revision: string) => (health.current ? `${revision} ${health.current}` : revision);
  const markedRevision = () => {
    const revision = engine.revision();
    return typeof revision === 'string' ? marked(revision) : revision.then(marked);
  };
  const isUnchanged: Store['isUnchanged'] = (revision, dependencies) => {
    const [, own = revision, trouble] = /^(.*) (full|read-only|gone|failed)$/.exec(revision) ?? [];
    return trouble === health.current && engine.isUnchanged(own, dependencies);
  };
  const session = { engine, db: engine.reader, isTransaction: false };
  const parts = partsOf(session);
  const store: Store = {
    get dialect() {
      return foundations.dialect;
    },
    derive,
    isTransaction: false,
    hasOneWriter: engine.hasOneWriter,
    get isPrivate() {
      return foundations.settings.current.private;
    },
    trash: parts.trash,
    ...identitiesOf(session, foundations),
    ...readersOf(parts, foundations),
    transact(work, { worksReadOnly = false, isTrial = false } = {}) {
      // Read now, because a queued transaction may start in the async context of another request.
      const origin = audit.origin();
      const within = { ...foundations, audit: { ...audit, origin: () => origin } };
      const transact = worksReadOnly || isTrial ? pause.passing : engine.transact;
      return transact((db) => work(withinTransaction(engine, db, store, within)), { isTrial });
    },
    revision: markedRevision,
    isUnchanged,
    listen: (listener) => engine.listen(listener),
    async ping() {
      const condition = await engine.ping();
      if (pause.isOn) return { ...condition, isWritable: false };
      const trouble = condition.isWritable ? await health.trouble() : undefined;
      return trouble ? { ...condition, isWritable: false, trouble } : condition;
    },
    writeTrouble: () => health.current ?? (pause.isOn ? 'paused' : undefined),
    writesWaiting: () => engine.writesWaiting(),
    ...(engine.connections ? { connections: engine.connections } : {}),
    failedWrites: health.failed,
    ...(engine.reading ? { reading: engine.reading } : {}),
    async [Symbol.asyncDispose]() {
      health[Symbol.dispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
  return store;
}

function withinTransaction(
  engine: Engine,
  db: Database,
  outer: Store,
  foundations: Foundations,
): Transaction {
  const { dialect, derive } = foundations;
  const session = { engine, db, isTransaction: true };
  const parts = partsOf(session);
  const { pages, links, files, trash } = parts;
  const store: Transaction = {
    dialect,
    derive,
    isTransaction: true,
    hasOneWriter: engine.hasOneWriter,
    isPrivate: foundations.settings.current.private,
    ...identitiesOf(session, foundations),
    ...readersOf(parts, foundations),
    trash,
    pages,
    links,
    files,
    erasure: erasureWrites(session),
    // A nested transaction is part of the outer one.
    transact: (work) => work(store),
    revision: outer.revision,
    isUnchanged: outer.isUnchanged,
    listen: outer.listen,
    ping: outer.ping,
    writeTrouble: outer.writeTrouble,
    writesWaiting: outer.writesWaiting,
    failedWrites: outer.failedWrites,
    [Symbol.asyncDispose]: async () => {},
  };
  return store;
}

function readersOf(parts: Parts, foundations: Foundations): Pick<Store, 'readAs' | 'readAsSystem'> {
  const readAs: Store['readAs'] = (actor) => {
    const { dialect, derive, settings } = foundations;
    const { current, synonyms } = settings;
    return createReader(parts, { dialect, derive, isPrivate: current.private, synonyms }, actor);
  };
  return { readAs, readAsSystem: () => readAs(systemActor) };
}

function partsOf(session: Session): Parts {
  const guard = guardOf(session);
  return {
    pages: guard(pageStore(session)),
    changes: guard(changeStore(session)),
    links: guard(linkStore(session)),
    lists: guard(listStore(session)),
    files: guard(fileRows(session)),
    trash: guard(trashStore(session)),
  };
}

function identitiesOf(session: Session, foundations: Foundations) {
  const { hasMailServer, settings } = foundations;
  const guard = guardOf(session);
  return {
    events: guard(eventStore(session)),
    members: guard(memberStore(session)),
    ...featureParts(session, foundations),
    settings: guard(settingsStore(session, settings)),
    identities: guard(identityStore(session)),
    secondFactors: guard(secondFactorStore(session)),
    passkeys: guard(passkeyStore(session)),
    signUps: guard(signUpStore(session)),
    sessions: guard(sessionStore(session)),
    idempotency: guard(idempotencyStore(session)),
    leases: guard(leaseStore(session)),
    imports: guard(importStore(session)),
    exportSchedule: guard(exportSchedule(session)),
    mails: guard(mailQueue(session, hasMailServer)),
    maintenance: guard(maintenanceStore(session)),
    pendingErasures: guard(pendingErasures(session)),
  };
}

function featureParts(session: Session, foundations: Foundations): FeaturePorts {
  const guard = guardOf(session);
  const made = Object.entries(foundations.features).map(([name, make]) => [
    name,
    guard<object>(make(session, foundations)),
  ]);
  return Object.fromEntries(made) as FeaturePorts;
}

/** Within a transaction errors are not translated, because its end decides whether to retry. */
function guardOf(session: Session) {
  return session.isTransaction ? <S extends object>(part: S) => part : guardedBy(session.engine);
}

/** Translates errors of all methods: an unreachable engine becomes Problem `unavailable`. */
function guardedBy(engine: Engine): <S extends object>(part: S) => S {
  const fail = (error: unknown) => {
    throw engine.translate(error);
  };
  return <S extends object>(part: S) => {
    const methods = Object.entries(part).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
      name,
      typeof method !== 'function'
        ? method
        : (...args: unknown[]) => {
            const result = method(...args);
            return result instanceof Promise ? result.catch(fail) : result;
          },
    ]);
    return Object.fromEntries(methods) as S;
  };
}
