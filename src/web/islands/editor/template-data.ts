/** The `<templatedata>` of a template's source, to be edited by a form: everything that the form does not know stays as it is. */

export const parameterTypes = [
  'line',
  'string',
  'content',
  'number',
  'boolean',
  'date',
  'url',
  'wiki-page-name',
  'wiki-file-name',
  'wiki-user-name',
] as const;

export interface ParameterFields {
  name: string;
  label: string;
  description: string;
  type: string;
  default: string;
  required: boolean;
  suggested: boolean;
}

interface Found {
  from: number;
  to: number;
  json: string;
}

type Data = Record<string, unknown>;

const element = /(<templatedata\s*>)([\s\S]*?)<\/templatedata\s*>/i;
const mostParameters = 200;

/** Parameters that are described, and then those that the text uses. Undefined if the description is no JSON that can be read. */
export function parametersIn(source: string): ParameterFields[] | undefined {
  const found = find(source);
  const data = found ? objectOf(parsed(found.json)) : {};
  const params = data && objectOf(data.params ?? {});
  if (!params) return undefined;
  const text = found ? source.slice(0, found.from) + source.slice(found.to) : source;
  const used = Array.from(text.matchAll(/\{\{\{([^{}|<>=[\]\n]{1,100})[|}]/g), ([, name = '']) =>
    name.trim(),
  );
  const names = [...new Set([...Object.keys(params), ...used])].filter((name) => name !== '');
  return names.slice(0, mostParameters).map((name) => fieldsOf(name, objectOf(params[name]) ?? {}));
}

/** The source with these parameters described. Those without any field filled in are left out, unless they were described before. */
export function withParameters(source: string, fields: readonly ParameterFields[]): string {
  const found = find(source);
  const data = found ? objectOf(parsed(found.json)) : {};
  const before = data && objectOf(data.params ?? {});
  if (!data || !before) return source;
  const params: Data = {};
  for (const one of fields) {
    const was = objectOf(before[one.name]);
    const now = described(was ?? {}, one);
    if (was || Object.keys(now).length > 0) params[one.name] = now;
  }
  if (JSON.stringify(params) === JSON.stringify(before)) return source;
  const changed: Data = { ...data, params };
  if (Array.isArray(data.paramOrder))
    changed.paramOrder = [...new Set([...data.paramOrder, ...Object.keys(params)])].filter(
      (name) => typeof name === 'string' && Object.hasOwn(params, name),
    );
  if (found) {
    const [, space = ''] = /\n([ \t]+)"/.exec(found.json) ?? [];
    const isShort = !found.json.trim().includes('\n') && found.json.trim().length > 2;
    const json = JSON.stringify(changed, null, isShort ? '' : space || '\t');
    const [start = '', end = ''] = [/^\s*/.exec(found.json)?.[0], /\s*$/.exec(found.json)?.[0]];
    return source.slice(0, found.from) + start + escaped(json) + end + source.slice(found.to);
  }
  // Beside the text and not below it, as a line end would become part of the template's result.
  const json = escaped(JSON.stringify(changed, null, '\t'));
  return `${source}<noinclude>\n<templatedata>\n${json}\n</templatedata>\n</noinclude>`;
}

/** In JSON, `<` may be written so. Otherwise a text could end the element. */
function escaped(json: string): string {
  return json.replaceAll('</', '\\u003c/');
}

function find(source: string): Found | undefined {
  const match = element.exec(source);
  if (!match) return undefined;
  const [, open = '', json = ''] = match;
  const from = match.index + open.length;
  return { from, to: from + json.length, json };
}

function fieldsOf(name: string, one: Data): ParameterFields {
  return {
    name,
    label: textOf(one.label),
    description: textOf(one.description),
    type: textOf(one.type),
    default: textOf(one.default),
    required: one.required === true,
    suggested: one.suggested === true,
  };
}

/** Only what differs is written, so that a text in several languages stays until somebody changes it. */
function described(was: Data, now: ParameterFields): Data {
  const before = fieldsOf(now.name, was);
  const result: Data = { ...was };
  for (const key of ['label', 'description', 'type', 'default'] as const) {
    if (now[key] === before[key]) continue;
    if (now[key] === '') delete result[key];
    else result[key] = now[key];
  }
  for (const key of ['required', 'suggested'] as const) {
    if (now[key] === before[key]) continue;
    if (now[key]) result[key] = true;
    else delete result[key];
  }
  return result;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const first = Object.values(objectOf(value) ?? {})[0];
  return typeof first === 'string' ? first : '';
}

function parsed(json: string): unknown {
  try {
    return json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    // Somebody is still writing it.
    return undefined;
  }
}

function objectOf(value: unknown): Data | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : undefined;
}
