/**
 * Pages and forms of operations. A feature declares address, page, and which operation each button of its forms carries out; input
 * is read from the form by the operation's schema.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Renderer } from '#core/content/render.ts';
import { parseId } from '#core/model/id.ts';
import { invalid } from '#core/model/problem.ts';
import { type Carry, carryOutFor } from '#core/operations/carry-out.ts';
import type { Operation } from '#core/operations/operation.ts';
import { countingGuesses } from '#http/limits.ts';
import { renderingBy } from '#http/operation-routes.ts';
import { compileValidator, readFields } from '#http/schemas/validate.ts';
import { say } from '#words/say.ts';
import { type Feed, sendFeed } from './feeds.ts';
import { formRoutes, type RefusedForm } from './form-routes.ts';
import type { Form } from './forms.ts';
import { type PageLayout, sendLayout } from './layout.ts';
import { followMove, pathOf } from './page-address.ts';
import type { Site, Visit, WebSettings } from './site.ts';
import { leaveNotice, type Notice } from './visitor.ts';

/** A page, and the forms on it that are sent to the same address. */
export interface OperationPage {
  /** May have parameters, or end in `*` for the path of a page. */
  url: string;
  /** Whether the forms are on a page of another address. Then `show` is only for their answers, and a refusal gets an error page. */
  isOnOtherPage?: boolean;
  /** Whether other sites and programs may send the forms. */
  isForeign?: boolean;
  /** Whether files of its forms are stored, as `Form.files`, instead of being read into memory. */
  keepsFiles?: boolean;
  /** Whether its address is a secret. Addresses that do not exist are counted as guesses. */
  isSecret?: boolean;
  /** CPU time that a read costs strangers, in milliseconds (`http/costs.ts`). */
  strangersMs?: number;
  /** Whether the former address of a moved page leads to the present one. */
  followsMoves?: boolean;
  /** Operations whose answers the page shows. */
  reads: readonly Operation[];
  show(call: PageCall): Promise<PageLayout>;
  /**
   * By the value of the field `what`, otherwise by the name of the button that was pressed; `''` for the form that has neither.
   */
  forms?: Readonly<Record<string, FormOperation>>;
}

/** An Atom feed at a secret address. */
export interface OperationFeed extends Pick<OperationPage, 'url' | 'reads'> {
  feed(call: Pick<PageCall, 'carry' | 'visit' | 'settings' | 'params'>): Promise<Omit<Feed, 'self'>>;
}

export interface PageCall {
  carry: Carry;
  visit: Visit;
  settings: WebSettings;
  /** The parameter `:id` of the address, or 0 if it is no ID. No row has the ID 0. */
  id: number;
  /** Path of the page, for addresses that end in `*`. */
  path: string;
  /** Parameters of the address by name. */
  params: Readonly<Record<string, string>>;
  /** Set if a form is shown again, because it was refused. */
  refused: RefusedForm;
  /** The answer, if a form of this operation has just been carried out. */
  answerTo<Answer>(operation: Operation<never, Answer>): Answer | undefined;
}

/** Operation of a form, its input, and the page that follows. */
interface FormOperation {
  operation: Operation;
  /** Fields of the input beside those that the form has by name, or instead of them. */
  fields?(form: Form, call: FormCall): Fields | Promise<Fields>;
  /** Shown by the page after it. Without this and `leadsTo`, the page itself shows the answer. */
  notice?: Notice;
  /** Address of the page after it, if it is another one. */
  leadsTo?: string | ((answer: unknown, call: FormCall) => string);
}

export type FormCall = Pick<PageCall, 'carry' | 'visit' | 'path' | 'params'>;
type Fields = Record<string, unknown>;

interface FormOptions<Given, Answer> extends Omit<FormOperation, 'operation' | 'fields' | 'leadsTo'> {
  fields?(form: Form, call: FormCall): FieldsOf<Given> | Promise<FieldsOf<Given>>;
  leadsTo?: string | ((answer: Answer, call: FormCall) => string);
}

type FieldsOf<Given> = { [Name in keyof Given]?: unknown };

export const formOf = <Given extends object, Answer>(
  operation: Operation<Given, Answer>,
  options: FormOptions<Given, Answer> = {},
): FormOperation => ({ operation, ...(options as Omit<FormOperation, 'operation'>) });

export function registerOperationPages(
  server: FastifyInstance,
  site: Site,
  pages: readonly (OperationPage | OperationFeed)[],
): void {
  for (const page of pages)
    if ('feed' in page) registerFeed(server, site, page);
    else registerPage(server, site, page);
}

