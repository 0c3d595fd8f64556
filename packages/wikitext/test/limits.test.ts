import { describe, expect, it } from 'vitest';
import { expand, limits, parse, references, render } from '../src/index.ts';
import { imbalance } from './safety.ts';
import { show } from './world.ts';

const nothing: ReadonlyMap<string, never> = new Map<string, never>();
const context = { page: { title: 'A', path: '/a' }, exists: nothing, listings: nothing, now: 0 };

describe('beyond a limit the page still renders and says so', () => {
  it('elements 10,000 deep', () => {
    const { html, notices } = show(`${'<div>'.repeat(10_000)}x${'</div>'.repeat(10_000)}`);
    expect(imbalance(html)).toBeUndefined();
    expect(html.match(/<div>/g)?.length).toBe(limits.nesting);
    expect(html).toContain('&lt;div&gt;');
    expect(html).toContain('wikitext-notice');
    expect(notices.join()).toContain(String(limits.nesting));
  });

  it('lists 10,000 deep', () => {
    const { html, notices } = show(`${'*'.repeat(10_000)} x`);
    expect(html.match(/<ul>/g)?.length).toBe(limits.listDepth);
    expect(notices.length).toBe(1);
  });

  it('calls 10,000 deep', () => {
    for (const call of [
      '{{Greeting|',
      '{{#if:x|',
      '{{{a|',
      '[[File:oak.jpg|',
      "<ref name='a'>",
      '{|\n|\n',
      ':',
      '<b>',
      '<table><tr><td>',
    ]) {
      expect(() => show(call.repeat(10_000))).not.toThrow();
      const end = call.startsWith('{{{') ? '}}}' : call.startsWith('{{') ? '}}' : ']]';
      expect(() => show(call.repeat(10_000) + end.repeat(10_000))).not.toThrow();
      expect(() => parse(call.repeat(10_000) + end.repeat(10_000))).not.toThrow();
    }
  });

  it('templates within templates', () => {
    const templates = new Map<string, string>();
    for (let level = 0; level < 100; level++) templates.set(`T${level}`, `{{T${level + 1}}}`);
    const { text, notices } = expand('{{T0}}', { ...context, templates });
    expect(text).toContain(`Template depth limit exceeded: [[:T${limits.templateDepth}]]`);
    expect(notices).toEqual([`Templates are nested more than ${limits.templateDepth} deep.`]);
  });

  it('text that templates make', () => {
    const templates = new Map([['Long', 'x'.repeat(10_000)]]);
    const { text, notices } = expand('{{Long}}'.repeat(1000), { ...context, templates });
    expect(text.length).toBeLessThanOrEqual(limits.expandedLength * 1.01);
    expect(text).toContain('wikitext-notice');
    expect(notices.join()).toContain(String(limits.expandedLength));
  });

  it('text that functions make', () => {
    const { text, notices } = expand('{{padleft:a|500}}'.repeat(10_000), { ...context, templates: nothing });
    expect(text.length).toBeLessThan(limits.expandedLength * 1.1);
    expect(notices.join()).toContain(String(limits.expandedLength));
  });

  it('parts', () => {
    const { children, notices } = parse('<br>'.repeat(limits.nodes + 100), {
      expanded: true,
      clock: () => 0,
    });
    expect(children.length).toBe(1);
    expect(notices.join()).toContain(String(limits.nodes));
  });

  it('a page exactly at its limits exceeds none, and one step more is reported', () => {
    const cases: [what: string, count: number, part: string][] = [
      ['parts', limits.nodes - 1, '<br>'],
      ['headings', limits.headings, '= a =\n'],
      ['notes', limits.notes, '<ref>x</ref>'],
      ['links', limits.links, '[[a]] '],
    ];
    for (const [what, count, part] of cases) {
      const read = (times: number) => parse(part.repeat(times), { expanded: true, clock: () => 0 });
      expect([what, read(count).excess]).toEqual([what, undefined]);
      const { excess } = read(count + 1);
      expect(excess).toContain(what);
      expect(excess).toMatch(/^A page can have at most \d+ .*: divide it/);
      expect(references(read(count + 1)).excess).toBe(excess);
    }
  });

  it('a long page is rendered up to the limit of its HTML, and every element is closed', () => {
    for (const part of [
      'http://a.b ',
      `<ref>${'x'.repeat(300)}</ref>`,
      `{|\n|${'&quot;'.repeat(400)}\n|}\n`,
      '<math>&&&&&&&&</math>',
    ]) {
      const { html, notices } = show(part.repeat(40_000));
      expect(html.length).toBeLessThan(limits.output * 1.3);
      expect([part, imbalance(html)]).toEqual([part, undefined]);
      if (html.length > limits.output) expect(notices.join()).toContain('the rest is left out');
    }
  });

  it('links, tags and files', () => {
    const { links } = limits;
    const many = (mark: (number: number) => string, count: number) =>
      Array.from({ length: count }, (_, i) => mark(i)).join('');
    const tree = parse(many((i) => `[[Oak ${i}]] [[Height:${i}]] [[File:${i}.png]] `, links / 2));
    const named = references(tree);
    expect(named.links.length + named.tags.length + named.files.length).toBe(links);
    expect(tree.notices.join()).toContain(String(links));
    const { html } = show(`${'[[Oak]] '.repeat(links)}[[Elm]]`);
    expect(html.match(/href/g)?.length).toBe(links);
    expect(html).toContain('[[Elm]]');
    const shown = parse(many((i) => `{{T${i}}}<img src="${i}.png">`, links + 10));
    expect(references(shown)).toMatchObject({ templates: { length: links }, files: { length: links } });
  });

  it('runs of apostrophes on one line', () => {
    const { html, notices } = show(`${"''a'' ".repeat(limits.quotes)}\n\n''b''`);
    expect(imbalance(html)).toBeUndefined();
    expect(html.match(/<i>a<\/i>/g)?.length).toBe(limits.quotes / 2);
    expect(html).toContain("''a''");
    expect(html).toContain('<i>b</i>');
    expect(notices.join()).toContain(String(limits.quotes));
  });

  it('arguments of a call', () => {
    const call = (count: number) =>
      expand(`{{#len:${'a|'.repeat(count)}}}{{e${'|b'.repeat(count)}}}`, {
        ...context,
        templates: new Map([['e', `{{{1}}} {{{${limits.arguments}}}}`]]),
      });
    expect(call(10).notices).toEqual([]);
    const { text, notices } = call(limits.arguments + 2);
    expect(text).toMatch(/^1b b\|b\|b\n/);
    expect(notices.join()).toContain(String(limits.arguments));
  });

  it('open brackets', () => {
    const { html } = show(`${'[['.repeat(100_000)}Oak]] [[Oak]]`);
    expect(html.match(/href/g)?.length).toBe(2);
  });

  it('cells of tables', () => {
    for (const cells of ['\n|a'.repeat(limits.cells + 10), `\n|a${'||a'.repeat(limits.cells + 9)}`]) {
      const { html, notices } = show(`{|${cells}\n|}\n\nafter`);
      expect(imbalance(html)).toBeUndefined();
      expect(html.match(/<td>/g)?.length).toBe(limits.cells);
      expect(html.match(/\|a/g)?.length).toBe(10);
      expect(html).toContain('<p>after');
      expect(notices.join()).toContain(String(limits.cells));
    }
  });

  describe('time', () => {
    /** A clock that advances by a second at each reading. */
    const clock = () => {
      let now = 0;
      return () => (now += 1000);
    };

    it('of reading a page', () => {
      const count = 10_000;
      const tree = parse('<b>§</b>'.repeat(count), { clock: clock() });
      const { html } = render(tree, { pages: nothing, files: nothing, page: context.page });
      expect(imbalance(html)).toBeUndefined();
      expect(html.match(/<b>/g)?.length).toBeLessThan(count);
      expect(html.match(/§/g)?.length).toBe(count);
      expect(html).toContain('wikitext-notice');
      expect(tree.notices.join()).toContain(`${limits.milliseconds / 1000} seconds`);
    });

    it('of the calls in it', () => {
      const templates = new Map([['e', 'x']]);
      const { text, notices } = expand('{{e}}'.repeat(10_000), { ...context, templates, clock: clock() });
      expect(text).toMatch(/^x+(?:\{\{e\}\})+\n/);
      expect(text).toContain('wikitext-notice');
      expect(notices.join()).toContain(`${limits.milliseconds / 1000} seconds`);
    });

    it('does not affect a page that is read in time', () => {
      const ticking = { clock: () => performance.now() };
      expect(parse('<b>x</b>'.repeat(1000), ticking).notices).toEqual([]);
      expect(parse('<b>x</b>'.repeat(1000)).notices).toEqual([]);
    });
  });

  it('calls', () => {
    const { notices } = expand('{{e}}'.repeat(limits.calls + 10), {
      ...context,
      templates: new Map([['e', '']]),
    });
    expect(notices.join()).toContain(String(limits.calls));
  });
});
