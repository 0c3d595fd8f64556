/**
 * Events name everything that they make stale. Makes random writes to a small wiki; after each, every response that no event
 * names must be the same, byte for byte. Each reader goes by the events sent to them.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { type Answer, engines, startApp, type TestApp } from '../support/http.ts';
import { apply, beginning, parts, paths, type Write, writesOf } from './random-writes.ts';

/** Pages that query other pages also depend on the list `listings`, and so do pages that call them. */
const asks = /\{\{(?:Children|NUMBER|#ifexist|#invoke)/;
const kinds = [
  { pages: 'pages', parts: parts.filter((part) => !asks.test(part)), listings: [] },
  { pages: 'pages with listings', parts, listings: ['listings'] },
];

/** Likes, groups, names of members and protection have no events. */
function hasEvents(write: Write): boolean {
  return (
    'create' in write || 'edit' in write || 'rollBack' in write || 'delete' in write || 'restore' in write
  );
}

/** URLs, their names in `affects`, and the paths that they lead to. */
const answersOf: { url: string; name: string; path?: string }[] = [
  ...paths.flatMap((path) => [
    { url: `/v1/pages${path}`, name: path, path },
    { url: `/v1/pages${path}?format=md&frontMatter=true`, name: path, path },
    { url: path, name: path, path },
    { url: `/v1/children${path}`, name: `children:${path}`, path },
  ]),
  { url: '/v1/children', name: 'children:/' },
  { url: '/tree', name: 'children:/' },
  { url: '/v1/backlinks/beta', name: 'backlinks', path: '/beta' },
  { url: '/v1/near/0/0/50000', name: 'near' },
  { url: '/v1/requested', name: 'requested' },
  { url: '/v1/pages?text=beta&logic=or&path=/&include=snippet', name: 'search' },
  { url: '/v1/pages?path=/&bbox=-1,-1,1,1', name: 'search' },
  { url: '/v1/updates/1000', name: 'updates' },
];

const writes = effort(12, 60);
const strideOf = (engine: string) => effort(engine === 'SQLite' ? 3 : 6, 1);

interface Reader {
  name: string;
  token?: string;
  cursor: string;
  answers: string[];
}

describe.each(engines)('on %s', (engine) => {
  // The usual run tests one kind on each engine.
  const tried = effort(kinds.slice(engine === 'SQLite' ? 0 : 1).slice(0, 1), kinds);
  test.each(tried)(
    'responses that no event names stay the same: $pages',
    async ({ parts, listings }) => {
      const isTried = (write: Write) =>
        hasEvents(write) && (listings.length > 0 || !asks.test(JSON.stringify(write)));
      const random = fc.array(writesOf(parts), { minLength: writes, maxLength: writes });
      await fc.assert(
        fc.asyncProperty(random, async (writes) => {
          // Housekeeping goes by the real clock, by which deletions of this one are old.
          const kept = { COPPICE_TRASH_DAYS: '0', COPPICE_AUDIT_DAYS: '0' };
          const wiki = await startApp(kept, { engine, clock: () => 1_700_000_000_000 });
          try {
            const ada = await wiki.member('Ada', { isAdmin: true });
            const cem = await wiki.member('Cem');
            const tokens = { ada: `Bearer ${ada.token}`, cem: `Bearer ${cem.token}` };
            const readers: Reader[] = [
              { name: 'nobody', cursor: '0', answers: [] },
              { name: 'Cem', token: cem.token, cursor: '0', answers: [] },
            ];
            for (const [i, write] of [...beginning, ...writes].filter(isTried).entries()) {
              await apply(wiki.app, write, tokens);
              if (i % strideOf(engine) === 0)
                for (const reader of readers) await look(wiki, reader, listings, JSON.stringify(write));
            }
          } finally {
            await wiki.close();
          }
        }),
        { numRuns: 1, endOnFailure: true },
      );
    },
    effort(240_000, 600_000),
  );
});

/** Reads everything and compares responses that the reader's events do not name with those read before. */
async function look(wiki: TestApp, reader: Reader, listings: string[], after: string): Promise<void> {
  const caller = reader.token ? { token: reader.token } : {};
  const { changes, next } = (await wiki.call('GET', `/v1/changes?after=${reader.cursor}&limit=1000`, caller))
    .json;
  const named = new Set<string>();
  for (const { affects } of changes) {
    for (const { path } of affects.pages) named.add(path);
    for (const list of affects.lists) named.add(list);
  }
  const before = reader.answers;
  reader.cursor = next;
  reader.answers = [];
  for (const [i, { url, name, path = '' }] of answersOf.entries()) {
    const answer = await wiki.call('GET', url, caller);
    const shown = `${answer.status} ${shownOf(answer)}`;
    reader.answers.push(shown);
    const was = before[i];
    // Redirects depend on their target, missing pages on their path.
    const isThere = was?.startsWith('200 ');
    const names = isThere ? [name] : [name, path, was?.slice('308 '.length) ?? ''];
    if (name === path) names.push(...listings);
    // For a missing page the site searches for pages to suggest.
    if (!isThere && !url.startsWith('/v1')) names.push('search');
    if (was !== undefined && !names.some((name) => named.has(name)))
      expect(shown, `${url} for ${reader.name} after ${after}`).toBe(was);
  }
}

/** Parts of a response that events cover. */
function shownOf({ status, text, headers, json }: Answer): string {
  if (status === 308)
    return new URL(String(headers.location), 'http://wiki').pathname.replace(/^\/v1\/\w+/, '');
  // Hidden pages have no events, but pages beneath them show their titles and permissions in `lineage`, and count them in `depth`.
  if (json) {
    return JSON.stringify(json, (key, value) =>
      key === 'lineage' ? value.filter(isShown) : key === 'depth' ? undefined : value,
    );
  }
  // Removes the lists around a page: the tree, ancestors, places nearby, backlinks.
  const page = /<article class="page"[\s\S]*?(<h1[\s\S]*?)<footer/.exec(text)?.[1] ?? text;
  return page.replace(/<aside [\s\S]*?<\/aside>/, '');
}

function isShown(entry: object): boolean {
  return 'owner' in entry;
}
