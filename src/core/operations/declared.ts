/** Removes fields that a schema does not declare, so that what a caller adds reaches no code that takes objects whole. */

/** The part of JSON Schema by which fields are declared. */
interface Declaration {
  anyOf?: Declaration[];
  items?: Declaration;
  properties?: Record<string, Declaration>;
  patternProperties?: object;
  additionalProperties?: unknown;
}

/** The value with its declared fields, at any depth. Values of schemas without fields are kept, such as streams and free JSON. */
export function declaredOnly<T>(schema: object, value: T): T {
  return pick([schema], value) as T;
}

/** `schemas`: those that the value may follow, of which one declares a field. */
function pick(schemas: readonly Declaration[], value: unknown): unknown {
  const all = schemas.flatMap((schema) => schema.anyOf ?? [schema]);
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => schema.items ?? []);
    return items.length > 0 && items.some(hasFields) ? value.map((one) => pick(items, one)) : value;
  }
  if (!isPlain(value)) return value;
  const declared = all.filter(({ properties }) => properties);
  if (declared.length === 0 || all.some(isOpen)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const fields = declared.flatMap(({ properties }) =>
        properties && Object.hasOwn(properties, name) ? [properties[name] as Declaration] : [],
      );
      return fields.length > 0 ? [[name, pick(fields, one)]] : [];
    }),
  );
}

function hasFields({ anyOf, items, properties }: Declaration): boolean {
  return properties !== undefined || [...(anyOf ?? []), ...(items ? [items] : [])].some(hasFields);
}

/** Whether objects may have fields with any names, as records have. */
function isOpen({ patternProperties, additionalProperties }: Declaration): boolean {
  return patternProperties !== undefined || (additionalProperties ?? false) !== false;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
