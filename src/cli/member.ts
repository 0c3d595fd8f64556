/** `coppice member`: manages members without a token: access to the data folder is all that it needs. */

import { isoTime } from '#domain/iso-time.ts';
import { type BlockedMember, blockMember, listBlocks, unblockMember } from '#domain/members/block-member.ts';
import { renameMember } from '#domain/members/change-account.ts';
import { setAddress } from '#domain/members/change-address.ts';
import { endAllSessions } from '#domain/members/end-sessions.ts';
import {
  addMember,
  changeMember,
  getByEmail,
  linkProvider,
  setPassphrase,
  unlinkProvider,
} from '#domain/members/manage-members.ts';
import type { Member, Role } from '#domain/members/member.ts';
import { exportOwnData } from '#domain/members/own-data.ts';
import { makeResetLink, revokeResetLink } from '#domain/members/reset-passphrase.ts';
import { resetSecondFactor } from '#domain/members/second-factor.ts';
import { undoChanges } from '#domain/pages/undo-changes.ts';
import { commandOf, readArguments, UsageError, type Work } from './command/arguments.ts';
import type { CommandContext, OpenWiki, Terminal } from './command/context.ts';
import { actorFor } from './command/first-administrator.ts';
import { print, table } from './command/print.ts';
import { readPassphrase } from './command/read-passphrase.ts';
import { accounts, factors, removeAccount, removeKey, removeSession, sessions } from './members/account.ts';
import { approve, invitations, invite, readRole, refuse, uninvite, waiting } from './members/joining.ts';

const help = `Usage: coppice member <what> [arguments]

  add EMAIL --name NAME [--admin]     Makes a member and prints it as JSON. Asks for a passphrase of 12 characters
                                      or more; --passphrase-stdin takes the first line of standard input;
                                      --no-passphrase makes a member who signs in by a linked provider alone;
                                      --bot one that cannot sign in at all, for a program: see coppice token.
                                      --allow-lookalike: though another member's name or address looks the same.
  list [--json]                       All members, by ID.
  role EMAIL ROLE                     Makes a member a reader, writer, moderator or administrator. The last active
                                      administrator stays one.
  promote EMAIL                       Makes a member an administrator.
  demote EMAIL                        Makes a member a writer.
  block EMAIL --reason TEXT [--until TIME]
                                      Keeps a member from writing, until that time or for good; they go on reading.
  unblock EMAIL                       Lifts that.
  blocked [--json]                    Members who are blocked now.
  rename EMAIL NAME                   Changes the name of a member.
  address EMAIL NEW                   Changes the address of a member at once; the old one is told by mail.
  sign-out EMAIL                      Ends every session of a member, and the links that they made for others.
  deactivate EMAIL                    Ends every session of a member and lets them in no more.
  activate EMAIL                      Lets them in again.
  passphrase EMAIL                    Sets a new passphrase (asked for, or --passphrase-stdin), ends every session and
                                      revokes every handle.
  link EMAIL PROVIDER                 Prints a new one-time handle {provider, id} with which the member can sign in.
  unlink EMAIL PROVIDER               Revokes every handle of that provider and ends the sessions they opened.
  invite [--role ROLE] [--admin]      Prints a link by which one person becomes a member within seven days: a writer, or
                                      what ROLE or --admin says.
  invitations [--json]                Invitations that can still be used, newest first.
  uninvite ID                         Revokes one of them: its link works no more.
  waiting [--json]                    People who signed up and wait to be let in, the first that came first.
  approve ID [--role ROLE]            Makes one of them a member.
  refuse ID                           Refuses one of them.
  reset EMAIL [--revoke]              Prints a link by which a member chooses a new passphrase within four hours;
                                      older links of theirs work no more. --revoke only ends these.
  reset-factor EMAIL                  Removes second factor and passkeys of a member who has lost them, and ends
                                      their sessions: the passphrase is enough then.
  factors EMAIL                       Whether there is a second factor, and the passkeys; remove-passkey EMAIL ID
                                      removes one.
  accounts EMAIL                      Accounts at providers that sign the member in; remove-account EMAIL ISSUER SUBJECT
                                      unlinks one.
  sessions EMAIL                      Where the member is signed in; end-session EMAIL ID ends one.
  export EMAIL                        Prints everything that the wiki knows of a member, for them, as JSON: no secrets,
                                      and nothing that they may not read.
  undo EMAIL --since TIME [--dry-run] [--message TEXT]
                                      Takes back all that a member changed since then, such as 2026-03-14T09:00:00Z, and
                                      keeps later edits of others; prints what became of each page.

The wiki may be running or not; it need not have been started before.
`;

