/** The part of the server that the website is: what the HTTP face asks of it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Costs } from './costs.ts';
import type { Limits } from './limits.ts';
import type { Server } from './service.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The other face, for browsers: it shares the server, the limits, the costs and, for its own pages' scripts, the session. */
export interface WebFace {
  /** Runs before anyone looks at who is asking: may say that it is whom the site's cookie speaks for. */
  lendSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Refuses as a page in plain words what a browser was led to outside the site, such as a file that is gone. */
  answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Registers the routes of the site. */
  register(server: Server, limits: Limits, signIns: SignInLimits, costs: Costs): Promise<void>;
}
