/**
 * Validates input against the route's schema. Text (queries, path parameters, forms) is first parsed strictly by the schema's
 * types: `10` is an integer, ` 10`, `1e1` and `0x0a` are not. All invalid fields are reported at once, each with one sentence.
 */

import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type FieldError, fieldError, Problem } from '#core/model/problem.ts';
import { say, sentences } from '#words/say.ts';
import { maxParameters } from '../parameters.ts';
import { hasMoreValues, tooManyValues } from '../request-body/json.ts';

/** The part of JSON Schema that our schemas use. */
export interface Schema {
  type?: string;
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  title?: string;
  description?: string;
  format?: string;
  examples?: unknown[];
  default?: unknown;
}

/** Maximum length of JSON in a text field; no such field needs more. Deeply nested input could take seconds and a gigabyte. */
const maxJsonLength = 1_500_000;

type RequestPart = 'body' | 'querystring' | 'params' | 'headers';
type Fields = Record<string, unknown>;

export function compileValidator(
  schema: TSchema,
  part: RequestPart,
): (value: unknown) => { value: unknown } | { error: Problem } {
  return (given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return { error: invalidFields([fieldError('', say('problem.theBodyMustBeAnObjectOf'))]) };
    }
    const value = part === 'body' ? given : readFields(schema, given as Fields);
    if (isOf(schema, value)) return { value };
    return {
      error: invalidFields(mistakesIn(schema as Schema, value as Fields, (name) => pointerTo(part, name))),
    };
  };
}

/** Compiled on first use, because there are more than a hundred. */
const validators = new WeakMap<object, Validator>();

function isOf(schema: object, value: unknown): boolean {
  const known = validators.get(schema);
  if (known) return known.Check(value);
  const validator = Compile(schema as TSchema);
  validators.set(schema, validator);
  return validator.Check(value);
}

function mistakesIn(
  { properties = {}, required = [] }: Schema,
  value: Fields,
  pointerTo: (name: string) => string,
): FieldError[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const pointer = pointerTo(name);
    if (value[name] !== undefined) return mistakesOf(field, value[name], pointer);
    return required.includes(name) ? [fieldError(pointer, say('problem.required'), 'required')] : [];
  });
}

/** In a list of objects, only the first invalid one is reported. */
function mistakesOf(schema: Schema, value: unknown, pointer: string): FieldError[] {
  if (isOf(schema, value)) return [];
  const { items } = schema;
  const bad = items?.properties && Array.isArray(value) ? value.findIndex((one) => !isOf(items, one)) : -1;
  const one: unknown = Array.isArray(value) ? value[bad] : undefined;
  if (items && typeof one === 'object' && one !== null && !Array.isArray(one)) {
    const found = mistakesIn(items, one as Fields, (name) => `${pointer}/${bad}/${escaped(name)}`);
    if (found.length > 0) return found;
  }
  return [
    {
      pointer,
      detail: `Expected ${kindOf(schema)}.`,
      code: 'wrong-type',
      words: say('problem.notPossibleHere'),
    },
  ];
}

export function invalidFields(errors: FieldError[]): Problem {
  const all = errors.map(({ pointer, detail }) =>
    pointer === '' ? detail : `${pointer.replace(/^[/?]/, '')}: ${detail}`,
  );
  return new Problem('invalid', all.join(' ') || 'The request is malformed.', {
    errors,
    onSite: sentences(errors.map(({ detail, words = detail }) => words)),
  });
}

/**
 * Parses text fields to the schema's types; what cannot be parsed stays text and is refused by the validation. `maxValues`:
 * limit for JSON in a field; more is refused as `too-large`.
 */
export function readFields(schema: TSchema, given: Fields, maxValues = maxParameters): Fields {
  const { properties = {} } = schema as Schema;
  const read: Fields = {};
  for (const [name, field] of Object.entries(properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) read[name] = readText(field, value, maxValues);
  }
  return read;
}

function readText(schema: Schema, value: unknown, maxValues: number): unknown {
  if (schema.type === 'array') return Array.isArray(value) ? value : [value];
  if (typeof value !== 'string') return value;
  const types = typesOf(schema);
  if ((types.has('integer') || types.has('number')) && /^\d{1,15}$/.test(value)) return Number(value);
  if (types.has('string')) return value;
  if (types.has('integer') && /^-?\d+$/.test(value)) return Number(value);
  if (types.has('number') && /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(value)) return Number(value);
  if (types.has('object') || types.has('boolean')) {
    // Forms send every field, so an empty one counts as missing.
    if (value.trim() === '') return undefined;
    if (value.length > maxJsonLength) return value;
    if (hasMoreValues(Buffer.from(value), maxValues)) throw tooManyValues(maxValues);
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return value;
}

/** JSON types that a schema accepts; literals count as the type of their value. */
function typesOf(schema: Schema): Set<string> {
  const types = new Set<string>();
  for (const one of schema.anyOf ?? [schema]) {
    if (one.type !== undefined) types.add(one.type);
    else if (one.const !== undefined) types.add(typeof one.const);
  }
  return types;
}

function kindOf(schema: Schema): string {
  if (schema.anyOf) {
    const kinds = schema.anyOf.map(kindOf);
    return `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`;
  }
  if (schema.const !== undefined)
    return typeof schema.const === 'string' ? `“${schema.const}”` : String(schema.const);
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? 'a time such as 2027-01-31T12:00:00Z' : 'a string';
    case 'integer':
      return `an integer${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list whose items are ${kindOf(schema.items ?? {})}`;
    case 'object': {
      const names = Object.keys(schema.properties ?? {});
      return names.length > 0 ? `an object with ${names.join(', ')}` : 'an object';
    }
    case 'null':
      return 'null';
    default:
      return 'something else';
  }
}

function range({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : ` from ${minimum}`;
}

function pointerTo(part: RequestPart, name: string): string {
  if (part === 'querystring') return `?${name}`;
  if (part === 'params') return `{${name}}`;
  return `/${escaped(name)}`;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
