import { describe, expect, it } from 'vitest';
import { parse, references } from '../src/index.ts';

const of = (source: string, path = '/trees/oak') => references(parse(source, { path }));
const targets = (source: string) => of(source).links.map((link) => link.target);

describe('links', () => {
  it('are listed once, in order, with their number of uses', () => {
    expect(of('[[B]] [[A|x]] [[ B ]] [[B#c]] [[ A  b ]]').links).toEqual([
      { target: 'B', isPath: false, count: 3 },
      { target: 'A', isPath: false, count: 1 },
      { target: 'A b', isPath: false, count: 1 },
    ]);
  });
  it('to paths are resolved against the page', () => {
    expect(targets('[[/x/y]] [[../elm]] [[./leaf]] [[/x/]]')).toEqual([
      '/x/y',
      '/trees/elm',
      '/trees/oak/leaf',
      '/x',
    ]);
    expect(of('[[/x]]').links[0]?.isPath).toBe(true);
  });
  it('say whether they follow the path of the page', () => {
    const relative = [
      '[[../elm]]',
      '[[.]]',
      '[[ :..|up]]',
      '[[%2E%2E/elm]]',
      '[[&#46;./elm]]',
      '{{./box}}',
      '{{T|[[../elm]]}}',
      '#REDIRECT [[../elm]]',
      '[[File:../elm/x.png]]',
      '[[File:x.png|link=../elm]]',
      '<gallery>\n../elm/x.png\n</gallery>',
    ];
    for (const source of relative) expect(of(source).followsPath, source).toBe(true);
    const absolute = [
      '[[/trees/elm]] [[elm]] {{Box}}',
      '[[...]] ../elm',
      '[[File:./x.png]]',
      '<nowiki>[[../elm]]</nowiki>',
    ];
    for (const source of absolute) expect(of(source).followsPath, source).toBe(false);
  });
  it('keep their fragment', () => expect(of('[[A#b c]]').links[0]?.fragment).toBe('b c'));
  it('within the page are not listed', () => expect(targets('[[#a]]')).toEqual([]));
  it('with a colon in front are links', () =>
    expect(targets('[[:Key: value]] [[:File:x]]')).toEqual(['Key: value', 'File:x']));
  it('are normalised', () => expect(targets('[[Cafe\u0301]]')).toEqual(['Café']));
  it('count in arguments, captions, notes, tables and galleries', () => {
    expect(
      targets(
        '{{T|[[A]]|x=[[B]]|{{U|[[C]]}}}} [[File:f|thumb|[[D]]]] <ref>[[E]]</ref>\n{|\n| [[F]]\n|}\n<gallery>\ng|[[G]]\n</gallery>',
      ),
    ).toEqual(['A', 'B', 'C', 'D', 'E', 'G', 'F'].sort());
  });
  it('do not count in nowiki, pre, code and comments', () => {
    expect(
      targets('<nowiki>[[A]]</nowiki><pre>[[B]]</pre><!-- [[C]] --><syntaxhighlight>[[D]]</syntaxhighlight>'),
    ).toEqual([]);
  });
});

describe('tags', () => {
  it('are in order, keys in lower case, both trimmed', () => {
    expect(of('[[ Height : 20 m ]] [[colour:green]] [[Colour: Red]]').tags).toEqual([
      { key: 'height', value: '20 m' },
      { key: 'colour', value: 'green' },
      { key: 'colour', value: 'Red' },
    ]);
  });
  it('type and location are separate, the last one counts', () => {
    const found = of('[[Type: Tree]] [[Type: Place]] [[Location: 1, 2]] [[Location: 3, 4]]');
    expect(found).toMatchObject({ tags: [], type: 'Place', location: { lat: 3, lon: 4 } });
  });
  it('an invalid location is ignored, with a reason', () => {
    const found = of('[[Location: 100, 2]]');
    expect(found.location).toBeUndefined();
    expect(found.locationProblem).toContain('100');
  });
  it('a category is the category tag', () =>
    expect(of('[[Category:X|y]]').tags).toEqual([{ key: 'category', value: 'X' }]));
  it('count in arguments', () => expect(of('{{T|[[a:b]]}}').tags).toEqual([{ key: 'a', value: 'b' }]));
  it('an address is not a tag', () => expect(of('[[https://a.b c]] [[mailto:x]]').tags).toEqual([]));
  it('keys are at most 64 characters', () => {
    expect(of(`[[${'k'.repeat(64)}:v]]`).tags.length).toBe(1);
    expect(of(`[[${'k'.repeat(65)}:v]]`).tags.length).toBe(0);
  });
  it('an empty key is not a tag', () => expect(of('[[ :v]]').tags).toEqual([]));
});

describe('the rest', () => {
  it('templates by name and path, without functions, words and listings', () => {
    expect(
      of(
        '{{ a }} {{a|x}} {{/p}} {{../q}} {{Template:b}} {{#if:x|{{c}}}} {{PAGENAME}} {{Children}} {{lc:X}} {{ {{d}} }}',
      ).templates,
    ).toEqual(['a', '/p', '/trees/q', 'b', 'c', 'd']);
  });
  it('files', () =>
    expect(
      of('[[File:a.jpg]] [[Image:b.png|thumb]] <gallery>\nc.gif\n</gallery> <img src="d.webp">').files,
    ).toEqual(['a.jpg', 'b.png', 'c.gif', 'd.webp']));
  it('files by path', () =>
    expect(of('[[File:../elm/a.jpg]] [[File:./b.jpg]] [[File:/c/d.jpg]] [[File:e/f.jpg]]').files).toEqual([
      '/trees/elm/a.jpg',
      'b.jpg',
      '/c/d.jpg',
      'e/f.jpg',
    ]));
  it('sections', () => {
    const source = '== A ==\nx\n=== B ===\ny\n== C ==\n';
    const { sections } = of(source);
    expect(sections.map(({ level, title, id }) => [level, title, id])).toEqual([
      [2, 'A', 'A'],
      [3, 'B', 'B'],
      [2, 'C', 'C'],
    ]);
    expect(sections.map(({ start, end }) => source.slice(start, end))).toEqual([
      '== A ==\nx\n=== B ===\ny\n',
      '=== B ===\ny\n',
      '== C ==\n',
    ]);
  });
  it('a redirect', () =>
    expect(of('#REDIRECT [[A#b]]').redirect).toEqual({
      target: 'A',
      isPath: false,
      fragment: 'b',
      count: 1,
    }));
});
