/** `coppice import --fetch`: pictures of other sites become files of their pages, within limits. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { startWiki } from '../support/cli.ts';
import { load, markup, pixel, plant } from '../support/import-source.ts';

test('pictures of other sites are fetched on demand only, and never from private addresses', async () => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/moved.png') response.writeHead(302, { location: '/oak.png' }).end();
    else if (url === '/inside.png')
      response.writeHead(302, { location: 'http://127.0.0.2/secret.png' }).end();
    else if (url === '/page.png') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    else if (url === '/large.png')
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(3000));
    else if (/oak/.test(url)) response.writeHead(200, { 'content-type': 'image/png' }).end(pixel);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using wiki = await startWiki();
    wiki.env.COPPICE_MAX_UPLOAD = '2kB';
    await wiki.administrator();
    const names = ['oak.png', 'moved.png', 'inside.png', 'page.png', 'large.png', 'none.png'];
    const folder = plant(wiki, {
      'Oak.md': `# Oak\n\n${names.map((name) => `![${name}](${site}/${name})`).join('\n')}\n<img src="${site}/oak2.png">\n\`![x](${site}/code.png)\` [a link](${site}/link.png)\n`,
    });
    const run = async (...more: string[]) => {
      const { out, err } = await wiki.coppice(['import', folder, '--parent', '/in', '--json', ...more]);
      expect(err).toBe('');
      return JSON.parse(out) as Certificate;
    };
    await run('--fetch', '--dry-run');
    await run();
    expect(asked).toEqual([]);
    const outcomes = ({ approximated }: Certificate) =>
      Object.fromEntries(
        approximated.list.map(({ before, after }) => [before.slice(site.length + 1), after]),
      );
    // Private addresses are refused unless the operator allows them.
    const refused = outcomes(await run('--fetch'));
    expect(refused['oak.png']).toContain('is not a public address');
    expect(asked).toEqual([]);

    wiki.env.COPPICE_OUTGOING_ALLOW = '127.0.0.1';
    const certificate = await run('--fetch');
    expect(outcomes(certificate)).toEqual({
      ...{ 'oak.png': 'oak.png', 'moved.png': 'moved.png', 'oak2.png': 'oak2.png' },
      'inside.png': expect.stringContaining('127.0.0.2'),
      'page.png': expect.stringContaining('no picture'),
      'large.png': 'It has more than 2000 bytes.',
      'none.png': 'The answer was 404.',
    });
    const oak = await load(wiki, '/in/oak');
    expect(oak?.files.map(({ filename }) => filename).sort()).toEqual(['moved.png', 'oak.png', 'oak2.png']);
    const html = await markup(wiki, '/in/oak');
    expect(html.match(/<img[^>]+src="\/files\//g)).toHaveLength(3);
    expect(html).toContain(`${site}/none.png`);
    expect((await run('--fetch')).pages).toEqual({ created: 0, changed: 0, unchanged: 1 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
