/**
 * Moves a page with its subtree.
 *
 * The subtree is locked first, then all new values are computed here, then written: paths, depths and trails by one update, old
 * paths as aliases by another; everything in slices.
 */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { titleKey } from '#core/model/fold.ts';
import { isBeneath, maxDepth, maxPathBytes, maxPathSegments } from '#core/model/path.ts';
import { pathTaken } from '#core/model/path-taken.ts';
import type { Visibility } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { MoveRefusal } from '#core/ports/reader.ts';
import type { MovedPage } from '#core/ports/store.ts';
import type { Words } from '#html/html.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import { say } from '#words/say.ts';
import type { Database, Engine } from '../engine.ts';
import { recordEvents } from '../events/record-events.ts';
import { invalidate, maxNamed, type PageVersion } from '../invalidation.ts';
import {
  type BeneathRow,
  beginsWith,
  beneathColumns,
  type GrantedRow,
  grantedColumns,
  liesBeneath,
  pathFoldOf,
  readTrail,
  trailBeneath,
  writeTrail,
} from '../rows.ts';
import type { RowOf } from '../tables.ts';
import { visible } from '../visibility.ts';
import { leaveAliases } from './add-history.ts';
import { shownBy } from './shown-by.ts';
import { unranked } from './siblings.ts';

type Node = Pick<RowOf<'pages'>, 'id' | 'path' | 'depth' | 'trail'>;
type LockedPage = Node &
  Pick<
    RowOf<'pages'>,
    'follows_path' | 'language' | 'permissions' | 'owner_id' | 'group_id' | 'audience' | 'grants'
  > &
  GrantedRow &
  BeneathRow;

/** Number of rows that take a few milliseconds to read. For more pages statements have no time limit. */
export const manyPages = 250;
type Move = Pick<MovedPage, 'id' | 'from' | 'to'>;

