/** Commands for a member's sign-in: second factor, passkeys, provider accounts, sessions. */

import { getByEmail } from '#core/members/manage-members.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { actorOf } from '#core/model/member.ts';
import type { Actor } from '#core/model/permission.ts';
import { maxSessions } from '#core/ports/sessions.ts';
import { endSession } from '#core/sign-in/end-sessions.ts';
import { listIdentities } from '#core/sign-in/list-identities.ts';
import { listPasskeys, removePasskey } from '#core/sign-in/passkeys.ts';
import { getSecondFactor } from '#core/sign-in/second-factor.ts';
import { unlinkIdentity } from '#core/sign-in/unlink-identity.ts';
import { idArgument, type Work } from '../command/arguments.ts';
import type { OpenWiki } from '../command/context.ts';
import { inWiki } from '../command/in-wiki.ts';

/** Prints the result of `read` for the member as JSON. */
function showing(read: (wiki: OpenWiki, actor: NonNullable<Actor>) => Promise<object>): Work {
  return inWiki(
    ['EMAIL'],
    {},
    ([email]) =>
      async (wiki) =>
        read(wiki, await actorAt(wiki, email)),
  );
}

async function actorAt({ store }: OpenWiki, email: string): Promise<NonNullable<Actor>> {
  return actorOf(await getByEmail(store, email));
}

export const factors = showing(async ({ store }, actor) => {
  const { isOn, codesLeft } = await getSecondFactor(store, actor);
  const passkeys = (await listPasskeys(store, actor)).map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTime(lastUsedAt),
  }));
  return { secondFactor: isOn, recoveryCodesLeft: codesLeft, passkeys };
});

export const accounts = showing(async ({ store }, actor) =>
  (await listIdentities(store, actor)).map(({ provider, account, issuer, subject, linkedAt }) => ({
    provider,
    account,
    issuer,
    subject,
    linkedAt: isoTime(linkedAt),
  })),
);

export const sessions = showing(async ({ store }, { memberId }) =>
  (await store.sessions.listOf(memberId, maxSessions.browsers + maxSessions.programs)).map(
    ({ id, method, provider, userAgent, createdAt, seenAt }) => ({
      id,
      method,
      provider,
      userAgent,
      createdAt: isoTime(createdAt),
      lastSeenAt: isoTime(seenAt),
    }),
  ),
);

export const removeKey = inWiki(['EMAIL', 'ID'], {}, ([email, written]) => {
  const id = idArgument(written, 'member factors');
  return async (wiki, now) => {
    await removePasskey(wiki.store, await actorAt(wiki, email), id, now);
    return { removed: id };
  };
});

export const removeAccount = inWiki(
  ['EMAIL', 'ISSUER', 'SUBJECT'],
  {},
  ([email, issuer, subject]) =>
    async (wiki, now) => {
      await unlinkIdentity(wiki.store, await actorAt(wiki, email), { issuer, subject }, now);
      return { removed: { issuer, subject } };
    },
);

const endOne = inWiki(['EMAIL', 'ID'], {}, ([email, id]) => async (wiki) => {
  await endSession(wiki.store, await actorAt(wiki, email), id);
  return { removed: id };
});

/** Session IDs may begin with a hyphen, and there are no options. */
export const removeSession: Work = (args, ...around) =>
  endOne(args.includes('--') ? args : ['--', ...args], ...around);
