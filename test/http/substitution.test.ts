/** `{{subst:…}}`: pages are saved with what it stood for, as far as whoever saves may see it. */
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

  test('pages are saved without it, and do not follow the template any more', async () => {
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

  test('nothing that a writer may not read comes in, and it stays as written, like what is missing', async () => {
    const body = '{{subst:Secret}} {{subst:None}} <nowiki>{{subst:Sign}}</nowiki>';
    expect(latest(await wiki.page(bob.token, { title: 'Copy', body }))).toBe(body);
    await edit('/copy', ada.token, { body: `${body}.` });
    expect(await bodyOf('/copy')).toBe('hidden {{subst:None}} <nowiki>{{subst:Sign}}</nowiki>.');
  });

  test('programs and Markdown are saved as they are', async () => {
    expect(await bodyOf(twice)).toContain('{{subst:uc:a}}');
    const markdown = { title: 'Marked', format: 'markdown', body: '`{{subst:uc:a}}` {{subst:uc:a}}' };
    expect(latest(await wiki.page(ada.token, markdown))).toBe(markdown.body);
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
