/** Signing up without an invitation, and the waiting list that administrators look through. */
import {
  proofOfWork,
  SignedUp,
  signingUp,
  signUpApproval,
  signUpConfirmation,
  signUpList,
  signUpRefusal,
} from '#core/joining/sign-up-operations.ts';
import { MadeMember } from '#core/operations/member-fields.ts';
import type { Limits } from '../limits.ts';
import { carryFor, del, descriptionOf, get, type HttpFace, limitsOf, post } from '../operation-routes.ts';
import type { Server, Service } from '../service.ts';

const tag = 'Members';
const headers = { 'cache-control': 'no-store' };

export const signUpFace: HttpFace = {
  tag,
  routes: [
    get('/v1/members/challenge', proofOfWork, { headers }),
    post('/v1/members', signingUp, { limit: 'countSignUp', status: 202, headers }),
    get('/v1/sign-ups', signUpList),
    post('/v1/sign-ups/:id/approve', signUpApproval),
    del('/v1/sign-ups/:id', signUpRefusal),
  ],
};

/** Answers 200 or 202, depending on the settings of the wiki. */
export async function signUpConfirmationRoutes(
  server: Server,
  service: Service,
  limits: Limits,
): Promise<void> {
  server.post(
    '/v1/members/confirm',
    {
      config: limitsOf(signUpConfirmation),
      schema: {
        ...descriptionOf(signUpConfirmation),
        tags: [tag],
        body: signUpConfirmation.input,
        response: { 200: MadeMember.schema, 202: SignedUp },
      },
    },
    async (request, reply) => {
      await limits.countInvitation(request);
      const member = await carryFor(service, request)(signUpConfirmation, request.body as never);
      if (!member) return reply.code(202).send({ next: 'wait' as const });
      return reply.send(MadeMember.toJson({ member, now: service.clock() }));
    },
  );
}
