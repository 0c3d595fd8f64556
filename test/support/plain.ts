/**
 * Runs a part of the tests on a PostgreSQL that was made plain (`plain-postgres.ts`): `npm run test:plain`, or with `-- unordered`. Left out
 * are tests that know IDs, as transactions that are repeated skip some, and those in which hundreds write to one page at once. Of two pages
 * with one title the one with the lower ID is linked; what its maker alone may read can take the place of what a secret link shows, on any
 * engine, and shows itself where IDs do not grow.
 */
import { spawnSync } from 'node:child_process';

const isUnordered = process.argv.includes('unordered');
const properties = ['cache-equals-fresh', 'model'];
const files = isUnordered
  ? [...properties, 'non-interference'].map((name) => `test/properties/${name}.test.ts`)
  : [
      ...properties.map((name) => `test/properties/${name}.test.ts`),
      ...['concurrency', 'events', 'links', 'pages'].map((name) => `test/store/${name}.test.ts`),
    ];

const { status } = spawnSync(
  'vitest',
  ['run', ...files, '-t', '^(?!.*(hundreds of pages|200 edits of one page|a secret link shows)).*PostgreSQL'],
  {
    stdio: 'inherit',
    env: { ...process.env, COPPICE_TEST_POSTGRES: isUnordered ? 'unordered' : 'plain' },
  },
);
process.exitCode = status ?? 1;
