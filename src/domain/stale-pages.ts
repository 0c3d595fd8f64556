/** Whether what is stored of pages still follows from their contents: what `coppice check` asks and `coppice rebuild` mends. */
import { groupTags } from './derive.ts';
import type { WholePage } from './page.ts';
import { stateOf } from './page-state.ts';
import type { Store } from './store.ts';

const batchSize = 200;

/** A sentence for every page with a description, type, location, audience or tags that its content does not give. */
export async function* stalePages(store: Store): AsyncIterable<string> {
  let afterId = 0;
  for (;;) {
    const pages = await store.upkeep.pagesAfter(afterId, batchSize);
    // Loaded again as a whole, so that content and rows are of one moment though the wiki is written meanwhile.
    for (const page of await store.pages.load(
      pages.map(({ id }) => id),
      'none',
    )) {
      const wrong = staleFields(page);
      if (wrong.length > 0) {
        yield `Page ${page.id} at ${page.path} has ${wrong.join(', ')} that its content does not give.`;
      }
    }
    const last = pages.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

function staleFields(page: WholePage): string[] {
  const { state, derived } = stateOf({ ...page.content, path: page.path }, null, page.owner.id);
  const expected = { ...state, tags: groupTags(derived.tags) };
  const fields = [
    'title',
    'slug',
    'description',
    'type',
    'location',
    'permissions',
    'audience',
    'tags',
  ] as const;
  return fields.filter((field) => !isSame(page[field], expected[field]));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** Keys in one order: a database may give tags in another. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
