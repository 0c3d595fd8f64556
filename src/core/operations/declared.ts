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
  return pick(
    shapes.getOrInsertComputed(schema, () => new Shape([schema])),
    value,
  ) as T;
}

/** Schemas are constants of operations, which are carried out for every request. */
const shapes = new WeakMap<object, Shape>();

/** Fields that values may have which follow any of these schemas, of which one declares a field. */
class Shape {
  /** Absent if items are kept as they are. */
  readonly #items: Declaration[];
  #itemShape: Shape | undefined;
  /** Undefined if objects are kept as they are. */
  readonly fields: ReadonlyMap<string, Declaration[]> | undefined;
  readonly #fieldShapes = new Map<string, Shape>();

  constructor(schemas: readonly Declaration[]) {
    const all = schemas.flatMap((schema) => schema.anyOf ?? [schema]);
    const items = all.flatMap((schema) => schema.items ?? []);
    this.#items = items.some(hasFields) ? items : [];
    const fields = new Map<string, Declaration[]>();
    for (const { properties = {} } of all)
      for (const [name, one] of Object.entries(properties))
        fields.set(name, [...(fields.get(name) ?? []), one]);
    const isDeclared = all.some(({ properties }) => properties) && !all.some(isOpen);
    this.fields = isDeclared ? fields : undefined;
  }

  /** Made when a value has items, because schemas may contain themselves. */
  get items(): Shape | undefined {
    if (this.#items.length > 0) this.#itemShape ??= new Shape(this.#items);
    return this.#itemShape;
  }

  field(name: string): Shape | undefined {
    const schemas = this.fields?.get(name);
    return schemas && this.#fieldShapes.getOrInsertComputed(name, () => new Shape(schemas));
  }
}

function pick(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.map((one) => pick(items, one)) : value;
  }
  if (!shape.fields || !isPlain(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = shape.field(name);
    if (field) picked[name] = pick(field, value[name]);
  }
  return picked;
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
