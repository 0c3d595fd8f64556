/** `{{subst:…}}` and signatures: pages are saved with the expansion, as far as the author may read it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type PageAnswer } from '../support/http.ts';
import { formFields, startSite, type TestSite } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  let twice: string;
  let bob: Awaited<ReturnType<TestSite['signedIn']>>;

  beforeAll(async () => {
    wiki = await startSite({ COPPICE_NAME: 'Woods' }, { engine, clock: () => Date.UTC(2026, 4, 1) });
    ada = await wiki.signedIn('Ada');
    bob = await wiki.signedIn('Bob');
    await wiki.page(ada.token, { title: 'Sign', body: 'Seen by {{{1}}}<noinclude> (a sign)</noinclude>' });
    await wiki.page(ada.token, { title: 'Secret', body: 'hidden', permissions: 700 });
    const { path } = await wiki.page(ada.token, {
      title: 'Module:Twice',
      body: 'return { main = function(frame) return frame.args[1]:rep(2) end } -- {{subst:uc:a}}',
    });
    twice = path;
  });
  afterAll(() => wiki.close());

  const edit = (path: string, token: string, json: object) =>
    wiki.call('POST', `/v1/pages${path}`, { token, json });
  const latest = (page: PageAnswer): string => page.history.at(-1).content.body;
  const bodyOf = async (path: string) => latest(await wiki.pageAt(path, ada.token));

  test('pages are saved with the template substituted, and do not follow the template any more', async () => {
    const made = await wiki.page(ada.token, {
      title: 'Log',
      body: '{{subst:Sign|Ann}} in {{subst:CURRENTYEAR}}, {{subst:SITENAME}}.\r\n\r\n{{Sign|x}}\r\n\r\nEnd.',
    });
    const first = 'Seen by Ann in 2026, Woods.\n\n{{Sign|x}}\n\nEnd.';
    expect(latest(made)).toBe(first);
    await edit('/sign', ada.token, { body: 'Other' });
    await edit('/log', bob.token, {
      body: `${first}\n\n{{subst:REVISIONUSER}}, {{subst:PAGENAME}}, {{subst:#invoke:Twice|main|ab}}`,
    });
    expect(await bodyOf('/log')).toBe(`${first}\n\nBob, Log, abab`);
    await edit('/log', ada.token, {
      base: made.history.at(-1).id,
      body: first.replace('Seen', '{{subst:lc:FIRST}} seen'),
    });
    expect(await bodyOf('/log')).toBe(`${first}\n\nBob, Log, abab`.replace('Seen', 'first seen'));
  });

  test('nothing that the writer may not read is inserted; such calls stay as written, like missing templates', async () => {
    const body = '{{subst:Secret}} {{subst:None}} <nowiki>{{subst:Sign}}</nowiki>';
    expect(latest(await wiki.page(bob.token, { title: 'Guess', body }))).toBe(body);
    await edit('/guess', ada.token, { body: `${body}.` });
    expect(await bodyOf('/guess')).toBe('hidden {{subst:None}} <nowiki>{{subst:Sign}}</nowiki>.');
  });

  test('programs are saved unchanged, and Markdown accepts only plain text or Markdown', async () => {
    expect(await bodyOf(twice)).toContain('{{subst:uc:a}}');
    await wiki.page(ada.token, { title: 'Mark', format: 'markdown', body: '*{{{1}}}* `{{a}}` {{Sign|b}}' });
    const body =
      '`{{subst:uc:a}}` {{subst:uc:a}} {{subst:REVISIONUSER}} {{subst:Mark|so}} {{subst:Sign|a}} {{Mark}}\n\n~~~~\n{{subst:uc:a}}\n~~~~';
    expect(latest(await wiki.page(ada.token, { title: 'Marked', format: 'markdown', body }))).toBe(
      '`{{subst:uc:a}}` A Ada *so* `{{a}}` {{Sign|b}} {{subst:Sign|a}} {{Mark}}\n\n~~~~\n{{subst:uc:a}}\n~~~~',
    );
  });

  test('signatures link to the page of the saving member, with the time in UTC', async () => {
    const eve = await wiki.signedIn("Eve [[O''x]]");
    const { path } = await wiki.page(eve.token, { title: 'Talk', body: '~~~~\n\n<nowiki>~~~~</nowiki>' });
    const body = await bodyOf(path);
    expect(body).toMatch(
      /^\[\[Special:Redirect\/user\/\d+\|Eve &#91;&#91;O&#39;&#39;x&#93;&#93;\]\] 00:00, 1 May 2026 \(UTC\)\n\n<nowiki>~~~~<\/nowiki>$/,
    );
    const id = /\d+/.exec(body)?.[0];
    const preview = async (token?: string) =>
      (await wiki.call('POST', '/v1/preview', { ...(token ? { token } : {}), json: { body: '~~~' } })).json;
    const link = `<a href="/members/${id}">Eve [[O&#39;&#39;x]]</a>`;
    expect((await preview(eve.token)).markup).toContain(link.replace('&#39;&#39;', "''"));
    expect((await preview()).markup).toContain('~~~');
    expect((await ada.get(`/members/${id}`)).status).toBe(200);
    expect((await ada.get(path)).text).toContain(`<a href="/members/${id}">Eve`);
  });

  test('forms save in the same way, and the preview shows it before', async () => {
    const fields = {
      ...formFields((await ada.get('/new')).text, 'page-form'),
      title: 'Form',
      intent: 'save',
    };
    expect((await ada.post('/new', { ...fields, body: '{{subst:uc:a}}' })).location).toBe('/form');
    expect(await bodyOf('/form')).toBe('A');
    const again = { ...formFields((await ada.get('/edit/form')).text, 'page-form'), intent: 'save' };
    expect((await ada.post('/edit/form', { ...again, body: 'b{{subst:uc:b}}' })).status).toBe(303);
    expect(await bodyOf('/form')).toBe('bB');
    const json = { path: '/form', body: '{{subst:PAGENAME}} {{subst:REVISIONUSER}} {{subst:None}}' };
    const preview = await wiki.call('POST', '/v1/preview', { token: ada.token, json });
    expect(preview.json.markup).toContain('Form Ada {{subst:None}}');
  });
});
