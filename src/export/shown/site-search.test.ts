/** The search of an exported site, with its scripts run as a browser would. */
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { SiteIndex, searchScript } from './site-search.ts';

/** Titles of the pages that the script finds. */
async function search(index: SiteIndex, text: string): Promise<string[]> {
  const files = new Map([...index.scripts()]);
  const found: { title: string }[] = [];
  const element = (name: string) => {
    const children: { name: string; textContent?: string }[] = [];
    return {
      name,
      textContent: '',
      href: '',
      dir: '',
      className: '',
      value: text,
      children,
      form: { addEventListener() {} },
      addEventListener() {},
      append: (...more: typeof children) => children.push(...more),
      replaceChildren(...items: { children: typeof children }[]) {
        for (const item of items)
          found.push({ title: item.children.find((child) => child.name === 'a')?.textContent ?? '' });
        done();
      },
    };
  };
  const { promise, resolve: done } = Promise.withResolvers<void>();
  const context: Record<string, unknown> = createContext({
    URLSearchParams,
    location: { search: `?q=${encodeURIComponent(text)}` },
    document: {
      createElement: element,
      querySelector: element,
      head: {
        append(script: { src: string; onload(): void }) {
          runInContext(files.get(script.src.replace('../assets/search/', '')) ?? '', context);
          script.onload();
        },
      },
    },
  });
  context.window = context;
  runInContext(searchScript('en'), context);
  await promise;
  return found.map(({ title }) => title);
}

test.each([
  ['Ελλάδα', 'ΕΛΛΑΔΑ'],
  ['Ёлка', 'елка'],
  ['שָׁלוֹם', 'שלום'],
  ['أحمد', 'احمد'],
  ['हिन्दी', 'हिन्दी'],
  ['한국어', '국어'],
  ['東京都', '京'],
  ['Wander\u00adweg', 'wanderweg'],
  ['Đường', 'duong'],
  ['Iğdır', 'IĞDIR'],
])('%s is found by %s', async (title, query) => {
  const index = new SiteIndex();
  index.add('other.html', 'Other', '', 'Words.');
  index.add('page.html', title, '', 'Words.');
  expect(await search(index, query)).toEqual([title]);
});
