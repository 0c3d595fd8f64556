/** Interface of the website, as used by the HTTP server. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Costs } from './costs.ts';
import type { Limits } from './limits.ts';
import type { ProposalViews } from './proposal-view.ts';
import type { Server } from './service.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The website shares the server, limits, costs and, for its own scripts, the session with the API. */
export interface WebFace {
  /** Runs before the caller is identified, and may identify them by the site's cookie. */
  lendSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Answers a refused navigation outside the site, such as a missing file, as a page in plain words. */
  answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Registers the routes of the site. */
  register(
    server: Server,
    shared: { limits: Limits; signIns: SignInLimits; costs: Costs; views: ProposalViews },
  ): Promise<void>;
}
