/** Places near a point. */
import { Type } from 'typebox';
import { Problem } from '#core/model/problem.ts';
import { number, text } from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { nearSearch, nearSearchWithin } from '#core/search/operations.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { nearJson } from '../page-json.ts';
import type { AnswerPages } from '../page-lists.ts';
import { mostWithIncluded, selectionFields, selectionOf } from '../page-selection.ts';
import { problemKinds } from '../problems.ts';
import { historyField, NearPage } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const ownFields = ['distance'];
const includedHere = ['children', 'backlinks', 'files'] as const;

const defaultMetres = 10_000;
/** Half the Earth's circumference, the maximum distance. */
const maxMetres = 20_037_509;

const point = {
  lat: number('Degrees north of the starting point.', 52.5163, { minimum: -90, maximum: 90 }),
  lon: number('Degrees east of the starting point.', 13.3777, { minimum: -180, maximum: 180 }),
};

/** Without a longitude the latitude is not checked. */
const anyLatitude = text('Degrees north of the starting point.', '52.5163');

export async function placeRoutes(server: Server, service: Service, answerPages: AnswerPages): Promise<void> {
  const schema = {
    tags: ['Places'],
    querystring: Type.Object({
      ...rangeFields(1000),
      history: historyField,
      ...selectionFields(ownFields, includedHere),
    }),
    response: { 200: Type.Array(NearPage, { description: 'The places, nearest first.' }) },
    headersOut: pagingHeaders,
  };

  for (const withDistance of [false, true]) {
    const operation = withDistance ? nearSearchWithin : nearSearch;
    server.get(
      withDistance ? '/v1/near/:lat/:lon/:dist' : '/v1/near/:lat/:lon',
      {
        config: { ...limitsOf(operation), isShared: true, strangersMs: 10 },
        // Checked before the number is parsed: `/v1/near//13.4` has no latitude.
        preValidation: async ({ params }) => {
          const { lat, lon } = params as { lat: unknown; lon: unknown };
          if (lat === '' || lon === '') throw placeMissing();
        },
        schema: {
          ...schema,
          ...descriptionOf(operation),
          params: Type.Object({
            ...point,
            ...(withDistance
              ? {
                  dist: number('Distance from the starting point in metres.', 2500, {
                    minimum: 0,
                    maximum: maxMetres,
                  }),
                }
              : {}),
          }),
        },
      },
      async (request, reply) => {
        const {
          lat,
          lon,
          dist: radiusMetres = defaultMetres,
        } = request.params as { lat: number; lon: number; dist?: number };
        const { history = 'all' } = request.query;
        const range = rangeOf(request.query, 1000);
        const selection = selectionOf(request.query, ownFields, includedHere);
        if (selection.include.size > 0) range.limit = Math.min(range.limit, mostWithIncluded);
        return answerPages(request, reply, { limit: range.limit, history, selection }, async () => {
          const found = await carryFor(service, request)(operation, {
            lat,
            lon,
            metres: radiusMetres,
            ...range,
          });
          setPaging({ request, reply }, range, found.total);
          const distances = new Map(found.places.map(({ id, metres }) => [id, metres]));
          const ids = [...distances.keys()];
          const editable = await editableAmong(request.reader, ids, service.clock());
          return {
            ids,
            ownJson: (page) => nearJson(page, editable.has(page.id), distances.get(page.id) ?? 0),
          };
        });
      },
    );
  }

  for (const url of ['/v1/near', '/v1/near/:lat']) {
    const hasLatitude = url.endsWith(':lat');
    const missing = {
      tags: schema.tags,
      operationId: hasLatitude ? 'nearWithoutLongitude' : 'nearWithoutPlace',
      summary: `Find places nearby without ${hasLatitude ? 'a longitude' : 'coordinates'}`,
      description: 'Always refused with 500, because there is no starting point.',
      ...(hasLatitude ? { params: Type.Object({ lat: anyLatitude }) } : {}),
      problems: ['place-missing'] as ['place-missing'],
    };
    server.get(url, { schema: missing }, async () => {
      throw placeMissing();
    });
  }
}

function placeMissing(): Problem {
  return new Problem('place-missing', problemKinds['place-missing'].example);
}
