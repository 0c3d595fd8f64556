/** Response to an edit and a rollback: the page, its markup, and the tag of its latest change. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SavedView } from '#core/pages/page-view.ts';
import { changeTag } from './etag.ts';
import { accessPageJson, grantsJson } from './page-json.ts';
import { urlOf } from './page-paths.ts';

export const savedHeaders = {
  ETag: {
    description:
      'The latest change, which this edit made if it altered anything. Send it as `If-Match` with the next edit.',
    example: '"42"',
  },
  Location: {
    description: 'Current URL of the page.',
    example: '/v1/pages/garden/roses',
  },
};

export function sendSaved(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, mayWrite, markup, displayTitle, failure }: SavedView,
  baseUrl: string,
) {
  if (failure !== undefined) request.log.warn({ err: failure, page: page.id }, 'saved, but not rendered');
  setLocation(reply, page);
  return {
    page: {
      ...accessPageJson(page, mayWrite, { baseUrl, language: request.reader.dialect.language }),
      ...grantsJson(page, request.actor),
    },
    markup,
    ...(displayTitle === undefined ? {} : { displayTitle }),
  };
}

/** Sets tag and address of a created or saved page. */
export function setLocation(
  reply: FastifyReply,
  { path, changeId }: { path: string; changeId: number },
): void {
  reply.header('etag', changeTag(changeId)).header('location', urlOf('/v1/pages', path));
}
