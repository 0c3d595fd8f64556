/** Repeated work that fails is reported once for each row of failures. */
import { expect, test } from 'vitest';
import { startWebhookLoop } from '#src/features/webhooks/loop.ts';
import { keepRounds } from './rounds.ts';

/** Fails twice, works so many times, and fails from then on. */
function outages(times: number): () => Promise<string> {
  let asked = 0;
  return async () => {
    asked++;
    if (asked < 3 || asked > 2 + times) throw new Error(asked < 3 ? 'first outage' : 'second outage');
    return 'works';
  };
}

const reported = ['first outage', 'second outage'];

test('rounds report the first of several failures in a row', async () => {
  const said: string[] = [];
  const rounds = keepRounds(1, outages(1), (error) => said.push((error as Error).message));
  await expect.poll(() => said).toEqual(reported);
  await rounds.stop();
  expect(said).toEqual(reported);
});

test('the loop of webhooks reports an unavailable database once', async () => {
  const said: string[] = [];
  // A look that finds something new asks again.
  const revision = outages(2);
  const parts = {
    store: { revision, webhooks: { list: async () => [] } },
    failed: (error: unknown) => said.push((error as Error).message),
  };
  const loop = startWebhookLoop(parts as never, 1);
  await expect.poll(() => said.at(-1)).toBe('second outage');
  await loop.stop();
  expect(said).toHaveLength(2);
});
