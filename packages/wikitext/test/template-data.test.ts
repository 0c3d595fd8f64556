import { expect, test } from 'vitest';
import { templateData } from '../src/template-data.ts';

const within = (json: string) => `{{{name}}} <noinclude><templatedata>${json}</templatedata></noinclude>`;

test('parameters have what is said about them, in the stated order', () => {
  const json = JSON.stringify({
    description: 'A card.',
    paramOrder: ['phone', 'name', 'nobody'],
    params: {
      name: { label: { en: 'Name', de: 'Name' }, description: 'Whom to ask', type: 'line', required: true },
      phone: { suggested: true, default: '112', example: '0123' },
      old: { deprecated: 'Use phone.' },
    },
  });
  expect(templateData(within(json))).toEqual([
    { name: 'phone', default: '112', example: '0123', isRequired: false, isSuggested: true },
    {
      name: 'name',
      label: 'Name',
      description: 'Whom to ask',
      type: 'line',
      isRequired: true,
      isSuggested: false,
    },
  ]);
});

test('anything that is no such description says nothing', () => {
  const odd = ['', '{', '[]', 'null', '{"params": 1}', '{"params": {"a": 1, "b{": {}, "": {}}}', '"x"'];
  for (const json of odd) expect(templateData(within(json)), json).toEqual([]);
  expect(templateData('<templatedata>{"params": {"a": {}}}')).toEqual([]);
  expect(templateData(within('{"params": {"__proto__": {"label": "x"}}}'))).toHaveLength(1);
});

test('the number and length of descriptions is limited', () => {
  const params = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`p${at}`, { label: 'x'.repeat(300) }]),
  );
  expect(templateData(within(JSON.stringify({ params })))).toHaveLength(200);
  expect(templateData(within(`{"params": {"a": {"label": "${'x'.repeat(5000)}"}}}`))[0]?.label).toHaveLength(
    1000,
  );
  expect(templateData('<templatedata>'.repeat(100_000))).toEqual([]);
});
