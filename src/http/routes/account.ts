/** A member's own account: name, passphrase and e-mail address. */
import {
  addressChange,
  addressConfirmation,
  leaving,
  NewPassphrase,
  nameChange,
  ownAccount,
  passphraseChange,
  whoAmI,
} from '#core/members/account-operations.ts';
import { forgottenPassphrase } from '#core/sign-in/reset-link-operations.ts';
import { carryFor, descriptionOf, get, type HttpFace, limitsOf, patch, post } from '../operation-routes.ts';
import type { Server, Service } from '../service.ts';
import type { SignInLimits } from '../sign-in-limits.ts';

const tag = 'Members';
const limit = 'countInvitation';

export const accountFace: HttpFace = {
  tag,
  routes: [
    get('/v1/members/me', whoAmI),
    post('/v1/members/forgot', forgottenPassphrase, { limit, status: 202 }),
    patch('/v1/members/me', nameChange),
    post('/v1/members/me/email', addressChange, { limit, status: 202 }),
    post('/v1/members/email', addressConfirmation, { limit }),
    post('/v1/members/me/leave', leaving),
  ],
};

/** A wrong passphrase counts as a failed sign-in. */
export async function passphraseRoutes(
  server: Server,
  service: Service,
  signIns: SignInLimits,
): Promise<void> {
  server.post(
    '/v1/members/me/passphrase',
    {
      config: limitsOf(passphraseChange),
      schema: {
        ...descriptionOf(passphraseChange),
        tags: [tag],
        body: NewPassphrase,
        others: { 204: 'The passphrase has been changed.' },
      },
    },
    async (request, reply) => {
      const carry = carryFor(service, request);
      const { email } = await carry(ownAccount, {});
      await signIns.try(request, reply, { email }, () => carry(passphraseChange, request.body));
    },
  );
}