export async function moveSubtree(
  { engine, db }: { engine: Engine; db: Database },
  id: number,
  to: { path: string; parentId: number | null; depth: number; trail: number[] },
  change: { at: number; editorId: number; msg: string },
): Promise<MovedPage[]> {
  const subtree = await lockSubtree(engine, db, id);
  const [page] = subtree;
  if (!page) throw new Problem('not-found', say('problem.pageNotFound'));
  const refusal = await refusalOf(db, page, { path: to.path, depth: to.trail.length });
  if (refusal) throw invalid(`/${refusal.field}`, refusal.detail);
  const fromTrail = readTrail(page.trail);
  const moved: { node: LockedPage; path: string; trail: number[] }[] = [];
  for await (const nodes of inTimeSlices(subtree))
    for (const node of nodes) {
      const path =
        node === page || isBeneath(node.path, page.path)
          ? to.path + node.path.slice(page.path.length)
          : node.path;
      const trail = [...to.trail, ...readTrail(node.trail).slice(fromTrail.length)];
      moved.push({ node, path, trail });
    }

  const isAmongSiblings = (fromTrail.at(-1) ?? null) === to.parentId;
  const rank = isAmongSiblings ? sql.ref('pages.sibling_rank') : sql.lit(unranked);
  const moves = moved
    .filter(({ node, path }) => path !== node.path)
    .map(({ node, path }) => ({
      id: node.id,
      from: node.path,
      to: path,
      followsPath: Boolean(node.follows_path),
    }));
  const held = new Set(moved.map(({ node }) => node.id));
  const targets = moves.map((move) => move.to);
  const takenAt = (path: string) => pathTaken(path, to.path);
  if (targets.length > 0) {
    for await (const some of inTimeSlices(targets)) {
      const occupied = await sql<{ id: number; path: string }>`
        select p.id, p.path from pages p where ${engine.amongTexts(sql.ref('p.path'), some)} order by p.path`.execute(
        db,
      );
      const taken = occupied.rows.find((row) => !held.has(row.id));
      if (taken) throw takenAt(taken.path);
    }
    const now = new Set(targets);
    const stays = moved.find(({ node, path }) => path === node.path && now.has(path));
    if (stays) throw takenAt(stays.path);
    if (moves.some((move) => now.has(move.from))) {
      // Frees all old paths first, because a page may move to the path of one that has not moved yet. No path begins with this
      // character.
      const ids = moves.map((move) => move.id);
      for await (const some of inTimeSlices(ids))
        await sql`update pages set path = ${'\u0001'} || id where ${engine.among(sql.ref('id'), some)}`.execute(
          db,
        );
    }
  }
  try {
    for await (const some of inTimeSlices(moved)) {
      const rows = engine.rows(
        { id: 'integer', path: 'text', path_key: 'text', path_fold: 'text', depth: 'integer', trail: 'text' },
        some.map(({ node, path, trail }) => [
          node.id,
          path,
          titleKey(path),
          pathFoldOf(path),
          trail.length,
          writeTrail(trail),
        ]),
      );
      await sql`update pages set path = t.path, path_key = t.path_key, path_fold = t.path_fold, depth = t.depth, trail = t.trail,
        parent_id = case when pages.id = ${id} then ${to.parentId} else pages.parent_id end,
        sibling_rank = case when pages.id = ${id} then ${rank} else pages.sibling_rank end
        from ${rows} as t where pages.id = t.id`.execute(db);
    }
  } catch (error) {
    // Another transaction has created a page there since the check.
    throw engine.isDuplicate(error, 'pages', 'path') ? takenAt(to.path) : error;
  }
  for await (const some of inTimeSlices(moves)) {
    await engine.renewNames(
      db,
      some.map((move) => move.id),
    );
    await leaveAliases(engine, db, some);
  }
  // The page itself comes first, so that followers see a parent before its children.
  const reported = moved.filter(({ node, path }) => node === page || path !== node.path);
  for await (const slice of inTimeSlices(reported))
    recordEvents(
      engine,
      db,
      slice.map(({ node }) => ({
        kind: 'moved',
        pageId: node.id,
        ...change,
        from: { path: node.path, trail: node.trail },
      })),
    );
  // Read afterwards, because the old names are among the aliases now.
  const shown = moved.length > maxNamed ? [] : await shownBy(engine, db, [...held]);
  const written = moved.map(({ node, path, trail }, index) => ({
    id: node.id,
    versions: [versionAt(node.path, readTrail(node.trail)), versionAt(path, trail)],
    // The same for all pages, so given only once.
    shownBy: index === 0 ? shown : [],
  }));
  invalidate(
    { engine, db },
    'pages',
    ['path', 'path_key', 'path_fold', 'depth', 'trail', 'parent_id'],
    written,
  );
  return moves;
}

/** Columns that moves do not change are empty, because their rules are not evaluated. */
function versionAt(path: string, ancestors: readonly number[]): PageVersion {
  return { path, path_key: titleKey(path), ancestors, title_key: '', type: null, lat: null };
}

const lockedColumns = sql`p.id, p.path, p.depth, p.trail, p.follows_path, p.language, p.permissions, p.owner_id, p.group_id,
  p.audience, p.grants, ${grantedColumns}, ${beneathColumns}`;

/**
 * Locks the page and its descendants until the transaction ends; the page itself comes first. If there are many, the time limit
 * of statements is lifted.
 */
export async function lockSubtree(engine: Engine, db: Database, id: number): Promise<LockedPage[]> {
  const top = await sql<LockedPage>`select ${lockedColumns} from pages p where p.id = ${id}
    ${engine.lockRows('update')}`.execute(db);
  const page = top.rows[0];
  if (!page) return [];
  // Creating a child locks its parent, so a new page can only appear beneath one that is not locked yet. Once a query finds
  // nothing new, the whole subtree is locked.
  const beneath = liesBeneath(sql.ref('p.trail'), trailBeneath(page));
  for (;;) {
    const held = [page];
    let [trail, lastId] = [trailBeneath(page), 0];
    for (;;) {
      const { rows } = await sql<LockedPage>`select ${lockedColumns} from pages p
        where ${beneath} and (p.trail, p.id) > (${trail}, ${lastId}) order by p.trail, p.id limit ${manyPages}
        ${engine.lockRows('update')}`.execute(db);
      held.push(...rows);
      const last = rows.at(-1);
      if (!last || rows.length < manyPages) break;
      if (lastId === 0) engine.liftTimeLimit(db);
      [trail, lastId] = [last.trail, last.id];
      await yieldToEventLoop();
    }
    const count = await sql<{
      count: number;
    }>`select count(*) as count from pages p where ${beneath}`.execute(db);
    if (Number(count.rows[0]?.count) === held.length - 1) return held;
  }
}

