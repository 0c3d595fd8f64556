import { expect, test } from 'vitest';
import { storageToMarkdown } from './storage.ts';

const macro = (name: string, parameters: Record<string, string> = {}, body = '') =>
  `<ac:structured-macro ac:name="${name}">${Object.entries(parameters)
    .map(([key, value]) => `<ac:parameter ac:name="${key}">${value}</ac:parameter>`)
    .join('')}${body}</ac:structured-macro>`;
const plain = (text: string) => `<ac:plain-text-body><![CDATA[${text}]]></ac:plain-text-body>`;
const rich = (text: string) => `<ac:rich-text-body>${text}</ac:rich-text-body>`;
const file = (name: string) => `<ri:attachment ri:filename="${name}" />`;
const page = (title: string) => `<ri:page ri:content-title="${title}" />`;
const url = (address: string) => `<ri:url ri:value="${address}" />`;
const converted = (storage: string, pictures: string[] = []) =>
  storageToMarkdown(storage, (key) => `Person ${key}`, pictures);

const cases: Record<string, [storage: string, markdown: string, approximated?: string]> = {
  'an issue keeps its key': [macro('jira', { server: 'Our Jira', key: 'OAK-1' }), 'OAK-1', 'macro jira'],
  'an issue keeps its link': [
    macro('jira', { key: 'OAK-1', baseurl: 'https://jira.example/' }),
    '[OAK-1](https://jira.example/browse/OAK-1)',
    'macro jira',
  ],
  'links in items, quotes and bare cells of a layout stay between their words': [
    `<ul><li>see <ac:link>${page('A')}</ac:link> now</li></ul><blockquote>q <ac:link>${page('A')}</ac:link> r</blockquote>`,
    '- see [[A]] now\n\n> q [[A]] r',
  ],
  'a macro within a paragraph stands between its words': [
    `<p>one ${macro('excerpt', {}, rich('<p>two</p>'))} three ${macro('code', {}, plain('x'))} four</p>`,
    'one\n\ntwo\n\nthree\n\n```\nx\n```\n\nfour',
  ],
  'a query keeps its words': [
    macro('jira', { jqlQuery: 'project = OAK AND status = Open' }),
    '`Jira: project = OAK AND status = Open`',
    'macro jira',
  ],
  'a viewer keeps its file': [
    macro('viewpdf', { name: file('plan.pdf') }),
    '[[Media:plan.pdf|plan.pdf]]',
    'macro viewpdf',
  ],
  'an included page stays included': [
    macro('include', { '': `<ac:link>${page('Rules')}</ac:link>` }),
    '![[Rules]]',
  ],
  'an excerpt leads to its page': [
    macro('excerpt-include', { '': `<ac:link>${page('Rules')}</ac:link>` }),
    '[[Rules]]',
    'macro excerpt-include',
  ],
  'a widget keeps its address': [
    macro('widget', { url: url('https://video.example/watch?v=1') }),
    '[https://video.example/watch?v=1](https://video.example/watch?v=1)',
    'macro widget',
  ],
  'a drawing keeps its name': [
    macro('drawio', { diagramName: 'Beds' }),
    '[[Media:Beds|Beds]]',
    'macro drawio',
  ],
  'a tall cell keeps the columns of the rows beside it': [
    '<table><tbody><tr><th>A</th><th>B</th></tr><tr><td rowspan="2">x</td><td>1</td></tr><tr><td>2</td></tr></tbody></table>',
    '| A | B |\n| - | - |\n| x | 1 |\n| | 2 |',
  ],
  'a link to a space keeps its key, and a picture in a link stays': [
    `<p><ac:link><ri:space ri:space-key="OAK" /></ac:link> <ac:link>${page('A')}<ac:link-body><ac:image>${file('a.png')}</ac:image></ac:link-body></ac:link></p>`,
    'OAK [[A]]![](<a.png>)',
  ],
  'an anchor can be led to': [
    `<p>${macro('anchor', { '': 'below' })}Here</p>`,
    '<span id="below"></span>Here',
  ],
  'a program keeps its title': [
    macro('code', { language: 'js', title: 'main.js' }, plain('let a;')),
    '**main.js**\n\n```js\nlet a;\n```',
  ],
  'Markdown stays Markdown': [macro('markdown', {}, plain('# A\n\n- *b*')), '# A\n\n- *b*'],
  'a formula is one': [macro('mathblock', {}, plain('a^2')), '$$a^2$$'],
  'a formula within words is one': [`<p>So ${macro('mathinline', { body: 'a^2' })}.</p>`, 'So $a^2$.'],
  'a tab keeps its title and text': [
    macro('tabs-group', {}, rich(macro('tab', { title: 'One' }, rich('<p>first</p>')))),
    '**One**\n\nfirst',
  ],
  'a box keeps its title': [
    macro('info', { title: 'A *b*' }, rich('<p>c</p>')),
    '> [!info] A \\*b\\*\n>\n> c',
  ],
  'pages with a label are listed': [
    macro('contentbylabel', { labels: 'oak' }),
    '{{Tagged|oak}}',
    'macro contentbylabel',
  ],
  'a list that only Confluence can make is named': [macro('contributors'), '', 'macro contributors'],
  'an unknown macro keeps its text': [macro('own-thing', {}, rich('<p>kept</p>')), 'kept', 'macro own-thing'],
  'an unknown macro keeps what it refers to': [
    macro('own-thing', { a: file('x.zip'), b: `<ac:link>${page('Oak')}</ac:link>` }),
    '[[Media:x.zip|x.zip]]\n\n[[Oak]]',
    'macro own-thing',
  ],
  'a macro within a macro keeps its own parameters': [
    macro('expand', {}, rich(macro('status', { title: 'DONE' }))),
    '**More**\n\n**DONE**',
  ],
  'a picture of another page names that page': [
    `<p><ac:image ac:width="30"><ri:attachment ri:filename="oak.png">${page('Trees')}</ri:attachment></ac:image></p>`,
    '![[Trees/oak.png|30]]',
  ],
  'a picture keeps its caption': [
    `<ac:image>${file('oak.png')}<ac:caption><p>An oak</p></ac:caption></ac:image>`,
    '![](<oak.png>)\n\n*An oak*',
  ],
  'tasks are tasks': [
    '<ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>Plant <b>it</b></ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>Water</ac:task-body></ac:task></ac:task-list>',
    '- [x] Plant **it**\n- [ ] Water',
  ],
  'a task within a task is written once': [
    '<ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>a<ac:task-list><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>b</ac:task-body></ac:task></ac:task-list></ac:task-body></ac:task></ac:task-list>',
    '- [x] a\n  - [ ] b',
  ],
  'a page of another space keeps its key, and marks in a title are not those of links': [
    '<ac:link><ri:page ri:space-key="OAK" ri:content-title="A" /></ac:link> <ac:link><ri:page ri:content-title="B [c] # d" /></ac:link> <ac:link><ri:content-entity ri:content-id="7" /></ac:link>',
    '[[OAK:A|A]] [[B c d|B c # d]] [7](/pages/viewpage.action?pageId=7)',
  ],
  'macros side by side are blocks, and emoticons signs': [
    `${macro('status', { title: 'A' })}${macro('status', { title: 'B' })}<p><ac:emoticon ac:name="tick" /></p>`,
    '**A**\n\n**B**\n\n✅',
  ],
  'content for other programs is not repeated': [
    '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute><ac:adf-content><p>once</p></ac:adf-content></ac:adf-node><ac:adf-fallback><div><p>once</p></div></ac:adf-fallback></ac:adf-extension>',
    'once',
  ],
};

test.each(Object.entries(cases))('%s', (_, [storage, markdown, approximated]) => {
  const { text, approximated: named } = converted(storage);
  expect(text).toBe(markdown);
  expect(named.map(({ construct }) => construct)).toEqual(approximated === undefined ? [] : [approximated]);
});

test('a gallery and a drawing show the pictures that are attached', () => {
  const pictures = ['a.png', 'b.png', 'Beds.png'];
  expect(converted(macro('gallery', { exclude: 'b.png' }), pictures).text).toBe(
    '![](<a.png>)\n\n![](<Beds.png>)',
  );
  expect(converted(macro('drawio', { diagramName: 'Beds' }), pictures).text).toBe('![Beds](<Beds.png>)');
});
