/** Refusals by the framework and its plug-ins as problems with our own texts. */

import { Problem, type ProblemCode } from '#core/model/problem.ts';
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';

/** Undefined for any other error, which is a bug. */
export function refusalOfFramework(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return new Problem('timeout', say('problem.thisTookTooLong'));
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return new Problem('invalid', say('problem.theBodyIsNotValidJson'));
  const refusal = refusalsByStatus[statusCode as number];
  return refusal && new Problem(...refusal);
}

const refusalsByStatus: Record<number, [ProblemCode, Words]> = {
  400: ['invalid', say('problem.theRequestIsMalformed')],
  404: ['not-found', say('problem.notFound')],
  406: ['invalid', say('problem.theBodyIsMalformed')],
  413: ['too-large', say('problem.theRequestIsTooLarge')],
  415: ['unsupported-media-type', say('problem.bodiesOfThisType')],
  429: ['too-many-requests', say('problem.tooManyRequests')],
  503: ['unavailable', say('problem.theServerIsShuttingDown')],
};
