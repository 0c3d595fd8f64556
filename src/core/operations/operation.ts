/**
 * Operations: everything that the wiki does for anybody, each declared once. A declaration says who may call the operation, which
 * scope of an API token it needs, what it takes and answers, how it refuses, and what it writes to the audit log. Faces say only how
 * they call it; `carry-out.ts` enforces the declaration for all of them.
 */
import { type Static, type TObject, type TSchema, type TVoid, Type } from 'typebox';
import type { Language } from '../content/language.ts';
import type { Renderer } from '../content/render.ts';
import type { NewAuditEntry } from '../model/audit-entry.ts';
import type { AuditKind } from '../model/audit-kinds.ts';
import type { SecondFactorRule } from '../model/member.ts';
import type { WholePage } from '../model/page.ts';
import type { Actor, Operator } from '../model/permission.ts';
import type { ProblemCode } from '../model/problem.ts';
import type { SignUpRules } from '../model/settings.ts';
import type { AuditStore } from '../ports/audit-store.ts';
import type {
  ApiTokenSecrets,
  Claims,
  OneTimePasswords,
  Passphrases,
  ProofsOfWork,
  Scope,
  Secrets,
  Strangers,
  Tokens,
} from '../ports/credentials.ts';
import type { Erasing } from '../ports/erasing.ts';
import type { Files } from '../ports/file-store.ts';
import type { ImportJobs } from '../ports/import-store.ts';
import type { Passkeys } from '../ports/passkeys.ts';
import type { Reader } from '../ports/reader.ts';
import type { Sessions, SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import type { SecretLinks } from '../reading/secret-links.ts';

/**
 * Who may call an operation. Moderators and administrators are looked up at each call, and refused while they are blocked or lack
 * the second factor that the wiki requires. The command line has the powers of an administrator. `self`: members for themselves;
 * the command line says for whom.
 * `unidentified`: what is sent says who may, such as a passphrase or a one-time link, so the caller is not identified.
 */
export type Access = 'unidentified' | 'anyone' | 'member' | 'self' | 'moderator' | 'administrator';

/**
 * `within`: a token limited to a subtree writes there only, and reads there what its member may, elsewhere what anyone may.
 * `refused`: the operation concerns the whole wiki or the member, so it is not for such a token.
 */
export type SubtreeRelation = 'within' | 'refused';

/** `none`: the operation is not for API tokens. The scopes without a choice concern more than any subtree. */
type TokenLimits =
  | { scope: Extract<Scope, 'read' | 'write' | 'files'>; subtree: SubtreeRelation }
  | { scope: Exclude<Scope, 'read' | 'write' | 'files'> | 'none'; subtree?: never };

/**
 * For everybody, as far as they may read; a token limited to a subtree reads within it, and elsewhere what anyone may.
 */
export const reading = { access: 'anyone', scope: 'read', subtree: 'within' } as const;

/**
 * `writes`: `true` carries the operation out in one transaction, which may be repeated. With `itself`, `run` makes its transactions,
 * because it also does what they cannot undo, such as storing or removing files. `audit`: all kinds of entries that it may record.
 */
type Effect<K extends AuditKind> =
  | { writes: true | 'itself'; audit: readonly K[] }
  | { writes?: never; audit?: never };

/** Services besides the store that operations may ask for. */
export interface Services {
  apiTokenSecrets: ApiTokenSecrets;
  files: Files;
  renderer: Renderer;
  secrets: Secrets;
  secretLinks: SecretLinks;
  strangers: Strangers;
  /** Members who need a second factor for their rights. */
  secondFactorRule: SecondFactorRule;
  webhookSender: WebhookSender;
  /** Computes on behalf of the caller, who waits in the queue of previews and is charged for it. */
  language: Language;
  credentials: Credentials;
  /** Everything besides the database that may hold erased content. */
  erasing: Omit<Erasing, 'store'>;
  signUpRules: SignUpRules;
  imports: ImportJobs;
}

/** Checks of whoever signs in, and what they are given. */
export interface Credentials {
  passphrases: Passphrases;
  oneTimePasswords: OneTimePasswords;
  passkeys: Passkeys;
  proofsOfWork: ProofsOfWork;
  sessions: Sessions;
  secrets: Secrets;
  tokens: Tokens;
}

/**
 * Everything that an operation may ask for by name. `reader`: the wiki as the caller sees it. `store`: for operations on pages, which
 * lock, derive and record across many tables.
 */
export type Ports = Pick<
  Store,
  'apiTokens' | 'events' | 'groups' | 'mails' | 'members' | 'readAs' | 'settings' | 'watches' | 'webhooks'
> &
  Services & {
    reader: Reader;
    store: Store;
    audit: Omit<AuditStore, 'record'>;
  };

export type SignIn = Pick<Claims, 'epoch' | 'signedInAt'>;

/** Facts of one call. */
export interface Call<Given, By = Operator, K extends AuditKind = AuditKind> {
  /** Valid by the declared schema. */
  input: Given;
  by: By;
  /** Sign-in of the caller; undefined for API tokens and the command line. */
  signIn: SignIn | undefined;
  /** The same with its session; undefined for callers who are known by their sign-in alone. */
  signedIn: SignedIn | undefined;
  /** Milliseconds since 1970. */
  now: number;
  /** Adds an entry to the audit log, in the transaction of the operation. */
  record(entry: NewAuditEntry & { kind: K }): Promise<void>;
}

/** Answer of an operation that returns part of a list. */
export interface Listed<T> {
  items: T[];
  /** Length of the whole list, as far as the caller may see. */
  total: number;
  /** For a list by cursor: where it goes on. */
  next?: string | undefined;
}

/** For answers that only the core describes. The API shows them by a schema of its own. */
export const answer = <T>() => Type.Unsafe<T>({});

/** Type of what a function of the core answers. */
export type AnswerTo<F extends (...given: never[]) => unknown> = Awaited<ReturnType<F>>;

/** Schema of an answer whose form in the wiki is another one than its JSON, with the conversion. */
export interface Converted<Value, T extends TSchema> {
  schema: T;
  toJson(value: Value): Static<T>;
}

export const converted = <T extends TSchema, Value>(
  schema: T,
  toJson: (value: Value) => Static<T>,
): Converted<Value, T> => ({ schema, toJson });

type Item = TSchema | Converted<never, TSchema>;

/** Schema of part of a list. */
export interface ListSchema<T extends Item> {
  listed: T;
  description: string;
}

export const listOf = <T extends Item>(listed: T, description: string): ListSchema<T> => ({
  listed,
  description,
});

/** A page with everything that is shown of it. The API shows it by a schema of its own. */
export const wholePage = Type.Unsafe<WholePage>({ title: 'WholePage' });

/** For operations that answer nothing. `description`: what is true afterwards. */
export const nothing = (description: string): TVoid => Type.Void({ description });

export type Output = Item | ListSchema<Item>;
type ValueOf<T extends Item> = T extends Converted<infer Value, TSchema> ? Value : Static<T & TSchema>;
type AnswerOf<O extends Output> = O extends ListSchema<infer T> ? Listed<ValueOf<T>> : ValueOf<O & Item>;

interface Described {
  /** Verb and noun, unique; the `operationId` of the API. */
  name: string;
  /** The action in a few words, such as “Rename a group”. Refusals and faces show it. */
  summary: string;
  /** The verb that completes a sentence of refusals, if it does not follow from the summary. */
  action?: string;
  description: string;
  access: Access;
  /** Refuses a sign-in that is not recent; the action as the beginning of a sentence, such as “Creating a token”. */
  recentSignInFor?: string;
  /** Carried out even while the setting `readOnly` refuses writes. For operations whose `writes` is `true`. */
  worksReadOnly?: true;
  /** Refuses blocked members, as moderators and administrators always are. */
  refusesBlocked?: boolean;
  /** Refuses members who may not write pages: blocked ones and readers. */
  writesPages?: boolean;
  input: TObject;
  output: Output;
  /** Refusals besides those that follow from access, scope and input. */
  problems?: readonly ProblemCode[];
  /** Whether the answer contains a secret, which is stored sealed if it is stored for a repetition. */
  answersSecret?: boolean;
  /** Whether what is given attaches files, for which an API token also needs the scope `files`. */
  attachesFiles?(input: never): boolean;
  /** Whether the operation waits for another server. Batches refuse it, because they hold a connection meanwhile. */
  waitsForOthers?: boolean;
}

/** An operation as faces call it. */
export interface Operation<Given = never, Answer = unknown> extends Described {
  /** A verb that completes a sentence, such as “rename a group”. */
  action: string;
  /** Undefined if it is not for API tokens. */
  scope: Scope | undefined;
  subtree: SubtreeRelation;
  writes: boolean | 'itself';
  audit: readonly AuditKind[];
  ports: readonly (keyof Ports)[];
  run(ports: Partial<Ports>, call: Call<Given>): Promise<Answer>;
}

type CallerOf<A extends Access> = A extends 'anyone' | 'unidentified'
  ? Operator
  : A extends 'self'
    ? NonNullable<Actor>
    : Exclude<Operator, null>;

/** `ports`: names of all ports that `run` uses; it is given no others. */
type Declaration<
  A extends Access,
  I extends TObject,
  O extends Output,
  P extends keyof Ports,
  K extends AuditKind,
> = Omit<Described, 'access' | 'input' | 'output'> & {
  access: A;
  input: I;
  output: O;
  ports: readonly P[];
  run(ports: Pick<Ports, P>, call: Call<Static<I>, CallerOf<A>, K>): Promise<AnswerOf<O>>;
} & TokenLimits &
  Effect<K>;

/** Declares an operation. */
export function operation<
  const A extends Access,
  I extends TObject,
  O extends Output,
  P extends keyof Ports = never,
  K extends AuditKind = never,
>(declared: Declaration<A, I, O, P, K>): Operation<Static<I>, AnswerOf<O>> {
  const { scope, subtree = 'refused', writes = false, audit = [], run, ...rest } = declared;
  return {
    ...rest,
    action:
      rest.action ?? rest.summary.replace(/^./, (first) => first.toLowerCase()).replace(/\bmy\b/, 'your'),
    scope: scope === 'none' ? undefined : scope,
    subtree,
    writes,
    audit,
    // `carryOut` passes the declared ports, and callers that the declared access lets in.
    run: run as unknown as Operation<Static<I>, AnswerOf<O>>['run'],
  };
}