const subcommands: Record<string, Work> = {
  add,
  list,
  role: changeRole,
  promote: changing({ role: 'administrator' }),
  demote: changing({ role: 'writer' }),
  block,
  unblock,
  blocked,
  rename,
  address,
  'sign-out': signOut,
  deactivate: changing({ isActive: false }),
  activate: changing({ isActive: true }),
  passphrase,
  link,
  unlink,
  invite,
  invitations,
  uninvite,
  waiting,
  approve,
  refuse,
  reset,
  'reset-factor': resetFactor,
  factors,
  'remove-passkey': removeKey,
  accounts,
  'remove-account': removeAccount,
  sessions,
  'end-session': removeSession,
  export: exportData,
  undo,
};

export const run = commandOf('member', help, subcommands);

async function add(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    name: { type: 'string' },
    admin: { type: 'boolean', default: false },
    'passphrase-stdin': { type: 'boolean', default: false },
    'no-passphrase': { type: 'boolean', default: false },
    bot: { type: 'boolean', default: false },
    'allow-lookalike': { type: 'boolean', default: false },
  });
  const [email = ''] = positionals;
  if (values.name === undefined)
    throw new UsageError('--name NAME is missing: how the member is shown to others.');
  if (values['passphrase-stdin'] && values['no-passphrase']) {
    throw new UsageError('--passphrase-stdin and --no-passphrase exclude each other.');
  }
  if (values['passphrase-stdin'] && values.bot)
    throw new UsageError('--bot takes no passphrase: nobody signs in as it.');
  const given =
    values['no-passphrase'] || values.bot ? null : await readPassphrase(io, values['passphrase-stdin']);
  await using open = await context.open();
  const input = {
    email,
    name: values.name,
    passphrase: given,
    isAdmin: values.admin,
    isBot: values.bot,
    allowsLookalike: values['allow-lookalike'],
  };
  const member = await addMember(open.store, open.passphrases, input, context.clock());
  print(io, shown(member));
  return 0;
}

async function list(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], { json: { type: 'boolean', default: false } });
  await using open = await context.open();
  const members = await allMembers(open);
  if (values.json) print(io, members.map(shown));
  else if (members.length === 0) io.stderr.write('Nobody is a member yet.\n');
  else io.stdout.write(table(members.map(row)));
  return 0;
}

async function resetFactor(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
  await using open = await context.open();
  const { id } = await getByEmail(open.store, email);
  await resetSecondFactor(open.store, 'command line', id, context.clock());
  io.stdout.write('Second factor and passkeys are removed.\n');
  return 0;
}

async function exportData(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
  await using open = await context.open();
  const member = await getByEmail(open.store, email);
  for await (const piece of await exportOwnData(open.store, member, context.clock())) io.stdout.write(piece);
  return 0;
}

function changing(fields: { role?: Role; isActive?: boolean }): Work {
  return async (args, context, io) => {
    const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
    await using open = await context.open();
    print(io, shown(await changeMember(open.store, email, fields)));
    return 0;
  };
}

async function changeRole(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = '', given = ''] = readArguments(args, ['EMAIL', 'ROLE'], {}).positionals;
  return changing({ role: readRole(given) })([email], context, io);
}

async function rename(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = '', name = ''] = readArguments(args, ['EMAIL', 'NAME'], {}).positionals;
  await using open = await context.open();
  print(io, shown(await renameMember(open.store, await getByEmail(open.store, email), name)));
  return 0;
}

async function address(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = '', wanted = ''] = readArguments(args, ['EMAIL', 'NEW'], {}).positionals;
  await using open = await context.open();
  const member = await getByEmail(open.store, email);
  print(io, shown(await setAddress(open.store, member, wanted, context.clock())));
  return 0;
}

