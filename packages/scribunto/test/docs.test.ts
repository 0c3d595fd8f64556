/** Every example of `docs/modules.md` gives the result below it. */
import { readFileSync } from 'node:fs';
import { parse, render } from '@coppice/wikitext';
import { expect, test } from 'vitest';
import { readExamples } from '../../wikitext/test/examples.ts';
import { defaultLimits } from '../src/machine.ts';
import { show } from './wiki.ts';

const document = readFileSync(new URL('../../../docs/modules.md', import.meta.url), 'utf8');
const programs = [...document.matchAll(/^```lua\n-- (Module:\w+)\n(.*?)^```$/gms)];
const pages: Record<string, string> = {
  Row: '{{#invoke:Row|main}}',
  ...Object.fromEntries(programs.map(([, name, program]) => [name, `-- ${name}\n${program}`])),
};
const examples = readExamples(document);

test('there are examples', () => {
  expect(programs).toHaveLength(4);
  expect(examples).toHaveLength(4);
});

test.each(examples.map((example) => [example.title, example] as const))('%s', (_title, { source, html }) => {
  const { text } = show(source, pages);
  const page = { path: '/trees', title: 'Trees' };
  const tree = parse(text, { path: page.path, expanded: true });
  const shown = render(tree, {
    pages: new Map([['Elm', { path: '/elm', title: 'Elm' }]]),
    files: new Map(),
    page,
  });
  expect(shown.html.trimEnd()).toBe(html);
});

test('reasons of errors are as documented', () => {
  const { problems } = show('{{#invoke:Paint|main|ash}}', pages);
  expect(problems).toHaveLength(1);
  expect(document).toContain(`\`${problems[0]}\``);
});

test('the limits are as documented', () => {
  const { cpuMs, memoryBytes } = defaultLimits;
  expect(document).toContain(`${cpuMs / 1000} seconds of processor time and ${memoryBytes / 1024 / 1024} MB`);
});
