/** Searching pages, and facets of the results by type and tag. */
import { Type } from 'typebox';
import { component, flag, integer, optionalText, text } from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { findFacets } from '#core/search/find-facets.ts';
import { findPages } from '#core/search/search-pages.ts';
import { cursorField, pagingHeaders, setNext, setPaging } from '../lists.ts';
import type { AnswerPages } from '../page-lists.ts';
import { mostWithIncluded, selectionFields, selectionOf } from '../page-selection.ts';
import { historyField, Page } from '../schemas/output.ts';
import type { Server } from '../service.ts';

const criterion = optionalText;

const criteria = {
  path: criterion('Matches pages whose path begins with this.', '/garden/'),
  title: criterion('Matches pages whose title contains this, without regard to case.', 'rose'),
  type: criterion('Matches pages of this type.', 'Place'),
  tag: Type.Optional(
    Type.Array(Type.String(), {
      description:
        '`tag:val` matches pages with a tag of that name set to that value; anything else, pages with a tag of that name or of that value. Names compare without regard to case, values exactly. May be repeated.',
      examples: [['season:summer']],
    }),
  ),
  text: criterion(
    'Words to find in title and body, without regard to case, accents and vowel points; "double quotes" hold phrases together. A minus directly before a word or phrase leaves out pages that contain it: `roses -trees`. Excluded words without any other match nothing.',
    'pruning roses',
  ),
  ids: criterion('Page IDs between commas, at most 1,000: matches these pages.', '7,12'),
  owner: criterion('Member ID: matches the pages that they created.', '3'),
  linksTo: criterion(
    'Path of a page: matches pages that link to it or call it as a template. At most 10,000 may.',
    '/garden/roses',
  ),
  ancestor: criterion('Limits to descendants of the page at this path, at any depth.', '/garden'),
  near: criterion(
    '`lat,lon,metres`: limits to places within the distance, 10,000 metres without one and 1,000,000 at most. At most 10,000 places may lie there.',
    '52.5163,13.3777,5000',
  ),
  bbox: criterion(
    '`west,south,east,north` in degrees: limits to places in the box. A box whose west is greater than its east crosses the antimeridian.',
    '13.1,52.3,13.8,52.7',
  ),
  since: criterion(
    'A date, a date and time with its zone, or Unix seconds: limits to pages that changed then or later.',
    '2026-03-14T09:26:53Z',
  ),
  logic: criterion('`or` unites the criteria; by default all must be met.', 'or'),
};

const Count = (name: 'type' | 'tag') =>
  Type.Object({
    ...(name === 'type'
      ? { type: text('Type of the pages.', 'Place') }
      : {
          key: text('Name of the tag.', 'season'),
          value: text('Its value.', 'summer'),
        }),
    count: integer('How many of the pages.', 12, { minimum: 1 }),
  });

const Facets = component('Facets', 'How many of the pages that a search finds have each type and tag.', {
  types: Type.Array(Count('type'), { description: 'Types, most pages first; at most 50.' }),
  tags: Type.Array(Count('tag'), { description: 'Values of tags, most pages first; at most 50.' }),
  isWhole: flag('Whether all matches were counted: of more than 5,000, the newest 5,000 are.', true),
});

export async function searchRoutes(server: Server, answerPages: AnswerPages): Promise<void> {
  server.get(
    '/v1/pages',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within', isShared: true, strangersMs: 20 },
      schema: {
        operationId: 'searchPages',
        tags: ['Pages'],
        summary: 'Search pages',
        description:
          'Pages that meet all criteria, as far as the caller may see them; with `logic=or`, any of path, title, type, tags, text, IDs, owner and links, while where and when (`ancestor`, `near`, `bbox`, `since`) always limit. No criteria, no pages.',
        querystring: Type.Object({
          ...criteria,
          order: criterion(
            '`alphabetical` (by title; the default), `reverse alphabetical`, `first created`, `last created`, `oldest update`, `most recent update` or, with `text`, `relevance`.',
            'most recent update',
          ),
          ...rangeFields(10),
          cursor: cursorField,
          history: historyField,
          ...selectionFields(),
        }),
        response: { 200: Type.Array(Page, { description: 'The matching pages.' }) },
        headersOut: pagingHeaders,
        problems: ['too-long', 'too-many-requests'],
      },
    },
    async (request, reply) => {
      const { tag, history = 'all', fields, include, ...others } = request.query;
      const selection = selectionOf(request.query);
      const range = rangeOf(request.query);
      if (selection.include.size > 0) range.limit = Math.min(range.limit, mostWithIncluded);
      const wanted = { limit: range.limit, history, selection, text: others.text };
      return answerPages(request, reply, wanted, async () => {
        const input = { ...others, ...(tag ? { tags: tag } : {}), ...range };
        const { ids, total, next } = await findPages(request.reader, input);
        if (others.cursor === undefined) setPaging(request, reply, range, total);
        else {
          reply.header('x-total-count', String(total));
          setNext(request, reply, range.limit, next);
        }
        return { ids, ownJson: ({ permissions }) => ({ permissions }) };
      });
    },
  );

  server.get(
    '/v1/facets',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within', isShared: true, strangersMs: 20 },
      schema: {
        operationId: 'facets',
        tags: ['Pages'],
        summary: 'Count what a search finds',
        description:
          'Types and tags of the pages that a search by the same criteria finds, as far as the caller may see them: to narrow it.',
        querystring: Type.Object(criteria),
        response: { 200: Facets },
        problems: ['too-many-requests'],
      },
    },
    async (request) => {
      const { tag, ...others } = request.query;
      const input = { ...others, ...(tag ? { tags: tag } : {}), limit: 1, offset: 0 };
      return findFacets(request.reader, input);
    },
  );
}
