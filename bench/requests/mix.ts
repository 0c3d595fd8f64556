/**
 * Mix of requests in an ordinary hour of a wiki: mostly reads, few pages often and many rarely, some of them signed in, and two
 * writes in a hundred. The generator learns from the responses what it has created and where it has moved pages.
 */

import type { Request } from '../load/load.ts';
import { emailOf, passphrase } from '../world/fill.ts';
import { type Chance, chance } from '../world/random.ts';
import { someBody, type World } from '../world/world.ts';
import { operations, requestsOf, urlPath } from './operations.ts';

export interface BenchRequest extends Omit<Request, 'body'> {
  body?: string | Buffer;
  isExpected(status: number, text: string): boolean;
  /** Called with the body of a response with status 200. */
  learn?(text: string): void;
}

export interface Kind {
  name: string;
  /** Relative frequency among all weights. */
  weight: number;
  next(): BenchRequest;
}

/** Members who read and write. They stay signed in as long as `renew` is called more often than every five minutes. */
export interface Sessions {
  tokens: string[];
  renew(): Promise<void>;
}

/** One in this many reads is a member's. */
const signedEvery = 7;
const recentlyWritten = 1000;
const uploadBytes = 200_000;

/** `run`: letters and digits that are unique to this run on the wiki. */
export function createMix(world: World, seed: number, run: string, { tokens }: Sessions): Kind[] {
  const c = chance(seed, 3000);
  const movable = movablePages(world);
  const movedPaths = new Set([...movable.all].map((page) => urlPath(world.path(page))));
  const written: string[] = [];
  const files: string[] = [];
  const nowAt = new Map<number, string>();
  let count = 0;

  const bearer = () => ({ Authorization: `Bearer ${c.pick(tokens)}` });
  const read = (path: string, isWeb = false): BenchRequest => {
    const signed: Record<string, string> = isWeb
      ? { Cookie: `coppice=${c.pick(tokens)}`, 'Sec-Fetch-Site': 'none' }
      : bearer();
    return {
      method: 'GET',
      path,
      headers: {
        ...(c.integer(signedEvery) === 0 ? signed : {}),
        ...(isWeb ? { 'Accept-Encoding': 'gzip, deflate, br', Accept: 'text/html' } : {}),
      },
      // A moved page is pointed to, by a redirection or by name.
      isExpected: (status, text) =>
        status === 200 ||
        ((status === 308 || (status === 404 && text.includes('"movedTo":'))) &&
          movedPaths.has(path.replace(/^\/v1\/\w+/, ''))),
    };
  };
  const write = (path: string, body: object, learn?: (text: string) => void): BenchRequest => ({
    method: 'POST',
    path,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...bearer() },
    isExpected: (status) => status === 200,
    ...(learn ? { learn } : {}),
  });
  const remember = (path: string) => {
    if (written.push(path) > recentlyWritten) written.shift();
  };
  const settledPage = () => {
    for (;;) {
      const page = c.integer(world.size);
      if (!world.isPrivate(page) && !movable.all.has(page)) return page;
    }
  };

  /** The response for a moved page is a redirect or names the new path. */
  const repeated = (name: string, weight: number, at = (path: string) => path, as = name): Kind => {
    const operation = operations.find((one) => one.name === name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    const paths = requestsOf(operation, world, seed).map(({ path }) => at(path));
    let given = c.integer(paths.length);
    return {
      name: as,
      weight,
      next: () => read(paths[given++ % paths.length] as string, name === 'web'),
    };
  };

  return [
    repeated('web', 350),
    repeated('read', 300),
    ...['path', 'type', 'tag', 'title', 'ancestor', 'text', 'or'].map((by) => repeated(`search-${by}`, 15)),
    repeated('near-10km', 20),
    repeated('near-400km', 10),
    repeated('requested', 20),
    repeated('updates', 50),
    repeated('checkpath', 20),
    repeated('read', 40, (path) => path.replace('/v1/pages', '/v1/children'), 'children'),
    repeated('read', 40, (path) => path.replace('/v1/pages', '/v1/history'), 'history'),
    { name: 'file', weight: 20, next: () => read(files.length > 0 ? c.pick(files) : '/v1/updates') },
    {
      name: 'edit',
      weight: 10,
      // Repeats requests of `operations.ts`.
      next() {
        const msg = `Edit ${++count}`;
        if (c.integer(2) === 0 && written.length > 0)
          return write(`/v1/pages${urlPath(c.pick(written))}`, { body: someBody(c, 1700), msg });
        const { path, changes } = world.page(settledPage());
        return write(`/v1/pages${urlPath(path)}`, {
          body: `${changes.at(-1)?.body}\n\n${someBody(c, 100)}`,
          msg,
        });
      },
    },
    {
      name: 'create',
      weight: 8,
      next: () =>
        write(
          '/v1/pages',
          {
            title: `Written ${run} ${++count}`,
            parent: world.path(settledPage()),
            body: `${someBody(c, 1700)} [[${world.title(settledPage())}]] [[Lost ${count}]]`,
          },
          (text) => remember((JSON.parse(text) as { path: string }).path),
        ),
    },
    {
      name: 'upload',
      weight: 1,
      next: () =>
        upload(`Uploaded ${run} ${++count}`, c, bearer(), (text) => {
          const { files: stored } = JSON.parse(text) as { files: { urls: { full: string } }[] };
          for (const { urls } of stored) if (files.push(urls.full) > recentlyWritten) files.shift();
        }),
    },
    {
      name: 'move',
      weight: 1,
      // Moves a page, and moves it back the next time.
      next() {
        const page = movable.chosen[++count % movable.chosen.length] as number;
        const home = world.path(page);
        const from = nowAt.get(page) ?? home;
        const to = from === home ? `${home}-moved` : home;
        return write(`/v1/pages${urlPath(from)}`, { path: to }, () => nowAt.set(page, to));
      },
    },
  ];
}

