/** JSON that is put together from texts: as one string, a long answer would be copied once more and become garbage. */
import type { FastifyReply } from 'fastify';

/** UTF-8. */
export function bytesOf(parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) at += bytes.write(part, at);
  return bytes;
}

export function sendJson(reply: FastifyReply, json: Buffer): never {
  return reply.type('application/json; charset=utf-8').send(json as never) as never;
}
