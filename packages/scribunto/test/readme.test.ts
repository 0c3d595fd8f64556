/** The example of the README gives the values beside it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the example of the README gives the values beside it', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const claims = [...code.matchAll(/^([^\n;]+); \/\/ → (.+)$/gm)].map(
    ([, value, expected]) => `[${value}, ${expected}]`,
  );
  expect(claims).toHaveLength(3);
  const program = code.replace(/^import .*$/gm, '');
  const { expand } = await import('@coppice/wikitext');
  const { Modules } = await import('../src/modules.ts');
  const pairs = new Function('expand', 'Modules', `${program}\nreturn [${claims.join(', ')}];`)(
    expand,
    Modules,
  );
  for (const [value, expected] of pairs) expect(value).toEqual(expected);
});
