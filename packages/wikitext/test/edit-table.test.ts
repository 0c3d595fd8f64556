/** Every row of EDITING.md does what it says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as api from '../src/edit/index.ts';

const document = readFileSync(new URL('../EDITING.md', import.meta.url), 'utf8');

const cells = [...document.matchAll(/^\| (.+) \|$/gm)]
  .map(([, line = '']) => line.split(/ (?<!\\)\| /).map((cell) => cell.replaceAll('\\|', '|')))
  .filter(([what]) => what !== 'what');
const rows = cells.map(([what = '', ...code]) => [what, ...code.map(unquoted)]);

function unquoted(code: string): string {
  return code.replace(/^`|`$/g, '');
}

describe('EDITING.md', () => {
  it('covers the common uses', () => expect(rows.length).toBeGreaterThan(50));
  it.each(rows)('%s', (_what, source = '', _theirs, here = '', result = '') => {
    const tree = api.readSource(source.replaceAll('⏎', '\n'));
    const names = Object.keys(api);
    // The document is our own, so its code may run.
    const run = new Function('tree', 'call', ...names, `return ${here}`);
    expect(run(tree, api.templates(tree)[0], ...Object.values(api))).toEqual(JSON.parse(result));
  });
});
