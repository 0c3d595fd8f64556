/** Orders of pages: imports keep them as their sources state them, and exports write them so that they come back. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';

const summary =
  '# Summary\n\n- [Zoo](zoo.md)\n  - [Yak](zoo/yak.md)\n  - [Ape](zoo/ape.md)\n- [Birds](b.md)\n';
const nav =
  'nav:\n  - Start: start.md\n  - Guide:\n    - guide/z.md\n    - More: [guide/a.md]\n  - about.md\n';
/** Source → its files, and the children of some of its pages in the order that it states. */
const sources: Record<string, [Record<string, string>, Record<string, string[]>]> = {
  mdbook: [
    {
      'book.toml': '',
      'src/SUMMARY.md': summary,
      ...pages('src/zoo', 'src/b', 'src/zoo/yak', 'src/zoo/ape', 'src/a'),
    },
    { '/mdbook': ['zoo', 'b', 'a', 'summary'], '/mdbook/zoo': ['yak', 'ape'] },
  ],
  mkdocs: [
    { 'mkdocs.yml': nav, ...pages('docs/start', 'docs/about', 'docs/guide/z', 'docs/guide/a', 'docs/other') },
    { '/mkdocs': ['start', 'guide', 'about', 'other'], '/mkdocs/guide': ['z', 'a'] },
  ],
  docusaurus: [
    {
      ...{ 'docusaurus.config.js': '', 'docs/guide/_category_.json': '{"position": 1}' },
      ...{ 'docs/late.md': '---\nsidebar_position: 3.5\n---\nL', 'docs/02-mid.md': 'M' },
      ...pages('docs/guide/b', 'docs/guide/a', 'docs/an-end'),
    },
    { '/docusaurus': ['guide', 'mid', 'late', 'an-end'], '/docusaurus/guide': ['a', 'b'] },
  ],
  hugo: [
    {
      'hugo.toml': '',
      'content/p/a.md': '---\nweight: 20\n---\n',
      'content/p/b.md': '---\nweight: 10\n---\n',
    },
    { '/hugo/p': ['b', 'a'] },
  ],
};