async function signOut(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
  await using open = await context.open();
  const { id, name } = await getByEmail(open.store, email);
  await open.store.transact((store) => endAllSessions(store, id));
  io.stdout.write(`${name} is signed out everywhere.\n`);
  return 0;
}

async function block(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    reason: { type: 'string' },
    until: { type: 'string' },
  });
  if (values.reason === undefined) throw new UsageError('--reason TEXT is missing: the member is shown it.');
  const until = values.until === undefined ? null : Date.parse(values.until);
  await using open = await context.open();
  const { id } = await getByEmail(open.store, positionals[0] ?? '');
  const input = { reason: values.reason, until };
  print(io, shownBlock(await blockMember(open.store, 'command line', id, input, context.clock())));
  return 0;
}

async function unblock(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = ''] = readArguments(args, ['EMAIL'], {}).positionals;
  await using open = await context.open();
  const { id, name } = await getByEmail(open.store, email);
  await unblockMember(open.store, 'command line', id, context.clock());
  io.stdout.write(`${name} is not blocked.\n`);
  return 0;
}

async function blocked(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], { json: { type: 'boolean', default: false } });
  await using open = await context.open();
  const range = { limit: 1000, offset: 0 };
  const found = await listBlocks(open.store, 'command line', range, context.clock());
  const shown = found.blocked.map(shownBlock);
  if (values.json) print(io, shown);
  else if (shown.length === 0) io.stderr.write('Nobody is blocked.\n');
  else
    io.stdout.write(
      table(shown.map(({ email, until, reason }) => [email, until ? `until ${until}` : '', reason])),
    );
  return 0;
}

function shownBlock({ member: { id, email, name }, block: { reason, until } }: BlockedMember) {
  return { id, email, name, reason, until: isoTime(until) };
}

async function passphrase(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    'passphrase-stdin': { type: 'boolean', default: false },
  });
  const [email = ''] = positionals;
  const given = await readPassphrase(io, values['passphrase-stdin']);
  await using open = await context.open();
  print(io, shown(await setPassphrase(open.store, open.passphrases, email, given, context.clock())));
  return 0;
}

async function link(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = '', provider = ''] = readArguments(args, ['EMAIL', 'PROVIDER'], {}).positionals;
  await using open = await context.open();
  const linked = await linkProvider(open.store, open.secrets, email, provider, context.clock());
  print(io, { provider: linked.provider, id: linked.id });
  io.stderr.write(
    `This handle signs ${linked.member.name} in and is not shown again: keep it like a passphrase.\n`,
  );
  return 0;
}

async function unlink(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email = '', provider = ''] = readArguments(args, ['EMAIL', 'PROVIDER'], {}).positionals;
  await using open = await context.open();
  const revoked = await unlinkProvider(open.store, email, provider);
  print(io, { revoked });
  return 0;
}

async function reset(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    revoke: { type: 'boolean', default: false },
  });
  await using open = await context.open();
  const { store, secrets } = open;
  const { id, email } = await getByEmail(store, positionals[0] ?? '');
  if (values.revoke) {
    await revokeResetLink(store, 'command line', id);
    print(io, { revoked: email });
    return 0;
  }
  const { token } = await makeResetLink(store, secrets, 'command line', id, context.clock());
  io.stdout.write(`${context.settings.address}/login/reset/${token}\n`);
  return 0;
}

async function undo(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    since: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    message: { type: 'string' },
  });
  if (values.since === undefined) throw new UsageError('--since TIME is missing.');
  await using open = await context.open();
  const { store } = open;
  const { id } = await getByEmail(store, positionals[0] ?? '');
  const input = { since: Date.parse(values.since), msg: values.message, isDry: values['dry-run'] };
  const { pages, more } = await undoChanges(
    store,
    await actorFor(store, undefined),
    id,
    input,
    context.clock(),
  );
  print(io, { pages, more });
  return 0;
}

async function allMembers({ store }: OpenWiki): Promise<Member[]> {
  const all: Member[] = [];
  for (;;) {
    const { members, total } = await store.members.list({ limit: 500, offset: all.length });
    all.push(...members);
    if (members.length === 0 || all.length >= total) return all;
  }
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
