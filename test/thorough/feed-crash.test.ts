/**
 * A follower of the change feed receives every change exactly once, and none that does not exist, while its server is killed
 * again and again and others write. Real processes on both engines; on PostgreSQL two servers write, and one of them dies.
 */
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { engines } from '../support/http.ts';
import { type Server, startServer } from '../support/serve.ts';

interface Told {
  id: number;
  kind: string;
  page: { id: number };
  msg: string;
}

test.each(engines)(
  'killed while it writes, the feed still has exactly one event for each change, on %s',
  async (engine) => {
    await using wiki = await startWiki(engine);
    const { email } = await wiki.administrator();
    const made = await wiki.coppice(
      ['token', 'add', email, '--name', 'all', '--scope', 'read'].concat([
        '--scope',
        'write',
        '--scope',
        'admin',
      ]),
    );
    const authorization = `Bearer ${JSON.parse(made.out).token}`;
    const acknowledged: string[] = [];
    const told: Told[] = [];
    let cursor = '0';
    /** Returns undefined if the server died before it responded. */
    const ask = async (url: string, json?: object) => {
      try {
        const answer = await fetch(url, {
          headers: { authorization, ...(json ? { 'content-type': 'application/json' } : {}) },
          ...(json ? { method: 'POST', body: JSON.stringify(json) } : {}),
        });
        const text = await answer.text();
        expect(answer.status, text).toBe(200);
        return JSON.parse(text);
      } catch (error) {
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    };
    const write = async ({ address }: Server, name: string) => {
      for (let n = 0; ; n++) {
        const msg = `${name}-${n}`;
        const page = await ask(`${address}/v1/pages`, { title: `Page ${msg}`, msg });
        if (!page) return;
        acknowledged.push(msg);
        if (!(await ask(`${address}/v1/pages${page.path}`, { body: `[[n:${n}]]`, msg: `${msg}-edit` })))
          return;
        acknowledged.push(`${msg}-edit`);
      }
    };
    /** Continues from the cursor until the server is gone or, with `isToEnd`, no changes are left. */
    const follow = async ({ address }: Server, isToEnd: boolean) => {
      for (;;) {
        const answer = await ask(`${address}/v1/changes?after=${cursor}&limit=7`);
        if (!answer) return;
        told.push(...answer.changes);
        cursor = answer.next;
        if (isToEnd && answer.changes.length === 0) return;
      }
    };

    const rounds = effort(1, 25);
    for (let round = 0; round < rounds; round++) {
      const isDouble = engine === 'PostgreSQL';
      const servers = await Promise.all(
        Array.from({ length: isDouble ? 2 : 1 }, () => startServer(wiki.env)),
      );
      const [first, last] = [servers[0], servers.at(-1)] as [Server, Server];
      const before = acknowledged.length;
      const writers = servers.flatMap((server, s) => [0, 1].map((w) => write(server, `${round}-${s}-${w}`)));
      const follower = follow(last, false);
      while (acknowledged.length < before + 6) await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      await first.kill();
      // The other server keeps writing, and the follower sees the changes of both.
      if (isDouble) await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      await last.kill();
      await Promise.all([...writers, follower]);
    }

    await using server = await startServer(wiki.env);
    await follow(server, true);
    const whole: Told[] = [];
    for (let after = '0'; ; ) {
      const { changes, next } = await ask(`${server.address}/v1/changes?after=${after}&limit=1000`);
      if (changes.length === 0) break;
      whole.push(...changes);
      after = next;
    }
    expect(told).toEqual(whole);
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);

    const changes: string[] = [];
    for (let offset = 0; ; offset += 500) {
      const pages = await ask(`${server.address}/v1/pages?title=Page&limit=500&offset=${offset}`);
      if (pages.length === 0) break;
      for (const { id, history } of pages) for (const { msg } of history) changes.push(`${id} ${msg}`);
    }
    expect(told.map(({ page, msg }) => `${page.id} ${msg}`).sort()).toEqual(changes.sort());
    const messages = new Set(told.map(({ msg }) => msg));
    expect(acknowledged.filter((msg) => !messages.has(msg))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(6 * rounds - 1);
  },
  600_000,
);
