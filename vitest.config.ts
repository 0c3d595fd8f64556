import { configDefaults, defineConfig } from 'vitest/config';

// Compiled code is kept, as `bin/coppice` keeps it.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

/** Also runs slow tests, and more random cases (`test/support/effort.ts`). */
const isThorough = process.env.COPPICE_TESTS === 'thorough';
/** Installs and builds the examples with all that they depend on: `npm run test:examples`. */
const areExamples = process.env.COPPICE_TESTS === 'examples';
/** Slow tests, which wait for a browser or read long texts. */
const long = ['test/e2e/**/*.test.ts', 'packages/*/test/linear.test.ts'];

/** One more than two processors, as half of the time tests wait: for a browser, a database, a process that begins. */
const maxWorkers = 3;

/** Tests of sources and documents. */
const guards = ['test/architecture.test.ts', 'test/contributing.test.ts', 'test/prose.test.ts'];

const setupFiles = ['test/support/each-file.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          globalSetup: ['test/support/global-postgres.ts'],
          setupFiles,
          // A worker loads the wiki once for all of its files.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...[...long, ...guards, ...(isThorough ? [] : ['test/thorough/**'])],
            'test/examples/**',
          ],
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts', ...guards],
          setupFiles,
          isolate: false,
          exclude: [...configDefaults.exclude, ...long],
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: long,
          // A worker loads the wiki, and starts a browser, once for all of its files.
          isolate: false,
          maxWorkers,
        },
      },
      ...(areExamples
        ? [
            {
              extends: true as const,
              test: {
                name: 'examples',
                include: ['test/examples/**/*.test.ts'],
                setupFiles,
                maxWorkers: 1,
                sequence: { groupOrder: 3 },
              },
            },
          ]
        : []),
    ],
    // Tests run as the wiki does, by type stripping, which loads it in a third of the time.
    experimental: { viteModuleRunner: false },
    // No retries: a test that fails now and then has a cause. A busy machine may stand still for seconds, so what a test waits
    // for has long to come; tests compare no times.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: isThorough ? 600_000 : 180_000,
    hookTimeout: 180_000,
  },
});
