/**
 * Base of every part of the store: an engine, a handle for reading, and functions for writing that join the current transaction
 * or open a new one. Frequent statements are compiled to SQL once and then run with parameters.
 */
import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Visibility } from '#core/model/permission.ts';
import { type Database, type Engine, Placeholder, type ReadQueue } from './engine.ts';
import type { VisibilityShape } from './visibility.ts';

export interface Session {
  engine: Engine;
  db: Database;
  isTransaction: boolean;
}

/** Runs `work` in the session's transaction, or in a new one. Invalidates everything. */
export function change<T>(session: Session, work: (db: Database) => Promise<T>): Promise<T> {
  return changeSome(session, (db) => {
    session.engine.invalidate(db, 'all');
    return work(db);
  });
}

/** Like `change`, for data that only its owner can see, so that nothing is invalidated. */
export function changeUnseen<T>(session: Session, work: (db: Database) => Promise<T>): Promise<T> {
  return changeSome(session, (db) => {
    session.engine.invalidate(db, []);
    return work(db);
  });
}

/** Builds a statement that writes or removes rows. */
type Writing = (db: Database) => { compile(db: Database): CompiledQuery };

/** Like `changeUnseen`, for one statement. */
export async function writeUnseen(session: Session, statement: Writing): Promise<void> {
  await changeUnseen(session, (db) => db.executeQuery(statement(db).compile(db)));
}

/** The same for one statement. Returns whether it wrote or removed a row. */
export async function writeOneUnseen(session: Session, statement: Writing): Promise<boolean> {
  const { numAffectedRows } = await changeUnseen(session, (db) => db.executeQuery(statement(db).compile(db)));
  return numAffectedRows === 1n;
}

/** Like `change`, for work that records what it invalidates by `engine.invalidate`. */
export function changeSome<T>(session: Session, work: (db: Database) => Promise<T>): Promise<T> {
  return session.isTransaction ? work(session.db) : session.engine.transact(work);
}

type Parameter<P> = (name: keyof P & string) => Placeholder;

/** Queries whose rows have the types `R`. */
export type RawBuilders<R extends readonly unknown[]> = { [I in keyof R]: RawBuilder<R[I]> };
export type Rows<R extends readonly unknown[]> = { [I in keyof R]: R[I][] };

/** Statements with parameters named as in `P`, whose rows have the types `R`. */
export interface Prepared<P, R extends readonly unknown[]> {
  build: (parameter: Parameter<P>, engine: Engine) => RawBuilders<R>;
  compiled: WeakMap<Engine, { statements: CompiledQuery[]; unpack(results: unknown[][]): unknown[][] }>;
}

export function prepare<P, R>(
  build: (parameter: Parameter<P>, engine: Engine) => RawBuilder<R>,
): Prepared<P, [R]> {
  return { build: (parameter, engine) => [build(parameter, engine)], compiled: new WeakMap() };
}

/** Several queries that read the same snapshot. */
export function prepareTogether<P, R extends readonly unknown[]>(
  build: (parameter: Parameter<P>, engine: Engine) => RawBuilders<R>,
): Prepared<P, R> {
  return { build, compiled: new WeakMap() };
}

/** A visibility as parameters of a statement: the owner, the audiences of groups, and the subjects of grants, by number. */
type VisibilityParameters = { ownerId: number | null } & {
  [name: `group${number}` | `subject${number}`]: number;
};

/**
 * A prepared statement for each shape of a visibility; run with `visibilityParameters`. Numbers of groups are rounded up, so
 * that there are few shapes.
 */
export function prepareByVisibility<P, R>(
  build: (parameter: Parameter<P>, visibility: VisibilityShape, engine: Engine) => RawBuilder<R>,
): (visibility: Visibility) => Prepared<P & VisibilityParameters, [R]> {
  const shapes = new Map<string, Prepared<P & VisibilityParameters, [R]>>();
  return ({ maxAudience, ownerId, groupAudiences, subjects }) => {
    const [groups, named] = [padded(groupAudiences).length, padded(subjects).length];
    const name = `${maxAudience} ${ownerId === null} ${groups} ${named}`;
    let prepared = shapes.get(name);
    if (!prepared) {
      prepared = prepare((p, engine) => {
        const parameter = p as (name: string) => Placeholder;
        return build(
          p,
          {
            maxAudience,
            ownerId: ownerId === null ? null : parameter('ownerId'),
            groupAudiences: Array.from({ length: groups }, (_, i) => parameter(`group${i}`)),
            subjects: Array.from({ length: named }, (_, i) => parameter(`subject${i}`)),
          },
          engine,
        );
      });
      shapes.set(name, prepared);
    }
    return prepared;
  };
}

