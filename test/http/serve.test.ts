/** The process: settings, starting, the set-up link, stopping. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { availableParallelism, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BadSettings, readConfig } from '#config/config.ts';
import { loggedSettings } from '#config/logged-settings.ts';
import { settings } from '#config/settings.ts';
import { unknownSettings } from '#config/unknown-names.ts';
import { baseEnvironment } from '../support/environment.ts';
import { freshPostgres } from '../support/postgres.ts';
import { beginRequest } from '../support/serve.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

describe('settings', () => {
  test('defaults equal the documented ones, and the result cannot be changed', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      hasRateLimits: true,
      logLevel: 'info',
      maxUploadBytes: 25_000_000,
      trustProxy: false,
      fixed: {},
      url: '',
      databaseUrl: undefined,
      key: undefined,
    });
    expect(Object.isFrozen(config)).toBe(true);
    // Defaults given explicitly mean the same as defaults left out.
    const written = settings
      .filter(({ name }) => !name.includes('*'))
      .map((setting) => [setting.name, setting.default]);
    expect(readConfig(Object.fromEntries(written))).toEqual(config);
  });

  test('logged settings contain no secret', () => {
    const secret = 'hush-hush-hush-hush';
    const logged = loggedSettings(
      readConfig({
        DATABASE_URL: `postgres://wiki:${secret}@db/wiki`,
        DATABASE_REPLICA_URLS: `postgres://wiki:${secret}@replica/wiki`,
        FILES: 's3:maps',
        AWS_ACCESS_KEY_ID: secret,
        AWS_SECRET_ACCESS_KEY: secret,
        COPPICE_METRICS: `token:${secret}`,
        COPPICE_MAIL: `smtp://wiki:${secret}@mail.example.org`,
        COPPICE_MAIL_FROM: 'wiki@example.org',
        COPPICE_URL: 'https://wiki.example.org',
      }),
    );
    expect(logged).toMatchObject({ files: 's3', replicas: 1, metrics: 'token', sendsMail: true });
    expect(JSON.stringify(logged)).not.toContain('hush');
  });

  test.each([
    ['PORT', '0', { port: 0 }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'wiki.internal', { host: 'wiki.internal' }],
    ['COPPICE_MAX_UPLOAD', '2MB', { maxUploadBytes: 2_000_000 }],
    ['COPPICE_MAX_UPLOAD', '2 gb', { maxUploadBytes: 2_000_000_000 }],
    ['COPPICE_MAX_UPLOAD', '123456', { maxUploadBytes: 123_456 }],
    ['COPPICE_RATE_LIMIT', 'off', { hasRateLimits: false }],
    ['COPPICE_METRICS', 'open', { metrics: 'open' }],
    ['COPPICE_METRICS', 'token:0123456789abcdef', { metrics: { token: '0123456789abcdef' } }],
    ['COPPICE_TRUST_PROXY', 'off', { trustProxy: false }],
    ['COPPICE_TRUST_PROXY', '2', { trustProxy: 2 }],
    ['COPPICE_TRUST_PROXY', 'loopback, 10.0.0.0/8,::1', { trustProxy: ['loopback', '10.0.0.0/8', '::1'] }],
    ['COPPICE_URL', 'https://wiki.example.org/', { url: 'https://wiki.example.org' }],
    ['COPPICE_HOME', 'start', { fixed: { home: '/start' } }],
    ['COPPICE_FORMAT', 'markdown', { fixed: { format: 'markdown' } }],
    ['COPPICE_LANGUAGE', 'pt-br', { fixed: { language: 'pt-BR' } }],
    [
      'COPPICE_INTERWIKI',
      'Trees=https://trees.example.org/wiki/$1  w=',
      { interwiki: { trees: 'https://trees.example.org/wiki/$1', w: '' } },
    ],
    ['COPPICE_HASHTAGS', 'on', { hashtags: true }],
    [
      'COPPICE_TILES',
      'https://tiles.example.org/{z}/{x}/{y}.png',
      { tiles: 'https://tiles.example.org/{z}/{x}/{y}.png' },
    ],
    ['COPPICE_TILES', '/tiles/{z}/{x}/{y}.png', { tiles: '/tiles/{z}/{x}/{y}.png' }],
    ['COPPICE_REQUEST_TIMEOUT', '5', { requestTimeoutMs: 5000 }],
    ['COPPICE_WORKERS', '4', { workers: 4 }],
    ['COPPICE_WORKERS', 'auto', { workers: Math.min(availableParallelism(), 64) }],
    ['DATABASE_URL', 'postgresql://u:p@h/d', { databaseUrl: 'postgresql://u:p@h/d' }],
    ['FILES', 's3:maps', { s3: { bucket: 'maps', prefix: '', endpoint: '', region: 'us-east-1' } }],
    ['FILES', 's3:a.b-c/wiki/of_1.2', { s3: { bucket: 'a.b-c', prefix: 'wiki/of_1.2' } }],
    ['DATABASE_URL', 'postgres://u:p@a,b:5433/d', { databaseUrl: 'postgres://u:p@a,b:5433/d' }],
    ['PORT', ' ', { port: 8080 }],
    ['COPPICE_EXPORT', 'markdown, jsonl', { scheduledExports: { formats: ['jsonl', 'markdown'], keep: 7 } }],
  ])('%s=%j is accepted', (name, value, expected) => {
    const needed =
      name === 'COPPICE_TRUST_PROXY'
        ? { COPPICE_URL: 'https://wiki.example.org' }
        : { COPPICE_EXPORT_TO: '/exports' };
    expect(readConfig({ ...needed, [name]: value })).toMatchObject(expected);
  });

  test.each([
    ['PORT', '65536'],
    ['COPPICE_EXPORT', 'jsonl,pdf'],
    ['COPPICE_EXPORT_TO', 's3:'],
    ['COPPICE_EXPORT_HOURS', '0'],
    ['COPPICE_EXPORT_KEEP', 'all'],
    ['PORT', '-1'],
    ['PORT', '80x'],
    ['HOST', 'not a host'],
    ['COPPICE_MAX_UPLOAD', 'much'],
    ['COPPICE_MAX_UPLOAD', '0'],
    ['COPPICE_MAX_UPLOAD', '-5MB'],
    ['COPPICE_RATE_LIMIT', 'false'],
    ['COPPICE_METRICS', 'on'],
    ['COPPICE_METRICS', 'token:short'],
    ['COPPICE_TRUST_PROXY', 'on'],
    ['COPPICE_TRUST_PROXY', 'true'],
    ['COPPICE_TRUST_PROXY', '0'],
    ['COPPICE_TRUST_PROXY', '10.0.0.0/33'],
    ['COPPICE_TRUST_PROXY', 'everyone'],
    ['COPPICE_URL', 'wiki.example.org'],
    ['COPPICE_URL', 'https://wiki.example.org/below'],
    ['COPPICE_URL', 'javascript:alert(1)'],
    ['COPPICE_HOME', '/a//b'],
    ['COPPICE_FORMAT', 'html'],
    ['COPPICE_LANGUAGE', 'english language'],
    ['COPPICE_INTERWIKI', 'trees'],
    ['COPPICE_INTERWIKI', 'trees=https://trees.example.org/'],
    ['COPPICE_INTERWIKI', 'trees=javascript:alert($1)'],
    ['COPPICE_INTERWIKI', 'location=https://trees.example.org/$1'],
    ['COPPICE_TILES', 'https://tiles.example.org/'],
    ['COPPICE_TILES', '//tiles.example.org/{z}/{x}/{y}.png'],
    ['COPPICE_TILES', 'https://tiles.example.org;script-src/{z}/{x}/{y}.png'],
    ['COPPICE_KEY', 'short'],
    ['COPPICE_REQUEST_TIMEOUT', '0'],
    ['COPPICE_WORKERS', '0'],
    ['COPPICE_WORKERS', '65'],
    ['COPPICE_WORKERS', 'many'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['DATABASE_URL', 'postgres://a:x,b/d'],
    ['DATABASE_REPLICA_URLS', 'replica.example.org'],
    ['DATABASE_REPLICA_URLS', 'postgres://a/d, mysql://b/d'],
    ['FILES', 's4:maps'],
    ['FILES', 's3:'],
    ['FILES', 's3:Maps'],
    ['FILES', 's3:maps/'],
    ['FILES', 's3:maps/a/../b'],
    ['FILES', 's3:maps/a//b'],
    ['FILES', 's3:maps/a b'],
    ['S3_ENDPOINT', 's3.example.org'],
    ['S3_ENDPOINT', 'ftp://s3.example.org'],
    ['S3_ENDPOINT', 'https://key:secret@s3.example.org'],
    ['S3_REGION', 'here and there'],
    ['S3_PATH_STYLE', 'yes'],
    ['LOG_LEVEL', 'verbose'],
  ])('%s=%j is refused with a sentence that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: expected .+\\.$`));
  });

  test('a trusted proxy needs the public address', () => {
    expect(() => readConfig({ COPPICE_TRUST_PROXY: 'loopback' })).toThrow(
      /^COPPICE_URL: expected the public address of the wiki, because COPPICE_TRUST_PROXY is set/,
    );
  });

  test('several replica addresses are possible, and require their primary database', () => {
    const replicas = { DATABASE_REPLICA_URLS: 'postgres://u@a,b:5433/d, postgres://u@c/d' };
    expect(readConfig({ DATABASE_URL: 'postgres://u@h/d', ...replicas }).replicaUrls).toEqual([
      'postgres://u@a,b:5433/d',
      'postgres://u@c/d',
    ]);
    expect(() => readConfig(replicas)).toThrow(/^DATABASE_URL: expected .+\.$/);
  });

  test('unknown names are reported, with the setting that may be meant', () => {
    const oauth = { COPPICE_OAUTH: 'work', COPPICE_OAUTH_WORK_ID: 'x', COPPICE_OAUTH_WORK_SECERT: 'hunter2' };
    const none = { COPPICE_NAME: 'x', COPPICE_CACHES: '', PATH: 'x', PROT: '1' };
    expect(
      unknownSettings({ ...oauth, ...none, COPPICE_WORKER: '2', COPPICE_PORT: '1', COPPICE_QQQ: '1' }),
    ).toEqual([
      'COPPICE_OAUTH_WORK_SECERT is not a setting and is ignored. Do you mean COPPICE_OAUTH_WORK_SECRET?',
      'COPPICE_WORKER is not a setting and is ignored. Do you mean COPPICE_WORKERS?',
      'COPPICE_PORT is not a setting and is ignored. Do you mean PORT?',
      'COPPICE_QQQ is not a setting and is ignored.',
    ]);
  });

  test('every invalid setting is named at once, and secrets are not repeated', () => {
    try {
      readConfig({
        PORT: 'x',
        LOG_LEVEL: 'y',
        COPPICE_KEY: 'hunter2',
        DATABASE_URL: 'oracle://user:hunter2@h',
      });
      expect.fail('nothing was refused');
    } catch (error) {
      expect(error).toBeInstanceOf(BadSettings);
      expect((error as BadSettings).sentences).toHaveLength(4);
      expect((error as BadSettings).message).not.toContain('hunter2');
    }
  });
});

describe('serving', () => {
  let folder: string;
  let running: ChildProcess[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coppice-serve-'));
    running = [];
  });
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** `before`: a command that wraps and runs the server. */
  const start = (environment: Record<string, string> = {}, command = 'serve', before: string[] = []) => {
    const [program = '', ...args] = [...before, process.execPath, main, command];
    const child = spawn(program, args, {
      env: { ...baseEnvironment, PORT: '0', COPPICE_DATA: join(folder, 'data'), ...environment },
    });
    running.push(child);
    let text = '';
    // After its last words have been read, too, which `exit` does not wait for.
    const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
    const waiting: { pattern: RegExp; resolve: (match: RegExpExecArray) => void }[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        for (const { pattern, resolve } of waiting) {
          const match = pattern.exec(text);
          if (match) resolve(match);
        }
      });
    }
    const says = (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const match = pattern.exec(text);
        if (match) return resolve(match);
        waiting.push({ pattern, resolve });
        ended.then(() => reject(new Error(`It ended without saying ${pattern}:\n${text}`)));
      });
    return { child, ended, says, text: () => text };
  };

  /** The first member, made by the one-time link and signed in. */
  const firstMemberOf = async (server: ReturnType<typeof start>) => {
    const [, address = ''] = await server.says(/ is at (http:\/\/\S+)/);
    const [, invitation = ''] = await server.says(/\/setup\/([\w-]{40,})\n/);
    const member = { email: 'root@example.org', name: 'Root', pass: 'a long enough passphrase' };
    const send = (path: string, json: unknown) =>
      fetch(`${address}/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      });
    await send('invitations/accept', { token: invitation, ...member });
    return { address, token: await (await send('members/auth', member)).text() };
  };

  test('the first start creates everything, and its one-time link makes the first administrator', async () => {
    const first = start();
    const [, address = ''] = await first.says(/ is at (http:\/\/localhost:\d+)/);
    const [, token = ''] = await first.says(/\/setup\/([\w-]{40,})\n/);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    await first.says(/"version":"\d[^\n]*"database":"SQLite","settings":\{[^\n]*"msg":"starting"/);
    const response = await fetch(`${address}/v1/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token,
        email: 'root@example.org',
        name: 'Root',
        pass: 'a long enough passphrase',
      }),
    });
    expect([response.status, ((await response.json()) as { isAdmin: boolean }).isAdmin]).toEqual([200, true]);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.text()).not.toMatch(/root@example\.org|long enough/);

    const second = start();
    await second.says(/ is at /);
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
    expect(second.text()).not.toContain('/setup/');
  });

  test('a running request is answered before the process stops', async () => {
    const server = start();
    const [, address = ''] = await server.says(/ is at (http:\/\/\S+)/);
    const { answer, finish } = await beginRequest(address);
    server.child.kill('SIGTERM');
    await server.says(/stopping/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    finish();
    expect((await answer).status).toBe(200);
    expect(await server.ended).toBe(0);
  });

  test.runIf(process.platform === 'linux')(
    'an upload without enough disk space is refused as such',
    async () => {
      // Limits files of the server to 2 MB: writes beyond that fail, as on a full disk.
      const limited = ['sh', '-c', 'ulimit -f 4000 && exec "$0" "$@"'];
      const server = start({ COPPICE_CACHE: 'off' }, 'serve', limited);
      const { address, token } = await firstMemberOf(server);
      const form = new FormData();
      form.set('title', 'Large');
      form.set('file', new Blob([Buffer.alloc(6_000_000, 7)]), 'large.bin');
      const answer = await fetch(`${address}/v1/pages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
        503,
        'There is no space for files at the moment.',
      ]);
      expect(readdirSync(join(folder, 'data/files/tmp'))).toEqual([]);
      expect((await fetch(`${address}/v1/pages/large`)).status).toBe(404);
    },
  );

  test('clients that disconnect during revalidation do not keep a server from stopping', async () => {
    await using database = await freshPostgres();
    const server = start({ DATABASE_URL: database.url });
    const { address, token } = await firstMemberOf(server);
    const askAndGo = async () => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write('GET /v1/updates HTTP/1.1\r\nHost: localhost\r\n\r\n', () => socket.resetAndDestroy());
      await once(socket, 'close');
    };
    for (let round = 0; round < 10; round++) {
      await (await fetch(`${address}/v1/updates`)).text();
      // The response is cached now; this write makes it stale.
      await fetch(`${address}/v1/pages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Page ${round}` }),
      });
      await Promise.all(Array.from({ length: 20 }, askAndGo));
    }
    server.child.kill('SIGTERM');
    expect(await server.ended, server.text()).toBe(0);
  });

  test('a request whose last line arrives while the process stops is answered, too', async () => {
    const server = start();
    const [, port = ''] = await server.says(/ is at http:\/\/localhost:(\d+)/);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.write('GET /v1/updates HTTP/1.1\r\nHost: localhost\r\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.child.kill('SIGTERM');
    await server.says(/stopping/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.write('\r\n');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*^connection: close\r\n[\s\S]*\r\n\r\n\[\]$/im);
    expect(await server.ended).toBe(0);
  });

  test.runIf(process.platform === 'linux')('threads of one request yield to others', async () => {
    const server = start();
    const [, address = ''] = await server.says(/ is at (http:\/\/\S+)/);
    // Long enough to be rendered on a worker thread.
    const drawn = await fetch(`${address}/v1/preview`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ body: 'word '.repeat(40_000) }),
    });
    expect(drawn.status).toBe(200);
    const niceness = new Map<string, number[]>();
    for (const thread of readdirSync(`/proc/${server.child.pid}/task`)) {
      // The name stands in parentheses. `rest` starts at the third field, and niceness is the 19th.
      const [, name = '', rest = ''] =
        /\((.*)\) (.*)/.exec(readFileSync(`/proc/${server.child.pid}/task/${thread}/stat`, 'utf8')) ?? [];
      niceness.set(name, [...(niceness.get(name) ?? []), Number(rest.split(' ')[16])]);
    }
    // Thread of an anonymous preview, which gives way to page renderings as well.
    expect(niceness.get('WorkerThread')).toContain(Math.min(19, getPriority() + 15));
    expect(niceness.get('node-MainThread')).toEqual([getPriority()]);
    // Readers and writers wait for compression and syncs in this pool, so it keeps its priority.
    expect(new Set(niceness.get('libuv-worker'))).toEqual(new Set([getPriority()]));
  });

  test('a port in use, a file as folder, an invalid key and invalid settings are refused with a sentence and exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.on('listening', resolve));
    const { port } = other.address() as { port: number };
    writeFileSync(join(folder, 'file'), '');
    const refusals: [environment: Record<string, string>, sentence: RegExp, command?: string][] = [
      [{ PORT: String(port) }, /^PORT: something else already listens/m],
      [{ COPPICE_DATA: join(folder, 'file') }, /^COPPICE_DATA: .* cannot be used/m],
      [{ COPPICE_DATA: join(folder, 'file/below') }, /^COPPICE_DATA: .* cannot be used/m],
      // No folder can be created in /proc, and retrying does not help.
      [{ COPPICE_DATA: '/proc/a/b' }, /^COPPICE_DATA: .* cannot be used/m],
      [{ COPPICE_DATA: '/proc/a', COPPICE_WORKERS: '2' }, /^COPPICE_DATA: .* cannot be used/m],
      [
        { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/none', DATABASE_WAIT: '0' },
        /^DATABASE_URL: the database cannot be used/m,
      ],
      [{ PORT: 'x', LOG_LEVEL: 'y' }, /^PORT: expected[\s\S]*^LOG_LEVEL: expected/m],
      [{ COPPICE_DATA: join(folder, 'file') }, /^COPPICE_DATA: there is no wiki in /m, 'check'],
      [{ COPPICE_DATA: '/proc' }, /^COPPICE_DATA: there is no wiki in \/proc/m, 'check'],
    ];
    await Promise.all(
      refusals.map(async ([environment, sentence, command]) => {
        const refused = start(environment, command);
        expect(await refused.ended, refused.text()).toBe(1);
        expect(refused.text()).toMatch(sentence);
        expect(refused.text()).not.toMatch(/ {4}at |hunter2/);
      }),
    );
    other.close();
  });

  test('an unknown command is refused with the list of commands', async () => {
    const refused = start({}, 'dance');
    expect(await refused.ended).toBe(2);
    expect(refused.text()).toMatch(/no command “dance”[\s\S]*serve, openapi/);
    const traversal = start({}, '../main');
    expect(await traversal.ended).toBe(2);
  });
});
