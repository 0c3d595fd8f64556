/**
 * Descriptions of a template's parameters in `<templatedata>`, as MediaWiki's TemplateData has them.
 *
 *   <templatedata>{"params": {"name": {"label": "Name", "type": "line", "required": true}}}</templatedata>
 *
 * The JSON comes from a page, so everything that is not as it should be is left out, and lengths are limited.
 */

/** A parameter with what is said about it. Absent fields are not stated. */
export interface DescribedParameter {
  name: string;
  label?: string;
  description?: string;
  /** Such as `line`, `number` or `boolean`. */
  type?: string;
  default?: string;
  example?: string;
  isRequired: boolean;
  isSuggested: boolean;
}

const maxLength = 200_000;
const maxParameters = 200;
const maxText = 1000;

/** Returns the parameters that the first such element describes, in its order. Empty if there is none that can be read. */
export function templateData(source: string): DescribedParameter[] {
  const json = jsonIn(source);
  if (json === undefined) return [];
  const data = objectOf(parsed(json));
  const params = objectOf(data?.params);
  if (!params) return [];
  const order = Array.isArray(data?.paramOrder) ? data.paramOrder : [];
  const names = [...order.slice(0, maxParameters), ...Object.keys(params)].filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(params, name) && isName(name),
  );
  return [...new Set(names)].slice(0, maxParameters).flatMap((name) => {
    const one = objectOf(params[name]);
    if (!one || (one.deprecated !== undefined && one.deprecated !== false)) return [];
    const texts = (['label', 'description', 'type', 'default', 'example'] as const).flatMap((key) => {
      const text = textOf(one[key]);
      return text === '' ? [] : [[key, text] as const];
    });
    return [
      {
        name,
        ...Object.fromEntries(texts),
        isRequired: one.required === true,
        isSuggested: one.suggested === true,
      },
    ];
  });
}

function jsonIn(source: string): string | undefined {
  const open = /<templatedata\s*>/i.exec(source);
  if (!open) return undefined;
  const from = open.index + open[0].length;
  const part = source.slice(from, from + maxLength);
  const end = part.search(/<\/templatedata\s*>/i);
  return end < 0 ? undefined : part.slice(0, end);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Somebody is still writing it.
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function isName(name: string): boolean {
  return name.trim() !== '' && name.length <= 100 && !/[{}[\]<>|=\n]/.test(name);
}

/** A text, or the first one of an object with texts by language. */
function textOf(value: unknown): string {
  const text = objectOf(value) ? Object.values(value as object)[0] : value;
  return typeof text === 'string' ? text.trim().slice(0, maxText) : '';
}
