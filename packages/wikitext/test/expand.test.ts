import { describe, expect, it } from 'vitest';
import { type ExpandContext, expand, parse, plainText, render } from '../src/index.ts';

const nothing: ReadonlyMap<string, never> = new Map<string, never>();
const context = (over: Partial<ExpandContext> = {}): ExpandContext => ({
  page: { title: 'A', path: '/a' },
  templates: nothing,
  exists: nothing,
  listings: nothing,
  now: 0,
  ...over,
});

describe('expand', () => {
  it('lists everything that one level needs at once', () => {
    const { needs } = expand(
      '{{A}} {{B|{{C}}}} {{/p}} {{#ifexist:D|x}} {{Children}} {{Children}} {{Tagged|k=v}}',
      context(),
    );
    expect(needs.templates).toEqual(['A', 'B', 'C', '/p']);
    expect(needs.exists).toEqual(['D']);
    expect(needs.listings).toEqual([
      { key: 'Children?', name: 'Children', arguments: {} },
      { key: 'Tagged?k=v', name: 'Tagged', arguments: { k: 'v' } },
    ]);
  });
  it('needs nothing more once everything is provided', () => {
    const { text, needs } = expand('{{A}}', context({ templates: new Map([['A', 'x']]) }));
    expect(text).toBe('x');
    expect(needs).toEqual({ templates: [], exists: [], files: [], listings: [] });
  });
  it('does not ask for the branch that is not taken', () => {
    expect(expand('{{#if:|{{A}}|{{B}}}}', context()).needs.templates).toEqual(['B']);
  });
  it('a page of the same name does not replace a listing', () => {
    const { text, needs } = expand('{{Children}}', context({ templates: new Map([['Children', 'mine']]) }));
    expect(text).not.toContain('mine');
    expect(needs.listings.length).toBe(1);
  });
  it('calls in an argument’s value are not expanded again', () => {
    const templates = new Map([
      ['A', '{{{1}}}'],
      ['Pipe', '|'],
      ['Open', '{{'],
    ]);
    expect(expand('{{A|{{Open}}A}}}}', context({ templates })).text).toBe('{{A}}');
  });
  it('the host can provide its own words', () => {
    const word = (name: string, argument: string | undefined) =>
      name === 'PAGENAME' ? `mine ${argument ?? ''}` : undefined;
    expect(expand('{{PAGENAME}}/{{PAGENAME:x}}', context({ word })).text).toBe('mine /mine x');
  });
  it('titles cannot inject markup', () => {
    const page = { title: "''[[x]]'' {{y}} <b>", path: '/a' };
    const { text } = expand('{{PAGENAME}}', context({ page }));
    const { html } = render(parse(text, { expanded: true }), { pages: nothing, files: nothing, page });
    expect(html).toBe("<p>''[[x]]'' {{y}} &lt;b&gt;\n</p>");
  });
});

describe('render', () => {
  const show = (source: string) =>
    render(parse(source), { pages: nothing, files: nothing, page: { path: '/a', title: 'A' } });

  it('returns plain text, one line for each block', () => {
    expect(
      plainText(parse("== A ==\n'''b''' [[c|d]]<ref>e</ref>\n* f\n* g\n\n{|\n| h || i\n|}\n[[k: v]]")),
    ).toBe('A\nb d\nf\ng\nh\ni');
  });
  it('returns an outline', () => {
    expect(show('== A ==\n=== B ===').outline.map(({ level, title, id }) => [level, title, id])).toEqual([
      [2, 'A', 'A'],
      [3, 'B', 'B'],
    ]);
  });
  it('lets the host highlight code and set formulas', () => {
    const resolved = {
      pages: nothing,
      files: nothing,
      page: { path: '/a', title: 'A' },
      highlight: (code: string, language: string) => `<mark>${language} ${code.length}</mark>`,
      math: (tex: string, isDisplay: boolean) => `<var>${tex} ${isDisplay}</var>`,
    };
    const html = (source: string) => render(parse(source), resolved).html;
    expect(html('<syntaxhighlight lang="js">ab</syntaxhighlight>')).toContain('<mark>js 2</mark>');
    expect(html('<math>x</math>')).toContain('<var>x false</var>');
    expect(html('<math display="block">x</math>')).toContain('<var>x true</var>');
  });
});
