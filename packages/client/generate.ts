/**
 * Writes `api/index.d.ts` from the wiki's `openapi.json`: a type for each schema, and for each operation its path, query, body
 * and response. Fields that a schema shares with another, and parameters shared by operations, are written once. This is our
 * own code because the generators on npm need a TypeScript compiler with a JavaScript API.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

interface Schema {
  title?: string;
  $ref?: string;
  type?: string;
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  description?: string;
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const places = ['path', 'query'] as const;
type Place = (typeof places)[number];

/** Returns the text of `api/index.d.ts`. */
export function typesOf({ paths, components }: Document): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `${comment(schema.description, '')}export type ${name} = ${extensionOf(schema, components.schemas)};\n`,
  );
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const shared = sharedParameters(all.flatMap(takenBy));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation, shared)),
  );
  return `/** Types of the whole API in one file, made from openapi.json by generate.ts. */

${schemas.join('\n')}
/** Parameters shared by several operations. */
export interface Shared {
${places.map((place) => fieldsOf(place, shared.filter(isIn(place)))).join('')}}

/** Operations by method and path. */
export interface Operations {
${operations.join('')}}
`;
}

/** Writes a schema as an extension of the largest schema whose fields it repeats. Of many fields, one may have another type. */
function extensionOf(schema: Schema, schemas: Record<string, Schema>): string {
  const [base] = Object.entries(schemas)
    .filter(([, other]) => isBefore(other, schema) && sizeOf(other) > 2 + 8 * changed(schema, other).length)
    .filter(([, other]) => changed(schema, other).length < 2)
    .sort(
      ([, one], [, other]) =>
        changed(schema, one).length - changed(schema, other).length || sizeOf(other) - sizeOf(one),
    );
  if (!base) return typeOf(schema, '');
  const [name, { properties: known = {}, required: knownRequired = [] }] = base;
  const { properties = {}, required = [] } = schema;
  const [other] = changed(schema, base[1]);
  const fields = other === undefined ? name : `Omit<${name}, '${other}'>`;
  const isLooser = knownRequired.some((field) => field !== other && !required.includes(field));
  const own = Object.entries(properties).filter(
    ([field]) =>
      !(field in known) ||
      field === other ||
      (required.includes(field) && (isLooser || !knownRequired.includes(field))),
  );
  const added = typeOf({ ...schema, properties: Object.fromEntries(own) }, '');
  return `${isLooser ? `Partial<${fields}>` : fields} & ${added}`;
}

function sizeOf({ properties = {} }: Schema): number {
  return Object.keys(properties).length;
}

/** Total order of schemas, so that no schema extends itself through another one. */
function isBefore(one: Schema, other: Schema): boolean {
  const [a = '', b = ''] = [one.title, other.title];
  return sizeOf(one) - sizeOf(other) < 0 || (sizeOf(one) === sizeOf(other) && a.length < b.length);
}

/** Returns fields of `other` that `schema` lacks or has with another type. */
function changed({ properties = {} }: Schema, other: Schema): string[] {
  return Object.entries(other.properties ?? {})
    .filter(([name, field]) => !isDeepStrictEqual(properties[name], field))
    .map(([name]) => name);
}

/** Returns for each name the most frequent parameter, if it occurs more than once. */
function sharedParameters(all: Parameter[]): Parameter[] {
  const counts: { parameter: Parameter; count: number }[] = [];
  for (const parameter of all) {
    const known = counts.find((one) => isDeepStrictEqual(one.parameter, parameter));
    if (known) known.count++;
    else counts.push({ parameter, count: 1 });
  }
  const shared = counts.filter(({ count }) => count > 1).sort((one, other) => other.count - one.count);
  const names = new Map<string, Parameter>();
  for (const { parameter } of shared) {
    const key = `${parameter.in} ${parameter.name}`;
    if (!names.has(key)) names.set(key, parameter);
  }
  return [...names.values()];
}

/** Leaves out `strict`, because types refuse unknown parameters anyway. */
function takenBy({ parameters = [] }: Operation): Parameter[] {
  return parameters.filter(({ name }) => name !== 'strict');
}

function operationOf(method: string, path: string, operation: Operation, shared: Parameter[]): string {
  const { requestBody, responses } = operation;
  const parameters = takenBy(operation);
  const fields = [
    ...places.map((place) => parametersOf(place, parameters.filter(isIn(place)), shared)),
    ...bodyOf(requestBody),
    `    answer: ${answerOf(responses)};\n`,
  ];
  return `${comment(operation.summary, '  ')}  '${method.toUpperCase()} ${path}': {\n${fields.join('')}  };\n`;
}

function parametersOf(place: Place, parameters: Parameter[], shared: Parameter[]): string {
  if (parameters.length === 0) return '';
  const isShared = (one: Parameter) => shared.some((other) => isDeepStrictEqual(one, other));
  const names = parameters.filter(isShared).map(({ name }) => `'${name}'`);
  const own = parameters.filter((one) => !isShared(one));
  const types = [
    ...(names.length > 0 ? [`Pick<Shared['${place}'], ${names.join(' | ')}>`] : []),
    ...(own.length > 0 ? [`{\n${linesOf(own, '      ')}    }`] : []),
  ];
  const isNeeded = parameters.some(({ required }) => required);
  return `    ${place}${isNeeded ? '' : '?'}: ${types.join(' & ')};\n`;
}

function fieldsOf(place: Place, parameters: Parameter[]): string {
  return `  ${place}: {\n${linesOf(parameters, '    ')}  };\n`;
}

function linesOf(parameters: Parameter[], indent: string): string {
  const lines = parameters.map(
    ({ name, required, description, schema }) =>
      `${comment(description, indent)}${indent}${nameOf(name)}${required ? '' : '?'}: ${typeOf(schema, indent)};\n`,
  );
  return lines.join('');
}

function isIn(place: Place) {
  return (parameter: Parameter) => parameter.in === place;
}

function bodyOf(body: Operation['requestBody']): string[] {
  const schema = body?.content['application/json']?.schema;
  return schema ? [`    body${body?.required ? '' : '?'}: ${typeOf(schema, '    ')};\n`] : [];
}

function answerOf(responses: Operation['responses']): string {
  const { content = {} } = responses['200'] ?? {};
  const json = content['application/json'];
  if (json) return typeOf(json.schema, '    ');
  return Object.keys(content).length === 0 ? 'undefined' : 'string';
}

function typeOf(schema: Schema, indent: string): string {
  const { $ref, anyOf, type, items, properties, required = [], patternProperties } = schema;
  if ($ref) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (anyOf) return anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (type === 'array') {
    const item = typeOf(items ?? {}, indent);
    return item.includes('|') ? `(${item})[]` : `${item}[]`;
  }
  if (properties) {
    const lines = Object.entries(properties).map(
      ([name, one]) =>
        `${comment(one.description, `${indent}  `)}${indent}  ${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(one, `${indent}  `)};\n`,
    );
    return `{\n${lines.join('')}${indent}}`;
  }
  if (patternProperties)
    return `Record<string, ${Object.values(patternProperties)
      .map((one) => typeOf(one, indent))
      .join(' | ')}>`;
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown';
}

function nameOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

function comment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : '';
}

if (import.meta.main) {
  const document = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  writeFileSync(new URL('api/index.d.ts', import.meta.url), typesOf(JSON.parse(document)));
}
