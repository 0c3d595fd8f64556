/** Searching pages, and facets of the results by type and tag. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { dayOf } from '#core/model/date-words.ts';
import { dayMs } from '#core/model/iso-time.ts';
import { component, flag, integer, oneOf, optionalText, text } from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { facetCount, pageSearch } from '#core/search/operations.ts';
import { cursorField, pagingHeaders, setNext, setPaging } from '../lists.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import type { AnswerPages } from '../page-lists.ts';
import { mostWithIncluded, selectionFields, selectionOf } from '../page-selection.ts';
import { historyField, Page } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const criterion = optionalText;

const criteria = {
  path: criterion('Matches pages whose path begins with this text.', '/garden/'),
  title: criterion('Matches pages whose title contains this text, without regard to case.', 'rose'),
  type: criterion('Matches pages of this type.', 'Place'),
  tag: Type.Optional(
    Type.Array(Type.String(), {
      description:
        '`tag:val` matches pages with a tag of that name and that value. Any other text matches pages with a tag of that name or a tag of that value. Names are compared without regard to case, values exactly. May be repeated.',
      examples: [['season:summer']],
    }),
  ),
  text: criterion(
    'Words to find in title and body, without regard to case, accents and vowel points, and by their stems in the language of the page: `pruning` finds “prune”. "Double quotes" keep a phrase together, as it is written. A minus directly before a word or phrase leaves out pages that contain it: `roses -trees`. `OR` between two finds either; `title:` before one finds it in titles only. Excluded words without any other criterion match nothing. Where few pages have every word, pages with most of them follow in the order of relevance. Where nothing is found, words are also found as they were probably meant.',
    'pruning roses',
  ),
  ids: criterion('Page IDs separated by commas, at most 1,000. Matches these pages.', '7,12'),
  owner: criterion('Member ID. Matches pages that this member created.', '3'),
  linksTo: criterion(
    'Path of a page. Matches pages that link to it or use it as a template, at most 10,000.',
    '/garden/roses',
  ),
  ancestor: criterion('Only pages beneath the page at this path, at any depth.', '/garden'),
  near: criterion(
    '`lat,lon,metres`: only places within the distance, which is 10,000 metres by default and at most 1,000,000. At most 10,000 places may lie there.',
    '52.5163,13.3777,5000',
  ),
  bbox: criterion(
    '`west,south,east,north` in degrees: only places in the box. A box whose west is greater than its east crosses the antimeridian.',
    '13.1,52.3,13.8,52.7',
  ),
  since: criterion(
    'A date, a date and time with time zone, or Unix seconds: only pages that changed then or later.',
    '2026-03-14T09:26:53Z',
  ),
  review: Type.Optional(
    oneOf(['due'], '`due`: only pages whose review is due today (UTC) or overdue.', 'due'),
  ),
  logic: criterion('`or` finds pages that meet any criterion. By default they must meet all of them.', 'or'),
};

const meantHeader = {
  'X-Did-You-Mean': {
    description:
      'The text as it was probably meant, if that finds more. Percent signs and characters beyond ASCII are percent-encoded as UTF-8.',
    example: 'pruning roses',
  },
} as const;

/** Reviews that are due today; the answer holds until the day ends. */
function dueNow({ reader }: FastifyRequest, review: 'due' | undefined, now: number): { dueBy?: string } {
  if (!review) return {};
  reader.trace.expireIn(dayMs - (now % dayMs));
  return { dueBy: dayOf(now) };
}

/** Headers hold ASCII only. */
function encodedForHeader(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+/gu, encodeURIComponent);
}

const Count = (name: 'type' | 'tag') =>
  Type.Object({
    ...(name === 'type'
      ? { type: text('Type of the pages.', 'Place') }
      : {
          key: text('Name of the tag.', 'season'),
          value: text('Its value.', 'summer'),
        }),
    count: integer('Number of pages.', 12, { minimum: 1 }),
  });

const Facets = component('Facets', 'Number of found pages for each type and tag.', {
  types: Type.Array(Count('type'), { description: 'Types, most pages first; at most 50.' }),
  tags: Type.Array(Count('tag'), { description: 'Values of tags, most pages first; at most 50.' }),
  isWhole: flag(
    'Whether all matches were counted. If there are more than 5,000, only the newest 5,000 are counted.',
    true,
  ),
});

export async function searchRoutes(
  server: Server,
  service: Service,
  answerPages: AnswerPages,
): Promise<void> {
  server.get(
    '/v1/pages',
    {
      config: { ...limitsOf(pageSearch), isShared: true, strangersMs: 20 },
      schema: {
        ...descriptionOf(pageSearch),
        tags: ['Pages'],
        querystring: Type.Object({
          ...criteria,
          order: criterion(
            '`alphabetical` (by title; the default, except with `text`), `reverse alphabetical`, `first created`, `last created`, `oldest update`, `most recent update`; with `text`, `relevance`, which is then the default unless `logic` is `or` or a `cursor` is given; with `ancestor` alone, `tree`: depth first, siblings in their order.',
            'most recent update',
          ),
          ...rangeFields(10),
          cursor: cursorField,
          history: historyField,
          ...selectionFields(),
        }),
        response: { 200: Type.Array(Page, { description: 'The matching pages.' }) },
        headersOut: { ...pagingHeaders, ...meantHeader },
      },
    },
    async (request, reply) => {
      const { tag, history = 'all', fields, include, review, ...others } = request.query;
      const due = dueNow(request, review, service.clock());
      const selection = selectionOf(request.query);
      const range = rangeOf(request.query);
      if (selection.include.size > 0) range.limit = Math.min(range.limit, mostWithIncluded);
      const wanted = { limit: range.limit, history, selection, text: others.text };
      return answerPages(request, reply, wanted, async () => {
        const criteria = { ...others, ...(tag ? { tags: tag } : {}), ...due, ...range };
        const { ids, total, next, meant } = await carryFor(service, request)(pageSearch, { criteria });
        if (meant !== undefined) reply.header('x-did-you-mean', encodedForHeader(meant));
        if (others.cursor === undefined) setPaging({ request, reply }, range, total);
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
      config: { ...limitsOf(facetCount), isShared: true, strangersMs: 20 },
      schema: {
        ...descriptionOf(facetCount),
        tags: ['Pages'],
        querystring: Type.Object(criteria),
        response: { 200: Facets },
      },
    },
    async (request) => {
      const { tag, review, ...others } = request.query;
      const due = dueNow(request, review, service.clock());
      const criteria = { ...others, ...(tag ? { tags: tag } : {}), ...due, limit: 1, offset: 0 };
      return carryFor(service, request)(facetCount, { criteria });
    },
  );
}
