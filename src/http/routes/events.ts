/** The change feed: as JSON in pages, or as an event stream. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { listEvents } from '#core/events/list-events.ts';
import { changeFeed, changeReview } from '#core/events/operations.ts';
import { isModerator, visibilityOf } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { EventObject, eventJson } from '#core/operations/event-schema.ts';
import { component, flag, idField, optionalText, text } from '#core/operations/fields.ts';
import { RoleField } from '#core/operations/member-fields.ts';
import { countOf, limitField } from '#core/operations/paging.ts';
import type { EventFilter, FeedEvent } from '#core/ports/event-store.ts';
import { callerOf } from '../address-group.ts';
import type { Costs } from '../costs.ts';
import { EventHub, type StreamedEvent } from '../event-stream/hub.ts';
import { isStillActor } from '../identity.ts';
import { untilItEnds } from '../listener.ts';
import type { Metrics } from '../metrics.ts';
import { carryFor, descriptionOf, type HttpFace, limitsOf, post } from '../operation-routes.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const defaultLimit = 100;
const eventStream = 'text/event-stream';
/** Maximum number of open streams in one process, and of one member or address if rate limits are on. */
const listenerLimits = { total: 5000, each: 25 };

/** Marks of reviewed changes. */
export const reviewFace: HttpFace = {
  tag: 'Events',
  routes: [post('/v1/changes/reviewed', changeReview)],
};

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
      config: { ...limitsOf(changeFeed), strangersMs: 2 },
      handlerTimeout: untilItEnds,
      schema: {
        ...descriptionOf(changeFeed),
        tags: ['Events'],
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
      },
    },
    async (request, reply) => {
      const { actor, query } = request;
      const spend = (cpuMs: number) => costs.spend(request, actor, cpuMs);
      const isStream = wantsStream(request);
      if (query.before !== undefined && (query.after !== undefined || isStream))
        throw invalid('?before', 'Give either “before” or “after”, but not both.');
      const lastId = request.headers['last-event-id'];
      const hasLast = isStream && typeof lastId === 'string' && lastId !== '';
      const wanted = {
        ...query,
        limit: countOf(query.limit, defaultLimit),
        isStream,
        ...(hasLast ? { after: lastId } : {}),
      };
      const found = await carryFor(service, request)(changeFeed, { wanted, spend });
      if (isStream) return stream(request, reply, found) as never;
      reply.header('cache-control', 'no-store').header('vary', `${reply.getHeader('vary')}, Accept`);
      const { events, next, hasMore } = found;
      // Without review marks in the order of the feed, so that streams and webhooks send the same object.
      const isReviewer = query.before !== undefined && isModerator(actor);
      const changes = events.map((event) => eventJson(event, isReviewer));
      return { changes, next, more: hasMore };
    },
  );

  async function stream(
    request: FastifyRequest,
    reply: FastifyReply,
    { filter, position }: { filter: EventFilter; position: number },
  ): Promise<FastifyReply> {
    const { actor } = request;
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
