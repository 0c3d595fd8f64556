/** Sessions: where the member is signed in, and signing out. Signing in is in `members.ts`. */
import { sessionEnding, sessionList, signingOut } from '#core/sign-in/session-operations.ts';
import { del, get, type HttpFace, post } from '../operation-routes.ts';

export const sessionFace: HttpFace = {
  tag: 'Members',
  routes: [
    get('/v1/sessions', sessionList),
    del('/v1/sessions/:id', sessionEnding),
    // Everywhere: only on the site.
    post('/v1/members/signout', signingOut, { given: { everywhere: () => false } }),
  ],
};
