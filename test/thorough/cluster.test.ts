/**
 * The cluster of `deploy/cluster` under mixed requests while each part is killed, and stands still as if its network were cut, in turn and in
 * pairs. Nobody helps: what ends is started again as on any machine. Nothing acknowledged is lost or done twice, members read their own
 * writes and everybody else’s, strangers are at most a second behind, and writes come back.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadKeys } from '#auth/keys.ts';
import { createTokens } from '#auth/token.ts';
import {
  type Cluster,
  type Machine,
  machines,
  missingProgram,
  startCluster,
} from '../../deploy/cluster/cluster.ts';
import { startWiki, type TestWiki } from '../support/cli.ts';
import { ClusterLoad } from '../support/cluster-load.ts';
import { childrenOf } from '../support/serve.ts';
import { day, tokenFor } from '../support/sessions.ts';

const missing = missingProgram();
const requestsASecond = Number(process.env.COPPICE_CLUSTER_LOAD ?? 100);
/** Longer than Patroni waits for a primary that does not answer. */
const longMs = 15_000;
const shortMs = 6000;
const within = { timeout: 240_000, interval: 250 };

interface Member {
  name: Machine;
  role: string;
  state: string;
}

describe.skipIf(missing !== undefined)(`a cluster${missing ? `, where ${missing}` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-cluster-'));
  const figures: string[] = [];
  let cluster: Cluster;
  let wiki: TestWiki;
  let load: ClusterLoad;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    cluster = startCluster(folder, { settings: { COPPICE_RATE_LIMIT: 'off', LOG_LEVEL: 'warn' } });
    await calm();
    wiki = await startWiki();
    const dataOfTest = wiki.env.COPPICE_DATA as string;
    Object.assign(wiki.env, cluster.settingsOf('alder'), { COPPICE_DATA: dataOfTest });
    // The client of the storage reads these from the process.
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) process.env[name] = wiki.env[name];
    await wiki.administrator();
    const keys = await loadKeys({ env: wiki.env.COPPICE_KEY, file: '' });
    await using opened = await wiki.open();
    const token = await tokenFor({ store: opened.store, tokens: createTokens(keys, Date.now, day) }, 1);
    const urls = machines.map((name) => cluster.urlOf(name));
    load = new ClusterLoad({ url: cluster.url, urls, token, requestsASecond });
    await load.start();
  }, 360_000);
  afterAll(async () => {
    await load?.stop();
    await cluster?.[Symbol.asyncDispose]();
    await wiki?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
    if (load)
      console.info(
        [
          ...figures,
          `${load.requests} requests, ${load.acknowledged} acknowledged writes, ${load.unanswered} without answer`,
        ].join('\n'),
      );
  }, 120_000);

  async function members(): Promise<Member[]> {
    for (const name of machines) {
      const answer = await fetch(`${cluster.urlOf(name).replace(':8080', ':8008')}/cluster`, {
        signal: AbortSignal.timeout(2000),
      }).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  const machineOf = async (role: string) =>
    (await members()).find((member) => member.role === role)?.name ?? machines[0];
  const other = (...not: Machine[]) => machines.find((name) => !not.includes(name)) ?? machines[0];

  /** Waits until every part works again. */
  async function calm(): Promise<void> {
    const ready = (name: Machine) =>
      fetch(`${cluster.urlOf(name)}/readyz`, { signal: AbortSignal.timeout(2000) }).then((answer) =>
        answer.json(),
      );
    const works = { status: 'ok', reads: 'ok', writes: 'ok', replicas: { inUse: 2, all: 2 } };
    await vi.waitFor(async () => {
      const states = (await members()).map(
        ({ role, state }) => `${role} ${state === 'streaming' ? 'running' : state}`,
      );
      expect(states.sort()).toEqual(['leader running', 'replica running', 'sync_standby running']);
      expect(await Promise.all(machines.map(ready))).toEqual(machines.map(() => works));
      expect((await fetch(`${cluster.url}/v1/updates`)).status).toBe(200);
    }, within);
  }

  function signalPart(part: string, signal: NodeJS.Signals): void {
    const [kind, machine] = part.split('-');
    const pid = kind === 'postgres' ? postmaster(machine as Machine) : cluster.pidOf(part);
    if (pid === undefined) return;
    // PostgreSQL’s children have groups of their own.
    for (const each of kind === 'postgres' ? [pid, ...childrenOf(pid)] : [-pid]) {
      try {
        process.kill(each, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }

  function postmaster(machine: Machine): number | undefined {
    const file = join(folder, machine, 'postgres/postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
  }

  async function paused(parts: string[], ms: number): Promise<void> {
    for (const part of parts) signalPart(part, 'SIGSTOP');
    await sleep(ms);
    for (const part of parts) signalPart(part, 'SIGCONT');
  }

  const killed = async (...parts: string[]) => {
    for (const part of parts) signalPart(part, 'SIGKILL');
    await sleep(shortMs);
  };
  const everythingOf = (machine: Machine) =>
    ['patroni', 'postgres', 'etcd', 'haproxy', 'coppice'].map((kind) => `${kind}-${machine}`);

  const faults: [string, () => Promise<void>][] = [
    ['a killed Coppice', async () => killed('coppice-birch')],
    ['a Coppice that hangs', async () => paused(['coppice-cedar'], shortMs)],
    ['a killed haproxy', async () => killed('haproxy-alder')],
    ['a haproxy that lets nothing through', async () => paused(['haproxy-birch'], shortMs)],
    ['a killed cache', async () => killed('varnish')],
    ['a storage that hangs', async () => paused(['s3'], shortMs)],
    ['a killed etcd', async () => killed('etcd-alder')],
    ['two of three etcd that hang', async () => paused(['etcd-alder', 'etcd-birch'], longMs)],
    ['a killed standby', async () => killed(`postgres-${await machineOf('replica')}`)],
    [
      'a synchronous standby that hangs',
      async () => paused([`postgres-${await machineOf('sync_standby')}`], shortMs),
    ],
    ['a killed primary', async () => killed(`postgres-${await machineOf('leader')}`)],
    ['a killed Patroni of the primary', async () => killed(`patroni-${await machineOf('leader')}`)],
    ['a primary that hangs', async () => paused([`postgres-${await machineOf('leader')}`], longMs)],
    [
      'a Patroni that hangs while its primary goes on',
      async () => paused([`patroni-${await machineOf('leader')}`], longMs),
    ],
    [
      'a machine with the primary that is cut off',
      async () => paused(everythingOf(await machineOf('leader')), longMs),
    ],
    [
      'a primary and a Coppice that are killed at once',
      async () => {
        const leader = await machineOf('leader');
        await killed(`postgres-${leader}`, `patroni-${leader}`, `coppice-${other(leader)}`);
      },
    ],
    [
      'a primary that is killed while an etcd hangs',
      async () => {
        const leader = await machineOf('leader');
        signalPart(`postgres-${leader}`, 'SIGKILL');
        await paused([`etcd-${leader}`], longMs);
      },
    ],
    [
      'a synchronous standby that is killed, and then the primary',
      async () => {
        const leader = await machineOf('leader');
        signalPart(`postgres-${await machineOf('sync_standby')}`, 'SIGKILL');
        await sleep(shortMs / 2);
        await killed(`postgres-${leader}`);
      },
    ],
  ];

  test.each(faults)('survives %s', async (name, happen) => {
    await calm();
    const startedAt = performance.now();
    await happen();
    const after = load.acknowledged;
    await expect.poll(() => load.acknowledged, within).toBeGreaterThan(after + 20);
    await calm();
    const times = [startedAt, ...load.acknowledgedAt.filter((at) => at > startedAt)];
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? at));
    figures.push(`${name}: at most ${Math.round(Math.max(...gaps))} ms without an acknowledged write`);
    expect(load.wrong).toEqual([]);
    expect(load.violations()).toEqual([]);
  });

  test('has lost nothing that was acknowledged, done nothing twice, and is sound', async () => {
    await load.stop();
    await calm();
    expect(load.wrong).toEqual([]);
    expect(load.violations()).toEqual([]);
    expect(await load.lostOrTwice()).toEqual([]);
    for (const name of machines)
      expect(readFileSync(join(folder, 'log', `coppice-${name}`), 'utf8')).not.toContain('unhandled error');
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });
});
