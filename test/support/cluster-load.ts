/**
 * Mixed requests to a cluster, and the log of all of them: members edit pages, create others and read both by the cache before the wiki;
 * strangers ask each Coppice. What they saw is checked afterwards (`test/properties/histories.ts`).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkRegister, checkSet, type Read, type Write } from '../properties/histories.ts';

const registers = 12;
/** Children of one page, which one response can list. */
const elementsOfSet = 90;
const requestPatienceMs = 10_000;
/** A stranger may see a state that is older than the request by this much. */
const strangersLateByMs = 1000;

interface LoadSettings {
  /** Address of the cache, which members use. */
  url: string;
  /** Addresses of each Coppice, which strangers use. */
  urls: string[];
  token: string;
  requestsASecond: number;
}

interface Log<Seen> {
  writes: Write[];
  reads: Read<Seen>[];
}

interface SetLog extends Log<readonly string[]> {
  /** When its page is there. */
  made: Promise<void>;
}

export class ClusterLoad {
  readonly #settings: LoadSettings;
  readonly #pages: Log<string>[] = Array.from({ length: registers }, () => ({ writes: [], reads: [] }));
  readonly #sets: SetLog[] = [];
  /** Answers that should never be. */
  readonly wrong: string[] = [];
  /** Times at which writes were acknowledged. */
  readonly acknowledgedAt: number[] = [];
  requests = 0;
  unanswered = 0;
  #written = 0;
  #isRunning = true;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(settings: LoadSettings) {
    this.#settings = settings;
  }

  /** Makes the pages, and begins. */
  async start(): Promise<void> {
    for (let n = 0; n < registers; n++) {
      const { status, text } = await this.#ask('POST', '/v1/pages', {
        ...{ title: `R${n}`, path: `/r${n}`, body: 'nothing' },
      });
      if (status !== 200) throw new Error(text);
    }
    const shares = [
      ...Array.from({ length: 5 }, () => () => this.#edit()),
      ...Array.from({ length: 2 }, () => () => this.#create()),
      ...Array.from({ length: 5 }, () => () => this.#readPage(true)),
      ...Array.from({ length: 2 }, () => () => this.#readSet(true)),
      ...Array.from({ length: 4 }, () => () => this.#readPage(false)),
      ...Array.from({ length: 2 }, () => () => this.#readSet(false)),
    ];
    const everyMs = (shares.length * 1000) / this.#settings.requestsASecond;
    this.#loops = Promise.all(
      shares.map(async (request) => {
        await sleep(Math.random() * everyMs);
        while (this.#isRunning) {
          const startedAt = performance.now();
          await request();
          await sleep(Math.max(5, startedAt + everyMs - performance.now()));
        }
      }),
    );
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#loops;
  }

  /** Sentences about what no order of the requests explains. */
  violations(): string[] {
    return [
      ...this.#pages.flatMap(({ writes, reads }) => checkRegister('nothing', writes, reads)),
      ...this.#sets.flatMap(({ writes, reads }) => checkSet(writes, reads)),
    ];
  }

  /** Reads the history of each page and the children of each set, and returns acknowledged writes that they lack and edits done twice. */
  async lostOrTwice(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [n, { writes }] of this.#pages.entries()) {
      const found: string[] = [];
      for (let offset = 0, size = 100; size > 0; offset += size) {
        const { status, text } = await this.#ask('GET', `/v1/history/r${n}?limit=100&offset=${offset}`);
        if (status !== 200) throw new Error(`${status} ${text}`);
        const changes = JSON.parse(text) as { content: { body: string } }[];
        size = changes.length;
        found.push(...changes.map(({ content }) => content.body));
      }
      const counts = new Map<string, number>();
      for (const body of found) counts.set(body, (counts.get(body) ?? 0) + 1);
      for (const { value, outcome } of writes) {
        const count = counts.get(value) ?? 0;
        if (count > 1) wrong.push(`${value} was done ${count} times`);
        if (outcome === 'done' && count === 0) wrong.push(`${value} was acknowledged and is lost`);
        if (outcome === 'failed' && count > 0) wrong.push(`${value} was refused and done`);
      }
    }
    for (const [n, { writes }] of this.#sets.entries()) {
      const { status, text } = await this.#ask('GET', `/v1/children/s${n}?limit=100`);
      if (status !== 200) throw new Error(`${status} ${text}`);
      const found = new Set((JSON.parse(text) as { path: string }[]).map(({ path }) => path));
      for (const { value, outcome } of writes)
        if (outcome === 'done' && !found.has(value)) wrong.push(`${value} was acknowledged and is lost`);
    }
    return wrong;
  }

  get acknowledged(): number {
    return this.acknowledgedAt.length;
  }

  async #edit(): Promise<void> {
    const n = Math.floor(Math.random() * registers);
    const value = `edit ${this.#written++}`;
    await this.#write(this.#pages[n]?.writes ?? [], `/v1/pages/r${n}`, value, { body: value });
  }

  async #create(): Promise<void> {
    const count = this.#sets.reduce((sum, { writes }) => sum + writes.length, 0);
    const set = Math.floor(count / elementsOfSet);
    this.#sets[set] ??= { writes: [], reads: [], made: this.#makeSet(set) };
    const { writes, made } = this.#sets[set];
    await made;
    const path = `/s${set}/e${this.#written++}`;
    await this.#write(writes, '/v1/pages', path, {
      ...{ title: path.slice(1), path, parent: `/s${set}` },
    });
  }

  /** Repeated until it is answered: refused if it was made without an answer. */
  async #makeSet(set: number): Promise<void> {
    for (;;) {
      const { status } = await this.#ask('POST', '/v1/pages', { title: `S${set}`, path: `/s${set}` });
      if ((status > 0 && status < 500) || !this.#isRunning) return;
      await sleep(200);
    }
  }

  /** Sends a write, which is in the log from its start on. Half of them are sent again with the same key until they are answered. */
  async #write(log: Write[], url: string, value: string, json: object): Promise<void> {
    const key = Math.random() < 0.5 ? randomUUID() : undefined;
    const write: Write = { value, startedAt: performance.now(), endedAt: 0, outcome: 'unknown' };
    log.push(write);
    for (;;) {
      const { status, text } = await this.#ask('POST', url, json, key);
      write.endedAt = performance.now();
      if (status === 200) {
        this.acknowledgedAt.push(write.endedAt);
        write.outcome = 'done';
        return;
      }
      if (status >= 400 && status < 500 && status !== 409) {
        this.wrong.push(`${url}: ${status} ${text}`);
        write.outcome = 'failed';
        return;
      }
      if (!key || !this.#isRunning || text.includes('idempotency-answer-lost')) return;
      await sleep(200);
    }
  }

  async #readPage(isMember: boolean): Promise<void> {
    const n = Math.floor(Math.random() * registers);
    const read = await this.#read(isMember, `/v1/pages/r${n}?history=none`, (json) =>
      (json as { markup: string }).markup.replace(/<[^>]*>/g, '').trim(),
    );
    if (read) this.#pages[n]?.reads.push(read);
  }

  async #readSet(isMember: boolean): Promise<void> {
    const n = this.#sets.length - 1;
    if (n < 0) return;
    const read = await this.#read(isMember, `/v1/children/s${n}?limit=100`, (json) =>
      (json as { path: string }[]).map(({ path }) => path),
    );
    if (read) this.#sets[n]?.reads.push(read);
  }

  async #read<Seen>(
    isMember: boolean,
    url: string,
    seenIn: (json: unknown) => Seen,
  ): Promise<Read<Seen> | undefined> {
    const startedAt = performance.now();
    const { status, text } = isMember ? await this.#ask('GET', url) : await this.#askAsStranger(url);
    const endedAt = performance.now();
    // The parent of a set may be created at this moment.
    if (status === 404 && url.includes('children')) return undefined;
    if (status >= 400 && status < 500) this.wrong.push(`${url}: ${status} ${text}`);
    if (status !== 200) return undefined;
    const lateByMs = isMember ? 0 : strangersLateByMs;
    const by = isMember ? 'a member' : 'a stranger';
    return { seen: seenIn(JSON.parse(text)), startedAt, endedAt, lateByMs, by };
  }

  #askAsStranger(url: string) {
    const { urls } = this.#settings;
    return this.#fetch(`${urls[this.requests % urls.length]}${url}`, {});
  }

  #ask(method: string, url: string, json?: object, key?: string) {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#settings.token}` };
    if (json) headers['content-type'] = 'application/json';
    if (key) headers['idempotency-key'] = key;
    return this.#fetch(`${this.#settings.url}${url}`, {
      method,
      headers,
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
  }

  /** Status 0: there was no answer. */
  async #fetch(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    this.requests++;
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(requestPatienceMs) });
      const text = await answer.text();
      if (answer.status >= 500) this.unanswered++;
      return { status: answer.status, text };
    } catch {
      this.unanswered++;
      return { status: 0, text: '' };
    }
  }
}
