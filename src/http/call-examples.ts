/**
 * Examples of calling an operation from programs, made from the OpenAPI document. Each language escapes in one place: its
 * `literal`.
 */

export interface CalledOperation {
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: { required?: string[] }; example?: unknown }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

export interface CallExamples {
  curl: string;
  javascript: string;
  python: string;
}

/**
 * A search without text finds nothing, so this optional parameter is included; others are only in the table beside the example.
 */
const optionalParameter = 'text';
/** Optional fields that most writes use. */
const optionalFields = new Set(['title', 'body', 'msg']);

/**
 * `method` in capitals; `path` with `{parameters}`; `required`: fields that a JSON body must have. The token comes from the
 * variable `TOKEN`.
 */
export function callExamples(
  { address, method, path }: { address: string; method: string; path: string },
  { security, parameters = [], requestBody, responses }: CalledOperation,
  required: readonly string[] = [],
): CallExamples {
  const shown = parameters.filter((one) => one.required || one.name === optionalParameter);
  const valuesIn = (place: string) =>
    Object.fromEntries(shown.filter((one) => one.in === place).map((one) => [one.name, one.example]));
  const inPath = valuesIn('path');
  const query = valuesIn('query');
  const body = bodyOf(requestBody?.content['application/json']?.example, required);
  const needsToken = security.length > 0;
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => pathSegments(String(inPath[name] ?? '')));
  const success = responses['200']?.content;

  return {
    curl: curlOf({ method, url: `${address}${filled}`, search }, needsToken, body),
    javascript: javascriptOf(address, `${method} ${path}`, { path: inPath, query, body }, needsToken),
    python: pythonOf({ method, url: `${address}${filled}`, query }, needsToken, body, success),
  };
}

function curlOf(
  { method, url, search }: { method: string; url: string; search: URLSearchParams },
  needsToken: boolean,
  body: unknown,
): string {
  const parts = [
    `curl ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${shellLiteral(search.size > 0 ? `${url}?${search}` : url)}`,
  ];
  if (needsToken) parts.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${shellLiteral(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}

function javascriptOf(
  address: string,
  operation: string,
  input: Record<'path' | 'query' | 'body', unknown>,
  needsToken: boolean,
): string {
  const given = Object.entries(input).filter(
    ([, value]) => value !== undefined && JSON.stringify(value) !== '{}',
  );
  const credential = needsToken ? ', { credential: { token: process.env.TOKEN } }' : '';
  const fields = given.map(([name, value]) => `  ${name}: ${javascriptLiteral(value, '  ')},\n`).join('');
  return `import { Coppice } from '@coppice/client';

const wiki = new Coppice(${javascriptLiteral(address)}${credential});
const answer = await wiki.request(${javascriptLiteral(operation)}${fields && `, {\n${fields}}`});
console.log(answer);`;
}

function pythonOf(
  { method, url, query }: { method: string; url: string; query: Record<string, unknown> },
  needsToken: boolean,
  body: unknown,
  success: Record<string, unknown> | undefined,
): string {
  const fields = [
    pythonLiteral(url),
    ...(needsToken ? ['headers={"Authorization": "Bearer " + os.environ["TOKEN"]}'] : []),
    ...(Object.keys(query).length > 0 ? [`params=${pythonLiteral(query, '    ')}`] : []),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body, '    ')}`]),
    'timeout=30',
  ];
  const answer = success?.['application/json']
    ? 'answer.json()'
    : success
      ? 'answer.text'
      : 'answer.status_code';
  return `${needsToken ? 'import os\n\n' : ''}import requests

answer = requests.${method.toLowerCase()}(
${fields.map((field) => `    ${field},\n`).join('')})
answer.raise_for_status()
print(${answer})`;
}

/** The required fields of an example, or all of its fields if none is known to be required. */
function bodyOf(example: unknown, required: readonly string[]): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const needed = Object.entries(example).filter(
    ([name]) => required.includes(name) || optionalFields.has(name),
  );
  return needed.length > 0 ? Object.fromEntries(needed) : example;
}

/** Encodes a parameter but keeps slashes, because the path of a page may have several segments. */
function pathSegments(value: string): string {
  return value.split('/').map(encodeURIComponent).join('/');
}

/** A single word of a POSIX shell: nothing is special within single quotes. */
function shellLiteral(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function javascriptLiteral(value: unknown, indent = ''): string {
  return literal(value, indent, 2, {
    string: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
    name: (name, string) => (/^[A-Za-z_]\w*$/.test(name) ? name : string(name)),
    atom: String,
  });
}

/** JSON strings are valid in Python, but object keys are quoted and three literals differ. */
function pythonLiteral(value: unknown, indent = ''): string {
  return literal(value, indent, 4, {
    string: JSON.stringify,
    name: (name, string) => string(name),
    atom: (one) => (one === null ? 'None' : one === true ? 'True' : one === false ? 'False' : String(one)),
  });
}

interface Language {
  string(text: string): string;
  name(name: string, string: Language['string']): string;
  atom(value: unknown): string;
}

function literal(value: unknown, indent: string, step: number, language: Language): string {
  if (typeof value === 'string') return language.string(value);
  if (typeof value !== 'object' || value === null) return language.atom(value);
  const inner = indent + ' '.repeat(step);
  const within = (one: unknown) => literal(one, inner, step, language);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map(within)
    : Object.entries(value).map(([name, one]) => `${language.name(name, language.string)}: ${within(one)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
