/** API tokens in the API. */
import { del, get, type HttpFace, post } from '#http/operation-routes.ts';
import { createToken, listTokens, revokeToken } from './operations.ts';

export const http: HttpFace = {
  tag: 'Members',
  routes: [
    post('/v1/tokens', createToken),
    get('/v1/tokens', listTokens),
    del('/v1/tokens/:id', revokeToken),
  ],
};
