/** Requests to providers go nowhere else, and end in time. */
import { expect, test } from 'vitest';
import { serve } from '#test/support/lying-provider.ts';
import { boundedFetch, isSafe, Unreachable } from './oauth-fetch.ts';

test('requests go only to the provider and the endpoints that it names', async () => {
  const { origin: inside, asked } = await serve({ '/token': () => ({}) });
  const ask = boundedFetch(() => new Set(['https://id.example']));
  for (const url of [
    `${inside}/token`,
    'https://id.example.evil.example/',
    'http://id.example/',
    'file:///etc/passwd',
  ]) {
    await expect(ask(url, {})).rejects.toThrow(Unreachable);
  }
  expect(asked).toEqual([]);
});

test('requests use HTTPS, or go to this machine', () => {
  for (const safe of ['https://id.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:9']) {
    expect(isSafe(new URL(safe)), safe).toBe(true);
  }
  for (const bad of [
    'http://id.example',
    'http://localhost.evil.example',
    'http://10.0.0.1',
    'http://169.254.169.254',
    'ftp://localhost',
    'file:///etc/passwd',
    'http://127.0.0.1.nip.io',
  ]) {
    expect(isSafe(new URL(bad)), bad).toBe(false);
  }
});

test('requests give up on responses that are too long or never end', async () => {
  const { origin } = await serve({
    '/long': (_, response) => void response.end('x'.repeat(100_001)),
    '/endless': (request, response) => {
      const pump = setInterval(() => response.write('x'), 10);
      request.socket.on('close', () => clearInterval(pump));
      return undefined;
    },
    '/silent': () => undefined,
  });
  const ask = boundedFetch(() => new Set([origin]), { maxBytes: 100_000, timeoutMs: 300 });
  await expect(ask(`${origin}/long`, {})).rejects.toThrow('too long');
  await expect(ask(`${origin}/endless`, {})).rejects.toThrow('does not respond');
  await expect(ask(`${origin}/silent`, {})).rejects.toThrow('does not respond');
});
