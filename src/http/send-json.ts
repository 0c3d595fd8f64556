/** Answers that are JSON already, put together from parts that were. */
import type { FastifyReply } from 'fastify';

/** The very bytes that a tag is of. The type of the route's answer says what they hold. */
export function sendJson(reply: unknown, json: string): never {
  return (reply as FastifyReply).type('application/json; charset=utf-8').send(json) as never;
}

export function sendList(reply: unknown, items: string[]): never {
  return sendJson(reply, `[${items.join()}]`);
}
