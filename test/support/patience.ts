/** How long `vi.waitFor` waits: as long as `expect.poll` does by `vitest.config.ts`. */
export const patience = { timeout: 60_000, interval: 50 };
