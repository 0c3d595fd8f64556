/** Histories are shown as they are stored, as long as they are known to be whole. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StoreConfig } from '#store/store.ts';
import { engines, startApp } from './http-support.ts';
import { freshPostgres } from './support-postgres.ts';
import { dumpOf, meddle } from './support-rows.ts';

describe.each(engines)('on %s', (engine) => {
  test('every answer shows the same of a change, unparsed or parsed, and damage is never passed on', async () => {
    await using postgres = engine === 'PostgreSQL' ? await freshPostgres() : undefined;
    const wiki = await startApp(postgres ? { DATABASE_URL: postgres.url } : {});
    const config: StoreConfig = postgres?.config ?? {
      kind: 'sqlite',
      file: join(wiki.folder, 'coppice.db'),
    };
    try {
      const { token } = await wiki.member('Ada "the first"', { isAdmin: true });
      const note = { name: 'note.txt', data: Buffer.from('text').toString('base64') };
      await wiki.page(token, { title: 'Above "…"', body: '{"a":1}' });
      const path = '/above/oak';
      await wiki.page(token, { title: 'Oak', parent: '/above', body: 'one\n"\\', msg: 'first ",\\' });
      const edits = [
        { body: 'two 😀 \u2028', image: '/a.png', data: { msg: 'x', image: null, parent: [null] } },
        { title: 'Oak “2”', files: { file: note }, msg: '","files":["a"]' },
        { parent: 0, path, description: 'What it is', location: { lat: 1, lon: 2 }, type: 'Tree' },
      ];
      const saved = [];
      for (const json of edits) saved.push(await wiki.call('POST', `/v1/pages${path}`, { token, json }));

      let asked = 0;
      // A parameter that nobody looks at: nothing is given again.
      const ask = (url: string) =>
        wiki.call('GET', `${url}${url.includes('?') ? '&' : '?'}_=${asked++}`, { mayFail: true });
      const whole = [`/v1/pages${path}`, '/v1/pages?path=/above/o', '/v1/near/1/2', `/v1/history${path}`];
      const shown = async (url: string) => {
        const { status, json, text } = await ask(url);
        expect(status, text).toBe(200);
        // The list of changes is newest first.
        return Array.isArray(json) ? (json[0].history ?? json.toReversed()) : json.page.history;
      };
      const history = await shown(`/v1/pages${path}`);
      expect(history).toHaveLength(4);
      expect(saved.map(({ json }) => json.page.history.at(-1))).toEqual(history.slice(1));
      expect(history[0]).toMatchObject({
        msg: 'first ",\\',
        content: { parent: '/above', body: 'one\n"\\' },
      });
      expect(history[3].content).toMatchObject({ ...edits[0], title: 'Oak “2”', parent: '', path });
      expect(history[2]).toMatchObject({ msg: edits[1]?.msg, content: { files: [expect.any(String)] } });
      expect(Object.keys(history[0].content)).not.toContain('image');

      const checksums = async () =>
        (await dumpOf(wiki.app.service.store))
          .filter(({ table }) => table === 'changes')
          .map(({ row }) => row.content_crc);
      const given = await checksums();
      expect(given).toEqual(Array(5).fill(expect.any(Number)));
      const sameText = async () => {
        const texts = [];
        for (const url of whole) texts.push((await ask(url)).text);
        return texts;
      };
      const before = await sameText();
      await meddle(config, 'update changes set content_crc = null where id <> 3');
      for (const url of whole) expect(await shown(url), url).toEqual(history);
      expect(await sameText()).toEqual(before);
      await wiki.app.service.store.upkeep.repair();
      expect(await checksums()).toEqual(given);

      const second = history[1].id;
      for (const content of [
        'substr(content, 1, 20)',
        `replace(content, '"slug":"', '"slug":"" ')`,
        `'garbage'`,
      ]) {
        await meddle(config, `create table if not exists kept as select * from changes`);
        await meddle(config, `update changes set content = ${content} where id = ${second}`);
        for (const url of whole) expect((await ask(url)).status, `${url} ${content}`).toBe(500);
        for (const less of ['latest', 'none'])
          expect((await ask(`/v1/pages${path}?history=${less}`)).status).toBe(200);
        expect((await ask(`/v1/pages${path}?version=${second}&history=none`)).status).toBe(500);
        const edit = { token, json: { body: `beside ${content}` } };
        expect((await wiki.call('POST', `/v1/pages${path}?history=none`, edit)).status).toBe(200);
        await wiki.app.service.store.upkeep.repair();
        for (const url of whole) expect((await ask(url)).status, `${url} ${content}`).toBe(500);
        const kept = `(select k.content from kept k where k.id = changes.id)`;
        await meddle(config, `update changes set content = ${kept} where id = ${second}`);
        expect((await shown(`/v1/pages${path}`)).slice(0, 4)).toEqual(history);
        await meddle(config, 'drop table kept');
      }
      // What parses and is not what was written is shown as it is.
      await meddle(
        config,
        `update changes set content = replace(content, 'two', 'six') where id = ${second}`,
      );
      expect((await shown(`/v1/pages${path}`))[1].content.body).toMatch(/^six/);
    } finally {
      await wiki.close();
    }
  });
});
