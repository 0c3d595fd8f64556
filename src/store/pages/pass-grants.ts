/**
 * Brings the audiences of all pages beneath a page up to date after the grants that it passes on have changed: by an edit, or
 * because it was moved. In slices of the subtree, between which others have their turn.
 */
import { sql } from 'kysely';
import type { NewEvent } from '#core/model/event.ts';
import { audienceKey, effectiveEntries, entriesIn, type Grant, noReaders } from '#core/model/grant.ts';
import { includesAudience, type Wiki } from '#core/model/permission.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import type { Database, Engine } from '../engine.ts';
import { recordEvents } from '../events/record-events.ts';
import { updateWanted } from '../links/wanted-counts.ts';
import { readTrail } from '../rows.ts';
import { audiencesOfPages, audiencesWith } from './audiences.ts';
import { followAudience } from './change-access.ts';
import { lockSubtree } from './move-subtree.ts';

export async function passGrants(
  { engine, db, wiki }: { engine: Engine; db: Database; wiki: Wiki },
  id: number,
  change: Pick<NewEvent, 'at' | 'editorId' | 'msg'>,
): Promise<void> {
  const [top, ...pages] = await lockSubtree(engine, db, id);
  if (!top || pages.length === 0) return;
  engine.invalidate(db, 'all');
  const passedOn = new Map([[id, top.beneath ? entriesIn({ key: top.beneath }) : '']]);
  const recounted = new Set<string>();
  for await (const part of inTimeSlices(pages)) {
    // Parents come first.
    const entries = part.map(({ id, trail, grants }) => {
      const own = grants === null ? [] : (JSON.parse(grants) as Grant[]);
      const due = effectiveEntries(own, passedOn.get(readTrail(trail).at(-1) ?? 0) ?? '');
      passedOn.set(id, due.beneath);
      return { ...due, keyBeneath: due.beneath && audienceKey(noReaders, due.beneath) };
    });
    const digits = part.map((page, i) => ({ ...page, entries: entries[i]?.here ?? '' }));
    const audiences = await audiencesOfPages(engine, db, digits, wiki);
    const beneath = await audiencesWith(
      engine,
      db,
      entries.flatMap(({ keyBeneath }) => (keyBeneath === '' ? [] : [keyBeneath])),
    );
    const written = part.flatMap((page, i) => {
      const { audience = page.audience, audience_id = null } = audiences[i] ?? {};
      const beneath_id = beneath.get(entries[i]?.keyBeneath ?? '')?.id ?? null;
      const isSame =
        page.audience === audience && page.audience_id === audience_id && page.beneath_id === beneath_id;
      return isSame ? [] : [{ page, audience, audience_id, beneath_id }];
    });
    if (written.length === 0) continue;
    const t = engine.rows(
      { id: 'integer', audience: 'integer', audience_id: 'integer', beneath_id: 'integer' },
      written.map(({ page, ...ids }) => [page.id, ids.audience, ids.audience_id, ids.beneath_id]),
    );
    await sql`update pages set audience = t.audience, audience_id = t.audience_id, beneath_id = t.beneath_id
      from ${t} as t where pages.id = t.id`.execute(db);
    const seen = written.filter(({ page, audience }) => page.audience !== audience);
    recordEvents(
      engine,
      db,
      seen.flatMap(({ page, audience }) => {
        const event: NewEvent = { kind: 'permissions', pageId: page.id, keepsFacts: true, ...change };
        const lostBy = { audience: page.audience, path: page.path };
        return includesAudience(audience, page.audience) ? [event] : [event, { ...event, lostBy }];
      }),
    );
    const ids = seen.map(({ page }) => page.id);
    if (ids.length > 0) for (const key of await followAudience(engine, db, ids)) recounted.add(key);
  }
  await updateWanted(engine, db, [], recounted);
}
