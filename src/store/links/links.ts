/**
 * Links: their targets, backlinks, and wanted links. The rows belong to the current content of each page; `wanted-counts.ts`
 * maintains the counts.
 */

import { type RawBuilder, sql } from 'kysely';
import { leadsTo, linksTo } from '#cache/dependency.ts';
import { moduleTitle } from '#core/content/module-body.ts';
import { titleKey } from '#core/model/fold.ts';
import type { Content, Page, PageName } from '#core/model/page.ts';
import type { Audience, Visibility } from '#core/model/permission.ts';
import { maxTemplateBytes } from '#core/pages/response-limits.ts';
import type { Range } from '#core/ports/list-reads.ts';
import type { LinkingPage, Target } from '#core/ports/reader.ts';
import { CachedLists, type List } from '../cached-lists.ts';
import type { Engine, Placeholder } from '../engine.ts';
import { invalidate } from '../invalidation.ts';
import { relink, saveDerived } from '../pages/derived.ts';
import type { LinkRows } from '../parts.ts';
import { fileOf } from '../rows.ts';
import {
  all,
  allOfMany,
  changeSome,
  prepareByVisibility,
  type Session,
  visibilityParameters,
} from '../statements.ts';
import type { Tables } from '../tables.ts';
import { type VisibilityShape, visible } from '../visibility.ts';
import { backlinksOfEach, type LinkedPage, linkingTo, type ParameterOf } from './linking.ts';
import { type AskingPages, listWanted } from './list-wanted.ts';

type Resolved = PageName & { target: string; type: string | null; audience: Audience };
type TemplateRow = PageName & {
  target: string;
  audience: Audience;
  change_id: number;
  bytes: number;
  content: string | null;
};

/** Up to this many linking pages are listed by title, and more than that by ID, because sorting by title reads all of them. */
const maxLinkingByTitle = 500;

/** Room for the 25 most wanted links with up to 1,000 pages each, plus some reserve. */
const maxAskingRows = 40_000;

export function linkStore(session: Session): LinkRows {
  const { engine, db } = session;
  const backlinks = new CachedLists<PageName>();
  const asking = new CachedLists<PageName, AskingPages>(maxAskingRows);
  return {
    async resolve(visibility, targets, from) {
      if (targets.length === 0) return new Map();
      const given = { targets: keyed(targets), ...visibilityParameters(visibility) };
      const found = from
        ? await all(session, resolvingFrom(visibility), {
            ...given,
            ...from,
            primary: from.language.split('-', 1)[0] ?? '',
          })
        : await all(session, resolving(visibility), given);
      return new Map(found.map(({ target, ...page }) => [target, page]));
    },

    async templates(visibility, targets) {
      if (targets.length === 0) return new Map();
      const eachBytes = Math.floor(maxTemplateBytes / targets.length);
      const given = { targets: keyedByType(targets), ...visibilityParameters(visibility), eachBytes };
      const found = await all(session, findingTemplates(visibility), given);
      const long = found.some(({ content }) => content === null)
        ? await longTemplates(session, found)
        : undefined;
      return new Map(
        found.flatMap(({ target, change_id: changeId, bytes: _, content: short, ...page }) => {
          const content = short ?? long?.get(changeId);
          if (content === undefined) return [];
          return [[target, templateOf({ ...page, changeId }, JSON.parse(content) as Content)]];
        }),
      );
    },

    async files(visibility, pageId, names) {
      const wanted = names.map((name) => {
        const slash = name.lastIndexOf('/');
        const path = slash > 0 && name.startsWith('/') ? name.slice(0, slash) : null;
        return [name, path, path === null ? name : name.slice(slash + 1)];
      });
      if (wanted.length === 0) return new Map();
      const t = engine.rows({ name: 'text', path: 'text', filename: 'text' }, wanted);
      // A cross join, because SQLite then keeps the order of the tables and looks up each name instead of each file.
      const found = await sql<Tables['files'] & { asked: string }>`
        select t.name as asked, f.* from ${t} as t cross join files f
          where t.path is null and f.page_id = ${pageId ?? 0} and f.filename = t.filename
            and f.until_change_id is null
        union all
        select t.name as asked, f.* from ${t} as t cross join pages p cross join files f
          where t.path is not null and p.path = t.path and ${visible('p', visibility)}
            and f.page_id = p.id and f.filename = t.filename and f.until_change_id is null`.execute(db);
      return new Map(found.rows.map(({ asked, ...file }) => [asked, fileOf(file)]));
    },

    backlinks(visibility, { id, title, path }, range) {
      const key = [id, title, path, visibility, range];
      return backlinks.get(session, key, () => backlinksOf(session, visibility, { id, title, path }, range));
    },

    backlinksOfEach: (...given) => backlinksOfEach(session, ...given),

    wanted: (visibility, limit, linksLimit) =>
      listWanted({ session, cachedLists: asking, visibility }, limit, linksLimit),
    relink: (pages) => changeSome(session, (db) => relink(engine, db, pages)),
    saveDerived: (page, derived, changed, stored) =>
      changeSome(session, (db) => {
        // `pages.update` has invalidated the page already; only its ID and text are added here.
        invalidate({ engine, db }, 'pages', ['change_id'], [{ id: page.id, versions: [], shownBy: [] }]);
        return saveDerived({ engine, db }, page, derived, { changed, stored });
      }),
  };
}

