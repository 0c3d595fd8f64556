/** Real documents from the folder in COPPICE_CORPUS; skipped if it is unset. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { parse, references, render } from '../src/index.ts';
import { imbalance, offences } from './safety.ts';

const folder = process.env.COPPICE_CORPUS;
const names = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.mediawiki'));

describe.skipIf(names.length === 0)('real documents', () => {
  for (const name of names) {
    it(`${name} renders without leftovers`, () => {
      const source = readFileSync(join(folder ?? '', name), 'utf8');
      const tree = parse(source, { path: `/${name}` });
      const files = new Map(
        references(tree).files.map((file) => [
          file,
          { url: `/files/${encodeURIComponent(file)}`, mime: 'image/png', width: 100, height: 100 },
        ]),
      );
      const { html } = render(tree, { pages: new Map(), files, page: { path: `/${name}`, title: name } });
      expect(offences(html)).toEqual([]);
      expect(imbalance(html)).toBeUndefined();
      const prose = visible(parseFragment(html));
      expect(
        prose.match(
          /\{\||\|\}|'''|<\/?(?:ref|references|table|tr|td|div|span|br|img|source|pre|nowiki|code)\b[^<]{0,60}/g,
        ) ?? [],
      ).toEqual([]);
    });
  }
});

/** Text outside of code; code may contain such characters on purpose. */
function visible(parent: DefaultTreeAdapterTypes.ParentNode): string {
  let text = '';
  for (const node of parent.childNodes) {
    if ('value' in node) text += node.value;
    else if ('tagName' in node && !['pre', 'code', 'tt', 'kbd'].includes(node.tagName)) text += visible(node);
  }
  return text;
}
