import { expect, test } from 'vitest';
import { pageAt } from './page-address.ts';

test.each([
  ['https://x.atlassian.net/wiki/spaces/SP/pages/11/Child+page#Part', { id: '11' }],
  ['/wiki/spaces/SP/blog/2024/03/01/15/News', { id: '15' }],
  ['/pages/viewpage.action?spaceKey=A&pageId=13', { id: '13' }],
  ['https://wiki.example.org/confluence/pages/viewpage.action?pageId=13&src=x', { id: '13' }],
  ['/display/SP/The+Oak', { space: 'SP', title: 'The Oak' }],
  ['https://elsewhere.example/display/SP/The+Oak', undefined],
  ['https://example.org/pages/11', undefined],
  ['/spaces/SP/pages/11x', undefined],
])('the address %s names the page %j', (address, page) => {
  expect(pageAt(address)).toEqual(page);
});