/**
 * Reason why the subtree cannot move there: a path would be too long, or a page too deep. Descendants are not named, because
 * they may be hidden. One statement.
 */
async function refusalOf(
  db: Database,
  page: Node,
  to: { path: string; depth: number },
): Promise<MoveRefusal | undefined> {
  const comesAlong = beginsWith(sql.ref('p.path'), `${page.path}/`);
  const found = await sql<{ bytes: number | null; slashes: number | null; depth: number | null }>`
    select max(case when ${comesAlong} then octet_length(p.path) end) as bytes,
      max(case when ${comesAlong} then length(p.path) - length(replace(p.path, '/', '')) end) as slashes,
      max(p.depth) as depth
    from pages p where ${liesBeneath(sql.ref('p.trail'), trailBeneath(page))}`.execute(db);
  const beneath = found.rows[0];
  const grown = (most: number | null | undefined, own: number) => Math.max(0, (most ?? 0) - own);
  const bytes = Buffer.byteLength(to.path) + grown(beneath?.bytes, Buffer.byteLength(page.path));
  const segments = slashesIn(to.path) + grown(beneath?.slashes, slashesIn(page.path));
  const depth = to.depth + grown(beneath?.depth, page.depth);
  const refuse = (field: MoveRefusal['field'], detail: Words): MoveRefusal => ({ field, detail });
  if (bytes > maxPathBytes)
    return refuse(
      'path',
      say('problem.theLongestPathBeneathItWouldHave', { bytes, maxPathBytes, excess: bytes - maxPathBytes }),
    );
  if (segments > maxPathSegments)
    return refuse('path', say('problem.aPathBeneathItWouldHaveSegments', { segments, maxPathSegments }));
  if (depth > maxDepth)
    return refuse('parent', say('problem.aPageBeneathItWouldBeLevels', { depth, maxDepth }));
  return undefined;
}

function slashesIn(path: string): number {
  return path.split('/').length - 1;
}

/** At most 1,000 of each; four statements. */
export async function previewMove(
  db: Database,
  visibility: Visibility,
  id: number,
  to: { path: string; depth: number },
): Promise<{ moves: Move[]; taken: string[]; refusal?: MoveRefusal }> {
  const top = await sql<Node>`select p.id, p.path, p.depth, p.trail from pages p where p.id = ${id}`.execute(
    db,
  );
  const page = top.rows[0];
  if (!page) return { moves: [], taken: [] };
  const refusal = await refusalOf(db, page, to);
  if (refusal) return { moves: [], taken: [], refusal };
  const toPath = to.path;
  if (page.path === toPath) return { moves: [], taken: [] };
  const beneath = sql`${liesBeneath(sql.ref('p.trail'), trailBeneath(page))} and ${beginsWith(sql.ref('p.path'), `${page.path}/`)}`;
  const target = sql`${toPath} || substr(p.path, length(${page.path}) + 1)`;
  const seen = await sql<{ id: number; path: string }>`
    select p.id, p.path from pages p where p.id = ${id} and ${visible('p', visibility)}
    union all
    select p.id, p.path from pages p where ${beneath} and ${visible('p', visibility)}
    order by 2 limit 1000`.execute(db);
  const moves = seen.rows.map(({ id, path }) => ({
    id,
    from: path,
    to: toPath + path.slice(page.path.length),
  }));
  // Paths of pages that move away do not count.
  const taken = await sql<{ path: string }>`
    select q.path from pages q where q.path = ${toPath} and q.id <> ${id} and not (${beneathOf(page, 'q')})
    union
    select q.path from pages p join pages q on q.path = ${target}
    where ${beneath} and q.id <> ${id} and not (${beneathOf(page, 'q')})
    order by 1 limit 1000`.execute(db);
  return { moves, taken: taken.rows.map((row) => row.path) };
}

function beneathOf(page: Node, alias: string) {
  return sql`${beginsWith(sql.ref(`${alias}.trail`), trailBeneath(page))} and ${beginsWith(sql.ref(`${alias}.path`), `${page.path}/`)}`;
}
