import { describe, expect, it } from 'vitest';
import { expand, limits, parse } from '../src/index.ts';
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
    const { children, notices } = parse('<br>'.repeat(limits.nodes + 100), { expanded: true });
    expect(children.length).toBe(1);
    expect(notices.join()).toContain(String(limits.nodes));
  });

  it('calls', () => {
    const { notices } = expand('{{e}}'.repeat(limits.calls + 10), {
      ...context,
      templates: new Map([['e', '']]),
    });
    expect(notices.join()).toContain(String(limits.calls));
  });
});
