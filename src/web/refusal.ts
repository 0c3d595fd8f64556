/** Refusals of forms: the page shows the form once more with its mistakes, or asks its reader to sign in again. */
import type { FastifyReply } from 'fastify';
import { type FieldError, Problem, type ProblemCode } from '#domain/problem.ts';
import { problemKinds } from '#http/problems.ts';
import type { Form } from './forms.ts';

/** The part of a page that its refused form decides. */
export interface RefusedForm {
  message?: string;
  errors?: FieldError[];
  form?: Form;
  status?: number;
}

/** The message and mistakes of a refusal, and the status to send them with. Throws other errors, and problems of other codes. */
export function refusalOf(error: unknown, codes?: ProblemCode[]) {
  if (!(error instanceof Problem)) throw error;
  if (codes ? !codes.includes(error.code) : error.code === 'unauthenticated') throw error;
  const { status } = problemKinds[error.code];
  return { message: error.message, errors: error.errors ?? [], status };
}

/** Whether the member is signed in, but not recently enough for what they asked. */
export function needsRecentSignIn(error: unknown): boolean {
  return error instanceof Problem && error.details?.again !== undefined;
}

/** Asks the member to sign in again, and leads back to the address afterwards. */
export function signInAgain(reply: FastifyReply, address: string): FastifyReply {
  return reply.redirect(signInAgainUrl(address), 303);
}

export function signInAgainUrl(address: string): string {
  return `/login/again?next=${encodeURIComponent(address)}`;
}
