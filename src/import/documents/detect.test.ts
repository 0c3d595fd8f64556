/** Recognition of the program to which a folder belongs, and the shown reason. */
import { expect, test } from 'vitest';
import { detectDocuments } from './detect.ts';

type Files = Record<string, string>;

const vault = { 'Home.md': 'See [[Oak]].' };

test.each<[expected: string, files: Files]>([
  ['obsidian: it holds .obsidian', { '.obsidian/': '', ...vault }],
  ['obsidian: Home.md links with [[double brackets]]', vault],
  [
    'markdown: it contains Markdown, and no files of a known program',
    { 'a.md': '`[[x]]`\n\n```\n[[y]]\n```\n' },
  ],
  ['markdown: it contains Markdown, and no files of a known program', { 'a.md': 'Plain' }],
  [
    'markdown: it contains Markdown, and no files of a known program',
    { 'a.md': '---\ntitle: A\ncreated: 2024-01-01\nupdated: 2024-01-02\nauthor: Ada\n---\n[[B]]' },
  ],
  [
    'logseq: it holds logseq/config.edn',
    { 'logseq/config.edn': '', '.obsidian/': '', 'pages/a.md': '[[b]]' },
  ],
  ['quartz: it holds quartz.config.ts', { 'quartz.config.ts': '', 'content/a.md': '[[b]]' }],
  ['mkdocs: it holds mkdocs.yml', { 'mkdocs.yml': '', 'docs/a.md': '[[b]]' }],
  [
    'docusaurus: it holds website/docusaurus.config.ts',
    { 'website/docusaurus.config.ts': '', 'docs/a.md': '`[[b]]`' },
  ],
  ['mdbook: it holds book.toml', { 'book.toml': '', 'src/SUMMARY.md': '- [A](a.md)', 'src/a.md': '' }],
  ['gitbook: it holds SUMMARY.md', { 'SUMMARY.md': '* [A](a.md)', 'a.md': '' }],
  ['gitbook: it holds .gitbook.yaml', { '.gitbook.yaml': '', 'a.md': '' }],
  [
    'markdown: it contains Markdown, and no files of a known program',
    { 'SUMMARY.md': 'In short.', 'a.md': '' },
  ],
  [
    'outline: its uploads lie in folders that Outline names',
    {
      'Notes/a.md': '',
      'Notes/uploads/3e6f2c1a-0b4d-4c8e-9f10-2a3b4c5d6e7f/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/p.png': '',
    },
  ],
  ['vitepress: it holds docs/.vitepress', { 'docs/.vitepress/': '', 'docs/a.md': '' }],
  ['hugo: it holds hugo.toml', { 'hugo.toml': '', 'content/a.md': '' }],
  ['hugo: it holds config.toml', { 'config.toml': 'baseURL = "x"', 'content/a.md': '' }],
  ['hugo: it holds config/_default/menus.toml', { 'config/_default/menus.toml': '', 'content/a.md': '' }],
  ['zola: it holds config.toml', { 'config.toml': 'base_url = "x"', 'content/a.md': '' }],
  ['jekyll: it holds _config.yml', { '_config.yml': '', 'a.md': '[[b]]' }],
  ['eleventy: it holds .eleventy.js', { '.eleventy.js': '', 'a.md': '' }],
  ['nextjs: it holds next.config.js', { 'next.config.js': '', 'src/content/a.md': '[[1, 2]]' }],
  ['foam: it holds .foam', { '.foam/': '', 'a.md': '[[b]]' }],
  ['dendron: it holds dendron.yml', { 'dendron.yml': '', 'a.md': '[[b]]' }],
  [
    'wikijs: a.html names an editor of Wiki.js',
    { 'a.html': '<!--\ntitle: A\neditor: ckeditor\n-->\n<p>b</p>' },
  ],
  ['wikijs: a.md names an editor of Wiki.js', { 'a.md': '---\ntitle: A\neditor: markdown\n---\n[[b]]' }],
  ['html: it contains HTML and no Markdown', { 'a.html': '' }],
  ['logseq: it contains files of Org mode and no Markdown', { 'pages/a.org': '', 'x.html': '' }],
  ['nothing', { 'a.txt': '' }],
])('%s', async (expected, files) => {
  const all = Object.keys(files);
  const isHidden = (path: string) => /(?:^|\/)\./.test(path);
  const tree = {
    paths: all.filter((path) => !isHidden(path)),
    hidden: all.filter(isHidden),
    leftOut: [],
    async *open() {},
    changedAt: async () => 0,
    async [Symbol.asyncDispose]() {},
  };
  const found = await detectDocuments(tree, async (path) => files[path] ?? '');
  expect(found ? `${found.kind}: ${found.reason}` : 'nothing').toBe(expected);
});
