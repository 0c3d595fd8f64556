import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readExamples } from './examples.ts';
import { show } from './world.ts';

const folder = new URL('./cases/', import.meta.url);

for (const file of readdirSync(folder)) {
  describe(file.replace('.md', ''), () => {
    const examples = readExamples(readFileSync(new URL(file, folder), 'utf8'));
    it('has examples', () => expect(examples.length).toBeGreaterThan(0));
    for (const { title, source, html } of examples) {
      it(title, () => expect(show(source).html.trimEnd()).toBe(html));
    }
  });
}
