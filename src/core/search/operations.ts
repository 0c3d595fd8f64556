/** Searching pages and places, and what search boxes and the editor suggest. */
import { Type } from 'typebox';
import { templateParameters } from '../content/template-parameters.ts';
import { valuesInUse } from '../content/template-values.ts';
import type { Box } from '../model/written-criteria.ts';
import { number, text } from '../operations/fields.ts';
import { type AnswerTo, answer, operation, reading } from '../operations/operation.ts';
import { countOf, limitField, rangeFields, rangeOf } from '../operations/paging.ts';
import { mapPlaces } from '../places/map-places.ts';
import { nearOutlines, nearPlaces } from '../places/near-places.ts';
import { completeTitles } from './complete-titles.ts';
import { completeWords } from './complete-words.ts';
import { findFacets } from './find-facets.ts';
import { listVocabulary } from './list-vocabulary.ts';
import { findPages, type SearchInput } from './search-pages.ts';

/** Criteria as faces read them. */
const criteria = Type.Unsafe<SearchInput>({});

export const pageSearch = operation({
  ...reading,
  name: 'searchPages',
  summary: 'Search pages',
  description:
    'Pages that meet all criteria and that the caller may see. With `logic=or`, pages that meet any of path, title, type, tags, text, IDs, owner and links; `ancestor`, `near`, `bbox`, `since` and `review` always limit the result. Without criteria nothing is found.',
  input: Type.Object({ criteria }),
  output: answer<AnswerTo<typeof findPages>>(),
  problems: ['too-long', 'too-many-requests'],
  ports: ['reader'],
  run: ({ reader }, { input: { criteria } }) => findPages(reader, criteria),
});

export const facetCount = operation({
  ...reading,
  name: 'facets',
  summary: 'Count search results by type and tag',
  description:
    'Types and tags of the pages that a search with the same criteria finds and that the caller may see, for narrowing the search.',
  input: Type.Object({ criteria }),
  output: answer<AnswerTo<typeof findFacets>>(),
  problems: ['too-many-requests'],
  ports: ['reader'],
  run: ({ reader }, { input: { criteria } }) => findFacets(reader, criteria),
});

export const vocabularyList = operation({
  ...reading,
  name: 'vocabulary',
  summary: 'List types and tags in use',
  description:
    'Types and tags of the 500 most recently changed pages that the caller may see, as suggestions while writing.',
  input: Type.Object({}),
  output: answer<AnswerTo<typeof listVocabulary>>(),
  ports: ['reader'],
  run: ({ reader }) => listVocabulary(reader),
});

const point = {
  lat: number('Degrees north of the starting point.', 52.5163, { minimum: -90, maximum: 90 }),
  lon: number('Degrees east of the starting point.', 13.3777, { minimum: -180, maximum: 180 }),
};
const metres = number('Maximum distance in metres.', 10_000, { minimum: 0 });

const nearby = {
  ...reading,
  summary: 'Find places nearby',
  input: Type.Object({ ...point, metres, ...rangeFields(1000) }),
  output: answer<AnswerTo<typeof nearPlaces>>(),
  problems: ['invalid', 'too-long', 'place-missing', 'too-many-requests'],
  ports: ['reader'],
} as const;

export const nearSearch = operation({
  ...nearby,
  name: 'near',
  description:
    'Pages with a location within 10,000 metres, nearest first. Distances are geodesic, on WGS 84.',
  run: ({ reader }, { input: { lat, lon, metres, ...range } }) =>
    nearPlaces(reader, { lat, lon, radiusMetres: metres, ...rangeOf(range, 1000) }),
});

export const nearSearchWithin = operation({
  ...nearby,
  name: 'nearWithin',
  description: 'Pages with a location within the distance, nearest first. Distances are geodesic, on WGS 84.',
  run: nearSearch.run,
});

export const placesAround = operation({
  ...reading,
  name: 'listPlacesAround',
  summary: 'List places around a point',
  description: 'Pages with a location around a point, nearest first, with their distances.',
  input: Type.Object({ ...point, metres, limit: limitField(500, 25) }),
  output: answer<AnswerTo<typeof nearOutlines>>(),
  ports: ['reader'],
  run: ({ reader }, { input: { lat, lon, metres, limit } }) =>
    nearOutlines(reader, { lat, lon, radiusMetres: metres, limit: countOf(limit, 500), offset: 0 }),
});

export const placesOnMap = operation({
  ...reading,
  name: 'listPlacesOnMap',
  summary: 'List places on a map',
  description: 'Pages with a location within a box.',
  input: Type.Object({ box: Type.Unsafe<Box>({}), limit: Type.Integer({ minimum: 1 }) }),
  output: answer<AnswerTo<typeof mapPlaces>>(),
  ports: ['reader'],
  run: ({ reader }, { input: { box, limit } }) => mapPlaces(reader, box, limit),
});

const completing = {
  ...reading,
  input: Type.Object({ text: text('Beginning.', 'ros'), limit: Type.Integer({ minimum: 1 }) }),
  ports: ['reader'],
} as const;

export const titleCompletion = operation({
  ...completing,
  name: 'completeTitles',
  summary: 'Complete titles',
  description: 'Pages whose titles fit what has been typed, best first.',
  output: answer<AnswerTo<typeof completeTitles>>(),
  run: ({ reader }, { input: { text, limit } }) => completeTitles(reader, text, limit),
});

export const wordCompletion = operation({
  ...completing,
  name: 'completeWords',
  summary: 'Complete types and tags',
  description: 'Names of tags, their values, or types, with this beginning.',
  output: answer<string[]>(),
  run: ({ reader }, { input: { text, limit } }) => completeWords(reader, text, limit),
});

type Parameters = AnswerTo<typeof templateParameters>;
type Values = AnswerTo<typeof valuesInUse> extends Map<string, infer V> ? V : never;

export const templateDescription = operation({
  ...reading,
  name: 'describeTemplate',
  summary: 'Describe the parameters of a template',
  description: 'Parameters of the template at a path. Members can ask for the values in use as well.',
  input: Type.Object({ path: text('Path of the template.', '/template/plant'), values: Type.Boolean() }),
  output: answer<(Parameters[number] & { values?: Values })[]>(),
  problems: ['not-found', 'gone'],
  ports: ['reader'],
  async run({ reader }, { input: { path, values } }) {
    const parameters = await templateParameters(reader, path);
    if (!values || reader.actor === null) return parameters;
    const inUse = await valuesInUse(reader, path);
    return parameters.map((one) => ({ ...one, values: inUse.get(one.name) ?? ([] as unknown as Values) }));
  },
});
