/** `coppice member`: manages members; needs only access to the data folder. */

import type { BlockedMember } from '#core/members/block-member.ts';
import { blockList, memberBlocking, memberUnblocking } from '#core/members/block-operations.ts';
import { renameMember } from '#core/members/change-account.ts';
import { setAddress } from '#core/members/change-address.ts';
import {
  addMember,
  getByEmail,
  linkProvider,
  setPassphrase,
  unlinkProvider,
} from '#core/members/manage-members.ts';
import { memberByNameOrEmail } from '#core/members/member-by-name.ts';
import { memberChange } from '#core/members/operations.ts';
import { exportOwnData } from '#core/members/own-data.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Member, Role } from '#core/model/member.ts';
import { endAllSessions } from '#core/sign-in/end-sessions.ts';
import { resetLinkMaking, resetLinkRevocation } from '#core/sign-in/reset-link-operations.ts';
import { secondFactorReset } from '#core/sign-in/second-factor-operations.ts';
import { commandOf, UsageError, type Work } from './command/arguments.ts';
import type { OpenWiki } from './command/context.ts';
import { allOf, inWiki, listing } from './command/in-wiki.ts';
import { print } from './command/print.ts';
import { readPassphrase } from './command/read-passphrase.ts';
import { accounts, factors, removeAccount, removeKey, removeSession, sessions } from './members/account.ts';
import {
  approve,
  invitations,
  invite,
  readRole,
  refuse,
  uninvite,
  waitingSignUps,
} from './members/joining.ts';

const help = `Usage: coppice member <what> [arguments]

  add EMAIL --name NAME [--admin]     Makes a member and prints it as JSON. Asks for a passphrase of 12 characters
                                      or more; --passphrase-stdin takes the first line of standard input;
                                      --no-passphrase makes a member who signs in only by a linked provider;
                                      --bot makes a member for a program, which cannot sign in: see coppice token.
                                      --allow-lookalike permits a name or address that looks like another member's.
  list [--json]                       Lists all members, by ID.
  role EMAIL ROLE                     Makes a member a reader, writer, moderator or administrator. Refused for the
                                      last active administrator.
  promote EMAIL                       Makes a member an administrator.
  demote EMAIL                        Makes a member a writer.
  block EMAIL --reason TEXT [--until TIME]
                                      Blocks a member from writing, until that time or without an end. They can read.
  unblock EMAIL                       Lifts the block.
  blocked [--json]                    Lists blocked members.
  rename EMAIL NAME                   Changes the name of a member.
  address EMAIL NEW                   Changes the address of a member at once; a notice is mailed to the old one.
  sign-out EMAIL                      Ends every session of a member, and the links that they made for others.
  deactivate EMAIL                    Ends every session of a member, who can no longer sign in.
  activate EMAIL                      Lets a member sign in again.
  passphrase EMAIL                    Sets a new passphrase (asked for, or --passphrase-stdin), ends every session and
                                      revokes every handle.
  link EMAIL PROVIDER                 Prints a new one-time handle {provider, id} with which the member can sign in.
  unlink EMAIL PROVIDER               Revokes every handle of that provider and ends the sessions started with them.
  invite [--role ROLE] [--admin]      Prints a link with which one person becomes a member within seven days. The role
                                      is writer, unless ROLE or --admin is given.
  invitations [--json]                Lists invitations that can still be used, newest first.
  uninvite ID                         Revokes an invitation: its link no longer works.
  waiting [--json]                    Lists sign-up requests, oldest first.
  approve ID [--role ROLE]            Approves a sign-up request.
  refuse ID                           Refuses a sign-up request.
  reset EMAIL [--revoke]              Prints a link with which a member chooses a new passphrase within four hours;
                                      older links stop working. --revoke only revokes the older links.
  reset-factor EMAIL                  Removes second factor and passkeys of a member who has lost them, and ends
                                      their sessions. After that the passphrase is enough.
  factors EMAIL                       Prints second factor and passkeys of a member; remove-passkey EMAIL ID removes a
                                      passkey.
  accounts EMAIL                      Lists linked accounts of a member; remove-account EMAIL ISSUER SUBJECT unlinks
                                      one.
  sessions EMAIL                      Lists sessions of a member; end-session EMAIL ID ends one.
  export EMAIL                        Prints everything that the wiki knows about a member, as JSON, without secrets and
                                      without anything that they may not read.
  undo EMAIL --since TIME [--dry-run] [--message TEXT]
                                      Undoes all changes of a member since TIME, such as 2026-03-14T09:00:00Z, and keeps
                                      later edits of others. Prints the result for each page.

The wiki may be running or not; it may never have been started.
`;

