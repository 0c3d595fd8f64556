/** Template parameters, as requested by the editor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite();
  ada = await site.signedIn('Ada');
  await site.page(ada.token, { title: 'Box', body: '{{{title}}} {{{1|}}} <noinclude>{{{no}}}</noinclude>' });
  await site.page(ada.token, { title: 'Card', body: '# {{{name|Nobody}}}', format: 'markdown' });
  await site.page(ada.token, { title: 'Secret', body: '{{{secret}}}', permissions: 600 });
});
afterAll(() => site.close());

test('are listed with what they need, in either format', async () => {
  const { status, headers, text } = await site.visitor().get('/search/parameters?path=/box');
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(JSON.parse(text)).toEqual({
    parameters: [
      { name: 'title', isRequired: true, default: '' },
      { name: '1', isRequired: false, default: '' },
    ],
  });
  expect(JSON.parse((await ada.get('/search/parameters?path=/card')).text).parameters).toEqual([
    { name: 'name', isRequired: false, default: 'Nobody' },
  ]);
});

test('are described by the page of the template, required ones first', async () => {
  const params = { size: { label: 'Size' }, kind: { label: 'Kind', required: true, type: 'line' } };
  const body = `{{{kind}}} {{{size|10}}} {{{other|}}}<noinclude><templatedata>${JSON.stringify({ params })}</templatedata></noinclude>`;
  await site.page(ada.token, { title: 'Trunk', body });
  const { status, text } = await site.visitor().get('/search/parameters?path=/trunk');
  expect(status).toBe(200);
  expect(JSON.parse(text).parameters).toEqual([
    { name: 'kind', label: 'Kind', type: 'line', isRequired: true, isSuggested: false, default: '' },
    { name: 'size', label: 'Size', isRequired: false, isSuggested: false, default: '10' },
    { name: 'other', isRequired: false, default: '' },
  ]);
});

test('parameters of an unreadable template look like those of a missing page', async () => {
  const bob = await site.signedIn('Bob');
  for (const one of [site.visitor(), bob]) {
    for (const path of ['/secret', '/nowhere', '', 'box/x', `/${'x'.repeat(5000)}`, '/%00']) {
      const { status, text } = await one.get(`/search/parameters?path=${encodeURIComponent(path)}`);
      expect(status, path.slice(0, 20)).toBe(404);
      expect(text).not.toContain('isRequired');
    }
  }
  expect(JSON.parse((await ada.get('/search/parameters?path=/secret')).text).parameters).toHaveLength(1);
});

test('come with the values that pages of the member use, most frequent first', async () => {
  const bob = await site.signedIn('Cem');
  await site.page(ada.token, { title: 'Template:Tree', body: '{{{1}}} {{{kind}}} {{{text|}}}' });
  const bodies = [
    '{{Tree|a|kind=oak}} {{template:tree| b |kind= oak |text=a [[link]]}} <!-- {{Tree|kind=no}} -->',
    '{{tree|kind=elm}} {{Other|kind=no}} <nowiki>{{Tree|kind=no}}</nowiki>',
  ];
  for (const [index, body] of bodies.entries()) await site.page(ada.token, { title: `Wood ${index}`, body });
  await site.page(ada.token, {
    title: 'Notes',
    body: '{{Tree|c|kind=elm}} `{{Tree|kind=no}}`',
    format: 'markdown',
  });
  await site.page(ada.token, {
    title: 'Diary',
    body: '{{Tree|kind=secret}} {{Tree|kind=secret}}',
    permissions: 600,
  });
  const address = '/search/parameters?path=/template-tree&values=on';
  const valuesFor = async (one: { get(path: string): Promise<{ text: string }> }) =>
    Object.fromEntries(
      JSON.parse((await one.get(address)).text).parameters.map(
        ({ name, values }: { name: string; values?: unknown }) => [name, values],
      ),
    );
  const shared = [
    { value: 'elm', count: 2 },
    { value: 'oak', count: 2 },
  ];
  const positions = ['a', 'b', 'c'].map((value) => ({ value, count: 1 }));
  expect(await valuesFor(bob)).toEqual({ 1: positions, kind: shared, text: [] });
  expect((await valuesFor(ada)).kind).toEqual([...shared, { value: 'secret', count: 2 }]);
  expect(await valuesFor(site.visitor())).toEqual({ 1: undefined, kind: undefined, text: undefined });
});
