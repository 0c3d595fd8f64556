import { expect, test } from 'vitest';
import type { FileTree } from './file-tree.ts';
import { withIncludes } from './includes.ts';
import { withSnippets } from './snippets.ts';

function treeOf(files: Record<string, string>): FileTree {
  return {
    paths: Object.keys(files),
    leftOut: [],
    hidden: [],
    async *open(path) {
      yield Buffer.from(files[path] ?? '');
    },
    changedAt: async () => 0,
    async [Symbol.asyncDispose]() {},
  };
}

const code = 'one\n// ANCHOR: part\ntwo\nthree\n// ANCHOR_END: part\nfour\n';
const files = {
  'src/a.rs': code,
  'book/text.md': 'A *text*.\n',
  'book/nested.md': 'Before {{#include text.md}} after\n',
  'book/values.md': '[[#greet]], [[#name]] and [[#rest others]]\n',
  'book/round.md': 'x{{#include round.md}}',
  'docs/inc/part.md': 'A\n# --8<-- [start:s]\nB\n# --8<-- [end:s]\nC\n',
  'docs/ring.md': 'x\n--8<-- "ring.md"',
};

test.each([
  ['{{#include text.md}}', 'A *text*.'],
  ['{{#include nested.md}}', 'Before A *text*. after'],
  ['{{#include ../src/a.rs:1}}', 'one'],
  ['{{#include ../src/a.rs:3:4}}', 'two\nthree'],
  ['{{#include ../src/a.rs::1}}', 'one'],
  ['{{#include ../src/a.rs:6:}}', 'four'],
  ['{{#include ../src/a.rs:part}}', 'two\nthree'],
  ['{{#rustdoc_include ../src/a.rs:part}}', 'two\nthree'],
  ['```rust\n{{#include ../src/a.rs:3}}\n```', '```rust\ntwo\n```'],
  ['{{#playground ../src/a.rs:3 editable}}', '```rust\ntwo\n```'],
  ['{{#template values.md name=Ann greet="Good day"}}', 'Good day, Ann and others'],
  ['\\{{#include text.md}}', '\\{{#include text.md}}'],
])('%j becomes what it includes', async (written, text) => {
  expect(await withIncludes(treeOf(files), 'book/page.md', written)).toEqual({ text, missing: [] });
});

test('missing files stay commands and are named, and nothing outside the source is read', async () => {
  for (const name of ['gone.md', '../../etc/passwd', '/etc/passwd']) {
    const written = `{{#include ${name}}}`;
    expect(await withIncludes(treeOf(files), 'book/page.md', written)).toEqual({
      text: written,
      missing: [name],
    });
  }
});

test('a text that includes itself ends', async () => {
  const { text, missing } = await withIncludes(treeOf(files), 'book/page.md', '{{#include round.md}}');
  expect(text).toMatch(/^x+\{\{#include round\.md\}\}$/);
  expect(missing).toEqual(['round.md']);
});

test.each([
  ['--8<-- "inc/part.md"', 'A\nB\nC'],
  ['- x\n\n    ```\n    --8<-- "part.md:s"\n    ```', '- x\n\n    ```\n    B\n    ```'],
  ['-8<- "docs/inc/part.md:1,5:5"', 'A\nC'],
  ['--8<--\npart.md:s\n; gone.md\n--8<--\nend', 'B\nend'],
  [';--8<-- "part.md"', '--8<-- "part.md"'],
])('the snippet %j becomes what it names', async (written, text) => {
  expect(await withSnippets(treeOf(files), written)).toEqual({ text, missing: [] });
});

test('snippets that are missing or name themselves stay and are named', async () => {
  const written = '--8<-- "../../etc/passwd"';
  expect(await withSnippets(treeOf(files), written)).toEqual({
    text: written,
    missing: ['../../etc/passwd'],
  });
  const { text, missing } = await withSnippets(treeOf(files), '--8<-- "ring.md"');
  expect([text.split('\n').at(-1), missing]).toEqual(['--8<-- "ring.md"', ['ring.md']]);
});
