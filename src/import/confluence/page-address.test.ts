import { expect, test } from 'vitest';
import { pageAt } from './page-address.ts';

const keys = new Map([['the oak', '12']]);

test.each([
  ['https://x.atlassian.net/wiki/spaces/SP/pages/11/Child+page#Part', '11'],
  ['/wiki/spaces/SP/blog/2024/03/01/15/News', '15'],
  ['/pages/viewpage.action?spaceKey=A&pageId=13', '13'],
  ['https://wiki.example.org/confluence/pages/viewpage.action?pageId=13&src=x', '13'],
  ['/display/SP/The+Oak', '12'],
  ['/display/SP/The+Elm', undefined],
  ['https://elsewhere.example/display/SP/The+Oak', undefined],
  ['https://example.org/pages/11', undefined],
  ['/spaces/SP/pages/11x', undefined],
])('the address %s names the page %s', (address, key) => {
  expect(pageAt(address, keys)).toBe(key);
});
