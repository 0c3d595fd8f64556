/** The equivalent of `load.lua` for autocannon: `node load-autocannon.ts URL CALLERS SECONDS FILE TAG`. */
import { readFileSync } from 'node:fs';
// @ts-expect-error It brings no types.
import autocannon from 'autocannon';

const [url = '', callers = '1', seconds = '1', file = '', tag = ''] = process.argv.slice(2);
const requests = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [method = 'GET', path = '/', headers = '', body = ''] = line.split('\t');
    return {
      method: method as 'GET' | 'POST',
      path,
      headers: Object.fromEntries(
        headers
          .split('\x1f')
          .filter(Boolean)
          .map((header) => header.split(/: (.*)/s).slice(0, 2) as [string, string]),
      ),
      body,
    };
  });
let sent = 0;

const result = await autocannon({
  url,
  connections: Number(callers),
  duration: Number(seconds),
  timeout: 60,
  requests: [
    {
      // All callers share one sequence, so that no two send the same request at once.
      setupRequest: (request: object) => {
        const next = requests[sent % requests.length];
        sent++;
        return {
          ...request,
          ...next,
          body: next?.body ? next.body.replaceAll('{{N}}', tag + sent) : undefined,
        };
      },
    },
  ],
});
const measured = {
  seconds: result.duration,
  requests: result.requests.total,
  bytes: result.throughput.total,
  errors: result.errors + result.timeouts + result['4xx'] + result['5xx'],
  p50: result.latency.p50,
  p99: result.latency.p99,
  max: result.latency.max,
};
console.log(`@@${JSON.stringify(measured)}`);
