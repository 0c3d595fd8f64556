/** Operations to measure. Each is a sequence of requests, spread over many pages, that is the same in every run. */
import type { Request } from '../load/load.ts';
import { type Chance, chance, shuffled, zipf } from '../world/random.ts';
import { words } from '../world/words.ts';
import { someBody, topicOf, type World } from '../world/world.ts';

export interface Operation {
  name: string;
  what: string;
  /** `fresh`: sends the entity tag of the last response. */
  kind: 'read' | 'fresh' | 'write';
  /** Target: the least share of the floor's requests per second, at 32 callers. */
  target: number;
  requests(world: World, chance: Chance): Request[];
}

const many = 20_000;
const some = 2000;

export const operations: Operation[] = [
  {
    name: 'read',
    what: 'page, three changes, markup; few pages are popular',
    kind: 'read',
    target: 0.7,
    requests: (world, c) =>
      popular(world, c, many).map((page) => get(`/v1/pages${urlPath(world.path(page))}`)),
  },
  {
    name: 'read-any',
    what: 'the same, every page equally often',
    kind: 'read',
    target: 0.7,
    requests: (world, c) =>
      anyPages(world, c, many).map((page) => get(`/v1/pages${urlPath(world.path(page))}`)),
  },
  {
    name: 'read-fresh',
    what: 'page with If-None-Match: 304',
    kind: 'fresh',
    target: 0.9,
    requests: (world, c) =>
      popular(world, c, some).map((page) => get(`/v1/pages${urlPath(world.path(page))}`)),
  },
  {
    name: 'web',
    what: 'the web page of a page',
    kind: 'read',
    target: 0.5,
    requests: (world, c) => popular(world, c, many).map((page) => get(urlPath(world.path(page)))),
  },
  search('search-path', 'by the beginning of the path', (world, c) => {
    const path = world.path(anyPage(world, c)).split('/');
    return { path: path.slice(0, 2 + c.integer(Math.max(1, path.length - 1))).join('/') };
  }),
  search('search-type', 'by type', (world, c) => ({ type: someType(world, c), offset: someOffset(c) })),
  search('search-tag', 'by tag', (world, c) => ({ tag: someTag(world, c), offset: someOffset(c) })),
  search('search-title', 'by a fragment of the title', (world, c) => {
    const parts = world.title(anyPage(world, c)).toLowerCase().split(' ');
    const part = c.pick(parts.filter((word) => word.length > 3));
    const from = c.integer(Math.max(1, part.length - 5));
    return { title: part.slice(from, from + 4 + c.integer(3)) };
  }),
  search('search-ancestor', 'beneath a page', (world, c) => ({ ancestor: world.path(branch(world, c)) })),
  search('search-text', 'by two words of the text', (_, c) => ({ text: `${someWord(c)} ${someWord(c)}` })),
  search('search-or', 'by type or tag', (world, c) => ({
    type: someType(world, c),
    tag: someTag(world, c),
    logic: 'or',
    offset: someOffset(c),
  })),
  {
    name: 'search-last',
    what: 'last pages of all there are',
    kind: 'read',
    target: 0.5,
    requests(world, c) {
      let total = 0;
      for (let page = 0; page < world.size; page++) if (!world.isPrivate(page)) total++;
      const orders = ['alphabetical', 'most recent update', 'first created'];
      return Array.from({ length: 300 }, () =>
        found({
          path: '/',
          order: c.pick(orders),
          offset: String(Math.max(0, total - 10 - 10 * c.integer(50))),
        }),
      );
    },
  },
  near('near-10km', 'places within 10 km', (at) => `/v1/near/${at}`),
  near('near-400km', 'within 400 km, the nearest 10', (at) => `/v1/near/${at}/400000?limit=10`),
  near('near-400km-all', 'within 400 km, at most 1,000', (at) => `/v1/near/${at}/400000`, 20),
  near(
    'near-400km-names',
    'within 400 km, at most 1,000, no history',
    (at) => `/v1/near/${at}/400000?history=none`,
    20,
  ),
  {
    name: 'requested',
    what: 'the 25 most wanted pages',
    kind: 'read',
    target: 0.7,
    requests: () => [get('/v1/requested')],
  },
  {
    name: 'updates',
    what: 'the 10 last updates',
    kind: 'read',
    target: 0.7,
    requests: () => [get('/v1/updates')],
  },
  {
    name: 'checkpath',
    what: 'half of them taken',
    kind: 'read',
    target: 0.7,
    requests: (world, c) =>
      anyPages(world, c, some).map((page, i) =>
        get(`/v1/checkpath${urlPath(world.path(page))}${i % 2 === 0 ? '' : '-not'}`),
      ),
  },
  {
    name: 'edit',
    what: 'a new body of 2 kB, somewhere',
    kind: 'write',
    target: 0.4,
    requests: (world, c) =>
      anyPages(world, c, Math.min(many, world.size)).map((page) =>
        post(`/v1/pages${urlPath(world.path(page))}`, {
          body: `${someBody(c, 1700)} [[${world.title(anyPage(world, c))}]] [[Lost {{N}}]]`,
          msg: 'Edited {{N}}',
        }),
      ),
  },
  {
    name: 'edit-word',
    what: 'a word more in the text, somewhere',
    kind: 'write',
    target: 0.4,
    requests: (world, c) =>
      anyPages(world, c, Math.min(many, world.size)).map((page) =>
        post(`/v1/pages${urlPath(world.path(page))}`, {
          body: `${world.page(page).changes.at(-1)?.body} word{{N}}`,
          msg: 'Added word {{N}}',
        }),
      ),
  },
  {
    name: 'create',
    what: 'a page of 2 kB beneath another',
    kind: 'write',
    target: 0.4,
    requests: (world, c) =>
      anyPages(world, c, some).map((page) =>
        post('/v1/pages', {
          title: `New {{N}}`,
          parent: world.path(page),
          body: `${someBody(c, 1700)} [[${world.title(anyPage(world, c))}]] [[Lost {{N}}]]`,
        }),
      ),
  },
];

