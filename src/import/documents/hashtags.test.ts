import { expect, test } from 'vitest';
import type { Approximation } from '../source.ts';
import { hashtagsIn, withHashtags } from './hashtags.ts';

test.each([
  ['See #oak and #trees/elm, (#fir) #日本 #🌳', ['oak', 'trees/elm', 'fir', '日本', '🌳']],
  ['#first\n#second', ['first', 'second']],
  ['- a #list-item_2', ['list-item_2']],
  ['#2024 #y2024 a#b #', ['y2024']],
  ['# Heading\n\n## With #none', []],
  ['`#code` and\n\n```\n#fence\n```\n\n    #indented', []],
  ['https://example.org/#part [x](#part) [[Page#Part]] <a href="#x">', []],
  ['%% #hidden %% <!-- #hidden --> $#math$', []],
  ['#Oak #oak', ['Oak']],
])('%j has the tags %j', (text, tags) => {
  expect(hashtagsIn(text, 'obsidian')).toEqual(tags);
});

test('words in brackets are a tag in Logseq only', () => {
  expect(hashtagsIn('- #[[old tree]] #oak', 'logseq')).toEqual(['old tree', 'oak']);
  expect(hashtagsIn('- #[[old tree]] #oak', 'obsidian')).toEqual(['oak']);
});

test.each([
  ['A #tree.', '---\ntags: ["tree"]\n---\n\nA #tree.'],
  [
    '---\n# kept\nauthor: Ada\ntags: [wood]\n---\nA #tree.',
    '---\n# kept\nauthor: Ada\ntags: [ wood, tree ]\n---\nA #tree.',
  ],
  ['---\ntags: wood, old\n---\nA #tree #old.', '---\ntags:\n  - wood\n  - old\n  - tree\n---\nA #tree #old.'],
  ['---\ntags: [tree]\n---\nA #tree.', '---\ntags: [tree]\n---\nA #tree.'],
  ['No tags.', 'No tags.'],
])('%j becomes %j', (before, after) => {
  expect(withHashtags(before, 'obsidian', [])).toBe(after);
});

test('programs without such tags keep their texts, and added tags are named', () => {
  expect(withHashtags('A #tree.', 'mkdocs', [])).toBe('A #tree.');
  const approximated: Approximation[] = [];
  withHashtags('A #tree.', 'obsidian', approximated);
  expect(approximated).toEqual([
    {
      construct: 'tags in the text, which are now also tags of the page',
      before: '#tree',
      after: 'tags: [tree]',
    },
  ]);
});

test('long texts of number signs take linear time', () => {
  const units = (text: string) => {
    const before = process.cpuUsage().user;
    hashtagsIn(text, 'obsidian');
    return process.cpuUsage().user - before;
  };
  for (const part of ['#', ' #', '$#', '%%#', '<!--#', '[[#', '#a ', '](#']) {
    units(part.repeat(20_000));
    const [short, long] = [units(part.repeat(20_000)), units(part.repeat(80_000))];
    expect(long, part).toBeLessThan(Math.max(short, 20_000) * 16);
  }
});
