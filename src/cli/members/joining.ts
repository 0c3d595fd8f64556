/** Ways into the wiki by the command line: invitations, and people who signed up and wait. */
import { approveSignUp, listSignUps, refuseSignUp } from '#domain/members/approve-sign-up.ts';
import { inviteMember, listInvitations, revokeInvitation } from '#domain/members/invite-member.ts';
import { type Role, roles } from '#domain/members/member.ts';
import type { Invitation } from '#domain/members/one-time-links.ts';
import { maxWaiting } from '#domain/members/sign-up.ts';
import { invalid } from '#domain/problem.ts';
import { idArgument, readArguments, UsageError } from '../command/arguments.ts';
import type { CommandContext, Terminal } from '../command/context.ts';
import { print, table } from '../command/print.ts';

export async function invite(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], {
    admin: { type: 'boolean', default: false },
    role: { type: 'string', default: 'writer' },
  });
  const role = values.admin ? 'administrator' : readRole(values.role);
  await using open = await context.open();
  const { store, secrets } = open;
  const isEmpty = (await store.members.list({ limit: 1, offset: 0 })).total === 0;
  if (isEmpty && role !== 'administrator') {
    throw invalid(
      '/email',
      'Nobody is a member yet: the first invitation makes an administrator, add --admin.',
    );
  }
  const actor = isEmpty ? 'setup' : 'command line';
  const { token } = await inviteMember(store, secrets, actor, { role }, context.clock());
  io.stdout.write(`${context.settings.address}/${isEmpty ? 'setup' : 'invite'}/${token}\n`);
  return 0;
}

export async function invitations(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], { json: { type: 'boolean', default: false } });
  await using open = await context.open();
  const found = await listInvitations(open.store, 'command line', context.clock());
  if (values.json) print(io, found.map(shownInvitation));
  else if (found.length === 0) io.stderr.write('No invitation is open.\n');
  else io.stdout.write(table(found.map(invitationRow)));
  return 0;
}

export async function uninvite(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const id = idArgument(readArguments(args, ['ID'], {}).positionals[0], 'member invitations');
  await using open = await context.open();
  await revokeInvitation(open.store, 'command line', id);
  print(io, { revoked: id });
  return 0;
}

export async function waiting(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], { json: { type: 'boolean', default: false } });
  await using open = await context.open();
  const range = { limit: maxWaiting, offset: 0 };
  const { signUps } = await listSignUps(open.store, 'command line', range, context.clock());
  const shown = signUps.map(({ id, email, name, waitingSince, createdAt }) => ({
    ...{ id, email, name },
    waitingSince: new Date(waitingSince ?? createdAt).toISOString(),
  }));
  if (values.json) print(io, shown);
  else if (shown.length === 0) io.stderr.write('Nobody waits.\n');
  else
    io.stdout.write(
      table(
        shown.map(({ id, email, name, waitingSince }) => [`${id}`, email, name, `since ${waitingSince}`]),
      ),
    );
  return 0;
}

export async function approve(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['ID'], { role: { type: 'string' } });
  const id = idArgument(positionals[0], 'member waiting');
  const role = values.role === undefined ? context.settings.signUpRole : readRole(values.role);
  await using open = await context.open();
  const { email, name } = await approveSignUp(open.store, 'command line', { id, role }, context.clock());
  print(io, { email, name, role });
  return 0;
}

export async function refuse(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const id = idArgument(readArguments(args, ['ID'], {}).positionals[0], 'member waiting');
  await using open = await context.open();
  await refuseSignUp(open.store, 'command line', id, context.clock());
  print(io, { refused: id });
  return 0;
}

export function readRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (!role) throw new UsageError(`“${text}” is no role: give one of ${roles.join(', ')}.`);
  return role;
}

function shownInvitation({ id, role, inviter, createdAt, expiresAt }: Invitation) {
  return {
    id,
    role,
    admin: role === 'administrator',
    invitedBy: inviter && { id: inviter.id, name: inviter.name },
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

function invitationRow({ id, role, inviter, expiresAt }: Invitation): string[] {
  return [
    String(id),
    role,
    `by ${inviter?.name ?? 'the command line'}`,
    `until ${new Date(expiresAt).toISOString()}`,
  ];
}
