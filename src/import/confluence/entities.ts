/** Streams the objects of `entities.xml` from a Confluence export. */
import { SaxesParser } from 'saxes';
import { Problem } from '#core/model/problem.ts';

export interface Entity {
  className: string;
  id: string;
  /** Texts of properties; for references, the ID of the object. */
  properties: Readonly<Record<string, string>>;
}

/** Longer values are truncated; no page is as long. */
const maxValueLength = 20_000_000;
/** Exports nest their elements five deep. */
const maxDepth = 100;

/** Refuses `invalid` for malformed XML. */
export async function* entitiesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entity> {
  const parser = new SaxesParser();
  let ready: Entity[] = [];
  let entity: { className: string; id: string; properties: Record<string, string> } | undefined;
  let depth = 0;
  let property: string | undefined;
  let collections = 0;
  let value = '';
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > maxDepth) throw new Error(`its elements are nested more than ${maxDepth} deep`);
    if (name === 'object' && depth === 2)
      entity = { className: String(attributes.class), id: '', properties: {} };
    else if (name === 'collection') collections++;
    else if (name === 'property' && depth === 3) property = String(attributes.name);
    // A reference contains the ID of its object in a nested element.
    value = '';
  });
  const add = (text: string) => {
    if (value.length < maxValueLength) value += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    depth--;
    if (name === 'collection') collections--;
    if (!entity) return;
    if (name === 'object' && depth === 1) {
      ready.push(entity);
      entity = undefined;
    } else if (name === 'id' && collections === 0) {
      if (property === undefined) entity.id = value.trim();
      else entity.properties[property] = value.trim();
      value = '';
    } else if (name === 'property' && depth === 2) {
      if (property !== undefined) entity.properties[property] ??= value;
      property = undefined;
    }
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) {
      parser.write(decoder.decode(chunk, { stream: true }));
      yield* ready;
      ready = [];
    }
    parser.close();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid', `entities.xml is damaged: ${(error as Error).message.replace(/\.$/, '')}.`, {
      cause: error,
    });
  }
  yield* ready;
}
