/** Exports read back: after an import nobody can read or write more than before, whatever the format. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import {
  expectNoMore,
  exported,
  groups,
  imported,
  names,
  pageArbitrary,
  plant,
  readable,
  secretsOf,
  start,
  statingFormats,
  type Wiki,
  writable,
} from '../support/export-wikis.ts';
import { engines } from '../support/http.ts';
import { zipOf } from '../support/zip.ts';

/** The last two do not carry access: pages that come from them are for their importer alone. */
const allFormats = [...statingFormats, 'site', 'html'];
const formats = effort(allFormats.slice(0, 3), allFormats);
/** Formats that keep tree, order, access, translations and files. */
const keeping = new Set(['jsonl', 'markdown', 'wikitext']);
interface Line {
  kind: string;
  id: number;
  page: number;
  path: string;
  title: string;
  parent: number | null;
  permissions: number | string;
  group?: string;
  translationOf?: number;
  change: number;
  language?: string;
  filename: string;
  name: string;
  files?: string[];
  grants?: object[];
  of: number | null;
  pages: number[];
}

/** Everything but texts that pages beneath `top` have, by title, so that it can be compared across wikis. */
async function structure(wiki: Wiki, top: string): Promise<Map<string, object>> {
  const text = (await exported(wiki, 'jsonl', 'Ada')).toString().trimEnd();
  const lines = text.split('\n').map((line) => JSON.parse(line) as Line);
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  const pages = of('page').filter(({ path }) => path.startsWith(`${top}/`));
  const names = new Map(pages.map(({ id, title }) => [id, title]));
  const topId = of('page').find(({ path }) => path === top)?.id ?? null;
  const nameOf = (id: number | null | undefined) => names.get(id ?? 0) ?? null;
  const changes = new Map(of('change').map((line) => [line.id, line]));
  const orders = new Map(of('order').map(({ of, pages }) => [of, pages.map(nameOf)]));
  const found = new Map<string, object>();
  for (const { id, title, parent, permissions, group, translationOf, change } of pages) {
    const held = changes.get(change)?.files ?? [];
    const files = of('file').filter(({ name }) => held.includes(name));
    found.set(title, {
      parent: nameOf(parent),
      permissions: Number(permissions),
      group: group ?? 'members',
      original: nameOf(translationOf),
      language: changes.get(change)?.language ?? null,
      files: files.map(({ filename }) => filename).sort(),
      order: orders.get(id) ?? null,
    });
  }
  return found.set('', { order: orders.get(topId) ?? null });
}

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  const other = engines.find((one) => one !== engine) ?? engine;

  test('an export restores access for its readers and writers only', { timeout: 1_200_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(pageArbitrary, effort({ minLength: 5, maxLength: 6 }, { minLength: 7, maxLength: 9 })),
        fc.constantFrom(groups, { Staff: ['Bob'] }, {}),
        fc.boolean(),
        fc.constantFrom('Ada', 'Ada', 'Bob', 'Mona'),
        fc.boolean(),
        fc.option(fc.nat(), { nil: undefined, freq: 1 }),
        async (pages, groupsThere, isPrivate, drawnExporter, isAlike, topOf) => {
          const wiki = await start(engine, groups);
          const fresh = await start(other, groupsThere, isAlike ? names : names.toReversed());
          try {
            const paths = await plant(wiki, pages);
            const settings = { token: wiki.tokens.Ada ?? '', json: { private: isPrivate } };
            expect((await wiki.app.call('PATCH', '/v1/settings', settings)).status).toBe(200);
            const [reads, writes] = [await readable(wiki), await writable(wiki)];
            // An export without a page cannot be imported.
            const exporter = reads.get(drawnExporter)?.size === 0 ? 'Ada' : drawnExporter;
            const mayRead = (index: number) =>
              exporter === 'Ada' || reads.get(exporter)?.has(secretsOf(index)[0] ?? '') === true;
            const index = topOf === undefined ? -1 : topOf % pages.length;
            const top = mayRead(index) ? paths[index] : undefined;
            const files = new Map<string, Buffer>();
            for (const format of formats) files.set(format, await exported(wiki, format, exporter, top));
            const isWhole =
              top === undefined && isAlike && exporter === 'Ada' && groupsThere === groups && !isPrivate;
            const all = await structure(wiki, '');
            for (const [format, made] of files) {
              const file =
                format === 'html' ? zipOf([{ name: 'book.html', content: made.toString() }]) : made;
              const parent = format === 'jsonl' ? '' : `?parent=/in-${format}`;
              const before = (await exported(fresh, 'jsonl', 'Ada')).toString();
              for (const there of [fresh, fresh, wiki]) await imported(there, file, parent);
              if (isWhole && keeping.has(format))
                expect(await structure(fresh, parent.replace('?parent=', '')), format).toEqual(all);
              expectNoMore(await readable(fresh), reads, `${format}, fresh wiki, read`);
              expectNoMore(await readable(wiki), reads, `${format}, same wiki, read`);
              // The importer has all of it.
              const after = (await exported(fresh, 'jsonl', 'Ada')).toString();
              for (const [index, page] of pages.entries()) {
                const [word = ''] = secretsOf(index);
                if (!mayRead(index) || (top !== undefined && paths[index] !== top)) continue;
                if (!page.isTemplate || format !== 'html')
                  expect(after.split(word).length, `${format}: ${word}`).toBeGreaterThan(
                    before.split(word).length,
                  );
              }
            }
            expectNoMore(await writable(fresh), writes, 'fresh wiki, write');
            expectNoMore(await writable(wiki), writes, 'same wiki, write');
          } finally {
            await wiki.app.close();
            await fresh.app.close();
          }
        },
      ),
      { numRuns: effort(1, 4), endOnFailure: true },
    );
  });
});
