/** Lists of translations in a wiki with some thousand hidden ones. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engines, startApp } from '../support/http.ts';
import { meddle } from '../support/rows.ts';

test.each(engines)('hidden translations do not make a list offer a next page, on %s', async (engine) => {
  const wiki = await startApp({}, { engine });
  try {
    const ada = await wiki.member('Ada');
    const bob = await wiki.member('Bob');
    await wiki.page(ada.token, { title: 'Open', body: 'x' });
    await wiki.page(bob.token, {
      title: 'Verborgen',
      language: 'nds',
      translationOf: '/open',
      permissions: 700,
    });
    await wiki.call('POST', '/v1/pages/open', { token: ada.token, json: { body: 'y' } });
    const { databaseUrl: url } = wiki;
    const sql = (statement: string) =>
      meddle(
        url ? { kind: 'postgres', url } : { kind: 'sqlite', file: join(wiki.folder, 'coppice.db') },
        statement,
      );
    await sql(`create table copies as with recursive n (i) as (select 1 union all select i + 1 from n where i < 5100)
      select p.*, n.i from pages p cross join n where p.path = '/verborgen'`);
    await sql(`update copies set id = 100000 + i, path = '/verborgen-' || i`);
    await sql('alter table copies drop column i');
    await sql('insert into pages select * from copies');
    for (const query of ['behind=nds&cursor=', 'behind=nds&cursor=100001']) {
      const { json, headers } = await wiki.call('GET', `/v1/translations?${query}`);
      expect([query, json, headers.link]).toEqual([query, [], undefined]);
    }
    const last = await wiki.call('GET', '/v1/untranslated?limit=100&cursor=');
    expect(last.headers.link).toBe(undefined);
    const own = await wiki.call('GET', '/v1/translations?behind=nds&limit=1', { token: bob.token });
    expect([own.json.length, String(own.headers.link)]).toEqual([1, expect.stringContaining('cursor=')]);
  } finally {
    await wiki.close();
  }
});