function registerFeed(server: FastifyInstance, site: Site, { url, reads, feed }: OperationFeed): void {
  server.get(url, { config: { operations: reads } }, async (request, reply) => {
    const { visit } = request;
    const { params } = addressOf(request);
    const shown = await feed({ carry: carryOfVisit(site, visit), visit, settings: site.settings, params });
    // Not for shared caches, because the URL is a secret.
    return sendFeed(reply, { ...shown, self: visit.origin + request.url }, 'private, no-store');
  });
}

interface Sent {
  refused?: RefusedForm;
  done?: { operation: Operation; answer: unknown };
}

function registerPage(server: FastifyInstance, site: Site, page: OperationPage): void {
  const { url, reads, show, forms, isForeign = false, isSecret = false, followsMoves = false } = page;
  const costs = page.strangersMs === undefined ? {} : { strangersMs: page.strangersMs };
  const send = async (reply: FastifyReply, { refused = {}, done }: Sent = {}) => {
    const { visit } = reply.request;
    const address = addressOf(reply.request);
    const id = parseId(address.params.id ?? '') ?? 0;
    const answerTo = <Answer>(operation: Operation<never, Answer>) =>
      done?.operation === operation ? (done.answer as Answer) : undefined;
    const carry = carryOfVisit(site, visit);
    const layout = await show({ carry, visit, settings: site.settings, id, ...address, refused, answerTo });
    return sendLayout(site, reply, { ...layout, ...(refused.status ? { status: refused.status } : {}) });
  };
  const leads = followsMoves ? { preHandler: followMove } : {};
  if (!page.isOnOtherPage)
    server.get(url, { config: { operations: reads, ...costs }, ...leads }, (request, reply) =>
      isSecret ? countingGuesses(site.limits, request, () => send(reply)) : send(reply),
    );
  if (!forms) return;
  const operations = Object.values(forms).map(({ operation }) => operation);
  const needsSignIn = operations.some(({ recentSignInFor }) => recentSignInFor !== undefined);
  const showAgain = (_site: Site, reply: FastifyReply, refused: RefusedForm) => send(reply, { refused });
  const onForm = formRoutes(server, site, page.isOnOtherPage ? undefined : showAgain, {
    ...(needsSignIn ? { returnsTo: url } : {}),
    isForeign,
    hasSmallFiles: page.keepsFiles !== true,
  });
  const handle = async (form: Form, request: FastifyRequest, reply: FastifyReply) => {
    const { visit } = request;
    const { operation, fields, notice, leadsTo } = chosen(forms, form);
    const call = { carry: carryOfVisit(site, visit), visit, ...addressOf(request) };
    const { carry, params, path } = call;
    const given = {
      ...Object.fromEntries(form.entries()),
      ...(url.endsWith('/*') ? { path } : params),
      ...(await fields?.(form, call)),
    };
    const answer = await carry(operation, inputOf(operation.input, given) as never);
    if (!notice && !leadsTo) return send(reply, { done: { operation, answer } });
    if (notice) leaveNotice(reply, notice);
    return reply.redirect(
      typeof leadsTo === 'function' ? leadsTo(answer, call) : (leadsTo ?? request.url),
      303,
    );
  };
  onForm(url, operations, handle);
}

function addressOf(request: FastifyRequest): Pick<PageCall, 'params' | 'path'> {
  return { params: request.params as Record<string, string>, path: pathOf(request) };
}

/** Configuration of a page that shows what these operations answer. */
export const reads = (...operations: readonly Operation[]) => ({ config: { operations } });

/**
 * Carries out operations for the visitor, and records in the reader of the request what the page depends on. `renderer`: one that
 * charges the visitor.
 */
export function carryFor({ service }: Site, { visit, reader }: FastifyRequest, renderer?: Renderer): Carry {
  const { actor, signedIn } = visit;
  return carryOutFor(renderingBy(service, renderer), { actor, signedIn, reader });
}

/** Carries out operations for anybody, for pages that are the same for everybody. */
export function carryForAnybody({ service }: Site, reader = service.store.readAs(null)): Carry {
  return carryOutFor(service, { actor: null, reader });
}

/** Carries out operations for the visitor. */
function carryOfVisit({ service }: Site, { actor, signedIn }: Visit): Carry {
  return carryOutFor(service, { actor, signedIn });
}

function chosen(forms: NonNullable<OperationPage['forms']>, form: Form): FormOperation {
  const name = form.text('what') || Object.keys(forms).find((name) => name !== '' && form.has(name));
  const found = Object.hasOwn(forms, name ?? '') ? forms[name ?? ''] : undefined;
  if (!found) throw invalid('/what', say('common.chooseAnAction'));
  return found;
}

/** Refuses `invalid`, naming all invalid fields. */
function inputOf(schema: TObject, given: Record<string, unknown>): unknown {
  const read = compileValidator(schema, 'body')(readFields(schema, given));
  if ('error' in read) throw read.error;
  return read.value;
}
