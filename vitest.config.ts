import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-postgres.ts'],
    exclude: ['**/node_modules/**'],
    // Two cores run two files at a time: much of a test waits, for a disk, a database or a browser.
    maxWorkers: 2,
    // Argon2, sharp and two database engines share two cores; the slowest honest test needs room.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