function pages(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name.split('/').at(-1)}\n`]));
}

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('orders of books and sites are kept, come back through folders, and stay if members arranged pages here', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    for (const [kind, [files]] of Object.entries(sources)) {
      const args = ['import', plant(wiki, kind, files), '--from', kind, '--parent', `/${kind}`, '--json'];
      const certificate = JSON.parse(await succeed(wiki, args));
      expect(JSON.stringify(certificate.leftOut), kind).not.toContain('order');
    }
    const expected = Object.assign({}, ...Object.values(sources).map(([, orders]) => orders));
    expect(await ordersOf(wiki, Object.keys(expected))).toEqual(expected);

    for (const format of ['markdown', 'wikitext']) {
      const out = join(wiki.folder, format);
      await succeed(wiki, ['export', '--format', format, '--to', out]);
      await using again = await startWiki();
      await again.administrator();
      await succeed(again, ['import', out, '--from', 'markdown']);
      expect(await ordersOf(again, Object.keys(expected)), format).toEqual(expected);
    }

    for (const format of effort(['mdbook'], ['mdbook', 'mkdocs', 'docusaurus', 'hugo'])) {
      const out = join(wiki.folder, `as-${format}`);
      await succeed(wiki, ['export', '--format', format, '--to', out]);
      await using again = await startWiki();
      await again.administrator();
      await succeed(again, ['import', out, '--from', format]);
      expect(await ordersOf(again, Object.keys(expected)), format).toEqual(expected);
    }

    await rearrange(wiki, '/hugo/p', ['/hugo/p/a', '/hugo/p/b']);
    await succeed(wiki, ['import', join(wiki.folder, 'hugo'), '--from', 'hugo', '--parent', '/hugo']);
    expect(await ordersOf(wiki, ['/hugo/p'])).toEqual({ '/hugo/p': ['a', 'b'] });
    expect((await wiki.coppice(['check'])).code).toBe(0);
  });
});

test('books and sites are exported as they were imported, with the order as it is now', async () => {
  const kinds = {
    mdbook: {
      'book.toml': '[book]\ntitle = "Coppice"\nlanguage = "en"\nsrc = "src"\n',
      '.gitbook.yaml': 'root: ./src/\n',
      'src/SUMMARY.md': summary
        .replace(/\[(?:Zoo|Yak|Ape)\]/g, (name) => name.toLowerCase())
        .replace('Birds', 'b'),
      ...pages('src/zoo', 'src/b', 'src/zoo/yak', 'src/zoo/ape'),
    },
    mkdocs: {
      'mkdocs.yml':
        'site_name: Coppice\nnav:\n  - start: start.md\n  - guide:\n      - z: guide/z.md\n      - a: guide/a.md\nmarkdown_extensions:\n  - attr_list\n  - footnotes\n  - toc:\n      slugify: !!python/name:markdown.extensions.toc.slugify_unicode\n',
    },
    docusaurus: {
      'docs/guide/_category_.json': '{\n  "label": "The guide",\n  "position": 1\n}\n',
      'docs/02-mid.md': '# mid\n',
      'docs/late.md': '---\nsidebar_position: 3.5\n---\n# late\n',
      'docs/guide/b.md': '---\nsidebar_position: 20\n---\n# b\n',
      'docs/guide/a.md': '---\nsidebar_position: 30 # the last one\n---\n# a\n',
    },
  };
  for (const [kind, files] of Object.entries(kinds)) {
    await using wiki = await startWiki();
    await wiki.administrator();
    const sites =
      kind === 'mkdocs' ? { ...files, ...pages('docs/start', 'docs/guide/z', 'docs/guide/a') } : files;
    const folder = plant(wiki, kind, sites);
    await succeed(wiki, ['import', folder, '--from', kind]);
    const out = join(wiki.folder, 'out');
    await succeed(wiki, ['export', '--format', kind, '--to', out]);
    // MkDocs shows no front matter, so it holds what the wiki knows of a page; the other files have all their bytes.
    const [before, after] = [readTree(folder), readTree(out)];
    if (kind === 'mkdocs') expect(after['mkdocs.yml']).toBe(before['mkdocs.yml']);
    else expect({ ...after, 'pages.jsonl': undefined }).toEqual({ ...before, 'pages.jsonl': undefined });

    const [first, second] = {
      mdbook: ['zoo', 'b'],
      mkdocs: ['start', 'guide'],
      docusaurus: ['guide', 'mid'],
    }[kind] as [string, string];
    await rearrange(wiki, null, [`/${second}`, `/${first}`]);
    await succeed(wiki, ['export', '--format', kind, '--to', `${out}-2`]);
    await using again = await startWiki();
    await again.administrator();
    await succeed(again, ['import', `${out}-2`, '--from', kind]);
    expect((await ordersOf(again, [null]))['/']?.slice(0, 2), kind).toEqual([second, first]);
  }
});

function readTree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

async function ordersOf(wiki: TestWiki, paths: (string | null)[]): Promise<Record<string, string[]>> {
  await using opened = await wiki.open();
  const { lists, links } = opened.store.readAsSystem();
  const found = await links.resolve(paths.filter((path) => path !== null));
  const orders = paths.map(async (path) => {
    const id = path === null ? null : (found.get(path)?.id ?? -1);
    const { pages } = await lists.children(id, { limit: 50, offset: 0 });
    // Files keep the numbers in their names, which mean nothing outside of Docusaurus.
    return [path ?? '/', pages.map((page) => page.path.replace(/^.*\/(?:\d+-)?/, ''))] as const;
  });
  return Object.fromEntries(await Promise.all(orders));
}

async function rearrange(wiki: TestWiki, path: string | null, children: string[]): Promise<void> {
  await using opened = await wiki.open();
  const found = await opened.store
    .readAsSystem()
    .links.resolve([...(path === null ? [] : [path]), ...children]);
  const ranked = children.map((child, rank) => ({ id: found.get(child)?.id ?? -1, rank }));
  await opened.store.transact((store) =>
    store.order.rank(path === null ? [] : [found.get(path)?.id ?? -1], ranked),
  );
}

function plant(wiki: TestWiki, name: string, files: Record<string, string>): string {
  const folder = join(wiki.folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function succeed(wiki: TestWiki, args: string[]): Promise<string> {
  const { code, out, err } = await wiki.coppice(args);
  expect(code, err + out).toBe(0);
  return out;
}
