/** The change feed: as JSON in pages, or as an event stream. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  beginning,
  cursorOf,
  type FeedEvent,
  type FeedQuery,
  listEvents,
  pageOfEvents,
  readCursor,
  readFilter,
} from '#core/events/list-events.ts';
import { maxReviewed, reviewEvents } from '#core/events/review-events.ts';
import { isModerator, visibilityOf } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { EventObject, eventJson } from '#core/operations/event-schema.ts';
import { component, flag, idField, integer, optionalText, text } from '#core/operations/fields.ts';
import { countOf, limitField } from '#core/operations/paging.ts';
import { callerOf } from '../address-group.ts';
import type { Costs } from '../costs.ts';
import { EventHub, type StreamedEvent } from '../event-stream/hub.ts';
import { isStillActor } from '../identity.ts';
import { untilItEnds } from '../listener.ts';
import type { Metrics } from '../metrics.ts';
import { RoleField } from '../schemas/member.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const defaultLimit = 100;
const eventStream = 'text/event-stream';
/** Maximum number of open streams in one process, and of one member or address if rate limits are on. */
const listenerLimits = { total: 5000, each: 25 };

export async function eventRoutes(
  server: Server,
  service: Service,
  settings: HttpSettings,
  { costs, metrics }: { costs: Costs; metrics: Pick<Metrics, 'watchStreams'> },
): Promise<void> {
  const { store } = service;
  const limits = { ...listenerLimits, ...(settings.hasRateLimits ? {} : { each: listenerLimits.total }) };
  const hub = new EventHub(
    store,
    async ({ actor, filter, spend }, position, limit) =>
      (await listEvents({ store, actor, spend }, position, limit, filter)).map(streamed),
    limits,
    (error) => server.log.warn({ err: error }, 'an event stream could not be served'),
  );
  metrics.watchStreams(() => hub.listeners);
  server.addHook('preClose', async () => hub.close());

  server.get(
    '/v1/changes',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within', strangersMs: 2 },
      handlerTimeout: untilItEnds,
      schema: {
        operationId: 'changes',
        tags: ['Events'],
        summary: 'Follow the change feed',
        description:
          'Every event that the caller may read, exactly once, in the order of commits, oldest first, from the beginning of the wiki or after a cursor. With `Accept: text/event-stream` the response stays open: `id` is the cursor, `event` the kind, `data` the event. `Last-Event-ID` works like `after`.',
        querystring: Type.Object({
          after: optionalText(
            'Cursor: `next` of an earlier response. `latest` stands for the end. Without it, the list starts at the beginning.',
            '1a-mk3x9f2b',
          ),
          before: optionalText(
            'Cursor for events before it, latest first; or `latest` for the latest events. `next` leads further back. Not for streams.',
            'latest',
          ),
          limit: limitField(defaultLimit, 100),
          kind: optionalText('Kinds, separated by commas.', 'created,edited'),
          ancestor: optionalText(
            'Path of a page, for events of pages that lie beneath it now, did so at the time, or did so before they moved.',
            '/garden',
          ),
          type: optionalText('Current type of the page.', 'Place'),
          tag: optionalText('Current tag of the page, as in a search.', 'kind:tree'),
          editor: Type.Optional(idField('Member ID of the author.', 3)),
          role: Type.Optional(RoleField),
          reviewed: Type.Optional(
            flag(
              'For moderators: `false` lists events that await review, `true` all others. Events of moderators and administrators need no review.',
              false,
            ),
          ),
        }),
        response: {
          200: component('Changes', 'Events, and the cursor of the next request.', {
            changes: Type.Array(EventObject, { description: 'The events, oldest first.' }),
            next: text(
              'Cursor for `after`: that of the last event that was looked at, or the cursor of the request if there was none.',
              '1a-mk3x9f2b',
            ),
            more: flag(
              'Whether there may be more events, which can be requested at once. One response looks through a bounded number of events, so a response with a filter may be empty although more events follow.',
              false,
            ),
          }),
        },
        problems: ['moderators-only'],
      },
    },
    async (request, reply) => {
      const { actor, query } = request;
      const filter = await readFilter(store, actor, query);
      const limit = countOf(query.limit, defaultLimit);
      const spend = (cpuMs: number) => costs.spend(request, actor, cpuMs);
      const answer = (changes: Static<typeof EventObject>[], next: string, hasMore: boolean) => {
        reply.header('cache-control', 'no-store').header('vary', `${reply.getHeader('vary')}, Accept`);
        return { changes, next, more: hasMore };
      };
      if (query.before !== undefined) {
        if (query.after !== undefined || wantsStream(request))
          throw invalid('?before', 'Give either “before” or “after”, but not both.');
        const place = query.before === 'latest' ? undefined : query.before;
        const before = (place && (await readCursor(store, actor, place, '?before'))) || undefined;
        const { events, next, hasMore } = await pageOfEvents(
          { store, actor, spend },
          { before },
          limit,
          filter,
        );
        const changes = events.map((event) => eventJson(event, isModerator(actor)));
        return answer(changes, next ?? query.before, hasMore);
      }
      if (wantsStream(request)) return stream(request, reply, query, filter) as never;
      if (query.after === 'latest') {
        const end = await store.events.last(visibilityOf(actor, store));
        return answer([], end ? cursorOf(end) : beginning, false);
      }
      const after = await readCursor(store, actor, query.after);
      const { events, next, hasMore } = await pageOfEvents({ store, actor, spend }, { after }, limit, filter);
      // Without review marks, so that streams and webhooks send the same object.
      const changes = events.map((event) => eventJson(event));
      return answer(changes, next ?? query.after ?? beginning, hasMore);
    },
  );

  server.post(
    '/v1/changes/reviewed',
    {
      config: { audit: [], access: 'required', scope: 'admin', subtree: 'refused' },
      schema: {
        operationId: 'reviewChanges',
        tags: ['Events'],
        summary: 'Mark changes as reviewed',
        description:
          'For moderators, who share these marks. Events that the caller may not see are skipped. Changes that nobody reviews within 90 days stop waiting for review.',
        body: component('ReviewedInput', 'IDs of events, and the mark to set.', {
          ids: Type.Array(idField('Event ID.', 42), {
            description: `IDs of events, up to ${maxReviewed}.`,
            maxItems: maxReviewed,
            examples: [[42]],
          }),
          reviewed: Type.Optional(
            Type.Boolean({ description: '`false` removes the mark.', default: true, examples: [true] }),
          ),
        }),
        response: {
          200: component('Reviewed', 'Number of marks that changed.', {
            changed: integer('Number of events that had the other mark before.', 1),
          }),
        },
        problems: ['moderators-only', 'blocked'],
      },
    },
    async ({ actor, body }) => ({
      changed: await reviewEvents(store, actor, body.ids, body.reviewed ?? true),
    }),
  );

  async function stream(
    request: FastifyRequest,
    reply: FastifyReply,
    query: FeedQuery & { after?: string },
    filter: Awaited<ReturnType<typeof readFilter>>,
  ): Promise<FastifyReply> {
    const { actor } = request;
    const lastId = request.headers['last-event-id'];
    const position = await readCursor(
      store,
      actor,
      typeof lastId === 'string' && lastId !== '' ? lastId : query.after,
    );
    reply.type(`${eventStream}; charset=utf-8`).headers({
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      vary: `${reply.getHeader('vary')}, Accept`,
    });
    if (request.method === 'HEAD') return reply.send();
    const caller = callerOf(request);
    const refusal = hub.refusal(caller);
    if (refusal)
      throw new Problem(
        refusal === 'total' ? 'unavailable' : 'too-many-requests',
        refusal === 'total'
          ? 'The server cannot serve any more streams at the moment. Try again later, or ask without Accept: text/event-stream.'
          : `You have ${limits.each} open streams, which is the maximum for one caller. Close one of them.`,
        { details: { retryAfter: 60 } },
      );
    const view = {
      key: JSON.stringify([visibilityOf(actor, store), filter]),
      actor,
      filter,
      spend: (cpuMs: number) => costs.spend(request, actor, cpuMs),
    };
    const events = hub.listen(view, position, caller, () => isStillActor(service, request));
    request.raw.once('close', () => events.destroy());
    return reply.send(events);
  }
}

function wantsStream({ headers }: FastifyRequest): boolean {
  return headers.accept?.split(',').some((type) => type.trim().startsWith(eventStream)) ?? false;
}

function streamed(event: FeedEvent): StreamedEvent {
  const { position, cursor, kind } = event;
  return { position, text: `id: ${cursor}\nevent: ${kind}\ndata: ${JSON.stringify(eventJson(event))}\n\n` };
}
