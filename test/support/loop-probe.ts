/**
 * Preloaded into a server (`node --import`): measures the longest stretch of its event loop in CPU time, which a busy machine
 * does not change, and its memory. Answers on the port that it writes to the file named by `LOOP_PROBE`, and begins anew with
 * each answer, at `/clean` after a collection of garbage.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const file = process.env.LOOP_PROBE;
if (isMainThread && file !== undefined) measure(file);

function measure(file: string): void {
  let longestMs = 0;
  let mostBytes = 0;
  const cpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
  let before = cpuMs(process.threadCpuUsage());
  let all = cpuMs(process.cpuUsage());
  const look = () => {
    const now = cpuMs(process.threadCpuUsage());
    longestMs = Math.max(longestMs, now - before);
    before = now;
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  };
  setInterval(look, 1).unref();
  const server = createServer(({ url }, response) => {
    const total = cpuMs(process.cpuUsage());
    response.end(JSON.stringify({ longestMs, mostBytes, cpuMs: total - all }));
    if (url === '/clean') globalThis.gc?.();
    longestMs = 0;
    mostBytes = process.memoryUsage.rss();
    before = cpuMs(process.threadCpuUsage());
    all = cpuMs(process.cpuUsage());
  });
  server.listen(0, '127.0.0.1', () => writeFileSync(file, String((server.address() as AddressInfo).port)));
  server.unref();
}
