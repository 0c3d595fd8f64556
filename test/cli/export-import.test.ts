/** Exports as folders and JSON lines that are imported again: titles, links and pictures are the same afterwards. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { markup, pixel, plant } from '../support/import-source.ts';

/** Format of the export → name of the file or folder. */
const formats = {
  jsonl: 'out.jsonl',
  markdown: 'out-md',
  wikitext: 'out-wt',
  site: 'out-site',
  mdbook: 'out-mdbook',
  mkdocs: 'out-mkdocs',
  docusaurus: 'out-docusaurus',
  hugo: 'out-hugo',
  'mediawiki-xml': 'out.xml',
};

/** Two folders of DokuWiki, because its pictures hang on the page of their namespace. */
const source = {
  'data/pages/start.txt':
    '====== Start: of “all” ======\n[[trees:oak]] [[trees:old elm|the elm]] {{:trees:leaf.png}}\n',
  'data/pages/trees/oak.txt':
    '====== Oak & more ======\n===== Bark =====\nSee [[trees:old_elm#leaves]], [[:start]], {{leaf.png?20}}.\n',
  'data/pages/trees/old_elm.txt':
    '====== C++, the elm ======\n===== Leaves =====\n[[oak|Oak]] {{..:far.png|far}}\n',
  'data/media/trees/leaf.png': pixel,
  'data/media/far.png': pixel,
};

/** Markdown, with pictures and files that hang on other pages. */
const vault = {
  'Welcome.md':
    '# Welcome\n\n[oak](woods/Oak%20tree.md) [[Elm]] ![](woods/img/leaf%201.png) ![[leaf 1.png|20]] [[rows.csv]] <img src="woods/img/leaf%201.png" width="20">\n',
  'woods/Oak tree.md':
    '## Bark\n\n[[Elm#Leaves|leaves]] [home](../Welcome.md) ![x](../far.png "T") [pdf](doc.pdf)\n\n| a | b |\n|--|--|\n| ![c](img/leaf%201.png) | [[Welcome]] |\n\n[i]: img/leaf%201.png\n\n![ref][i]\n',
  // The wiki has a path of this name for itself.
  'assets/Fern.md': '# Fern\n',
  'woods/Elm.md': '# Elm\n\n## Leaves\n\n[[Oak tree]] [b](Oak%20tree.md#bark) ![[far.png]]\n',
  ...{
    'woods/img/leaf 1.png': pixel,
    'far.png': pixel,
    'woods/rows.csv': 'a,b\n',
    'woods/doc.pdf': '%PDF-1.4',
  },
};
const sources = { dokuwiki: source, obsidian: vault };
/** Sources of other programs, which are tried on one engine. */
const ofOthers = ['mdbook', 'mkdocs', 'docusaurus', 'hugo'];

interface PageFacts {
  title: string;
  /** Titles of the pages that its links lead to, and links that lead to none. */
  links: string[];
  /** Their widths. */
  pictures: number[];
}

async function factsOf(wiki: TestWiki): Promise<PageFacts[]> {
  const pages = await (async () => {
    await using open = await wiki.open();
    const ids = await open.store.maintenance.pagesAfter(0, 100);
    return await open.store.readAsSystem().pages.outlines(ids.map(({ id }) => id));
  })();
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const facts: PageFacts[] = [];
  for (const { path, title } of pages) {
    const html = await markup(wiki, path);
    const hrefs = [
      ...html.matchAll(/<a (class="(?:new|media)" )?href="(\/[^"#?]*)[^>]*>(?!<(?:img|span))/g),
    ].filter(([all, , href]) => !href?.startsWith('/files/') || all.includes('media'));
    facts.push({
      title,
      links: hrefs.map(([, dead, href = '']) =>
        href.startsWith('/files/')
          ? href.replace(/^.*-(?=\w+\.)/, '').toLowerCase()
          : dead
            ? `dead: ${href}`
            : (titles.get(decodeURIComponent(href)) ?? href),
      ),
      pictures: [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => Number(/ width="(\d+)"/.exec(tag)?.[1])),
    });
  }
  return facts.sort((a, b) => (a.title < b.title ? -1 : 1));
}

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  const formatsHere = Object.entries(formats).filter(
    ([format]) => engine === 'SQLite' || !ofOthers.includes(format),
  );
  test.each(formatsHere)(
    'a wiki exported as %s and imported again keeps its titles, links and pictures',
    async (format, name) => {
      await using wiki = await startWiki(engine);
      await wiki.administrator();
      for (const [from, files] of Object.entries(sources)) {
        const imported = await wiki.coppice(['import', plant(wiki, files, from), '--json', '--from', from]);
        expect(imported.code, imported.err).toBe(0);
      }
      const before = await factsOf(wiki);
      expect(before.reduce((sum, { pictures }) => sum + pictures.length, 0)).toBe(10);
      const out = join(wiki.folder, name);
      const exported = await wiki.coppice(['export', '--format', format, '--to', out]);
      expect(exported.code, exported.err).toBe(0);

      // PostgreSQL tests share one database, so the other wiki is on SQLite.
      await using again = await startWiki();
      await again.administrator();
      const { out: told, err } = await again.coppice(['import', out, '--json']);
      expect(err).toBe('');
      const certificate = JSON.parse(told) as Certificate;
      expect(certificate.links.lost).toBe(0);
      const after = await factsOf(again);
      const named = new Set(before.map(({ title }) => title));
      const isKept = ({ title }: PageFacts) => named.has(title) && !isLeftOut(format, title);
      expect(after.filter(isKept)).toEqual(before.filter(isKept));
    },
  );
});

/** MediaWiki has no tree, so pages that only list those beneath them are not exported; sites have none that hold files only. */
function isLeftOut(format: string, title: string): boolean {
  if (format === 'mediawiki-xml' && ['trees', 'woods', 'assets'].includes(title)) return true;
  return ofOthers.includes(format) && title === 'Attachments';
}
