/** Pages titled `Template:X`: found by calls of `X`, counted among what is called, and made from the red link of a call. */
import { describe, expect, test } from 'vitest';
import { listEvents } from '#core/events/list-events.ts';
import type { Actor } from '#core/model/permission.ts';
import { engines } from '../support/postgres.ts';
import { wikiWith } from '../support/small-wiki.ts';

const range = { limit: 20, offset: 0 };

describe.each(engines)('on %s', (_name, open) => {
  test('a call resolves to a page of type Template, then to one titled Template:…, then to the page of that title', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Start', '{{Note|a}}');
    const shown = () => wiki.markup('/start');
    expect(await shown()).toContain('<a class="new" href="/new?title=Template%3ANote">Note</a>');
    await wiki.create('Note', 'a page');
    expect(await shown()).toContain('a page');
    await wiki.create('Template:Note', 'by name: {{{1}}}');
    expect(await shown()).toContain('by name: a');
    await wiki.create('Note', 'by type', { path: '/by-type', type: 'Template' });
    expect(await shown()).toContain('by type');
    await wiki.edit('/by-type', { type: null });
    expect(await shown()).toContain('by name: a');
    await wiki.edit('/template-note', { body: 'changed' });
    expect(await shown()).toContain('changed');
    await wiki.edit('/template-note', { title: 'Elsewhere' });
    expect(await shown()).toContain('a page');
    // A link means the page of its title alone, and a call with the prefix the page of that whole title.
    await wiki.edit('/template-note', { title: 'template:NOTE' });
    await wiki.create('Links', '[[Note]] {{Template:Note}} {{/note}}');
    expect(await wiki.markup('/links')).toMatch(/href="\/note">Note<\/a> changed\s+a page/);
  });

  test('a missing template links to a new template, and a missing embedded page to a new page', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    const text = '{{Note|a}}\n\n| a |\n|---|\n| {{Note}} |\n\n- {{Note}}\n\n# x {{Note}}\n';
    await wiki.create('Start', text, { format: 'markdown' });
    await wiki.create('Wikitext', '{{Note|a}}\n{|\n| {{Note}}\n|}\n* {{Note}}\n== x {{Note}} ==');
    for (const path of ['/start', '/wikitext'])
      expect((await wiki.markup(path)).match(/href="[^"]*"/g)).toEqual(
        Array(4).fill('href="/new?title=Template%3ANote"'),
      );
    await wiki.create('Embedding', '![[Note]]\n\n![[Note#Part]]', { format: 'markdown' });
    await wiki.create('Calling', '{{:Note}} {{#part:Note|Part}}');
    for (const path of ['/embedding', '/calling']) {
      const links = (await wiki.markup(path)).match(/href="[^"#]*/g);
      expect(links).toEqual(['href="/new?title=Note', 'href="/new?title=Note']);
    }
  });

  test('backlinks and changes follow the call to its target', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    const note = await wiki.create('Note', 'a page');
    await wiki.create('Start', '{{Note}}');
    await wiki.create('Linking', '[[Note]]');
    await wiki.create('Secret', '{{Note}}', { permissions: 700 });
    const backlinks = async (page: { id: number; title: string; path: string }, actor: Actor = null) =>
      (await store.readAs(actor).links.backlinks(page, range)).pages.map(({ title }) => title);
    expect(await backlinks(note)).toEqual(['Linking', 'Start']);
    const template = await wiki.create('Template:Note', 'by name');
    expect(await backlinks(note)).toEqual(['Linking']);
    expect(await backlinks(template)).toEqual(['Start']);
    expect(await backlinks(template, wiki.olga)).toEqual(['Secret', 'Start']);
    const many = await store.readAs(null).links.backlinksOfEach([note, template], 20);
    expect(many.get(template.id)?.map(({ title }) => title)).toEqual(['Start']);
    expect(many.get(note.id)?.map(({ title }) => title)).toEqual(['Linking']);
    await wiki.edit('/template-note', { body: 'changed' });
    const events = await listEvents({ store, actor: null }, 0, 50, {});
    expect(
      events
        .at(-1)
        ?.affects.pages.map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/start', '/template-note']);
    expect(await wiki.markup('/start')).toContain('changed');
  });

  test('for a reader who may not see a template it does not exist', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Note', 'a page');
    await wiki.create('Start', '{{Note}}');
    const template = await wiki.create('Template:Note', 'hidden', { permissions: 700 });
    expect(await wiki.markup('/start')).toContain('a page');
    expect(await wiki.markup('/start', wiki.olga)).toContain('hidden');
    const { pages } = await store
      .readAs(null)
      .links.backlinks({ ...template, id: 1, title: 'Note', path: '/note' }, range);
    expect(pages.map(({ title }) => title)).toEqual(['Start']);
  });
});
