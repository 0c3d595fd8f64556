/** A member's passkeys, and signing in by passkey. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { component } from '#core/operations/fields.ts';
import {
  passkeyAddition,
  passkeyBeginning,
  passkeyCredential,
  passkeyList,
  passkeyRemoval,
  passkeyRenaming,
  passkeySignIn,
  passkeySignInBeginning,
} from '#core/sign-in/passkey-operations.ts';
import type { Limits } from '../limits.ts';
import {
  carryFor,
  del,
  descriptionOf,
  get,
  type HttpFace,
  limitsOf,
  patch,
  post,
} from '../operation-routes.ts';
import type { HttpSettings, Server, Service } from '../service.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import { sendToken, Token } from './members.ts';

const url = '/v1/members/me/passkeys';
const signInUrl = '/v1/members/auth/passkey';

const addressOf = ({ protocol, host }: FastifyRequest, { baseUrl }: Pick<HttpSettings, 'baseUrl'>) =>
  baseUrl || `${protocol}://${host}`;
const given = { address: addressOf };

export const passkeyFace: HttpFace = {
  tag: 'Members',
  routes: [
    get(url, passkeyList),
    post(`${url}/options`, passkeyBeginning, { given }),
    post(url, passkeyAddition, { given }),
    patch(`${url}/:id`, passkeyRenaming),
    del(`${url}/:id`, passkeyRemoval),
    post(`${signInUrl}/options`, passkeySignInBeginning, { given }),
  ],
};

export async function passkeySignInRoutes(
  server: Server,
  service: Service,
  settings: Pick<HttpSettings, 'baseUrl'>,
  { limits, signIns }: { limits: Limits; signIns: SignInLimits },
): Promise<void> {
  server.post(
    signInUrl,
    {
      config: limitsOf(passkeySignIn),
      schema: {
        ...descriptionOf(passkeySignIn),
        tags: ['Members'],
        body: component('PasskeySignIn', 'The answer.', {
          credential: passkeyCredential,
        }),
        response: { 200: Token },
        contentType: 'text/plain',
      },
    },
    async (request, reply) => {
      await limits.countSignIn(request);
      const device = { userAgent: request.headers['user-agent'], isBrowser: false };
      const input = { ...request.body, address: addressOf(request, settings), device };
      const carry = carryFor(service, request);
      const claims = await signIns.tryUnnamed(request, reply, () => carry(passkeySignIn, input));
      return sendToken(reply as FastifyReply, await service.tokens.issue(claims));
    },
  );
}
