/** Protection of pages in the API. */
import { get, type HttpFace, put } from '#http/operation-routes.ts';
import { protectPage, readProtection } from './operations.ts';

export const http: HttpFace = {
  tag: 'Pages',
  routes: [get('/v1/protection/*', readProtection), put('/v1/protection/*', protectPage)],
};
