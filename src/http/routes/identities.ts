/** Provider accounts by which a member signs in: list and unlink. Linking needs a browser at the provider. */
import { identityList, identityUnlinking } from '#core/sign-in/identity-operations.ts';
import { del, get, type HttpFace } from '../operation-routes.ts';

const url = '/v1/members/me/identities';

export const identityFace: HttpFace = {
  tag: 'Members',
  routes: [get(url, identityList, { headers: { 'cache-control': 'no-store' } }), del(url, identityUnlinking)],
};
