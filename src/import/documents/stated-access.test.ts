import { expect, test } from 'vitest';
import { statedByTime, statedInDocument } from './stated-access.ts';

const front = (lines: string) => statedInDocument(`---\n${lines}\n---\n\nText\n`);

test.each([
  ['permissions: 700', 700, null],
  ['permissions: "0700"', 700, null],
  ['permissions: 0700', 700, null],
  ['permissions: 044', 44, null],
  ['permissions: "044"', 44, null],
  ['permissions: 0', 0, null],
  ['permissions: 770 # for the board\ngroup: Board', 770, 'Board'],
  ['permissions: 770\ngroup: members', 770, null],
])('“%s” is read correctly', (lines, permissions, group) => {
  expect(front(lines)).toEqual({ access: { permissions, group } });
});

test.each([
  'permissions: 0o770',
  'permissions: 0x1f8',
  'permissions: 7700',
  'permissions: rwx------',
  'permissions: 790',
  'permissions: [7, 7, 0]',
  'permissions: 770\ngroup: [Board]',
  'permissions: 7.0e2',
  'permissions: 774\ncoppice: { protection: everybody }',
  'permissions: 774\ncoppice: { defaults: 700 }',
  'draft: true',
  'Draft: yes',
  'draft: "true"',
  'published: false',
  'isPublished: false',
  'publish: no',
  'private: true',
  'isPrivate: 1',
  'visibility: private',
  'visibility: [staff]',
  'status: draft',
  'public: false',
  'unlisted: true',
  'password: rose',
  'access: members-only',
  'allowed_groups: [a]',
  'params:\n  private: true',
  'readers: [ann]',
  'title: "unclosed\ndraft: true',
  '\tx: y\npublished: false',
])('“%s” restricts the page', (lines) => {
  expect(front(lines)).toEqual({ restriction: expect.stringMatching(/\S/) });
});

test.each([
  '+++\ndraft = true\n+++\n',
  '{\n  "title": "x",\n  "draft": true\n}\n',
  '\ufeff---\r\ndraft: true\r\n---\r\n',
])('front matter of other forms restricts, too: %j', (text) =>
  expect(statedInDocument(`${text}\nText`)).toEqual({ restriction: 'draft: true' }),
);

test.each([
  'title: A page',
  'draft: false',
  'draft: 0',
  'published: true',
  'published: 2024-05-01',
  'private: no',
  'visibility: public',
  'status: done',
  'access: by bus',
  'group: Rosaceae',
  'owner: The park',
  'role: gardener',
])('“%s” defines nothing', (lines) => {
  expect(front(lines)).toBeUndefined();
});

test('text after the front matter defines nothing', () => {
  expect(statedInDocument('---\na: b\n---\n\ndraft: true\n\n---\n\npermissions: 700\n')).toBeUndefined();
  expect(statedInDocument('draft: true\n')).toBeUndefined();
});

test.each([
  ['hugo', { date: '2030-01-02' }, 'date: 2030-01-02'],
  ['hugo', { date: '2020-01-02', publishDate: new Date('2030-01-02') }, 'date: 2030-01-02'],
  ['hugo', { expiryDate: '2020-01-02' }, 'expiryDate: 2020-01-02'],
  ['hugo', { date: '2020-01-02', expirydate: '2030-01-02' }, undefined],
  ['jekyll', {}, 'date: 2030-01-01'],
  ['jekyll', { date: '2020-01-02' }, undefined],
  ['mkdocs', { date: '2030-01-02' }, undefined],
] as const)('%s does not publish later or former pages: %j', (kind, facts, restriction) => {
  const [day, now] = ['2030-01-01', '2025-01-01'].map(Date.parse) as [number, number];
  expect(statedByTime(kind, { facts, day, now })).toEqual(restriction && { restriction });
});
