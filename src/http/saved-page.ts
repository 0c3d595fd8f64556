/** Response to an edit and a rollback: the page, its markup, and the tag of its latest change. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SavedView } from '#domain/pages/page-view.ts';
import { changeTag } from './etag.ts';
import { accessPageJson } from './page-json.ts';

export const savedHeaders = {
  ETag: {
    description:
      'The latest change, which this one made if there was anything to change: `If-Match` of the next edit.',
    example: '"42"',
  },
};

export function sendSaved(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, mayWrite, markup, displayTitle, failure }: SavedView,
  baseUrl: string,
) {
  if (failure !== undefined) request.log.warn({ err: failure, page: page.id }, 'saved, but not rendered');
  reply.header('etag', changeTag(page.changeId));
  return {
    page: accessPageJson(page, mayWrite, baseUrl),
    markup,
    ...(displayTitle === undefined ? {} : { displayTitle }),
  };
}
