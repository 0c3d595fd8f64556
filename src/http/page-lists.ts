/**
 * Responses with many complete pages, up to 10 MB: long ones are built two at a time, and converted to JSON some pages at a
 * time, to limit memory and delays of the event loop.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAccess } from '#core/model/page-access.ts';
import { Problem } from '#core/model/problem.ts';
import type { HistoryWanted } from '#core/ports/reader.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { say } from '#words/say.ts';
import { tagOf } from './etag.ts';
import { includedJson, pick, type Selection, selectedJson } from './page-selection.ts';
import { type CachedBodies, jsonArray, ownBuffer } from './response-cache/bodies.ts';
import type { Body } from './response-cache/entries.ts';
import { PageJsonCache } from './response-cache/page-json-cache.ts';
import type { Service } from './service.ts';

/** Lists up to this length are not queued. */
const fewPages = 50;

/** Pages found, and their total. */
interface Listing {
  ids: number[];
  /** Fields that the list adds to each page; at least one. */
  ownJson(page: PageAccess & { id: number }): object;
}

/** `limit`: maximum number of pages that `find` returns. Fails with Problem `unavailable` when a thousand requests wait. */
export type AnswerPages = (
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: { limit: number; history: HistoryWanted; selection: Selection; text?: string | undefined },
  find: () => Promise<Listing>,
) => Promise<never>;

export function createPageLists(
  { store, renderer: { language } }: Pick<Service, 'store' | 'renderer'>,
  bodies: CachedBodies,
  baseUrl: string,
): AnswerPages {
  const texts = new PageJsonCache(store, bodies, baseUrl);
  const limited = limitConcurrency(
    2,
    1000,
    () => new Problem('unavailable', say('problem.theServerIsAlreadyPreparingTooMany')),
  );
  return async (request, reply, { limit, history, selection, text = '' }, find) => {
    const { reader } = request;
    const { fields, include } = selection;
    const make = async (): Promise<Body> => {
      const revision = request.revision ?? (await store.revision());
      const { ids, ownJson } = await find();
      const added = await includedJson(reader, ids, include, { search: { text, language }, baseUrl });
      if (fields) {
        const selected = await selectedJson(reader, ids, fields, {
          history,
          baseUrl,
          language: reader.dialect.language,
        });
        const accesses = await reader.pages.states(ids);
        const json = accesses.flatMap((page) => {
          const own = selected.get(page.id);
          return own ? [{ ...own, ...pick(ownJson(page), fields), ...added.get(page.id) }] : [];
        });
        reply.type('application/json; charset=utf-8');
        return ownBuffer(JSON.stringify(json));
      }
      const pages = await texts.of(reader, ids, history, revision);
      const ends = pages.map(
        (page) => `,${JSON.stringify({ ...ownJson(page), ...added.get(page.id) }).slice(1)}`,
      );
      const tag = tagOf(pages.map(({ digest }, i) => `${digest}${ends[i]}`));
      reply.header('etag', tag).type('application/json; charset=utf-8');
      const body = jsonArray(pages.map(({ json }, i) => [json, Buffer.from(ends[i] as string)]));
      // Cached JSON was overwritten on disk meanwhile and has to be made again.
      return body ? bodies.spill(body) : make();
    };
    // Bytes are sent unchanged.
    return reply.send((await (limit <= fewPages ? make() : limited(make))) as never) as never;
  };
}
