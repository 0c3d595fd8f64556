import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readExamples } from './examples.ts';
import { show } from './world.ts';

describe.each([
  ['wikitext.md', 20],
  ['templates.md', 7],
])('docs/%s', (file, atLeast) => {
  const examples = readExamples(readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8'));

  it('has an example for nearly every section', () => expect(examples.length).toBeGreaterThan(atLeast));
  for (const [index, { title, source, html }] of examples.entries()) {
    it(`${title} (${index + 1})`, () => expect(show(source).html.trimEnd()).toBe(html));
  }
});
