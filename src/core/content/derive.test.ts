import { expect, test } from 'vitest';
import type { Content } from '../model/page.ts';
import { derive as deriveIn } from './derive.ts';
import { defaultDialect } from './dialect.ts';

const content: Content = {
  title: 'Mill',
  slug: 'mill',
  path: '/a/mill',
  parent: '/a',
  description: null,
  type: null,
  permissions: 774,
  location: null,
  body: '',
  format: 'wikitext',
  data: {},
  image: null,
  msg: '',
};

const derive = (content: Content) => deriveIn(content, defaultDialect);

test('type, tags and location follow the body', () => {
  const { shown, derived } = derive({
    ...content,
    body: '[[Type:House]] [[Kind:a]] [[kind: b ]] [[Location: 0, -0.5]]',
  });
  expect(shown).toMatchObject({ type: 'House', location: { lat: 0, lon: -0.5 } });
  expect(derived.tags).toEqual([
    { key: 'kind', value: 'a' },
    { key: 'kind', value: 'b' },
  ]);
});

test('a page with a location and no type is a Place; explicit values take precedence', () => {
  const body = '[[Location:1, 2]] [[Type:House]]';
  expect(derive({ ...content, body: '[[Location:1, 2]]' }).shown.type).toBe('Place');
  expect(derive({ ...content, body, type: 'Ruin' }).shown.type).toBe('Ruin');
  expect(derive({ ...content, body, location: { lat: 3, lon: 4 } }).shown.location).toEqual({
    lat: 3,
    lon: 4,
  });
  expect(derive({ ...content, body: '[[Location:1, 2]]', location: false }).shown).toMatchObject({
    location: null,
    type: null,
  });
});

test('the last valid location counts; one out of range is ignored', () => {
  expect(derive({ ...content, body: '[[Location:1, 2]] [[Location:3, 4]]' }).shown.location).toEqual({
    lat: 3,
    lon: 4,
  });
  expect(derive({ ...content, body: '[[Location:91, 2]]' }).shown.location).toBeNull();
});

test('the description is the text before the first heading, in plain text', () => {
  const body = "The '''old''' [[River|stream]] turns it.\n\n== History ==\nBuilt long ago.";
  expect(derive({ ...content, body }).shown.description).toBe('The old stream turns it.');
  expect(derive({ ...content, body: '== History ==\nBuilt long ago.' }).shown.description).toContain(
    'Built long ago.',
  );
  expect(derive({ ...content, body, description: 'Mine.' }).shown.description).toBe('Mine.');
});

test('links are distinguished by kind; relative ones start from the path', () => {
  const { derived } = derive({
    ...content,
    body: '[[B]] [[b]] [[../c]] [[/d#e|f]] {{Box}} [[File:x.png]] [[B]]',
  });
  expect(derived.links).toEqual([
    { kind: 'page', target: 'B', count: 2 },
    { kind: 'page', target: 'b', count: 1 },
    { kind: 'page', target: '/a/c', count: 1 },
    { kind: 'page', target: '/d', count: 1 },
    { kind: 'template', target: 'Box', count: 1 },
    { kind: 'file', target: 'x.png', count: 1 },
  ]);
});
