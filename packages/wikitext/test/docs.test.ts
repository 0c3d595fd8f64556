import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readExamples } from './examples.ts';
import { show } from './world.ts';

const examples = readExamples(readFileSync(new URL('../../../docs/wikitext.md', import.meta.url), 'utf8'));

describe('docs/wikitext.md', () => {
  it('has an example for nearly every section', () => expect(examples.length).toBeGreaterThan(25));
  for (const [index, { title, source, html }] of examples.entries()) {
    it(`${title} (${index + 1})`, () => expect(show(source).html.trimEnd()).toBe(html));
  }
});
