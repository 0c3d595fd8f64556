/**
 * Answers of many whole pages, which may take 10 MB: two are made at a time, and each becomes JSON some pages at a time,
 * so that long lists have neither the memory nor the event loop for themselves.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { takeTurns } from '#domain/turns.ts';

/** Lists that cannot be longer wait for nobody. */
const fewPages = 50;
/** Pages that take some milliseconds to write as JSON. */
const pagesAtOnce = 20;

/** `limit`: as many as `find` may bring. Problem `unavailable` when a thousand wait. */
export type AnswerPages = <P, J>(
  limit: number,
  reply: FastifyReply,
  find: () => Promise<readonly P[]>,
  jsonOf: (page: P) => J,
) => Promise<J[]>;

export function createPageLists(): AnswerPages {
  const inTurn = takeTurns(
    2,
    1000,
    'Too many long lists are being made at this moment: try again in a minute.',
  );
  return async <P, J>(
    limit: number,
    reply: FastifyReply,
    find: () => Promise<readonly P[]>,
    jsonOf: (page: P) => J,
  ) => {
    if (limit <= fewPages) return (await find()).map(jsonOf);
    const text = await inTurn(async () => jsonText(await find(), jsonOf));
    reply.type('application/json; charset=utf-8');
    // What is text already is sent as it is.
    return text as unknown as J[];
  };
}

async function jsonText<P>(pages: readonly P[], jsonOf: (page: P) => unknown): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < pages.length; from += pagesAtOnce) {
    if (from > 0) await nextTurn();
    const slice = pages.slice(from, from + pagesAtOnce);
    parts.push(JSON.stringify(slice.map(jsonOf)).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}
