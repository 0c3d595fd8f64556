/** Rules of approval in the API. */
import { get, type HttpFace, put } from '#http/operation-routes.ts';
import { changeRule, readRule } from './operations.ts';

export const http: HttpFace = {
  tag: 'Proposals',
  routes: [get('/v1/rules/*', readRule), put('/v1/rules/*', changeRule)],
};
