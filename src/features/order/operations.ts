/** Arranging the pages beneath a page, or the root pages. Whoever may write the page above may arrange them. */

import { Type } from 'typebox';
import { mayCreate, refuseBlocked } from '#core/model/may-write.ts';
import type { Page, PageName } from '#core/model/page.ts';
import { readPath } from '#core/model/path.ts';
import { type Actor, includesAudience } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, count, text } from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { lockWritable } from '#core/pages/edit-page.ts';
import { editableAmong, refuseProtected } from '#core/pages/protection.ts';
import type { ChildPage } from '#core/ports/list-reads.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Transaction } from '#core/ports/store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { arranged, changedRanks, maxPlaced, pageThatShowsOrder, placed } from './order.ts';

/** Maximum number of pages in an answer. */
const mostListed = 1000;

const path = text('Path of the page above.', '/garden');
const children = Type.Array(text('Path of a page directly beneath.', '/garden/roses'), {
  maxItems: maxPlaced,
  description:
    'Paths of pages directly beneath, in the new order, at most 500. Pages that are left out follow by title. An empty list orders all pages by title.',
  examples: [['/garden/soil', '/garden/roses']],
});

export interface Ordered {
  above: PageName | null;
  pages: ChildPage[];
  total: number;
}

const Order = converted(
  component('Order', 'Pages in their order.', {
    children: Type.Array(Type.String(), {
      description: 'Paths of these pages that the caller may see, in their order; the first 1,000.',
      examples: [['/garden/soil', '/garden/roses', '/garden/apples']],
    }),
    total: count('Number of these pages.', 3),
  }),
  ({ pages, total }: Ordered) => ({ children: pages.map(({ path }) => path), total }),
);

const reading = {
  description: 'For members who may edit the page.',
  access: 'self',
  scope: 'read',
  output: Order,
  ports: ['reader'],
} as const;

export const readOrder = operation({
  ...reading,
  name: 'order',
  summary: 'Read the order of the pages beneath a page',
  subtree: 'within',
  input: Type.Object({ path }),
  problems: ['not-found', 'gone', 'not-permitted'],
  async run({ reader }, { input, now }) {
    const above = await getReadable(reader, input.path);
    if (!(await editableAmong(reader, [above.id], now)).has(above.id))
      throw new Problem('not-permitted', say('problem.youDoNotHavePermissionToOrder'));
    return orderOf(reader, above);
  },
});

export const readRootOrder = operation({
  ...reading,
  name: 'rootOrder',
  summary: 'Read the order of the root pages',
  subtree: 'refused',
  input: Type.Object({}),
  problems: ['not-permitted', 'blocked'],
  async run({ reader }, { by }) {
    refuseUnlessCreator(by);
    return orderOf(reader, null);
  },
});

const rules =
  'Pages that the caller cannot see keep their positions, and new pages follow by title. The change feed has an event of the kind `ordered` for that page, or, if some readers see no difference, for a page that moved.';

const writing = {
  access: 'self',
  scope: 'write',
  output: Order,
  writes: true,
  audit: [],
  ports: ['store'],
} as const;

export const orderPages = operation({
  ...writing,
  name: 'orderPages',
  summary: 'Order the pages beneath a page',
  description: `For members who may write the page. ${rules}`,
  subtree: 'within',
  input: Type.Object({ path, children }),
  problems: ['not-found', 'gone', 'not-permitted', 'protected', 'blocked'],
  run: ({ store }, { input, by, now }) =>
    store.transact(async (store) => {
      // Read first, so that a page that the actor may not see is as one that does not exist.
      const { path } = await getReadable(store.readAs(by), input.path);
      const above = await lockWritable(store, by, path);
      await refuseProtected({ store, actor: by, now }, above);
      return arrange({ store, by, now }, above, input.children);
    }),
});

export const orderRoots = operation({
  ...writing,
  name: 'orderRoots',
  summary: 'Order the root pages',
  description: `For members who may write. ${rules}`,
  subtree: 'refused',
  input: Type.Object({ children }),
  problems: ['not-permitted', 'blocked'],
  run: ({ store }, { input, by, now }) =>
    store.transact(async (store) => {
      refuseUnlessCreator(by);
      return arrange({ store, by, now }, null, input.children);
    }),
});

/** Root pages are arranged by whoever may create them. */
function refuseUnlessCreator(actor: Actor): void {
  refuseBlocked(actor);
  if (!mayCreate(actor)) throw new Problem('not-permitted', say('problem.readersAndGuestsMayNotOrderThe'));
}

async function arrange(
  { store, by, now }: { store: Transaction; by: NonNullable<Actor>; now: number },
  above: Page | null,
  children: string[],
): Promise<Ordered> {
  const paths = children.map(readChild);
  const reader = store.readAs(by);
  const siblings = await store.order.lockSiblings(above?.id ?? null, paths);
  const seen = await reader.pages.states(siblings.map(({ id }) => id));
  const order = arranged(siblings, new Set(seen.map(({ id }) => id)), paths);
  const changed = changedRanks(siblings, order);
  const moved = pageThatShowsOrder(seen, placed(siblings), order);
  if (changed.length === 0) store.pages.keep();
  else await store.order.rank(above ? [...above.trail, above.id] : [], changed);
  if (moved) {
    const isOfOwner = moved.audience > 1 && moved.owner.id !== above?.owner.id;
    const isSeenByAll = above !== null && !isOfOwner && includesAudience(moved.audience, above.audience);
    const pageId = isSeenByAll ? above.id : moved.id;
    await store.events.record([{ kind: 'ordered', pageId, at: now, editorId: by.memberId, msg: '' }]);
  }
  return orderOf(reader, above);
}

function readChild(given: string, index: number): string {
  const read = readPath(given);
  if ('problem' in read) throw invalid(`/children/${index}`, read.problem);
  return read.path;
}

async function orderOf(reader: Reader, above: PageName | null): Promise<Ordered> {
  const found = await reader.lists.children(above?.id ?? null, { limit: mostListed, offset: 0 });
  return { above, ...found };
}
