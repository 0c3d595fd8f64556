/** Invitations: made, listed and revoked by administrators, accepted by the holder of the link. */
import {
  InvitationObject,
  invitation,
  invitationAcceptance,
  invitationList,
  invitationRevocation,
} from '#core/joining/invitation-operations.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { del, get, type HttpFace, post } from '../operation-routes.ts';

export const invitationFace: HttpFace = {
  tag: 'Members',
  routes: [
    post('/v1/invitations', invitation, {
      limit: 'countInvitation',
      shown: {
        schema: InvitationObject,
        toJson: ({ id, token, mailedTo, expiresAt }, { baseUrl }) => ({
          id,
          ...(token === undefined ? { mailedTo } : { token, url: `${baseUrl}/invite/${token}` }),
          expiresAt: isoTime(expiresAt),
        }),
      },
    }),
    get('/v1/invitations', invitationList),
    del('/v1/invitations/:id', invitationRevocation),
    post('/v1/invitations/accept', invitationAcceptance, {
      limit: 'countInvitation',
      // Only the site asks for them.
      given: { settings: () => undefined },
    }),
  ],
};
