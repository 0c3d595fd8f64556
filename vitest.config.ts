import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-postgres.ts'],
    exclude: ['**/node_modules/**'],
    // One file at a time: browsers, servers and databases that tests start are at work beside it, and what they are
    // measured for (that nothing moves, that progress is told) must not be another test's doing.
    maxWorkers: 1,
    // A shared machine may stand still for seconds. What fails for a reason fails again.
    retry: process.env.CI ? 2 : 0,
    // Argon2, sharp and two database engines share two cores; the slowest honest test needs room.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
