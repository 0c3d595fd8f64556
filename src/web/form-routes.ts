/** Routes that take a form: each reads it and carries it out, or shows it once more with what is wrong. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditKind } from '#domain/audit/kinds.ts';
import { parseId } from '#domain/id.ts';
import { type FieldError, invalid, Problem, type ProblemCode } from '#domain/problem.ts';
import { problemKinds } from '#http/problems.ts';
import { type Form, readForm } from './forms.ts';
import type { Site } from './site.ts';
import { leaveNotice, type Notice } from './visitor.ts';

/** Shows the page of a form once more, with what was typed and why that is refused. */
type ShowAgain<Params> = (
  site: Site,
  reply: FastifyReply,
  refused: Refusal & { form: Form },
  params: Params,
) => FastifyReply | Promise<FastifyReply>;

interface Refusals {
  /** Codes for which the form is shown again, all but `unauthenticated` if left out. Other refusals are pages of their own. */
  codes?: ProblemCode[];
  /** Address that the member comes back to after signing in again, where the form asks for that. */
  returnsTo?: string;
}

/** Carries a form out, and shows a page or leads to one. */
type Handler<Params> = (
  form: Form,
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Adds routes for forms. `audit`: all kinds of entries that one writes to the audit log. Without `showAgain` every refusal is a page of its own. */
export function formRoutes<Params = unknown>(
  server: FastifyInstance,
  site: Site,
  showAgain?: ShowAgain<Params>,
  { codes, returnsTo }: Refusals = {},
): (url: string, audit: readonly AuditKind[], handle: Handler<Params>) => void {
  return (url, audit, handle) => {
    server.post<{ Params: Params }>(url, { config: { audit } }, async (request, reply) => {
      const form = await readForm(site, request);
      try {
        return await handle(form, request, reply);
      } catch (error) {
        if (returnsTo !== undefined && needsRecentSignIn(error))
          return reply.redirect(signInAgainUrl(returnsTo), 303);
        if (!showAgain) throw error;
        return showAgain(site, reply, { ...refusalOf(error, codes), form }, request.params as Params);
      }
    });
  };
}

export interface ById {
  id: string;
}

/** ID in the address; 0, which nothing has, if it is none. */
export function idOf({ params }: { params: ById }): number {
  return parseId(params.id) ?? 0;
}

export interface ByToken {
  token: string;
}

/** ID in a field of a form, usually of the row whose button was pressed. Refuses `invalid`. */
export function chosenId(form: Form, field: string): number {
  const id = parseId(form.text(field));
  if (id === undefined) throw invalid(`/${field}`, 'Choose one of the list.');
  return id;
}

/** Leads on after a form was carried out, with a sentence for the page there. */
export function redirectWithNotice(reply: FastifyReply, address: string, notice: Notice): FastifyReply {
  leaveNotice(reply, notice);
  return reply.redirect(address, 303);
}

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
  const { code, message, errors = [], cause } = error;
  return { code, message, errors, cause, status: problemKinds[code].status };
}

export type Refusal = ReturnType<typeof refusalOf>;

/** Whether the member is signed in, but not recently enough for what they asked. */
function needsRecentSignIn(error: unknown): boolean {
  return error instanceof Problem && error.details?.again !== undefined;
}

/** Leads to a page where the member signs in again, and from there to the address. */
export function signInAgainUrl(address: string): string {
  return `/login/again?next=${encodeURIComponent(address)}`;
}
