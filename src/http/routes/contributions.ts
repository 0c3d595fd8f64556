/** A member as others see them, and their contributions. */
import { contributionList, memberProfile } from '#core/members/profile-operations.ts';
import { get, type HttpFace } from '../operation-routes.ts';

export const profileFace: HttpFace = {
  tag: 'Members',
  routes: [
    // Only digits, because other words are operations such as `auth`.
    get('/v1/members/:id(^\\d+$)', memberProfile),
    get('/v1/members/:id/contributions', contributionList, { config: { strangersMs: 2 } }),
  ],
};
