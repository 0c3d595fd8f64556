/** Settings of the site: read once for each change by any process, and written with what follows from them. */
import { sql } from 'kysely';
import type { PageName } from '#core/model/page.ts';
import { initialSettings, type SettingName, type Settings, settingRules } from '#core/model/settings.ts';
import { Synonyms } from '#core/model/synonyms.ts';
import type { SettingsStore } from '#core/ports/settings-store.ts';
import type { Store } from '#core/ports/store.ts';
import type { Database, Engine } from './engine.ts';
import { changePrivacy } from './pages/change-privacy.ts';
import { changeSome, rowsOf, type Session } from './statements.ts';

/** Counting ends here, because it takes time for each page. */
const maxCounted = 10_000;

export type DialectIn = (language: string) => Store['dialect'];

/** Settings as this process knows them; shared by the store and its transactions. */
export class KnownSettings {
  readonly fixed: Readonly<Partial<Settings>>;
  readonly #engine: Engine;
  #current: Readonly<Settings>;
  #revision: string | undefined;
  readonly #dialectIn: DialectIn;
  #dialect: Store['dialect'];
  #synonyms: Synonyms;

  constructor(engine: Engine, fixed: Readonly<Partial<Settings>>, dialectIn: DialectIn) {
    this.#engine = engine;
    this.fixed = fixed;
    this.#current = { ...initialSettings, ...fixed };
    this.#dialectIn = dialectIn;
    this.#dialect = dialectIn(this.#current.language);
    this.#synonyms = new Synonyms(this.#current.synonyms);
  }

  /** The dialect of the wiki's language. */
  get dialect(): Store['dialect'] {
    return this.#dialect;
  }

  get synonyms(): Synonyms {
    return this.#synonyms;
  }

  get current(): Readonly<Settings> {
    return this.#current;
  }

  refresh(): Promise<void> | undefined {
    const revision = this.#engine.revision();
    if (typeof revision !== 'string') return revision.then((revision) => this.#refreshTo(revision));
    return this.#refreshTo(revision);
  }

  #refreshTo(revision: string): Promise<void> | undefined {
    if (revision === this.#revision) return undefined;
    // Changing a setting invalidates everything.
    if (this.#revision === undefined || !this.#engine.isUnchanged(this.#revision, []))
      return this.#read(revision);
    this.#revision = revision;
    return undefined;
  }

  async #read(revision: string): Promise<void> {
    const { language } = this.#current;
    this.#current = { ...(await read(this.#engine.reader)), ...this.fixed };
    if (this.#current.language !== language) this.#dialect = this.#dialectIn(this.#current.language);
    this.#synonyms = new Synonyms(this.#current.synonyms);
    this.#revision = revision;
  }
}

export function settingsStore(session: Session, known: KnownSettings): SettingsStore {
  return {
    current: () => known.current,
    fixed: known.fixed,
    // A transaction has the only connection that its request may use.
    refresh: () => (session.isTransaction ? undefined : known.refresh()),
    write: (settings, at, memberId) =>
      changeSome(session, async (db) => {
        session.engine.invalidate(db, 'all');
        for (const [name, value] of Object.entries(settings)) {
          const row = { value: JSON.stringify(value), changed_at: at, changed_by: memberId };
          await db
            .insertInto('settings')
            .values({ name, ...row })
            .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
            .execute();
        }
        if (settings.private !== undefined) await changePrivacy(session.engine, db, settings.private);
      }),
    async publicPages(limit) {
      const isPublic = sql`permissions % 10 >= 4`;
      const most = sql`select 1 from pages where ${isPublic} limit ${maxCounted + 1}`;
      // Among many private pages, all of them are looked at: not where other requests would wait.
      const [pages, counted] = await Promise.all([
        rowsOf(
          session,
          sql<PageName>`select id, path, title from pages where ${isPublic} order by sort_key, id limit ${limit}`,
        ),
        rowsOf(session, sql<{ total: number }>`select count(*) as total from (${most}) as counted`),
      ]);
      const total = Number(counted[0]?.total ?? 0);
      return { pages, total: Math.min(total, maxCounted), isMore: total > maxCounted };
    },
    holdPrivate: () => readPrivate(session.db, session.engine.lockRows('share')),
  };
}

async function read(db: Database): Promise<Settings> {
  const settings: Record<string, unknown> = { ...initialSettings };
  for (const { name, value } of await db.selectFrom('settings').select(['name', 'value']).execute()) {
    if (!Object.hasOwn(settingRules, name)) continue;
    const { problemOf, initial, ifDamaged = initial } = settingRules[name as SettingName];
    const parsed = parsedOf(value);
    settings[name] = problemOf(parsed) === undefined ? parsed : ifDamaged;
  }
  return settings as unknown as Settings;
}

function parsedOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Whether the wiki is private, as the audience of its pages follows it. `lock`: a clause that locks the row `p`. */
export async function readPrivate(db: Database, lock = sql``): Promise<boolean> {
  const { rows } = await sql<{ value: string }>`select p.value from settings p
    where p.name = 'private' ${lock}`.execute(db);
  return rows[0]?.value === 'true';
}
