/** Access to pages in the API. */
import { get, type HttpFace, post, put } from '#http/operation-routes.ts';
import { changeAccess, changePermissions, findGrantees, readAccess } from './operations.ts';

export const http: HttpFace = {
  tag: 'Groups',
  routes: [
    get('/v1/access', findGrantees),
    get('/v1/access/*', readAccess),
    put('/v1/access/*', changeAccess),
    post('/v1/permissions/*', changePermissions),
  ],
};
