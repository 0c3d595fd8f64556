import { expect, test } from 'vitest';
import { templateFields } from './completion.ts';

const required = (name: string) => ({ name, isRequired: true, default: '' });
const optional = (name: string, value = '') => ({ name, isRequired: false, default: value });

test('required parameters come first, defaults are in their fields', () => {
  expect(templateFields([optional('kind', 'wood'), required('name')])).toBe(
    '|name=${1:}|kind=${2:wood}\\}\\}${3}',
  );
});

test('positional parameters are in their order, and Tab goes to required ones first', () => {
  expect(templateFields([optional('2'), required('1'), required('name')])).toBe(
    '|${1:}|${3:}|name=${2:}\\}\\}${4}',
  );
  // The third positional argument needs the second.
  expect(templateFields([required('1'), required('3')])).toBe('|${1:}\\}\\}${3}');
});

test('parameters with defaults of more than words are left out, many are on their own lines', () => {
  expect(templateFields([optional('a', '{{{b|}}}'), optional('c', 'x=y')])).toBe('');
  expect(templateFields(['a', 'b', 'c', 'd'].map((name) => required(name)))).toBe(
    '\n|a=${1:}\n|b=${2:}\n|c=${3:}\n|d=${4:}\n\\}\\}${5}',
  );
  expect(templateFields([])).toBe('');
});
