import { expect, test } from 'vitest';
import { withSizesOfMarks, withWordsOfFields } from './word-parts.ts';

const run = (text: string, style = '') =>
  `<w:r>${style && `<w:rPr>${style}</w:rPr>`}<w:t>${text}</w:t></w:r>`;

test.each([
  [`${run('a', '<w:vanish/>')}${run('b', '<w:b/>')}`, run('b', '<w:b/>'), ['w:vanish']],
  [run('a', '<w:vanish w:val="0"/>'), run('a', '<w:vanish w:val="0"/>'), []],
  [`<w:fldSimple w:instr=" SEQ ">${run('1')}</w:fldSimple>`, run('1'), []],
  ['<a><c:chart r:id="x"/></a>', '<a><c:chart r:id="x"/></a>', ['c:chart']],
])('%s becomes %s', (xml, expected, names) => {
  const missed = new Set<string>();
  expect(withWordsOfFields(xml, missed)).toBe(expected);
  expect([...missed]).toEqual(names);
});

test('pictures keep the width at which they are shown', () => {
  const picture = (attributes: string) =>
    withWordsOfFields(`<wp:extent cx="1905000" cy="1"/><wp:docPr id="1"${attributes}/>`, new Set());
  const altOf = (xml: string) => /descr="([^"]*)"/.exec(xml)?.[1];
  expect(withSizesOfMarks(`<img alt="${altOf(picture(' descr="An oak"'))}">`)).toBe(
    '<img width="200" alt="An oak">',
  );
  expect(withSizesOfMarks(`<img alt="${altOf(picture(''))}">`)).toBe('<img width="200" alt="">');
});