async function backlinksOf(
  session: Session,
  visibility: Visibility,
  page: Pick<Page, 'id' | 'title' | 'path'>,
  { limit, offset }: Range,
): Promise<List<PageName>> {
  const asActor = visibilityParameters(visibility);
  const [key, pathKey] = [titleKey(page.title), titleKey(page.path)];
  const called = await all(session, calledAlike(visibility), { key, id: page.id, ...asActor });
  // If no other visible page has the title, all names refer to this page. Names that begin with a slash may be paths, and a
  // module name may refer to another page.
  const [first, ...others] = called.filter(({ id }) => id !== null);
  const isAlone = others.length === 0 && first?.id === page.id && !/^(?:\/|module:|template:)/.test(key);
  const { listed, counted } = linking[isAlone ? 'toTheOnlyOne' : 'toOneOfSeveral'];
  const asked = { key, id: page.id, path: page.path, pathKey, ...asActor };
  const pages = await allOfMany(session, listed(visibility), { ...asked, limit, offset });
  // Beyond the last row, no row contains the total.
  const [count] =
    pages.length > 0 || offset === 0 ? pages : await allOfMany(session, counted(visibility), asked);
  const names = [
    key,
    `module:${key}`,
    `template:${key}`,
    key.replace(/^(?:module|template):/, ''),
    pathKey,
    ...called.flatMap(({ alias }) => (alias === null ? [] : [alias])),
  ];
  return {
    pages: pages.map(({ id, title, path }) => ({ id, title, path })),
    total: count?.total ?? 0,
    dependencies: [...new Set(names)].flatMap((name) => [leadsTo(name), linksTo(name)]),
  };
}

function templateOf<P extends object>(page: P, { body, format }: Content) {
  return { ...page, body, format };
}

type Keyed = [target: Target, key: string][];

function keyed(targets: Target[]): Keyed {
  return [...new Set(targets)].map((target) => [target, titleKey(target)]);
}

type KeyedByType = [target: Target, key: string, type: string, title: string, titleKey: string][];

/** Adds the type and title that take precedence. */
function keyedByType(targets: Target[]): KeyedByType {
  return keyed(targets).map(([target, key]) => {
    const module = moduleTitle(target);
    return module === undefined
      ? [target, key, 'Template', target, key]
      : [target, key, 'Module', module, titleKey(module)];
  });
}

const resolving = prepareByVisibility<{ targets: Keyed }, Resolved>(
  (p, visibility, engine) => sql`select t.target, p.id, p.title, p.path, p.type, p.audience
    from ${meant(engine, p('targets'), visibility, false)} as t cross join pages p where p.id = t.id`,
);

/**
 * The page of a set that is nearest to the language of the page that holds the link. The translation is found by the index of originals;
 * a wiki without translations looks into it once for all targets.
 */
const resolvingFrom = prepareByVisibility<{ targets: Keyed; primary: string } & LinkingPage, Resolved>(
  (p, visibility, engine) => {
    const near = (alias: string) =>
      distance(
        sql`coalesce(${sql.ref(`${alias}.language`)}, ${p('wiki')})`,
        sql`cast(${p('language')} as text)`,
        sql`cast(${p('primary')} as text)`,
      );
    const nearer = sql`(select a.id from pages a where a.original_id = p.id
        and ${near('a')} < ${near('p')} and a.id <> ${p('id')} and ${visible('a', visibility)}
        order by ${near('a')}, a.id limit 1)`;
    return sql`select t.target, coalesce(s.id, p.id) as id, coalesce(s.title, p.title) as title, coalesce(s.path, p.path) as path,
      case when s.id is null then p.type else s.type end as type,
      case when s.audience > p.audience then s.audience else p.audience end as audience
    from ${meant(engine, p('targets'), visibility, false)} as t cross join pages p
      left join pages s on s.id = case when exists (select 1 from pages o where o.original_id is not null) then ${nearer} end
    where p.id = t.id`;
  },
);

/**
 * How far a tag is from the wanted one. `de-AT` takes `de-AT`, then `de` (RFC 4647 §3.4, lookup), then `de-CH`, whose readers
 * understand it better than another language.
 */
function distance(
  tag: RawBuilder<unknown>,
  wanted: RawBuilder<unknown>,
  primary: RawBuilder<unknown>,
): RawBuilder<number> {
  return sql`case when ${tag} = ${wanted} then 0 when ${wanted} like ${tag} || '-%' then 50 - length(${tag})
    when ${tag} || '-' like ${primary} || '-%' then 60 else 100 end`;
}

