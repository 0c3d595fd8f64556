/**
 * Checks what callers send against the route's schema. Text (queries, path parameters, forms) is first read
 * strictly by what the schema wants: `10` is an integer, ` 10`, `1e1` and `0x0a` are not. Every bad field is named
 * at once, each with one sentence.
 */
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type FieldError, Problem } from '#domain/problem.ts';
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

/** In a text; of what takes JSON there, nothing may be longer. What nests without end would take seconds and a gigabyte. */
const maxJsonLength = 1_500_000;

type RequestPart = 'body' | 'querystring' | 'params' | 'headers';
type Fields = Record<string, unknown>;

export function compileValidator(
  schema: TSchema,
  part: RequestPart,
): (value: unknown) => { value: unknown } | { error: Problem } {
  const { properties = {}, required = [] } = schema as Schema;
  // When it is first asked: the start has more than a hundred of them.
  let whole: Validator | undefined;
  let checks: [string, Validator][] | undefined;

  return (given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return { error: invalidFields([{ pointer: '', detail: 'The body must be an object of fields.' }]) };
    }
    const value = part === 'body' ? given : readFields(schema, given as Fields);
    whole ??= Compile(schema);
    if (whole.Check(value)) return { value };
    checks ??= Object.entries(properties).map(([name, field]) => [name, Compile(field as TSchema)]);
    const errors: FieldError[] = [];
    for (const [name, check] of checks) {
      const field = (value as Fields)[name];
      const pointer = pointerTo(part, name);
      if (field === undefined) {
        if (required.includes(name)) errors.push({ pointer, detail: 'Required.', code: 'required' });
      } else if (!check.Check(field)) {
        errors.push({ pointer, detail: expected(properties[name]), code: 'wrong-type' });
      }
    }
    return { error: invalidFields(errors) };
  };
}

export function invalidFields(errors: FieldError[]): Problem {
  const sentences = errors.map(({ pointer, detail }) =>
    pointer === '' ? detail : `${pointer.replace(/^[/?]/, '')}: ${detail}`,
  );
  return new Problem('invalid', sentences.join(' ') || 'The request is malformed.', { errors });
}

/**
 * Text fields as the schema's types; what cannot be read stays text, for the check to refuse. `maxValues`: of the JSON in a
 * field; more is refused as `too-large`.
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
    // A form sends every field; one left empty says nothing.
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

/** JSON types that a schema takes; literals count as the type of their value. */
function typesOf(schema: Schema): Set<string> {
  const types = new Set<string>();
  for (const one of schema.anyOf ?? [schema]) {
    if (one.type !== undefined) types.add(one.type);
    else if (one.const !== undefined) types.add(typeof one.const);
  }
  return types;
}

function expected(schema: Schema | undefined): string {
  const kinds = (schema?.anyOf ?? [schema ?? {}]).map(kindOf);
  return `Expected ${kinds.length > 1 ? `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}` : kinds[0]}.`;
}

function kindOf(schema: Schema): string {
  if (schema.const !== undefined)
    return typeof schema.const === 'string' ? `“${schema.const}”` : String(schema.const);
  switch (schema.type) {
    case 'string':
      return 'a string';
    case 'integer':
      return `an integer${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list, each ${kindOf(schema.items ?? {})}`;
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
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
