/** A refusal by the wiki (RFC 9457), or an error response from a proxy in between. */

/** A response that is not a success. Its message is the sentence that the wiki gave. */
export class CoppiceError extends Error {
  readonly status: number;
  /** Code of the refusal, such as `not-found`. Empty if the response does not come from the wiki. */
  readonly code: string;
  /** Invalid fields. */
  readonly errors: { pointer: string; code: string; detail: string }[];
  /** The whole response body. */
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
