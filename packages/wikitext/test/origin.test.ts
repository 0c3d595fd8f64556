import { describe, expect, it } from 'vitest';
import { type ExpandContext, expand, parse, render } from '../src/index.ts';

const page = { title: 'Home', path: '/home' };
const templates = new Map<string, string | null>([
  ['Box', '<div>{{{1}}}</div>\n* [[Oak]]'],
  ['Word', "''w''"],
]);
const context: ExpandContext = {
  page,
  templates,
  exists: new Map(),
  listings: new Map(),
  now: 0,
  tracksOrigins: true,
};

/** Elements with `data-source`, each with its source text. */
function origins(source: string): string[] {
  const { text, origins: places } = expand(source, context);
  const { html } = render(parse(text, { expanded: true }), {
    pages: new Map(),
    files: new Map(),
    page,
    origins: places ?? [],
  });
  return [...html.matchAll(/<([a-z0-9]+) data-source="(\d+)-(\d+)"/g)].map(
    ([, name, start, end]) => `${name}: ${source.slice(Number(start), Number(end))}`,
  );
}

describe('data-source', () => {
  it('names the part of the source that an element comes from, also after calls', () => {
    expect(origins("== A {{Word}} ==\n{{Word}} and '''b''' [[c]]\n* x <nowiki>y</nowiki>\n")).toEqual([
      'h2: == A {{Word}} ==',
      'i: {{Word}}',
      "p: {{Word}} and '''b''' [[c]]\n",
      'i: {{Word}}',
      "b: '''b'''",
      'a: [[c]]',
      'ul: * x <nowiki>y</nowiki>\n',
      'li: * x <nowiki>y</nowiki>\n',
    ]);
  });

  it('names the call for everything that it produced', () => {
    expect(origins('a\n{{Box|b}}\nc [https://example.org d]')).toEqual([
      'p: a\n',
      'div: {{Box|b}}',
      'ul: {{Box|b}}\n',
      'li: {{Box|b}}\n',
      'a: {{Box|b}}',
      'p: c [https://example.org d]',
      'a: [https://example.org d]',
    ]);
  });

  it('equals that of the tree if nothing was expanded', () => {
    const source = 'a {{Box}} [[b]]';
    const { html } = render(parse(source), { pages: new Map(), files: new Map(), page, origins: [] });
    expect(html).toContain('<p data-source="0-15">');
    expect(html).toContain('<a data-source="10-15"');
  });

  it('is left out unless it is asked for', () => {
    const { text, origins: places } = expand('{{Word}}', { ...context, tracksOrigins: false });
    expect(places).toBeUndefined();
    expect(render(parse(text), { pages: new Map(), files: new Map(), page }).html).not.toContain(
      'data-source',
    );
  });
});