/** Contents of templates that were not read yet: as many as fit the limit, in order of their changes. */
async function longTemplates(session: Session, found: TemplateRow[]): Promise<Map<number, string>> {
  const sizes = new Map(found.map(({ change_id, bytes }) => [change_id, bytes]));
  let room = maxTemplateBytes;
  const fitting = [...sizes].filter(([, bytes]) => {
    room -= bytes;
    return room >= 0;
  });
  const rows = await sql<{ id: number; content: string }>`select id, content from changes
    where ${session.engine.among(
      sql.ref('id'),
      fitting.map(([id]) => id),
    )}`.execute(session.db);
  return new Map(rows.rows.map(({ id, content }) => [id, content]));
}

/** Reads contents only up to a size that certainly fits the limit together. */
const findingTemplates = prepareByVisibility<{ targets: KeyedByType; eachBytes: number }, TemplateRow>(
  (
    p,
    visibility,
    engine,
  ) => sql`select t.target, p.id, p.title, p.path, p.audience, p.change_id, octet_length(c.content) as bytes,
    case when octet_length(c.content) <= ${p('eachBytes')} then c.content end as content
    from ${meant(engine, p('targets'), visibility, true)} as t cross join pages p join changes c on c.id = p.change_id
    where p.id = t.id`,
);

/**
 * A table (target, id) of the visible page for each target: a title resolves by exact case, then lowest ID, with pages of the
 * given type and title first; a path resolves to the page at it, then to the page that left it last.
 */
function meant(
  engine: Engine,
  targets: Placeholder,
  visibility: VisibilityShape,
  typedFirst: boolean,
): RawBuilder<unknown> {
  const columns = { target: 'text', key: 'text' } as const;
  const t = engine.rows(
    typedFirst ? { ...columns, type: 'text', title: 'text', title_key: 'text' } : columns,
    targets,
  );
  const titled = sql`select a.id from pages a where a.title_key = t.key and ${visible('a', visibility)}`;
  const exactly = sql`and a.title = t.target`;
  const lowest = sql`order by a.id limit 1`;
  const typed = sql`select a.id from pages a where a.title_key = t.title_key and a.type = t.type and ${visible('a', visibility)}`;
  // A call of `Note` means `Template:Note`, if there is one, rather than `Note`.
  const prefixed = sql`select a.id from pages a where t.type = 'Template' and a.title_key = 'template:' || t.key and ${visible('a', visibility)}`;
  const prefixedPages = sql`(${prefixed} and a.title = 'Template:' || t.target ${lowest}), (${prefixed} ${lowest}), `;
  const typedPages = sql`(${typed} and a.title = t.title ${lowest}), (${typed} ${lowest}), ${prefixedPages}`;
  return sql`(select t.target, case when substr(t.target, 1, 1) = '/' then coalesce(
      (select a.id from pages a where a.path = t.target and ${visible('a', visibility)}),
      (select a.id from aliases o join pages a on a.id = o.page_id
        where o.path = t.target and ${visible('a', visibility)} order by o.id desc limit 1))
    else coalesce(${typedFirst ? typedPages : sql``}(${titled} ${exactly} ${lowest}), (${titled} ${lowest})) end as id
    from ${t} as t)`;
}

/** Up to two pages with that title, and old paths of the page. */
const calledAlike = prepareByVisibility<
  { key: string; id: number },
  { id: number | null; alias: string | null }
>(
  (p, visibility) => sql`select id, null as alias from (
      select a.id from pages a where a.title_key in (${p('key')}, 'template:' || ${p('key')}) and ${visible('a', visibility)} limit 2) as titled
    union all select null, path_key from aliases where page_id = ${p('id')}`,
);

const linking = { toTheOnlyOne: linkingPages(true), toOneOfSeveral: linkingPages(false) };

/** Links are scanned once for both total and order, and only the few pages to be sorted are read. */
function linkingPages(isAlone: boolean) {
  const found = (p: ParameterOf<LinkedPage>, visibility: VisibilityShape, engine: Engine) =>
    sql`with found as materialized (${linkingTo(p, visibility, engine, isAlone)}),
      counted as materialized (select count(*) as total from found)`;
  const areFew = sql<boolean>`(select total from counted) <= ${sql.lit(maxLinkingByTitle)}`;
  return {
    listed: prepareByVisibility<LinkedPage & Range, PageName & { total: number }>(
      (p, visibility, engine) => sql`${found(p, visibility, engine)}
        select p.id, p.title, p.path, (select total from counted) as total from (
          select found.id, few.sort_key from found cross join pages few where few.id = found.id and ${areFew}
          union all select found.id, '' from found where not ${areFew}
          order by sort_key, id limit ${p('limit')} offset ${p('offset')}) as f
        join pages p on p.id = f.id order by f.sort_key, f.id`,
    ),
    counted: prepareByVisibility<LinkedPage, { total: number }>(
      (p, visibility, engine) => sql`${found(p, visibility, engine)} select total from counted`,
    ),
  };
}