const added = {
  name: { type: 'string' },
  admin: { type: 'boolean', default: false },
  'passphrase-stdin': { type: 'boolean', default: false },
  'no-passphrase': { type: 'boolean', default: false },
  bot: { type: 'boolean', default: false },
  'allow-lookalike': { type: 'boolean', default: false },
} as const;

const undone = {
  since: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  message: { type: 'string' },
} as const;

export const run = commandOf('member', help, {
  add: inWiki(
    ['EMAIL'],
    added,
    async ([email], values, { io }) => {
      const { name, admin: isAdmin, bot: isBot } = values;
      const isPiped = values['passphrase-stdin'];
      const hasNone = values['no-passphrase'];
      if (name === undefined) throw new UsageError('--name NAME is missing. Other members see this name.');
      if (isPiped && hasNone)
        throw new UsageError('--passphrase-stdin and --no-passphrase exclude each other.');
      if (isPiped && isBot)
        throw new UsageError('--bot cannot have a passphrase, because nobody signs in to a bot’s account.');
      const passphrase = hasNone || isBot ? null : await readPassphrase(io, isPiped);
      const allowsLookalike = values['allow-lookalike'];
      const input = { email, name, passphrase, isAdmin, isBot, allowsLookalike };
      return async ({ store, passphrases }, now) => shown(await addMember(store, passphrases, input, now));
    },
    { mayCreate: true },
  ),
  list: listing([], ({ store }) => allOf(async (range) => (await store.members.list(range)).members), {
    shown,
    row,
    none: 'There are no members yet.',
  }),
  role: inWiki(['EMAIL', 'ROLE'], {}, ([email, given]) => change(email, { role: readRole(given) })),
  promote: changing({ role: 'administrator' }),
  demote: changing({ role: 'writer' }),
  block: inWiki(['EMAIL'], { reason: { type: 'string' }, until: { type: 'string' } }, ([email], values) => {
    const { reason } = values;
    if (reason === undefined) throw new UsageError('--reason TEXT is missing. The member sees the reason.');
    const until = values.until ?? null;
    return async ({ carry }) => {
      const { id } = await carry(memberByNameOrEmail, { email });
      return shownBlock(await carry(memberBlocking, { id, reason, until }));
    };
  }),
  unblock: inWiki(['EMAIL'], {}, ([email]) => async ({ carry }) => {
    const { id, name } = await carry(memberByNameOrEmail, { email });
    await carry(memberUnblocking, { id });
    return `${name} is not blocked.`;
  }),
  blocked: listing(
    [],
    async ({ carry }) =>
      (await allOf(async (range) => (await carry(blockList, range)).items)).map(shownBlock),
    {
      shown: (block) => block,
      row: ({ email, until, reason }) => [email, until ? `until ${until}` : '', reason],
      none: 'Nobody is blocked.',
    },
  ),
  rename: inWiki(['EMAIL', 'NAME'], {}, ([email, name]) => async ({ store }) => {
    return shown(await renameMember(store, await getByEmail(store, email), name));
  }),
  address: inWiki(['EMAIL', 'NEW'], {}, ([email, wanted]) => async ({ store }, now) => {
    return shown(await setAddress(store, await getByEmail(store, email), wanted, now));
  }),
  'sign-out': inWiki(['EMAIL'], {}, ([email]) => async ({ store }) => {
    const { id, name } = await getByEmail(store, email);
    await store.transact((store) => endAllSessions(store, id));
    return `${name} has been signed out everywhere.`;
  }),
  deactivate: changing({ isActive: false }),
  activate: changing({ isActive: true }),
  passphrase: inWiki(
    ['EMAIL'],
    { 'passphrase-stdin': { type: 'boolean', default: false } },
    async ([email], values, { io }) => {
      const given = await readPassphrase(io, values['passphrase-stdin']);
      return async ({ store, passphrases }, now) =>
        shown(await setPassphrase({ store, passphrases, now }, email, given));
    },
  ),
  link: inWiki(['EMAIL', 'PROVIDER'], {}, ([email, given], _, { io }) => async ({ store, secrets }, now) => {
    const { provider, id, member } = await linkProvider({ store, secrets, now }, email, given);
    print(io, { provider, id });
    io.stderr.write(
      `This handle signs ${member.name} in and is not shown again. Keep it as safe as a passphrase.\n`,
    );
    return 0;
  }),
  unlink: inWiki(['EMAIL', 'PROVIDER'], {}, ([email, provider]) => async ({ store }) => {
    return { revoked: await unlinkProvider(store, email, provider) };
  }),
  invite,
  invitations,
  uninvite,
  waiting: waitingSignUps,
  approve,
  refuse,
  reset: inWiki(
    ['EMAIL'],
    { revoke: { type: 'boolean', default: false } },
    ([given], { revoke }, { context }) =>
      async ({ carry, store }) => {
        const { id, email } = await getByEmail(store, given);
        if (revoke) {
          await carry(resetLinkRevocation, { id });
          return { revoked: email };
        }
        const { token } = await carry(resetLinkMaking, { id });
        return `${context.settings.address}/login/reset/${token}`;
      },
  ),
  'reset-factor': inWiki(['EMAIL'], {}, ([email]) => async ({ carry }) => {
    const { id } = await carry(memberByNameOrEmail, { email });
    await carry(secondFactorReset, { id });
    return 'Second factor and passkeys have been removed.';
  }),
  factors,
  'remove-passkey': removeKey,
  accounts,
  'remove-account': removeAccount,
  sessions,
  'end-session': removeSession,
  export: inWiki(['EMAIL'], {}, ([email], _, { io }) => async ({ store }, now) => {
    const member = await getByEmail(store, email);
    for await (const piece of await exportOwnData(store, member, now)) io.stdout.write(piece);
    return 0;
  }),
  undo: inWiki(['EMAIL'], undone, ([email], { since, message: msg, 'dry-run': isDry }) => {
    if (since === undefined) throw new UsageError('--since TIME is missing.');
    return async ({ carry, carryAs }) => {
      const { id } = await carry(memberByNameOrEmail, { email });
      // Only this command reads and writes texts, for which the languages are loaded.
      const { undoOfMember } = await import('#core/pages/undo-operations.ts');
      const input = { id, since, dryRun: isDry, ...(msg === undefined ? {} : { msg }) };
      const { pages, more } = await carryAs(undefined, undoOfMember, input);
      return { pages, more };
    };
  }),
});

function changing(fields: { role?: Role; isActive?: boolean }): Work {
  return inWiki(['EMAIL'], {}, ([email]) => change(email, fields));
}

function change(email: string, fields: { role?: Role; isActive?: boolean }) {
  return async ({ carry }: OpenWiki) => {
    const { id } = await carry(memberByNameOrEmail, { email });
    return shown(await carry(memberChange, { id, ...fields }));
  };
}

function shownBlock({ member: { id, email, name }, block: { reason, until } }: BlockedMember) {
  return { id, email, name, reason, until: isoTime(until) };
}

function shown({ id, email, name, role, isAdmin, isActive, isBot, createdAt }: Member) {
  return {
    id,
    email,
    name,
    role,
    admin: isAdmin,
    active: isActive,
    ...(isBot ? { bot: true } : {}),
    createdAt: isoTime(createdAt),
  };
}

function row({ id, email, name, role, isActive, isBot }: Member): string[] {
  return [String(id), email, name, `${role}${isBot ? ', bot' : ''}`, isActive ? '' : 'deactivated'];
}