export function picker(kinds: readonly Kind[], c: Chance): () => number {
  const slots = kinds.flatMap(({ weight }, i) => Array.from({ length: weight }, () => i));
  return () => c.pick(slots);
}

export async function signInAll(url: string, members: number): Promise<Sessions> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.text();
  };
  const tokens: string[] = [];
  for (let member = 1; member <= members; member++)
    tokens.push(await post('/v1/members/auth', { email: emailOf(member), pass: passphrase }));
  return {
    tokens,
    async renew() {
      for (const [i, token] of tokens.entries())
        tokens[i] = await post('/v1/members/reauth', {}, { Authorization: `Bearer ${token}` });
    },
  };
}

/** Pages to move, each with few descendants. `all` includes the descendants. */
function movablePages(world: World): { chosen: number[]; all: Set<number> } {
  const chosen: number[] = [];
  const all = new Set<number>();
  for (let page = 0; page < world.size; page++) {
    const isTaken = all.has(world.parent(page));
    // Pages with high numbers have few descendants.
    const isChosen = !isTaken && page > world.size / 2 && page % 30 === 0 && !world.isPrivate(page);
    if (isChosen) chosen.push(page);
    if (isChosen || isTaken) all.add(page);
  }
  return { chosen, all };
}

/** Creates a page with a file of unique bytes. */
function upload(
  title: string,
  c: Chance,
  headers: Record<string, string>,
  learn: (text: string) => void,
): BenchRequest {
  const boundary = 'between-the-parts-of-an-upload';
  const bytes = Buffer.alloc(uploadBytes, `${title}\n${someBody(c, 500)}\n`);
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="title"',
    '',
    title,
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="minutes.txt"',
    'Content-Type: text/plain',
    '',
    '',
  ].join('\r\n');
  return {
    method: 'POST',
    path: '/v1/pages',
    learn,
    isExpected: (status: number) => status === 200,
    headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
