import { templateData } from '@coppice/wikitext/template-data';
import { expect, test } from 'vitest';
import { parametersIn, withParameters } from './template-data.ts';

const source =
  '\'\'\'{{{name}}}\'\'\' {{{phone|}}}\n<noinclude><templatedata>\n{\n\t"description": "A contact",\n\t"params": {\n\t\t"name": {\n\t\t\t"label": { "en": "Name", "de": "Name!" },\n\t\t\t"aliases": ["n"]\n\t\t}\n\t}\n}\n</templatedata></noinclude>\nEnd';

test('described parameters come first, then those that the text uses', () => {
  expect(parametersIn(source)).toMatchObject([{ name: 'name', label: 'Name' }, { name: 'phone' }]);
  expect(parametersIn('no parameters')).toEqual([]);
  expect(parametersIn('<templatedata>{"params": [</templatedata>')).toBeUndefined();
  expect(parametersIn('<templatedata>{"params": []}</templatedata>')).toBeUndefined();
});

test('only what was edited changes, and what the form does not know stays', () => {
  const fields = parametersIn(source) ?? [];
  expect(withParameters(source, fields)).toBe(source);
  const [name, phone] = fields;
  if (!name || !phone) throw new Error('no fields');
  const edited = withParameters(source, [
    { ...name, required: true },
    { ...phone, type: 'line' },
  ]);
  expect(edited).toBe(
    source
      .replace('{ "en": "Name", "de": "Name!" }', '{\n\t\t\t\t"en": "Name",\n\t\t\t\t"de": "Name!"\n\t\t\t}')
      .replace(
        '["n"]\n\t\t}',
        '[\n\t\t\t\t"n"\n\t\t\t],\n\t\t\t"required": true\n\t\t},\n\t\t"phone": {\n\t\t\t"type": "line"\n\t\t}',
      ),
  );
  expect(templateData(edited).map(({ name }) => name)).toEqual(['name', 'phone']);
  expect(withParameters(source, [])).not.toContain('aliases');
});

test('a template without a description gets one, and no text in it can end the block', () => {
  const [one] = parametersIn('{{{1}}}') ?? [];
  if (!one) throw new Error('no field');
  const made = withParameters('{{{1}}}', [{ ...one, description: 'a</templatedata>b', suggested: true }]);
  expect(made).toMatch(/^\{\{\{1\}\}\}<noinclude>\n<templatedata>\n/);
  expect(templateData(made)).toMatchObject([
    { name: '1', description: 'a</templatedata>b', isSuggested: true },
  ]);
  expect(withParameters('{{{1}}}', [one])).toBe('{{{1}}}');
});
