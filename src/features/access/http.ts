/** Access to pages in the API. */
import { get, type HttpFace, put } from '#http/operation-routes.ts';
import { changeAccess, readAccess } from './operations.ts';

export const http: HttpFace = {
  tag: 'Groups',
  routes: [get('/v1/access/*', readAccess), put('/v1/access/*', changeAccess)],
};
