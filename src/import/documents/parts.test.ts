/** Texts that are put in place. */
import { expect, test } from 'vitest';
import type { FileTree } from './file-tree.ts';
import { withIncludedBlocks, withLiquidIncludes, withPartials } from './parts.ts';

function treeOf(files: Record<string, string>): FileTree {
  return {
    ...{ paths: Object.keys(files).sort(), leftOut: [], hidden: [] },
    async *open(path) {
      yield Buffer.from(files[path] ?? '');
    },
    changedAt: async () => 0,
    async [Symbol.asyncDispose]() {},
  };
}

test('includes of Jekyll are put in place with their parameters, and programs stay as they are written', async () => {
  const tree = treeOf({
    '_includes/note.html':
      '<p class="{{ include.type }}">{% if include.title %}<b>{{ include.title }}</b>{% else %}-{% endif %}{{ include.content | markdownify }}</p>',
    '_includes/program.html': '{% for a in site.posts %}{% endfor %}',
    '_includes/loop.md': '{% include loop.md %}',
    'docs/part.md': 'Part {% include note.html content="in" %}',
  });
  const put = (text: string) => withLiquidIncludes(tree, 'docs/a.md', text);
  expect(
    await put(
      '{% include note.html content="Take care" type=\'tip\' title="T" %} {% include_relative part.md %}',
    ),
  ).toBe('<p class="tip"><b>T</b>Take care</p> Part <p class="">-in</p>');
  for (const kept of [
    '{% include program.html %}',
    '{% include none.html %}',
    '{% include loop.md %}',
    '`{% include note.html %}`',
    '{% include_relative ../../x %}',
  ])
    expect(await put(kept)).toBe(kept);
});

test('blocks that GitBook includes are put in place', async () => {
  const tree = treeOf({ '.gitbook/includes/part.md': '---\ntitle: P\n---\n\nPart **x**\n' });
  expect(
    await withIncludedBlocks(
      tree,
      'a/b.md',
      '{% include "../.gitbook/includes/part.md" %} {% include "x.md" %}',
    ),
  ).toBe('Part **x** {% include "x.md" %}');
});

test('parts that MDX imports are put in place with their properties', async () => {
  const tree = treeOf({
    'docs/_part.mdx': '---\na: b\n---\nPart **of** {props.name}, <Deep />\n',
    'docs/deep.mdx': "import Deep from './deep.mdx'\n<Deep />",
  });
  const text =
    "import Part from './_part.mdx';\nimport Deep from '@site/docs/deep.mdx'\nimport None from './none.mdx'\n\n<Part name=\"oaks\" /> <None /> `<Part />`";
  const put = await withPartials(tree, 'docs/a.md', text);
  expect(put).toContain('\nPart **of** oaks, <Deep /> <None /> `<Part />`');
});
