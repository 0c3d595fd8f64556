/** Settings in the API. */
import { get, type HttpFace, patch } from '#http/operation-routes.ts';
import { changeSettings, listPublicPages, readSettings } from './operations.ts';

export const http: HttpFace = {
  tag: 'Settings',
  routes: [
    get('/v1/settings', readSettings),
    patch('/v1/settings', changeSettings, { takesFiles: true }),
    get('/v1/settings/public-pages', listPublicPages),
  ],
};
