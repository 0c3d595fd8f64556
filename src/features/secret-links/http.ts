/** Secret links in the API. */
import { del, get, type HttpFace, post } from '#http/operation-routes.ts';
import { createLink, listLinks, madeLink, revokeLink } from './operations.ts';

export const http: HttpFace = {
  tag: 'Groups',
  routes: [
    post('/v1/links', createLink, { shown: madeLink }),
    get('/v1/links', listLinks),
    del('/v1/links/:id', revokeLink),
  ],
};
