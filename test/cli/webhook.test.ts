/** Webhooks from the command line. */
import { describe, expect, test } from 'vitest';
import { engines, startWiki } from '../support/cli.ts';
import { startReceiver } from '../support/receiver.ts';

describe.each(engines)('on %s', (engine) => {
  test('a webhook is made, tested, disabled, enabled and removed', async () => {
    await using receiver = await startReceiver();
    await using wiki = await startWiki(engine, { COPPICE_OUTGOING_ALLOW: '127.0.0.1' });
    const { email } = await wiki.administrator();
    const coppice = async (...args: string[]) => {
      const { code, out, err } = await wiki.coppice(['webhook', ...args]);
      return { code, err, out, json: () => JSON.parse(out) };
    };
    const added = await coppice('add', receiver.url, '--kind', 'created', '--kind', 'edited');
    const { secret, ...made } = added.json();
    expect(made).toMatchObject({ id: 1, url: receiver.url, kinds: ['created', 'edited'], enabled: true });
    expect(added.err).toContain('not shown again');
    expect((await coppice('list', '--json')).json()).toEqual([made]);
    expect((await coppice('list')).out).toMatch(
      /^1 {2}http:.*created,edited {2}the whole wiki .* enabled\n$/,
    );

    const tested = await coppice('test', '1');
    expect([tested.code, tested.json().state]).toEqual([0, 'delivered']);
    for (const one of receiver.received) receiver.verify(secret, one);
    receiver.answer(500);
    const replayed = await coppice('replay', '1', '1');
    expect([replayed.code, replayed.json()]).toMatchObject([
      1,
      { state: 'failed', status: 500, answer: 'as 500' },
    ]);
    expect(receiver.received).toHaveLength(2);
    expect((await coppice('log', '1')).out.split('\n')).toHaveLength(3);
    expect((await coppice('log', '1', '--json')).json()).toHaveLength(2);

    expect((await coppice('disable', '1', '--as', email)).json()).toMatchObject({ enabled: false });
    expect((await coppice('enable', '1', '--after', 'latest')).json()).toMatchObject({ enabled: true });
    expect((await coppice('remove', '1')).json()).toEqual({ removed: 1 });
    expect((await coppice('list')).err).toBe('There are no webhooks.\n');
  });

  test('impossible requests are refused in a sentence', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    for (const [args, code, sentence] of [
      [['add', 'http://127.0.0.1/'], 1, 'not a public address'],
      [['add', 'https://example.org/', '--kind', 'liked'], 1, 'Kinds are'],
      [['add', 'https://example.org/', '--format', 'irc'], 1, 'Formats are'],
      [['test', '7'], 1, 'Webhook not found'],
      [['test', 'x'], 2, '“x” is not an ID'],
      [['enable'], 2, 'ID is missing'],
      [['list', '--as', 'nobody@example.org'], 1, 'nobody@example.org'],
      [[], 2, 'Say what to do'],
    ] as const) {
      const { code: got, err } = await wiki.coppice(['webhook', ...args]);
      expect([got, err]).toEqual([code, expect.stringContaining(sentence)]);
    }
  });
});
