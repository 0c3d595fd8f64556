/** A member's ways of signing in by the command line: second factor, passkeys, accounts at providers, sessions. */
import { endSession } from '#domain/members/end-sessions.ts';
import { listIdentities } from '#domain/members/list-identities.ts';
import { getByEmail } from '#domain/members/manage-members.ts';
import { actorOf } from '#domain/members/member.ts';
import { listPasskeys, removePasskey } from '#domain/members/passkeys.ts';
import { getSecondFactor } from '#domain/members/second-factor.ts';
import { maxSessions } from '#domain/members/sessions.ts';
import { unlinkIdentity } from '#domain/members/unlink-identity.ts';
import { idArgument, readArguments, type Work } from '../command/arguments.ts';
import { print } from '../command/print.ts';

/** Prints as JSON what `read` finds of the member. */
function showing(read: (open: Open, actor: Member) => Promise<unknown>): Work {
  return async (args, context, io) => {
    const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
    await using open = await context.open();
    print(io, await read(open, actorOf(await getByEmail(open.store, email))));
    return 0;
  };
}

type Open = Awaited<ReturnType<Parameters<Work>[1]['open']>>;
type Member = ReturnType<typeof actorOf>;

export const factors = showing(async ({ store }, actor) => {
  const { isOn, codesLeft } = await getSecondFactor(store, actor);
  const passkeys = (await listPasskeys(store, actor)).map(({ id, name, createdAt, lastUsedAt }) => ({
    ...{ id, name, createdAt: timeOf(createdAt) },
    lastUsedAt: lastUsedAt === null ? null : timeOf(lastUsedAt),
  }));
  return { secondFactor: isOn, recoveryCodesLeft: codesLeft, passkeys };
});

export const accounts = showing(async ({ store }, actor) =>
  (await listIdentities(store, actor)).map(({ provider, account, issuer, subject, linkedAt }) => ({
    ...{ provider, account, issuer, subject, linkedAt: timeOf(linkedAt) },
  })),
);

export const sessions = showing(async ({ store }, { memberId }) =>
  (await store.sessions.listOf(memberId, maxSessions.browsers + maxSessions.programs)).map(
    ({ id, method, provider, userAgent, createdAt, seenAt }) => ({
      ...{ id, method, provider, userAgent },
      ...{ createdAt: timeOf(createdAt), lastSeenAt: timeOf(seenAt) },
    }),
  ),
);

export const removeKey: Work = async (args, context, io) => {
  const [email = '', given] = readArguments(args, ['EMAIL', 'ID'], {}).positionals;
  const id = idArgument(given, 'member factors');
  await using open = await context.open();
  await removePasskey(open.store, actorOf(await getByEmail(open.store, email)), id, context.clock());
  print(io, { removed: id });
  return 0;
};

export const removeAccount: Work = async (args, context, io) => {
  const [email = '', issuer = '', subject = ''] = readArguments(
    args,
    ['EMAIL', 'ISSUER', 'SUBJECT'],
    {},
  ).positionals;
  await using open = await context.open();
  const actor = actorOf(await getByEmail(open.store, email));
  await unlinkIdentity(open.store, actor, { issuer, subject }, context.clock());
  print(io, { removed: { issuer, subject } });
  return 0;
};

export const removeSession: Work = async (args, context, io) => {
  const [email = '', id = ''] = readArguments(args, ['EMAIL', 'ID'], {}).positionals;
  await using open = await context.open();
  await endSession(open.store, actorOf(await getByEmail(open.store, email)), id);
  print(io, { removed: id });
  return 0;
};

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
