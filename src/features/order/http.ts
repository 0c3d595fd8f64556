/** The order of pages in the API. */
import { get, type HttpFace, put } from '#http/operation-routes.ts';
import { orderPages, orderRoots, readOrder, readRootOrder } from './operations.ts';

export const http: HttpFace = {
  tag: 'Tree',
  routes: [
    get('/v1/order', readRootOrder),
    put('/v1/order', orderRoots),
    get('/v1/order/*', readOrder),
    put('/v1/order/*', orderPages),
  ],
};
