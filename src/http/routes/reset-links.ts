/** Reset links: made and revoked by administrators, used by members who forgot their passphrase. */

import { isoTime } from '#core/model/iso-time.ts';
import {
  passphraseReset,
  ResetLink,
  resetLinkMaking,
  resetLinkRevocation,
} from '#core/sign-in/reset-link-operations.ts';
import { del, type HttpFace, post } from '../operation-routes.ts';

export const resetLinkFace: HttpFace = {
  tag: 'Members',
  routes: [
    post('/v1/members/:id/reset-link', resetLinkMaking, {
      limit: 'countInvitation',
      shown: {
        schema: ResetLink,
        toJson: ({ token, expiresAt }, { baseUrl }) => ({
          token,
          url: `${baseUrl}/login/reset/${token}`,
          expiresAt: isoTime(expiresAt),
        }),
      },
    }),
    del('/v1/members/:id/reset-link', resetLinkRevocation),
    post('/v1/members/reset', passphraseReset, { limit: 'countInvitation' }),
  ],
};
