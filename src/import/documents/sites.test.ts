/** Targets of links in each kind of source, by the rules of its program, together in one table. */
import { expect, test } from 'vitest';
import { defaultDialect } from '#core/content/dialect.ts';
import type { Kind, LinkOutcome } from '../source.ts';
import { DocumentSource } from './documents.ts';
import type { FileTree } from './file-tree.ts';

type Files = Record<string, string>;
/** Text of a document → key of the page or file that its link means; null for a link that is dead. */
type Row = [from: string, text: string, meant: string | null];

function treeOf(files: Files): FileTree {
  const all = Object.keys(files).sort();
  const isHidden = (path: string) => /(?:^|\/)\.(?!gitbook\/)/.test(path);
  return {
    paths: all.filter((path) => !isHidden(path)),
    hidden: all.filter(isHidden),
    leftOut: [],
    async *open(path) {
      yield Buffer.from(files[path] ?? '');
    },
    changedAt: async () => 0,
    async [Symbol.asyncDispose]() {},
  };
}

const tables: Partial<Record<Kind, { base?: string; files: Files; rows: Row[] }[]>> = {
  outline: [
    {
      files: { 'Work/Deploy guide.md': '# Deploy guide', 'Work/Start/Oak & elm.md': '# Oak & elm' },
      rows: [
        ['Work/Deploy guide.md', '[a](/doc/oak-elm-aBcDeFgH12)', 'Work/Start/Oak & elm.md'],
        ['Work/Start/Oak & elm.md', '[a](../Deploy%20guide.md)', 'Work/Deploy guide.md'],
        ['Work/Start/Oak & elm.md', '[a](/doc/deploy-aBcDeFgH12)', null],
      ],
    },
  ],
  wikijs: [
    {
      files: { 'home.md': 'Home', 'fr/home.md': 'Accueil', 'trees/oak.md': 'Oak', 'trees/home.md': 'x' },
      rows: [
        ['trees/oak.md', '[a](/)', 'home.md'],
        ['trees/oak.md', '[a](/fr)', 'fr/home.md'],
        ['trees/oak.md', '[a](/en/trees/oak)', 'trees/oak.md'],
        ['trees/oak.md', '[a](/trees)', null],
      ],
    },
  ],
  hugo: [
    {
      files: {
        'hugo.toml':
          'baseURL = "https://example.org/garden/"\ncontentDir = "notes"\n[permalinks]\nposts = "/:year/:month/:slug/"\n[languages.en]\nweight = 1\n',
        'notes/_index.md': 'Top',
        'notes/trees/_index.md': 'Trees',
        'notes/trees/oak.md': '---\nslug: quercus\naliases: [/old/oak, "/older/oak/"]\n---\nOak',
        'notes/trees/elm/index.md': 'Elm',
        'notes/trees/elm/leaf.png': 'x',
        'notes/trees/ash.en.md': 'Ash',
        'notes/birch.md': '+++\nurl = "/white/tree.html"\n+++\nBirch',
        'notes/posts/first.md': '---\ndate: 2024-03-05\n---\nFirst',
        'static/map.png': 'x',
      },
      rows: [
        ['notes/birch.md', '[x](/trees/quercus/)', 'notes/trees/oak.md'],
        ['notes/birch.md', '[x](/trees/quercus/#bark)', 'notes/trees/oak.md'],
        ['notes/birch.md', '[x](/garden/trees/quercus)', 'notes/trees/oak.md'],
        ['notes/birch.md', '[x](https://example.org/garden/trees/)', 'notes/trees/_index.md'],
        ['notes/birch.md', '[x](/old/oak/)', 'notes/trees/oak.md'],
        ['notes/birch.md', '[x](/older/oak)', 'notes/trees/oak.md'],
        ['notes/birch.md', '[x](/white/tree.html)', 'notes/birch.md'],
        ['notes/birch.md', '[x](/2024/03/first/)', 'notes/posts/first.md'],
        ['notes/birch.md', '[x](/trees/ash/)', 'notes/trees/ash.en.md'],
        ['notes/birch.md', '[x](/en/trees/ash/)', 'notes/trees/ash.en.md'],
        ['notes/trees/oak.md', '[x](../elm/)', 'notes/trees/elm/index.md'],
        ['notes/trees/elm/index.md', '![x](leaf.png)', 'file:leaf.png'],
        ['notes/birch.md', '![x](/map.png)', 'file:map.png'],
        ['notes/birch.md', '[x]({{< ref "trees/oak.md" >}})', 'notes/trees/oak.md'],
        ['notes/birch.md', '[x]({{< relref "oak.md#bark" >}})', 'notes/trees/oak.md'],
        ['notes/birch.md', '[x]({{% ref path="/trees/elm" lang="en" %}})', 'notes/trees/elm/index.md'],
        ['notes/birch.md', '[x]({{< ref "elm" >}})', 'notes/trees/elm/index.md'],
        ['notes/birch.md', '[x]({{<relref `trees/_index.md`>}})', 'notes/trees/_index.md'],
        ['notes/birch.md', '[x](/trees/maple/)', null],
      ],
    },
  ],
  zola: [
    {
      files: {
        'config.toml': 'base_url = "https://example.org"\n',
        'content/_index.md': '+++\ntitle = "Top"\n+++\n',
        'content/trees/_index.md': '+++\n+++\n',
        'content/trees/2024-01-02-oak.md': '+++\nslug = "quercus"\naliases = ["eiche"]\n+++\n',
        'content/trees/elm/index.md': '+++\npath = "elms/all"\n+++\n',
      },
      rows: [
        ['content/_index.md', '[x](@/trees/2024-01-02-oak.md#bark)', 'content/trees/2024-01-02-oak.md'],
        ['content/_index.md', '[x](@/trees/_index.md)', 'content/trees/_index.md'],
        ['content/_index.md', '[x](/trees/quercus/)', 'content/trees/2024-01-02-oak.md'],
        ['content/_index.md', '[x](/eiche/)', 'content/trees/2024-01-02-oak.md'],
        ['content/_index.md', '[x](https://example.org/elms/all)', 'content/trees/elm/index.md'],
        ['content/_index.md', '[x](@/trees/ash.md)', null],
      ],
    },
  ],
  jekyll: [
    {
      files: {
        '_config.yml':
          'baseurl: /garden\nurl: https://example.org\ncollections:\n  herbs:\n    output: true\n    permalink: /plants/:name/\n  tools:\n    output: true\ndefaults:\n  - scope: {path: "guides"}\n    values: {permalink: "/g/:basename/"}\n',
        'index.md': 'Top',
        'about.md': '---\npermalink: /who/\n---\n',
        'docs/first.md': '---\nredirect_from: [/old/first]\n---\n',
        'guides/soil.md': '---\n---\n',
        '_posts/2024-03-05-first-leaf.md': '---\ncategories: trees oaks\n---\n',
        'news/_posts/2024-03-06-second.md': '---\n---\n',
        '_herbs/mint.md': '---\n---\n',
        '_tools/saw.md': '---\n---\n',
      },
      rows: [
        ['index.md', '[x](/who/)', 'about.md'],
        ['docs/first.md', '[x]({{ site.baseurl }}/who)', 'about.md'],
        ['docs/first.md', '[x](/garden/docs/first.html)', 'docs/first.md'],
        ['about.md', '[x](/docs/first)', 'docs/first.md'],
        ['about.md', '[x](/old/first)', 'docs/first.md'],
        ['index.md', '[x](/g/soil/)', 'guides/soil.md'],
        ['index.md', '[x](/trees/oaks/2024/03/05/first-leaf.html)', '_posts/2024-03-05-first-leaf.md'],
        ['index.md', '[x](/news/2024/03/06/second.html)', 'news/_posts/2024-03-06-second.md'],
        ['index.md', '[x]({% post_url 2024-03-05-first-leaf %})', '_posts/2024-03-05-first-leaf.md'],
        ['index.md', '[x]({% post_url news/2024-03-06-second %}#a)', 'news/_posts/2024-03-06-second.md'],
        ['index.md', '[x]({% link _herbs/mint.md %})', '_herbs/mint.md'],
        ['index.md', '[x]({{ site.baseurl }}{% link docs/first.md %}#part)', 'docs/first.md'],
        ['index.md', '[x](/plants/mint/)', '_herbs/mint.md'],
        ['index.md', '[x](/tools/saw.html)', '_tools/saw.md'],
        ['index.md', '[x]({{ "/who/" | relative_url }})', 'about.md'],
        ['docs/first.md', "[x]({{ '/plants/mint/' | absolute_url }})", '_herbs/mint.md'],
        ['docs/first.md', '[x](../about.md)', 'about.md'],
        ['index.md', '[x](/plants/sage/)', null],
      ],
    },
    {
      files: {
        '_config.yml': 'permalink: pretty\n',
        'index.md': 'Top',
        'a/b.md': '---\n---\n',
        '_posts/2024-03-05-leaf.md': '---\n---\n',
      },
      rows: [
        ['index.md', '[x](/a/b/)', 'a/b.md'],
        ['a/b.md', '[x](/2024/03/05/leaf/)', '_posts/2024-03-05-leaf.md'],
      ],
    },
  ],
  mdbook: [
    {
      files: {
        'book.toml': '[book]\nsrc = "text"\n',
        'text/SUMMARY.md': '- [A](a/README.md)\n',
        'text/a/README.md': 'A',
        'text/a/b.md': 'B',
        'text/c/d.md': 'D',
        'text/c/pic.png': 'x',
      },
      rows: [
        ['text/a/b.md', '[x](../c/d.html)', 'text/c/d.md'],
        ['text/a/b.md', '[x](../c/d.html#part)', 'text/c/d.md'],
        ['text/c/d.md', '[x](../a/index.html)', 'text/a/README.md'],
        ['text/c/d.md', '[x](../a/)', 'text/a/README.md'],
        ['text/c/d.md', '[x](../a/b.md)', 'text/a/b.md'],
        ['text/a/b.md', '![x](../c/pic.png)', 'file:pic.png'],
        ['text/a/b.md', '[x](d.html)', null],
      ],
    },
  ],
  mkdocs: [
    {
      files: {
        'mkdocs.yml': 'docs_dir: guide\nsite_url: https://example.org/m/\n',
        'guide/index.md': 'Top',
        'guide/a/b.md': 'B',
        'guide/a/c.md': 'C',
      },
      rows: [
        ['guide/a/b.md', '[x](c.md)', 'guide/a/c.md'],
        ['guide/a/b.md', '[x](../c/)', 'guide/a/c.md'],
        ['guide/a/b.md', '[x](../../a/c/#top)', 'guide/a/c.md'],
        ['guide/a/b.md', '[x](/m/a/c/)', 'guide/a/c.md'],
        ['guide/a/b.md', '[x](../../)', 'guide/index.md'],
        ['guide/a/b.md', '[x](d.md)', null],
      ],
    },
    {
      files: { 'mkdocs.yml': 'use_directory_urls: false\n', 'docs/a/b.md': 'B', 'docs/a/c.md': 'C' },
      rows: [['docs/a/b.md', '[x](c.html)', 'docs/a/c.md']],
    },
  ],
  docusaurus: [
    {
      base: 'website/',
      files: {
        'website/docusaurus.config.ts': "export default { baseUrl: '/site/', docs: { path: '../docs' } };",
        'docs/intro.md': '---\nslug: /\n---\n',
        'docs/01-trees/02-oak.md': '---\nid: quercus\n---\n',
        'docs/01-trees/elm.mdx': '---\nslug: ulmus\n---\n',
        'docs/01-trees/trees.md': 'Trees',
        'website/static/img/map.png': 'x',
      },
      rows: [
        ['docs/intro.md', '[x](/docs/trees/quercus)', 'docs/01-trees/02-oak.md'],
        ['docs/intro.md', '[x](/site/docs/trees/ulmus#a)', 'docs/01-trees/elm.mdx'],
        ['docs/intro.md', '[x](./01-trees/02-oak.md)', 'docs/01-trees/02-oak.md'],
        ['docs/01-trees/02-oak.md', '[x](ulmus)', 'docs/01-trees/elm.mdx'],
        ['docs/01-trees/02-oak.md', '[x](/docs/trees)', 'docs/01-trees/trees.md'],
        ['docs/01-trees/02-oak.md', '[x](/docs/)', 'docs/intro.md'],
        ['docs/intro.md', '![x](/img/map.png)', 'file:map.png'],
        ['docs/intro.md', '[x](/docs/trees/ash)', null],
      ],
    },
    {
      files: {
        'docusaurus.config.js':
          "export default { baseUrl: '/', presets: [['classic', { docs: {}, blog: { routeBasePath: 'news' } }]], plugins: [['@docusaurus/plugin-content-docs', { id: 'more', path: 'community', routeBasePath: 'people' }]] };",
        'docs/intro.md': 'Intro',
        'docs/2-oak.md': 'Oak',
        'blog/2021-08-26-first.md': '---\nslug: one\n---\n',
        'blog/2022/01/02-second/index.md': 'Second',
        'blog/2022-01-03-third/index.md': 'Third',
        'community/team.md': 'Team',
        'src/pages/about.md': 'About',
        'versioned_docs/version-1.0/intro.md': '---\nslug: /\n---\n',
        'versioned_docs/version-1.0/2-oak.md': 'Oak',
        'i18n/de/docusaurus-plugin-content-docs/current/intro.md': 'Anfang',
        'i18n/de/docusaurus-plugin-content-blog/2021-08-26-first.md': '---\nslug: one\n---\n',
      },
      rows: [
        ['docs/intro.md', '[x](/news/one)', 'blog/2021-08-26-first.md'],
        ['docs/intro.md', '[x](/news/2022/01/03/third)', 'blog/2022-01-03-third/index.md'],
        ['docs/intro.md', '[x](/people/team)', 'community/team.md'],
        ['docs/intro.md', '[x](/about)', 'src/pages/about.md'],
        ['docs/intro.md', '[x](/docs/1.0/)', 'versioned_docs/version-1.0/intro.md'],
        ['docs/intro.md', '[x](/docs/1.0/oak)', 'versioned_docs/version-1.0/2-oak.md'],
        ['blog/2021-08-26-first.md', '[x](./2022-01-03-third/index.md)', 'blog/2022-01-03-third/index.md'],
        ['versioned_docs/version-1.0/intro.md', '[x](2-oak.md)', 'versioned_docs/version-1.0/2-oak.md'],
        [
          'i18n/de/docusaurus-plugin-content-blog/2021-08-26-first.md',
          '[x](/de/docs/intro)',
          'i18n/de/docusaurus-plugin-content-docs/current/intro.md',
        ],
        // Without a translation, the document in the language of the site is shown.
        ['i18n/de/docusaurus-plugin-content-docs/current/intro.md', '[x](./2-oak.md)', 'docs/2-oak.md'],
        ['docs/intro.md', '[x](/news/none)', null],
      ],
    },
  ],
  vitepress: [
    {
      files: {
        '.vitepress/config.mts':
          "export default { base: '/lib/', cleanUrls: true, rewrites: { 'packages/:pkg/src/(.*)': ':pkg/$2' } }",
        'index.md': 'Top',
        'guide/start.md': 'Start',
        'packages/tree/src/oak.md': 'Oak',
        'old/README.md': '---\npermalink: /ancient/\n---\n',
        'public/logo.png': 'x',
      },
      rows: [
        ['index.md', '[x](/guide/start)', 'guide/start.md'],
        ['index.md', '[x](/lib/guide/start.html)', 'guide/start.md'],
        ['guide/start.md', '[x](../tree/oak)', 'packages/tree/src/oak.md'],
        ['guide/start.md', '[x](/ancient/)', 'old/README.md'],
        ['guide/start.md', '[x](./)', null],
        ['index.md', '![x](/logo.png)', 'file:logo.png'],
      ],
    },
  ],
  gitbook: [
    {
      files: {
        '.gitbook.yaml': 'root: ./book/\nredirects:\n  old/page: trees/oak.md\n',
        'book/README.md': 'Top',
        'book/SUMMARY.md': '* [Oak](trees/oak.md)\n',
        'book/trees/README.md': 'Trees',
        'book/trees/oak.md': 'Oak',
      },
      rows: [
        ['book/README.md', '[x](trees/oak.md)', 'book/trees/oak.md'],
        ['book/README.md', '[x](trees/)', 'book/trees/README.md'],
        ['book/trees/oak.md', '[x](./)', 'book/trees/README.md'],
        ['book/README.md', '[x](/old/page)', 'book/trees/oak.md'],
        ['book/README.md', '[x](broken-reference)', null],
      ],
    },
  ],
  eleventy: [
    {
      files: {
        '.eleventy.js': "module.exports = () => ({ dir: { input: 'src' } });",
        'src/index.md': 'Top',
        'src/posts/2024-01-02-oak.md': 'Oak',
        'src/elm.md': '---\npermalink: "/ulmus/{{ page.fileSlug }}/"\n---\n',
      },
      rows: [
        ['src/index.md', '[x](/posts/oak/)', 'src/posts/2024-01-02-oak.md'],
        ['src/index.md', '[x](/ulmus/elm/)', 'src/elm.md'],
        ['src/index.md', '[x](/ulmus/)', null],
      ],
    },
  ],
  logseq: [
    {
      files: {
        'logseq/config.edn': '{:journal/page-title-format "EEEE, do MMM yyyy"}',
        'pages/Trees___Oak.md': 'alias:: Quercus, [[Eiche]]\n\n- Oak\n',
        'pages/Elm.md': 'title:: The elm\n\n- Elm\n',
        'pages/a%2Fb.md': '- b\n',
        'journals/2024_03_02.md': '- Day\n',
        'pages/Ash.org': '#+alias: Fraxinus\n* Ash\n',
        'assets/leaf.png': 'x',
      },
      rows: [
        ['pages/Elm.md', '[[trees/oak]]', 'pages/Trees___Oak.md'],
        ['pages/Elm.md', '[[quercus]]', 'pages/Trees___Oak.md'],
        ['pages/Elm.md', '[[Eiche]]', 'pages/Trees___Oak.md'],
        ['pages/Trees___Oak.md', '[[The Elm]]', 'pages/Elm.md'],
        ['pages/Elm.md', '[[A/B]]', 'pages/a%2Fb.md'],
        ['pages/Elm.md', '[[Saturday, 2nd Mar 2024]]', 'journals/2024_03_02.md'],
        ['pages/Elm.md', '[[Mar 2nd, 2024]]', 'journals/2024_03_02.md'],
        ['journals/2024_03_02.md', '![x](../assets/leaf.png)', 'file:leaf.png'],
        ['pages/Elm.md', '[[Ash]]', 'pages/Ash.org'],
        ['pages/Ash.org', '[x](./Elm.md)', 'pages/Elm.md'],
        ['pages/Elm.md', '[[fraxinus]]', 'pages/Ash.org'],
        ['pages/Elm.md', '[[Nowhere]]', null],
      ],
    },
  ],
  obsidian: [
    {
      files: {
        'Trees/Oak.md': '---\naliases: [Quercus]\n---\n',
        'Shrubs/Small/Oak.md': 'Small',
        'Home.md': 'Home',
      },
      rows: [
        ['Home.md', '[[oak]]', 'Trees/Oak.md'],
        ['Home.md', '[[Small/Oak]]', 'Shrubs/Small/Oak.md'],
        ['Home.md', '[x](Oak.md)', 'Trees/Oak.md'],
        ['Home.md', '[[Quercus]]', 'Trees/Oak.md'],
        ['Home.md', '[[Ash]]', null],
      ],
    },
  ],
  quartz: [
    {
      files: {
        'quartz.config.ts': '',
        'content/index.md': 'Top',
        'content/Trees/Oak tree.md': '---\npermalink: oaks\n---\n',
      },
      rows: [
        ['content/index.md', '[[Oak tree]]', 'content/Trees/Oak tree.md'],
        ['content/index.md', '[x](/oaks)', 'content/Trees/Oak tree.md'],
        ['content/index.md', '[x](Trees/Oak%20tree)', 'content/Trees/Oak tree.md'],
      ],
    },
  ],
  foam: [
    {
      files: { 'docs/oak-tree.md': '# The oak\n', 'index.md': '# Top\n' },
      rows: [
        ['index.md', '[[oak-tree]]', 'docs/oak-tree.md'],
        ['index.md', '[[oak-tree#Bark|bark]]', 'docs/oak-tree.md'],
      ],
    },
  ],
  dendron: [
    {
      files: {
        'dendron.yml': '',
        'vault/root.md': 'Top',
        'vault/trees.oak.md': '---\nid: a1\ntitle: Oak\n---\n',
        'vault/trees.md': 'T',
      },
      rows: [
        ['vault/root.md', '[[trees.oak]]', 'vault/trees.oak.md'],
        ['vault/root.md', '[[the oak|trees.oak]]', 'vault/trees.oak.md'],
        ['vault/root.md', '[[the oak|trees.oak#bark]]', 'vault/trees.oak.md'],
        ['vault/root.md', '[[trees.ash]]', null],
      ],
    },
  ],
};

/** The key of a page; the name of a file after `file:`. */
function meantBy({ new: target, isFile }: LinkOutcome): string | null {
  if (target === null) return null;
  return isFile ? `file:${target.replace(/^.*\//, '')}` : target.replace(/^\/@\//, '').replace(/#.*$/, '');
}

const cases = Object.entries(tables).flatMap(([kind, sites]) =>
  sites.map((site, index) => ({ kind: kind as Kind, name: `${kind} ${index + 1}`, ...site })),
);

test.each(cases)(
  'links of $name lead where its program leads them',
  async ({ kind, base = '', files, rows }) => {
    await using source = new DocumentSource(kind, treeOf(files), { dialect: defaultDialect, base, now: 0 });
    for await (const _ of source.outline());
    // Each page lies at its key, so that targets show which page is meant.
    const plan = {
      pageOf: (key: string) => ({ path: `/@/${key}`, title: '' }),
      pathOfTitle: () => undefined,
      parent: '',
    };
    const found = rows.map(([from, text]) => {
      const [outcome] = source.adapt(from, text, plan).links;
      return [from, text, outcome === undefined ? 'no link' : meantBy(outcome)];
    });
    expect(found).toEqual(rows);
  },
);
