/** Routes that handle forms: each parses the form and handles it, or shows the form again with its errors. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseId } from '#core/model/id.ts';
import { freePathOf } from '#core/model/path-taken.ts';
import { type FieldError, invalid, Problem, type ProblemCode } from '#core/model/problem.ts';
import type { Operation } from '#core/operations/operation.ts';
import { problemKinds } from '#http/problems.ts';
import { say } from '#words/say.ts';
import { stored } from '#words/stored.ts';
import { type Form, readForm } from './forms.ts';
import type { Words } from './html.ts';
import type { Site } from './site.ts';
import { leaveNotice, type Notice } from './visitor.ts';

/** Shows the page of a form again, with its input and the reasons of the refusal. */
type ShowAgain<Params> = (
  site: Site,
  reply: FastifyReply,
  refused: Refusal & { form: Form },
  params: Params,
) => FastifyReply | Promise<FastifyReply>;

interface Refusals {
  /** Problem codes for which the form is shown again; by default all except `unauthenticated`. Other refusals get an error page. */
  codes?: ProblemCode[];
  /** Address to return to after signing in again, for forms that require a recent sign-in. */
  returnsTo?: string;
  /** Whether other sites and programs may send the form. */
  isForeign?: boolean;
  /** Whether its files are small, and are passed on in the form instead of being stored. */
  hasSmallFiles?: boolean;
}

/** Handles a form, and responds with a page or a redirect. */
type Handler<Params> = (
  form: Form,
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Returns a function that adds routes for forms. `operations`: all that the forms carry out. Without `showAgain`, every refusal gets an error page. */
export function formRoutes<Params = unknown>(
  server: FastifyInstance,
  site: Site,
  showAgain?: ShowAgain<Params>,
  { codes, returnsTo, isForeign = false, hasSmallFiles = false }: Refusals = {},
): (url: string, operations: readonly Operation[], handle: Handler<Params>) => void {
  return (url, operations, handle) => {
    const audit = [...new Set(operations.flatMap(({ audit }) => audit))];
    server.post<{ Params: Params }>(
      url,
      { config: { audit, operations, isForeign, hasSmallFiles } },
      async (request, reply) => {
        const form = await readForm(site, request);
        try {
          return await handle(form, request, reply);
        } catch (error) {
          if (returnsTo !== undefined && needsRecentSignIn(error))
            return reply.redirect(signInAgainUrl(returnsTo), 303);
          if (!showAgain) throw error;
          return showAgain(site, reply, { ...refusalOf(error, codes), form }, request.params as Params);
        }
      },
    );
  };
}

export interface ById {
  id: string;
}

/** Returns the ID in the address, or 0 if it is invalid. No row has the ID 0. */
export function idOf({ params }: { params: ById }): number {
  return parseId(params.id) ?? 0;
}

export interface ByToken {
  token: string;
}

/** Returns the ID in a field of a form, usually that of the row whose button was pressed. Refuses with `invalid`. */
export function chosenId(form: Form, field: string): number {
  const id = parseId(form.text(field));
  if (id === undefined) throw invalid(`/${field}`, say('formRoutes.chooseAnOptionFromTheList'));
  return id;
}

/** Redirects after a form has been handled, with a notice that the next page shows. */
export function redirectWithNotice(reply: FastifyReply, address: string, notice: Notice): FastifyReply {
  leaveNotice(reply, notice);
  return reply.redirect(address, 303);
}

/** State of a refused form, for the page that shows it again. */
export interface RefusedForm {
  message?: Words;
  errors?: FieldError[];
  form?: Form;
  status?: number;
  /** The next free address, if one is taken. */
  freePath?: string | undefined;
}

/** Returns the message, field errors and HTTP status of a refusal. Rethrows other errors, and problems with other codes. */
export function refusalOf(error: unknown, codes?: ProblemCode[]) {
  if (!(error instanceof Problem)) throw error;
  if (codes ? !codes.includes(error.code) : error.code === 'unauthenticated') throw error;
  const { code, errors = [], cause } = error;
  const message = stored(error.words);
  return { code, message, errors, cause, status: problemKinds[code].status, freePath: freePathOf(error) };
}

export type Refusal = ReturnType<typeof refusalOf>;

/** Returns whether the member is signed in, but not recently enough for this operation. */
function needsRecentSignIn(error: unknown): boolean {
  return error instanceof Problem && error.details?.again !== undefined;
}

/** Returns the address of the page for signing in again, which then redirects to `address`. */
export function signInAgainUrl(address: string): string {
  return `/login/again?next=${encodeURIComponent(address)}`;
}
