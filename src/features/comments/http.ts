/** Comments in the API. */
import { del, get, type HttpFace, patch, post } from '#http/operation-routes.ts';
import { findMentionable } from './find-mentionable.ts';
import { changeComment, comment, deleteComment, listComments, readComment } from './operations.ts';

export const http: HttpFace = {
  tag: 'Comments',
  routes: [
    post('/v1/comments', comment),
    get('/v1/comments', listComments),
    get('/v1/mentions', findMentionable),
    get('/v1/comments/:id', readComment),
    patch('/v1/comments/:id', changeComment),
    del('/v1/comments/:id', deleteComment),
  ],
};
