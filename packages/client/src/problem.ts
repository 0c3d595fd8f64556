/** A refusal by the wiki (RFC 9457), or an error response of something before it, such as a proxy. */

export class CoppiceError extends Error {
  readonly status: number;
  /** Kind of the refusal, such as `not-found`. Empty if the response is not the wiki's. */
  readonly code: string;
  /** Each bad field. */
  readonly errors: { pointer: string; code: string; detail: string }[];
  /** The whole answer. */
  readonly problem: Record<string, unknown>;

  constructor(status: number, problem: Record<string, unknown>) {
    super(String(problem.detail ?? problem.title ?? `The wiki answered ${status}.`));
    this.name = 'CoppiceError';
    this.status = status;
    this.code = /#problem-([a-z-]+)$/.exec(String(problem.type ?? ''))?.[1] ?? '';
    this.errors = Array.isArray(problem.errors) ? problem.errors : [];
    this.problem = problem;
  }
}

export async function errorOf(response: Response): Promise<CoppiceError> {
  const text = await response.text();
  try {
    return new CoppiceError(response.status, JSON.parse(text));
  } catch {
    return new CoppiceError(response.status, {});
  }
}
