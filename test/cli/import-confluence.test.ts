/** `coppice import` of a space of Confluence: history, authors, tree, labels, attachments, restrictions, and its storage format. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { childrenOf, load, markup, pixel, plant } from '../support/import-source.ts';
import { zipOf } from '../support/zip.ts';

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']] >')}]]>`;
const reference = (name: string, of: string, id: string) =>
  `<property name="${name}" class="${of}" package="x"><id name="${of.includes('User') ? 'key' : 'id'}">${id}</id></property>`;
const position = (place: number) => `<property name="position">${place}</property>`;
const object = (of: string, id: string, properties: Record<string, string>, more = '') =>
  `<object class="${of}" package="x"><id name="${of.includes('User') ? 'key' : 'id'}">${id}</id>${Object.entries(
    properties,
  )
    .map(([name, value]) => `<property name="${name}">${cdata(value)}</property>`)
    .join('')}${more}</object>`;

interface Version {
  title: string;
  version: number;
  by: string;
  at: string;
  body: string;
  more?: string;
  comment?: string;
  status?: string;
}
const page = (
  id: string,
  { title, version, by, at, body, more = '', comment = '', status = 'current' }: Version,
) =>
  object(
    'Page',
    id,
    {
      title,
      version: String(version),
      lastModificationDate: at,
      versionComment: comment,
      contentStatus: status,
    },
    `${reference('lastModifier', 'ConfluenceUserImpl', by)}${more}<collection name="bodyContents"><element class="BodyContent"><id name="id">9${id}</id></element></collection>`,
  ) + object('BodyContent', `9${id}`, { body }, reference('content', 'Page', id));

const oak = `<h1>Bark</h1><p>See <ac:link><ri:page ri:content-title="Elm" /><ac:plain-text-link-body><![CDATA[the elm]]></ac:plain-text-link-body></ac:link>,
<ac:link ac:anchor="Bark"><ri:page ri:content-title="Home" /></ac:link>, <ac:link><ri:page ri:content-title="Gone" /></ac:link>&nbsp;by <ac:link><ri:user ri:userkey="u2" /></ac:link> <ac:link><ri:user ri:account-id="557:f" /></ac:link>.</p>
<ac:image ac:width="30"><ri:attachment ri:filename="oak.png" /></ac:image>
<p><ac:link><ri:attachment ri:filename="oak.png" /></ac:link></p>
<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">js</ac:parameter><ac:plain-text-body><![CDATA[let a = [[1]] < 2;]]></ac:plain-text-body></ac:structured-macro>
<ac:structured-macro ac:name="note"><ac:rich-text-body><p>Careful, <strong>it</strong> falls.</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="jira"><ac:parameter ac:name="key">OAK-1</ac:parameter></ac:structured-macro>
<table><tbody><tr><th>Height</th><td>30</td></tr></tbody></table>
<ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>Plant</ac:task-body></ac:task></ac:task-list>`;

const entities = `<?xml version="1.0" encoding="UTF-8"?><hibernate-generic datetime="2024-01-01 00:00:00">
${object('Space', '1', { name: 'Garden', key: 'GA' })}
${object('ConfluenceUserImpl', 'u1', { name: 'wilma' })}${object('ConfluenceUserImpl', 'u2', { name: 'fred', atlassianAccountId: '557:f' })}
${page('12', { title: 'Oak', version: 1, by: 'u1', at: '2011-03-01 10:00:00.000', body: '<p>An oak.</p>', comment: 'Begun', more: reference('originalVersion', 'Page', '11') })}
${page('11', { title: 'Oak', version: 2, by: 'u2', at: '2012-03-01 10:00:00.000', body: oak, more: `${position(1)}${reference('parent', 'Page', '10')}` })}
${page('10', { title: 'Home', version: 1, by: 'u1', at: '2010-03-01 10:00:00.000', body: `<h1>Bark</h1><ac:structured-macro ac:name="children" /><p><ac:image><ri:attachment ri:filename="oak.png"><ri:page ri:content-title="Oak" /></ri:attachment></ac:image> <ac:link><ri:attachment ri:filename="oak.png"><ri:page ri:content-title="Oak" /></ri:attachment></ac:link></p>` })}
${page('13', { title: 'Elm', version: 1, by: 'u1', at: '2010-03-01 10:00:00.000', body: '<p>Rough & broken', more: `${position(2)}${reference('parent', 'Page', '10')}` })}
${page('14', { title: 'Beneath', version: 1, by: 'u1', at: '2010-03-01 10:00:00.000', body: '<p>x</p>', more: reference('parent', 'Page', '13') })}
${object('Folder', '19', { title: 'Shelf' }, reference('parent', 'Page', '10'))}${object('CustomContentEntityObject', '18', { title: 'Board', pluginModuleKey: 'x.y:whiteboard' })}
${page('17', { title: 'Kept', version: 1, by: 'u1', at: '2010-03-01 10:00:00.000', body: '<p>x</p>', more: reference('parent', 'Folder', '19') })}
${page('15', { title: 'Draft', version: 1, by: 'u1', at: '2010-03-01 10:00:00.000', body: '<p>x</p>', status: 'draft' })}
${object('ContentPermissionSet', '30', { type: 'View' }, reference('owningContent', 'Page', '13'))}
${object('Label', '40', { name: 'hard-wood' })}${object('Labelling', '41', {}, reference('label', 'Label', '40') + reference('content', 'Page', '11'))}${object('Label', '42', { name: 'favourite', namespace: 'my' })}${object('Labelling', '43', {}, reference('label', 'Label', '42') + reference('content', 'Page', '11'))}
${object('Attachment', '50', { title: 'oak.png', version: '2', contentStatus: 'current' }, reference('containerContent', 'Page', '11'))}
${object('Attachment', '51', { title: 'lost.png', version: '1', contentStatus: 'current' }, reference('containerContent', 'Page', '11'))}
${object('Comment', '60', { creationDate: '2013-01-01 10:00:00.000' }, reference('containerContent', 'Page', '11') + reference('creator', 'ConfluenceUserImpl', 'u1'))}
${object('BodyContent', '960', { body: '<p>Is it <strong>so</strong> old?</p>' }, reference('content', 'Comment', '60'))}
${object('ContentProperty', '70', { name: 'inline-original-selection', stringValue: 'Careful' }, reference('content', 'Comment', '60'))}
${object('ContentProperty', '71', { name: 'status', stringValue: 'resolved' }, reference('content', 'Comment', '60'))}
${object('Comment', '62', { creationDate: '2013-01-03 10:00:00.000' }, reference('containerContent', 'Page', '11') + reference('parent', 'Comment', '61'))}
${object('BodyContent', '962', { body: '<p>No.</p>' }, reference('content', 'Comment', '62'))}
${object('Comment', '61', { creationDate: '2013-01-02 10:00:00.000' }, reference('containerContent', 'Page', '11') + reference('parent', 'Comment', '60') + reference('creator', 'ConfluenceUserImpl', 'u2'))}
${object('BodyContent', '961', { body: '<p>Yes.</p>' }, reference('content', 'Comment', '61'))}
${object('Comment', '63', {}, reference('containerContent', 'Page', '15'))}
</hibernate-generic>`;
const files = { 'entities.xml': entities, 'exportDescriptor.properties': 'x', 'attachments/11/50/2': pixel };

/** Writing is tested in `import.test.ts`, so one engine is enough, except before a release. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('a space becomes a tree with history, authors, tags, files, and the content of its storage format', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const zip = join(wiki.folder, 'space.zip');
    writeFileSync(zip, zipOf(Object.entries(files).map(([name, content]) => ({ name, content }))));
    const { code, out, err } = await wiki.coppice(['import', zip, '--json']);
    expect(code, err).toBe(1);
    const certificate = JSON.parse(out) as Certificate;
    expect(certificate).toMatchObject({
      ...{ kind: 'confluence', links: { dead: 1, lost: 0, resolved: 4 } },
      numbers: { result: { pages: 5, revisions: 6, authors: 2, files: 1 } },
      approximated: { byConstruct: { 'macro jira': 1, markup: 1 } },
    });
    expect(certificate.leftOut.list).toEqual([
      { source: 'Board', why: 'it is no page (whiteboard)' },
      { source: 'Draft', why: 'it is draft' },
      { source: 'lost.png', why: 'its bytes are missing in the export', isRefusal: true },
    ]);
    const whole = await load(wiki, '/home/oak');
    expect(whole).toMatchObject({ title: 'Oak', tags: { tag: ['hard-wood'] } });
    expect(
      whole?.history.map(({ at, editor, content }) => [
        new Date(at).getUTCFullYear(),
        editor.name,
        content.msg,
      ]),
    ).toEqual([
      [2011, 'wilma', 'Begun'],
      [2012, 'fred', ''],
      [2012, 'Ada Lovelace', 'Imported files'],
    ]);
    expect(whole?.history[0]?.content.body).toBe('An oak.\n');
    const html = await markup(wiki, '/home/oak');
    expect(html).toMatch(/href="\/home#Bark">Home</);
    expect(html).toContain('@fred @fred');
    expect(html).toMatch(/<img[^>]+src="\/files\/[^"]*oak/);
    expect(html).toMatch(/<pre>[\s\S]*\[\[1\]\] /);
    expect(html).toMatch(/warning[\s\S]*<strong>it<\/strong> falls/);
    expect(html).toMatch(/<th[^>]*>Height/);
    expect(html).toMatch(/checkbox/);
    // Pictures and files of another page are found by that page's title.
    const home = await markup(wiki, '/home');
    expect(home).toMatch(/<img[^>]+src="\/files\/[^"]*oak/);
    expect(home).toMatch(/<a[^>]+href="\/files\/[^"]*oak\.png"[^>]*>oak\.png</);
    // By their positions in the space; by title, the elm would be the first.
    expect(await childrenOf(wiki, '/home')).toEqual(['/home/oak', '/home/elm', '/home/shelf']);
    expect(await childrenOf(wiki, '/home/shelf')).toEqual(['/home/shelf/kept']);
    // View restrictions apply to all pages beneath.
    for (const path of ['/home/elm', '/home/elm/beneath'])
      expect((await load(wiki, path))?.permissions).toBe(700);

    const commentsOf = async () => {
      await using open = await wiki.open();
      const { comments } = await open.store.comments.threads(whole?.id ?? 0, { limit: 10, offset: 0 }, 10);
      return comments.map(({ author, body, quote, replyTo, resolved }) => ({
        ...{ author: author.name, body, quote: quote?.text, isAnswer: replyTo !== null },
        isResolved: resolved !== null,
      }));
    };
    const thread = { isResolved: true, isAnswer: true, quote: undefined };
    const imported = [
      { ...thread, author: 'wilma', body: 'Is it **so** old?', quote: 'Careful', isAnswer: false },
      { ...thread, author: 'fred', body: 'Yes.' },
      { ...thread, author: 'Anonymous', body: 'No.' },
    ];
    expect(await commentsOf()).toEqual(imported);
    const again = await wiki.coppice(['import', plant(wiki, files), '--json']);
    expect(JSON.parse(again.out).pages).toMatchObject({ created: 0, changed: 0 });
    expect(await commentsOf()).toEqual(imported);
  });
});

test('a damaged export is refused and leaves nothing behind', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const { code, err } = await wiki.coppice([
    'import',
    plant(wiki, { 'entities.xml': entities.slice(0, -60) }),
  ]);
  expect([code, err]).toEqual([1, expect.stringContaining('damaged')]);
  await using open = await wiki.open();
  expect((await open.store.maintenance.counts()).pages).toBe(0);
});

test('folders and zips of several exports are one import, each space beneath its own page, also when repeated', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const field = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      name === 'entities.xml'
        ? entities.replaceAll('[Garden]', '[Field]').replaceAll('[GA]', '[FI]')
        : content,
    ]),
  );
  const zipped = (all: Record<string, string | Buffer>) =>
    zipOf(Object.entries(all).map(([name, content]) => ({ name, content })));
  const inFolders = plant(
    wiki,
    Object.fromEntries([
      ...Object.entries(files).map(([name, content]) => [`one/${name}`, content]),
      ...Object.entries(field).map(([name, content]) => [`two/${name}`, content]),
    ]),
    'exports',
  );
  const inZips = plant(wiki, { 'one.zip': zipped(files), 'two.zip': zipped(field) }, 'zips');
  for (const [source, parent] of [
    [inFolders, '/folders'],
    [inZips, '/zips'],
  ] as const) {
    const run = async () => {
      const { out, err } = await wiki.coppice(['import', source, '--parent', parent, '--json']);
      expect(err).toBe('');
      return JSON.parse(out) as Certificate;
    };
    const first = await run();
    expect(first).toMatchObject({ kind: 'confluence', numbers: { result: { pages: 10, files: 2 } } });
    for (const space of ['garden', 'field']) {
      expect((await load(wiki, `${parent}/${space}/home/oak`))?.title).toBe('Oak');
      expect(await markup(wiki, `${parent}/${space}/home/oak`)).toContain(
        `href="${parent}/${space}/home#Bark"`,
      );
    }
    expect((await run()).pages).toMatchObject({ created: 0, changed: 0 });
  }
});
