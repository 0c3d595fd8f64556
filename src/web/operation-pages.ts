/**
 * Pages and forms of operations. A feature declares address, page, and which operation each button of its forms carries out; input
 * is read from the form by the operation's schema.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { invalid } from '#core/model/problem.ts';
import { type Carry, carryOutFor } from '#core/operations/carry-out.ts';
import type { Operation } from '#core/operations/operation.ts';
import { compileValidator, readFields } from '#http/schemas/validate.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from './form-routes.ts';
import type { Form } from './forms.ts';
import { type PageLayout, sendLayout } from './layout.ts';
import type { Site, Visit } from './site.ts';
import type { Notice } from './visitor.ts';

/** A page, and the forms on it that are sent to the same address. */
export interface OperationPage {
  url: string;
  /** Operations whose answers the page shows. */
  reads: readonly Operation[];
  show(call: PageCall): Promise<PageLayout>;
  /** By the value of the button that was pressed, which is named `what`. */
  forms?: Readonly<Record<string, Operation | FormOperation>>;
  /** Shown by the next page after a form was carried out. */
  notice?: Notice;
}

export interface PageCall {
  carry: Carry;
  visit: Visit;
  /** Set if a form is shown again, because it was refused. */
  refused: RefusedForm;
}

/** An operation with input that the form holds in another way. */
interface FormOperation {
  operation: Operation;
  /** Fields of the input beside those that the form has by name, or instead of them. */
  fields(form: Form, carry: Carry): Record<string, unknown> | Promise<Record<string, unknown>>;
}

export const withFields = <Given extends object>(
  operation: Operation<Given>,
  fields: (
    form: Form,
    carry: Carry,
  ) => Partial<Record<keyof Given, unknown>> | Promise<Partial<Record<keyof Given, unknown>>>,
): FormOperation => ({ operation, fields });

export function registerOperationPages(
  server: FastifyInstance,
  site: Site,
  pages: readonly OperationPage[],
): void {
  for (const page of pages) registerPage(server, site, page);
}

function registerPage(
  server: FastifyInstance,
  site: Site,
  { url, reads, show, forms, notice = 'saved' }: OperationPage,
): void {
  const send = async (reply: FastifyReply, refused: RefusedForm = {}) => {
    const { visit } = reply.request;
    const layout = await show({ carry: carryOutFor(site.service, visit), visit, refused });
    return sendLayout(site, reply, { ...layout, ...(refused.status ? { status: refused.status } : {}) });
  };
  server.get(url, { config: { operations: reads } }, async (_request, reply) => send(reply));
  if (!forms) return;
  const choices = Object.values(forms).map((one) => ('operation' in one ? one.operation : one));
  const audit = [...new Set(choices.flatMap((operation) => operation.audit))];
  const codes = [...new Set(['invalid' as const, ...choices.flatMap(({ problems = [] }) => problems)])];
  const onForm = formRoutes(server, site, (_site, reply, refused) => send(reply, refused), { codes });
  const handle = async (form: Form, { visit }: FastifyRequest, reply: FastifyReply) => {
    const carry = carryOutFor(site.service, visit);
    const what = form.text('what');
    const chosen = Object.hasOwn(forms, what) ? forms[what] : undefined;
    if (!chosen) throw invalid('/what', 'Choose what to do.');
    const { operation, fields } = 'operation' in chosen ? chosen : { operation: chosen, fields: undefined };
    const given = { ...Object.fromEntries(form.entries()), ...(await fields?.(form, carry)) };
    await carry(operation, inputOf(operation.input, given) as never);
    return redirectWithNotice(reply, url, notice);
  };
  onForm(url, audit, handle, choices);
}

/** Refuses `invalid`, naming all invalid fields. */
function inputOf(schema: TObject, given: Record<string, unknown>): unknown {
  const read = compileValidator(schema, 'body')(readFields(schema, given));
  if ('error' in read) throw read.error;
  return read.value;
}