/** The order does not depend on which other operations are measured. */
export function requestsOf(operation: Operation, world: World, seed: number): Request[] {
  const place = operations.indexOf(operation);
  return operation.requests(world, chance(seed, 1000 + place));
}

export function urlPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function search(
  name: string,
  what: string,
  criteria: (world: World, chance: Chance) => Record<string, string>,
): Operation {
  return {
    name,
    what: `10 whole pages ${what}`,
    kind: 'read',
    target: 0.5,
    requests: (world, c) => Array.from({ length: some }, () => found(criteria(world, c))),
  };
}

function near(name: string, what: string, url: (at: string) => string, count = 500): Operation {
  return {
    name,
    what,
    kind: 'read',
    target: 0.4,
    requests: (world, c) =>
      Array.from({ length: count }, () => {
        const places = Math.min(10_000, Math.floor(world.size / 10));
        const at = world.locationOf(10 * c.integer(places) + 7) ?? { lat: 0, lon: 0 };
        return get(
          url(`${(at.lat + 0.02 * c.normal()).toFixed(4)}/${(at.lon + 0.02 * c.normal()).toFixed(4)}`),
        );
      }),
  };
}

function get(path: string): Request {
  return { method: 'GET', path };
}

function found(criteria: Record<string, string>): Request {
  return get(`/v1/pages?${new URLSearchParams(criteria)}`);
}

function post(path: string, body: object): Request {
  return {
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** A page that everyone can read. */
function anyPage(world: World, c: Chance): number {
  for (;;) {
    const page = c.integer(world.size);
    if (!world.isPrivate(page)) return page;
  }
}

function anyPages(world: World, c: Chance, count: number): number[] {
  return Array.from({ length: count }, () => anyPage(world, c));
}

function popular(world: World, c: Chance, count: number): number[] {
  const rank = zipf(world.size, 1);
  const pages = Array.from({ length: count }, () => (rank(c) * 7919 + 13) % world.size);
  return shuffled(
    pages.filter((page) => !world.isPrivate(page)),
    c,
  );
}

/** A page with children. */
function branch(world: World, c: Chance): number {
  for (;;) {
    const page = world.parent(anyPage(world, c));
    if (page >= 0 && !world.isPrivate(page)) return page;
  }
}

function someType(world: World, c: Chance): string {
  for (;;) {
    const type = world.typeOf(anyPage(world, c));
    if (type !== null) return type;
  }
}

function someTag(world: World, c: Chance): string {
  const [key, value] = c.pick(world.tagsOf(anyPage(world, c)));
  return c.next() < 0.5 ? `${key}:${value}` : c.next() < 0.5 ? value : `topic:${topicOf(c.integer(300))}`;
}

function someOffset(c: Chance): string {
  return String(10 * c.integer(5));
}

function someWord(c: Chance): string {
  return words[20 + c.integer(2000)] as string;
}
