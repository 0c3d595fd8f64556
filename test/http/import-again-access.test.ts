/** A second import after the source took access away: what is new there reaches nobody here who may not read or write it there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { exported, imported, start, type Wiki } from '../support/export-wikis.ts';
import { engines } from '../support/http.ts';

/** Each with the page beneath which it is imported. */
const formats = [
  ['jsonl', ''],
  ['markdown', '/markdown'],
  ...effort([], [['mediawiki-xml', '/mediawiki-xml'] as const]),
] as const;

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let there: Wiki;
  let here: Wiki;

  beforeAll(async () => {
    there = await start(engine, { Board: ['Ann'] });
    here = await start(engine, { Board: ['Ann'] });
  });
  afterAll(async () => {
    await there.app.close();
    await here.app.close();
  });

  const call = async ({ app, tokens }: Wiki, request: `${string} ${string}`, json?: object, who = 'Ada') => {
    const [method, url] = request.split(' ') as ['GET', string];
    const answer = await app.call(method, url, { token: tokens[who] ?? '', ...(json ? { json } : {}) });
    return { status: answer.status, json: answer.json };
  };
  const change = async (...given: Parameters<typeof call>) => {
    const { status, json } = await call(...given);
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  };
  /** Also into the wiki that made the export, which knows its members again. */
  const bring = async (format: string): Promise<void> => {
    const file = await exported(there, format, 'Ada');
    const query = format === 'jsonl' ? '' : `?parent=/${format}&source=wiki`;
    await imported(here, file, query);
    if (query !== '') await imported(there, file, query);
  };

  test.each(formats)('%s', async (format, top) => {
    const at = (name: string) => `/${format}-${name}`;
    const write = (name: string, json: object, who?: string) =>
      change(there, 'POST /v1/pages', { title: `${format} ${name}`, ...json }, who);
    await write('rules', { body: 'Rules' });
    await write('past', { body: 'Blunder' });
    await write('diary', { body: 'By Bob', permissions: 700 }, 'Bob');
    await write('board', { body: 'Board' });
    await change(there, `PUT /v1/rules${at('board')}`, { approvals: 1 });
    await write('talk', { body: 'Talk' });
    await write('desk', { body: 'Desk', permissions: 700 });
    await write('court', { body: 'Court' });
    await change(there, `PUT /v1/rules${at('court')}`, { approvals: 1 });
    await write('loan', { body: 'Loan', permissions: 700 });
    const grants = [{ group: 'Board', may: 'read' }];
    await change(there, `PUT /v1/access${at('loan')}`, { grants });
    await bring(format);
    await change(here, `POST /v1/pages${top}${at('loan')}`, { body: 'Our loan' });
    await change(here, `POST /v1/pages${top}${at('desk')}`, { permissions: 774 });
    await change(here, `PUT /v1/rules${top}${at('court')}`, { approvals: 1, group: 'Board' });
    await change(here, `POST /v1/pages${top}${at('talk')}`, { body: 'Our talk' });

    await change(there, `PUT /v1/protection${at('rules')}`, { level: 'administrators', subtree: true });
    await change(there, `POST /v1/pages${at('past')}`, { body: 'Fine', history: 'from now' });
    await change(there, `DELETE /v1/pages${at('diary')}`);
    await write('diary', { body: 'By Ann', permissions: 700 }, 'Ann');
    await change(there, `PUT /v1/rules${at('board')}`, { approvals: 1, group: 'Board' });
    await change(there, `POST /v1/pages${at('talk')}`, { permissions: 700 });
    await change(there, `PUT /v1/access${at('loan')}`, { grants: [] });
    for (const name of ['talk', 'desk', 'loan'])
      await change(there, 'POST /v1/comments', { page: at(name), body: 'Between us' });
    await bring(format);
    await bring(format);

    const status = async (request: `${string} ${string}`, who: string, json?: object) =>
      (await call(here, request, json, who)).status;
    expect(await status(`POST /v1/pages${top}${at('rules')}`, 'Mona', { msg: 'May I?' })).toBe(403);
    const changes = await change(here, `GET /v1/history${top}${at('past')}`, undefined, 'Bob');
    // A tree of files has no history.
    expect(changes).toHaveLength(format === 'markdown' ? 2 : 1);
    for (const wiki of [there, here])
      expect((await exported(wiki, 'jsonl', 'Bob')).toString()).not.toContain('By Ann');
    for (const name of ['board', 'court'])
      expect(await status(`POST /v1/pages${top}${at(name)}`, 'Mona', { msg: 'May I?' })).toBe(403);
    for (const name of ['talk', 'desk', 'loan'])
      for (const who of ['Ann', 'Bob']) {
        const { json } = await call(here, `GET /v1/comments?page=${top}${at(name)}`, undefined, who);
        expect(JSON.stringify(json), name).not.toContain('Between us');
      }
  });
});
