/**
 * `node bench/requests/listeners.ts ADDRESS TOKEN [LISTENERS [SECONDS]]`: delay of events to each of many listeners of the change feed,
 * at five edits a second and then at the full speed of one writer. It is measured from the response to the edit, and from the
 * event's own time. The wiki takes that time when it starts the edit, so the delay from the commit is shorter. The wiki runs on
 * this machine with `COPPICE_RATE_LIMIT=off`. Listeners use many loopback addresses, because each address may have 25 streams.
 * Linux only.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Coppice } from '@coppice/client';

const [address = '', token = '', count = '1000', seconds = '10'] = process.argv.slice(2);
const listeners = Number(count);
const perAddress = 20;
const path = '/bench-of-listeners';
const wiki = new Coppice(address, { credential: { token } });

let heard = (_message: string, _at: string) => {};

for (let i = 0; i < listeners; i++) {
  const localAddress = `127.0.1.${1 + Math.floor(i / perAddress)}`;
  const headers = { accept: 'text/event-stream' };
  const asked = get(`${address}/v1/changes?after=latest`, { localAddress, agent: false, headers });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`Listener ${i} is refused: ${answer.statusCode}.`);
  let rest = '';
  answer.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, at = '', message] = /"at":"([^"]+)".*"msg":"(bench \d+)"/.exec(block) ?? [];
      if (message !== undefined) heard(message, at);
    }
  });
}
if (!(await wiki.read(path))) await wiki.create({ title: 'Bench of listeners', path });
await pause(1500);
await measure('five edits a second', 200);
await measure('one edit after the other', 0);
process.exit();

async function measure(name: string, gapMs: number): Promise<void> {
  const answered = new Map<string, number>();
  const arrivals: { message: string; at: number; sinceEvent: number }[] = [];
  heard = (message, at) => {
    arrivals.push({ message, at: performance.now(), sinceEvent: Date.now() - Date.parse(at) });
  };
  const start = performance.now();
  const end = start + Number(seconds) * 1000;
  while (performance.now() < end) {
    const msg = `bench ${Date.now()}${answered.size}`;
    await wiki.edit(path, { body: msg, msg });
    answered.set(msg, performance.now());
    await pause(gapMs);
  }
  const expected = answered.size * listeners;
  while (arrivals.length < expected && performance.now() < end + 20_000) await pause(20);
  const perSecond = (arrivals.length / (performance.now() - start)) * 1000;
  // An event may arrive before the response.
  const sinceAnswer = arrivals.map(({ message, at }) => Math.max(0, at - (answered.get(message) ?? at)));
  const sinceEvent = arrivals.map((arrival) => arrival.sinceEvent);
  console.log(
    `${name}: ${arrivals.length} of ${expected} events, ${perSecond.toFixed(0)}/s; after the answer ${quantiles(sinceAnswer)}; after the event ${quantiles(sinceEvent)}`,
  );
}

function quantiles(delays: number[]): string {
  delays.sort((a, b) => a - b);
  return [50, 99]
    .map((q) => `p${q} ${delays[Math.floor((q / 100) * (delays.length - 1))]?.toFixed(0)} ms`)
    .join(', ');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
