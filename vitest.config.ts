import { configDefaults, defineConfig } from 'vitest/config';

/** What is measured (that nothing moves, that progress is told, that time grows with the text) must not be another test's doing. */
const alone = ['test/e2e/**/*.test.ts', 'packages/*/test/linear.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/global-postgres.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          // Servers and databases that tests start are at work beside them.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
    // A shared machine may stand still for seconds. What fails for a reason fails again.
    retry: process.env.CI ? 2 : 0,
    // Argon2, sharp and two database engines share two cores; the slowest honest test needs room.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
