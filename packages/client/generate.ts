/**
 * Writes `src/api.ts` from the wiki's `openapi.json`: a type for each schema, and for each operation its path, query, body
 * and answer. Own code, as generators on npm need a TypeScript that can be called from JavaScript.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Schema {
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

/** The text of `src/api.ts`. */
export function typesOf({ paths, components }: Document): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
  );
  return `/** Types of the whole API in one file, made from openapi.json by generate.ts. */\n\n${schemas.join('\n')}
/** Each operation by method and path. */
export interface Operations {
${operations.join('')}}
`;
}

function operationOf(method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, responses } = operation;
  const fields = [
    ...(['path', 'query'] as const).flatMap((place) => {
      const own = parameters.filter((parameter) => parameter.in === place);
      return own.length === 0 ? [] : [parametersOf(place, own)];
    }),
    ...bodyOf(requestBody),
    `    answer: ${answerOf(responses)};\n`,
  ];
  return `${comment(operation.summary, '  ')}  '${method.toUpperCase()} ${path}': {\n${fields.join('')}  };\n`;
}

function parametersOf(place: string, parameters: Parameter[]): string {
  const isNeeded = parameters.some(({ required }) => required);
  const lines = parameters.map(
    ({ name, required, description, schema }) =>
      `${comment(description, '      ')}      ${nameOf(name)}${required ? '' : '?'}: ${typeOf(schema, '      ')};\n`,
  );
  return `    ${place}${isNeeded ? '' : '?'}: {\n${lines.join('')}    };\n`;
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
  writeFileSync(new URL('src/api.ts', import.meta.url), typesOf(JSON.parse(document)));
}
