/** Housekeeping after the clock has jumped, and by a process that opens the wiki for each round. */
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { readConfig } from '#config/config.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { commandContext } from './command-context.ts';
import { startHousekeeping } from './housekeeping.ts';
import { choresOf } from './serve.ts';

const minute = 60_000;
const hour = 60 * minute;

afterEach(() => {
  vi.useRealTimers();
});

test('a clock that has just jumped ahead removes nothing, and an hour later housekeeping continues', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-05-01T10:00:00Z') });
  const rounds: string[] = [];
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  using _ = startHousekeeping(
    {
      finishErasures: async () => 0,
      async tidy(now) {
        rounds.push(new Date(now).toISOString().slice(0, 13));
        return 0;
      },
    },
    log,
  );
  await vi.advanceTimersByTimeAsync(minute);
  expect(rounds).toEqual(['2026-05-01T10']);
  vi.setSystemTime(Date.parse('2036-05-01T11:00:00Z'));
  await vi.advanceTimersByTimeAsync(hour - minute);
  expect(rounds).toEqual(['2026-05-01T10']);
  expect(logged.join('')).toContain('the clock jumped');
  // The clock is set right again, which is a jump as well.
  vi.setSystemTime(Date.parse('2026-05-01T12:00:00Z'));
  await vi.advanceTimersByTimeAsync(hour);
  expect(rounds).toEqual(['2026-05-01T10']);
  await vi.advanceTimersByTimeAsync(5 * minute);
  expect(rounds).toEqual(['2026-05-01T10', '2026-05-01T13']);
});

test('a process that keeps no wiki open closes it after each chore, and not before', async () => {
  const folder = await temporaryFolder();
  const config = readConfig({ COPPICE_DATA: folder });
  await (await commandContext(config).open({ mayCreate: true }))[Symbol.asyncDispose]();
  const { finishErasures, tidy } = choresOf(config);
  expect([await finishErasures(), await tidy(Date.now())]).toEqual([0, 0]);
});
