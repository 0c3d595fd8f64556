import { expect, test } from 'vitest';
import { slowPath } from './slow-path.ts';

const slow = { route: '/v1/pages/*', url: '/v1/pages/garden/roses?text=secret', status: 200, ms: 1500 };

test('the path of a slow page is logged without its query', () => {
  expect(slowPath(slow)).toBe('/v1/pages/garden/roses');
});

test('paths of fast requests, refusals, and routes that may contain secrets are not logged', () => {
  expect(slowPath({ ...slow, ms: 20 })).toBeUndefined();
  expect(slowPath({ ...slow, status: 404 })).toBeUndefined();
  expect(slowPath({ ...slow, route: '/setup/:token', url: '/setup/abc' })).toBeUndefined();
});
