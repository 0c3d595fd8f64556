/** Settings in the API. */
import { get, type HttpFace, patch } from '#http/operation-routes.ts';
import { changeSettings, listPublicPages, readSettings } from './operations.ts';

export const http: HttpFace = {
  tag: 'Settings',
  routes: [
    get('/v1/settings', readSettings),
    patch('/v1/settings', changeSettings, { takesFiles: true, maxBytes: 1_048_576 }),
    get('/v1/settings/public-pages', listPublicPages),
  ],
};