export function visibilityParameters({
  ownerId,
  groupAudiences,
  subjects,
}: Visibility): VisibilityParameters {
  const groups = padded(groupAudiences).map((audience, i) => [`group${i}`, audience]);
  const named = padded(subjects).map((subject, i) => [`subject${i}`, subject]);
  return { ownerId, ...Object.fromEntries([...groups, ...named]) };
}

/** Pads the list to the next power of two by repeating the last one. */
function padded(audiences: readonly number[]): readonly number[] {
  const last = audiences.at(-1);
  if (last === undefined) return audiences;
  const length = 2 ** Math.ceil(Math.log2(audiences.length));
  return Array.from({ length }, (_, i) => audiences[i] ?? last);
}

export async function all<P, R>(session: Session, prepared: Prepared<P, [R]>, parameters: P): Promise<R[]> {
  return (await together(session, prepared, parameters))[0];
}

export async function first<P, R>(
  session: Session,
  prepared: Prepared<P, [R]>,
  parameters: P,
): Promise<R | undefined> {
  return (await all(session, prepared, parameters))[0];
}

export async function together<P, R extends readonly unknown[]>(
  session: Session,
  prepared: Prepared<P, R>,
  parameters: P,
): Promise<Rows<R>> {
  const { engine } = session;
  const { statements, unpack } = filledFor(engine, prepared, parameters);
  const results = session.isTransaction
    ? await engine.run(session.db, statements)
    : await engine.read(statements);
  return unpack(results) as Rows<R>;
}

/** Like `all`, for a list whose time grows with the wiki. */
export async function allOfMany<P, R>(
  session: Session,
  prepared: Prepared<P, [R]>,
  parameters: P,
): Promise<R[]> {
  const [statement] = filledFor(session.engine, prepared, parameters).statements as [CompiledQuery];
  return (await rowsOfLong(session, statement, 'lists')) as R[];
}

/** Sends a statement without a result within a transaction: see `Engine.send`. */
export function send<P>({ engine, db }: Session, prepared: Prepared<P, [unknown]>, parameters: P): void {
  for (const statement of filledFor(engine, prepared, parameters).statements) engine.send(db, statement);
}

function filledFor<P, R extends readonly unknown[]>(engine: Engine, prepared: Prepared<P, R>, parameters: P) {
  const { statements, unpack } = compiledFor(engine, prepared);
  return {
    statements: statements.map((statement) => fill(statement, parameters as Record<string, unknown>)),
    unpack,
  };
}

function compiledFor<P, R extends readonly unknown[]>(engine: Engine, prepared: Prepared<P, R>) {
  let compiled = prepared.compiled.get(engine);
  if (!compiled) {
    const queries = prepared.build((name) => new Placeholder(name), engine);
    const { statements, unpack } =
      queries.length > 1 ? engine.bundle(queries) : { statements: queries, unpack: same };
    compiled = { statements: statements.map((statement) => statement.compile(engine.reader)), unpack };
    prepared.compiled.set(engine, compiled);
  }
  return compiled;
}

/** Rows of a statement that is not prepared and whose time grows with the wiki. */
export async function rowsOf<R>(
  session: Session,
  query: RawBuilder<R>,
  queue: ReadQueue = 'lists',
): Promise<R[]> {
  return (await rowsOfLong(session, query.compile(session.engine.reader), queue)) as R[];
}

async function rowsOfLong(
  { engine, db, isTransaction }: Session,
  statement: CompiledQuery,
  queue: ReadQueue,
): Promise<unknown[]> {
  if (!isTransaction) return engine.readLong(statement, queue);
  const [rows = []] = await engine.run(db, [statement]);
  return rows;
}

function same(results: unknown[][]): unknown[][] {
  return results;
}

function fill(statement: CompiledQuery, values: Record<string, unknown>): CompiledQuery {
  const parameters = statement.parameters.map((parameter) =>
    parameter instanceof Placeholder ? parameter.encode(values[parameter.name]) : parameter,
  );
  return { ...statement, parameters, isPrepared: true } as CompiledQuery;
}
