/** The page tree, one level at a time. */
import { Type } from 'typebox';
import { component, flag } from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { childList, rootList } from '#core/pages/reading-operations.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import {
  includedJson,
  mostWithIncluded,
  pick,
  selectedJson,
  selectionFields,
  selectionOf,
} from '../page-selection.ts';
import { movedAnswer, pageFields, partial, pathParameter } from '../schemas/output.ts';
import { permissionCode } from '../schemas/page-fields.ts';
import type { Server, Service } from '../service.ts';

const ownFields = ['hasChildren'];
const includedHere = ['children', 'backlinks', 'files'] as const;

const { id, title, path, type, ...otherFields } = pageFields;

const Child = component(
  'Child',
  'A page in the tree. All fields except the first five are present only if `fields` or `include` request them.',
  {
    id,
    title,
    path,
    type,
    hasChildren: flag('Whether the page has child pages that the caller may see.', true),
    ...partial({ ...otherFields, permissions: permissionCode }),
  },
);

export async function childRoutes(server: Server, service: Service, baseUrl: string): Promise<void> {
  for (const url of ['/v1/children', '/v1/children/*']) {
    const hasPath = url.endsWith('*');
    const operation = hasPath ? childList : rootList;
    server.get(
      url,
      {
        config: { ...limitsOf(operation), isShared: true },
        schema: {
          ...descriptionOf(operation),
          tags: ['Tree'],
          ...(hasPath ? { params: pathParameter() } : {}),
          querystring: Type.Object({ ...rangeFields(100), ...selectionFields(ownFields, includedHere) }),
          response: { 200: Type.Array(Child, { description: 'The pages.' }) },
          headersOut: pagingHeaders,
          ...(hasPath ? { others: movedAnswer } : {}),
        },
      },
      async (request, reply) => {
        const { path = '' } = request.params as { path?: string };
        const range = rangeOf(request.query, 100);
        const { fields, include } = selectionOf(request.query, ownFields, includedHere);
        if (include.size > 0) range.limit = Math.min(range.limit, mostWithIncluded);
        const { reader } = request;
        const carry = carryFor(service, request);
        const { pages, total } = hasPath
          ? await carry(childList, { path, ...range })
          : await carry(rootList, range);
        setPaging({ request, reply }, range, total);
        const ids = pages.map(({ id }) => id);
        const settings = { history: 'latest' as const, baseUrl, language: reader.dialect.language };
        const added = await includedJson(reader, ids, include, settings);
        if (!fields)
          return pages.map(({ id, title, path, type, hasChildren }) => ({
            id,
            title,
            path,
            type,
            hasChildren,
            ...added.get(id),
          }));
        const selected = await selectedJson(reader, ids, fields, settings);
        return pages.flatMap(({ id, hasChildren }) => {
          const own = selected.get(id);
          return own ? [{ ...own, ...pick({ hasChildren }, fields), ...added.get(id) }] : [];
        }) as never;
      },
    );
  }
}
