/** Requests to URLs that people entered: permitted and forbidden targets. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutgoing, type OutgoingOptions } from './outgoing.ts';
import { readAllowed } from './targets.ts';

let asked: string[] = [];
let answer: RequestListener = (_request, response) => void response.end('taken');
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.headers.host}${request.url}`);
  answer(request, response);
});
let port: number;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function outgoing(allow: string, options: Partial<OutgoingOptions> = {}) {
  return createOutgoing({ allowed: readAllowed(allow) ?? [], userAgent: 'test', ...options });
}
const to =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const special = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '0.1.2.3',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a9fe:a9fe',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

describe('an address that is not public', () => {
  test.each(special)('%s is refused, directly and as the address of a name', async (address) => {
    asked = [];
    const literal = `https://${address.includes(':') ? `[${address}]` : address}/`;
    await expect(outgoing('').post(literal, {}, '')).rejects.toThrow('not a public address');
    expect(outgoing('').refusal(literal)?.textIn('en')).toContain('not a public address');
    const lying = outgoing('', { resolve: to(address) });
    await expect(lying.post('https://evil.example/', {}, '')).rejects.toThrow('not a public address');
    const told = await outgoing('', { resolve: to(address) })
      .probe('https://evil.example/')
      .catch(String);
    expect(told).not.toContain(` ${address} `);
    const mixed = outgoing('', { resolve: to('93.184.215.14', address) });
    await expect(mixed.post('https://evil.example/', {}, '')).rejects.toThrow('not a public address');
    expect(asked).toEqual([]);
  });

  test.each([
    'http://0x7f.1/',
    'http://2130706433/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://①②⑦.0.0.1/',
  ])('%s is the machine itself, however it is written', (url) =>
    expect(outgoing('').refusal(url)?.textIn('en')).toContain('127.0.0.1 is not a public address'),
  );
});

test('public addresses are not affected by the list', () => {
  expect(outgoing('').refusal('https://example.org/hook')).toBeUndefined();
  expect(outgoing('').refusal('https://93.184.215.14/hook')).toBeUndefined();
  expect(outgoing('').refusal('https://[2606:2800:21f::1]:8443/hook')).toBeUndefined();
});

test.each([
  ['http://example.org/', 'Only https addresses'],
  ['ftp://example.org/', 'Only https addresses'],
  ['file:///etc/passwd', 'Only https addresses'],
  ['https://user:secret@example.org/', 'user name'],
  ['https://example.org:22/', 'Port 22'],
  ['example.org', 'not an address'],
  ['', 'not an address'],
])('“%s” is refused', async (url, reason) => {
  expect(outgoing('').refusal(url)?.textIn('en')).toContain(reason);
  await expect(outgoing('').post(url, {}, '')).rejects.toThrow(reason);
});

describe('a target that the operator allows', () => {
  test('can be reached by its name, which is sent', async () => {
    asked = [];
    const named = outgoing('hooks.internal', { resolve: to('127.0.0.1') });
    expect(await named.post(`http://hooks.internal:${port}/a?b`, {}, 'x')).toMatchObject({
      status: 200,
      text: 'taken',
    });
    expect(asked).toEqual([`POST hooks.internal:${port}/a?b`]);
  });

  test('can be reached by its address, with its port or with any', async () => {
    for (const allow of ['127.0.0.1', `127.0.0.1:${port}`, '127.0.0.0/8', `a.example, 127.0.0.1:${port}`])
      expect((await outgoing(allow).post(`http://127.0.0.1:${port}/`, {}, '')).status, allow).toBe(200);
  });

  test('allows nothing else', async () => {
    const named = outgoing(`hooks.internal:${port + 1}, 10.0.0.0/8`, { resolve: to('127.0.0.1') });
    await expect(named.post(`http://hooks.internal:${port}/`, {}, '')).rejects.toThrow(
      'Only https addresses',
    );
    await expect(named.post(`http://127.0.0.1:${port}/`, {}, '')).rejects.toThrow('not a public address');
    await expect(named.post(`https://other.internal:${port}/`, {}, '')).rejects.toThrow(
      'not a public address',
    );
  });

  test.each(['169.254.169.254', 'fe80::1', '::ffff:127.0.0.1', '0.0.0.0'])(
    'does not lead by name to %s',
    async (address) => {
      const named = outgoing('hooks.internal', { resolve: to(address) });
      await expect(named.post('http://hooks.internal/', {}, '')).rejects.toThrow('not a public address');
    },
  );
});

test.each(['a b', '10.0.0.0/99', 'http://a.example', 'a.example:0', 'a.example:70000', '-a', '/'])(
  '“%s” is not a valid entry',
  (text) => expect(readAllowed(text)).toBeUndefined(),
);

test('a name is resolved once, and the request goes to the checked address', async () => {
  asked = [];
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  let times = 0;
  const rebinding = outgoing('rebind.example', { resolve: () => to(...(answers[times++] ?? []))() });
  await rebinding.post(`http://rebind.example:${port}/`, {}, '');
  expect([times, asked.length]).toEqual([1, 1]);
});

describe('a response', () => {
  const local = outgoing('127.0.0.1', { timeoutMs: 300 });
  const post = () => local.post(`http://127.0.0.1:${port}/`, {}, '');

  test('that is a redirect is not followed', async () => {
    asked = [];
    answer = (_request, response) =>
      void response.writeHead(307, { location: `http://127.0.0.1:${port}/b` }).end();
    expect((await post()).status).toBe(307);
    expect(asked).toHaveLength(1);
  });

  test('that never ends is read only at its beginning', async () => {
    answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    };
    expect((await post()).text).toBe('x'.repeat(16 * 1024));
  });

  test('that does not come, or comes a byte at a time, is abandoned after the time limit', async () => {
    answer = () => {};
    await expect(post()).rejects.toThrow('There was no response within 0.3 seconds.');
    answer = (_request, response) => {
      const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write('x')), 20);
    };
    await expect(post()).rejects.toThrow('no response within');
  });

  test('that is invalid is reported', async () => {
    answer = (request) => void request.socket.destroy();
    await expect(post()).rejects.toThrow('The connection was closed without a response.');
    await expect(outgoing('127.0.0.1').post('http://127.0.0.1:1/', {}, '')).rejects.toThrow(
      'Nothing listens there.',
    );
  });

  test('that changes the protocol is refused at once', async () => {
    answer = (request) =>
      void request.socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      );
    await expect(post()).rejects.toThrow('The server changed the protocol (101).');
  });

  test('of a resolver is abandoned after the same limit', async () => {
    const slow = outgoing('a.example', { timeoutMs: 100, resolve: () => new Promise(() => {}) });
    await expect(slow.post('http://a.example/', {}, '')).rejects.toThrow('no response within');
  });
});

test('a receiver that closes a connection at its reuse loses nothing', async () => {
  let isFirst = true;
  answer = (request, response) => {
    response.end('taken');
    if (isFirst) setTimeout(() => request.socket.destroy(), 20);
    isFirst = false;
  };
  const local = outgoing('127.0.0.1');
  for (let i = 0; i < 5; i++) {
    expect((await local.post(`http://127.0.0.1:${port}/`, {}, '')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
