/** Links are rewritten to their targets' future paths; everything else is kept. */
import { expect, test } from 'vitest';
import { rewriteLinks, type Targets } from './rewrite-links.ts';

const pages: Record<string, string> = { 'oak.wiki': '/trees/oak', '../elm.wiki': '/elm' };
const files: Record<string, string> = {
  'a/leaf.png': 'leaf.png',
  'x.pdf': '/elm/x.pdf',
  '50%.png': '50%.png',
};

const targets: Targets = {
  page: (target) => (pages[target] ? { path: pages[target], label: 'name', isKept: false } : undefined),
  file: (target) => (files[target] ? { name: files[target], path: `/x/${files[target]}` } : undefined),
  fragment: (_target, fragment) => (fragment === 'the-bark' ? 'The_bark' : undefined),
  own: '/x',
  isPage: (target) => !/^\w+:/.test(target),
};

test.each([
  ['[[oak.wiki|Oak]]s', '[[/trees/oak|Oak]]s'],
  ['[[ oak.wiki ]]', '[[/trees/oak|name]]'],
  ['[[../elm.wiki#the-bark|its bark]]', '[[/elm#The_bark|its bark]]'],
  ['[[oak.wiki#unknown|x]]', '[[/trees/oak#unknown|x]]'],
  ['[[#the-bark]] and [[#the-bark|here]]', '[[#The_bark|the-bark]] and [[#The_bark|here]]'],
  ['[[oak.wiki|a label\nover two lines]]', '[[/trees/oak|a label\nover two lines]]'],
  ['[[File:a/leaf.png|thumb|A [[oak.wiki|leaf]]]]', '[[File:leaf.png|thumb|A [[/trees/oak|leaf]]]]'],
  ['[[Image:a/leaf.png]]', '[[Image:leaf.png]]'],
  ['[[File:50%.png]]', '[[File:50%25.png]]'],
  ['[[x.pdf|the paper]] [[x.pdf]]', '[[File:/elm/x.pdf|the paper]] [[File:/elm/x.pdf|x.pdf]]'],
  ['<img src=a/leaf.png>', '<img src="leaf.png">'],
  [`<IMG align="left" src='a/leaf.png' />`, '<IMG align="left" src="leaf.png" />'],
  ['<ref>[[oak.wiki|x]]</ref>', '<ref>[[/trees/oak|x]]</ref>'],
  ['<nowiki>open, [[oak.wiki|x]]', '<nowiki>open, [[/trees/oak|x]]'],
  ['[[https://example.org/a|the site]]s', '[https://example.org/a the site]s'],
  ['<nowiki/>[[oak.wiki|x]]', '<nowiki/>[[/trees/oak|x]]'],
])('%s becomes %s', (before, after) => {
  expect(rewriteLinks(before, targets).body).toBe(after);
});

test.each([
  'Plain text, [[Elsewhere]], [[elsewhere.wiki|x]], [https://example.org/oak.wiki oak.wiki]',
  '[[Height: 20 m]] [[https://example.org]] [[https://example.org|]] [[:File:leaf.png]]',
  '<nowiki>[[oak.wiki|x]]</nowiki> <pre>[[oak.wiki]]</pre> <!-- [[oak.wiki]] --> <math>[[oak.wiki]]</math>',
  '<syntaxhighlight lang="c">[[oak.wiki]]</syntaxhighlight><source>[[oak.wiki]]</source>',
  '<img src="https://example.org/a/leaf.png"> <img alt="no source"> [[File:other.png]]',
  '[[#unknown]] [[#the_bark|x]] [[]] [[|]] [[oak.wiki] [oak.wiki]] {{oak.wiki}}',
])('%s stays', (text) => {
  expect(rewriteLinks(text, targets)).toMatchObject({ body: text, approximated: [] });
});

test('every link has an outcome: a page, a file, a heading, or nowhere', () => {
  const text =
    '[[oak.wiki#the-bark|x]] [[File:a/leaf.png]] [[#y]] [[Elsewhere]] [[File:none.png]] [[Height: 2 m]]';
  expect(rewriteLinks(text, targets).links).toEqual([
    { old: 'oak.wiki#the-bark', new: '/trees/oak#The_bark' },
    { old: 'File:a/leaf.png', new: '/x/leaf.png', isFile: true },
    { old: '#y', new: '/x#y' },
    { old: 'Elsewhere', new: null },
    { old: 'File:none.png', new: null, isFile: true },
  ]);
});

test('work grows only with the length of the text', () => {
  for (const piece of ['[[a', '<!--', '<nowiki>', '<img ', '<img src', '[[File:', '[[a|', '<pre>[[a]]']) {
    // Quadratic work would exceed the test's time limit by far.
    const text = piece.repeat(2_000_000 / piece.length);
    expect(rewriteLinks(text, targets).approximated, piece).toEqual([]);
  }
});
