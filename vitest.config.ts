import { configDefaults, defineConfig } from 'vitest/config';

/** Also runs what takes long to try, and more of what chance decides (`test/support/effort.ts`). */
const isThorough = process.env.COPPICE_TESTS === 'thorough';
/** What is measured (that nothing moves, that progress is told) must not be another test's doing. */
const alone = ['test/e2e/islands-{budget,writing}.test.ts'];
/** What takes long because it waits for a browser, or because long texts are read. */
const long = ['test/e2e/**/*.test.ts', 'packages/*/test/linear.test.ts'];

/** Whatever needs PostgreSQL, which is started once for all of them; it is not where these alone are run. */
const withPostgres = ['test/**/*.test.ts', 'src/store/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          globalSetup: ['test/support/global-postgres.ts'],
          include: withPostgres,
          exclude: [...configDefaults.exclude, ...long, ...(isThorough ? [] : ['test/thorough/**'])],
          // Servers and databases that tests start are at work beside them.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...long, ...withPostgres],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: long,
          exclude: [...configDefaults.exclude, ...alone],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
    // A shared machine may stand still for seconds. What fails for a reason fails again.
    retry: process.env.CI ? 2 : 0,
    // Argon2, sharp and two database engines share two cores; the slowest honest test needs room.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
