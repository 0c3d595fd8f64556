/** The member that a command acts for: named by e-mail address, or the longest-serving administrator. */
import { getByEmail } from '#core/members/manage-members.ts';
import { actorOf, type Member } from '#core/model/member.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';

const batchSize = 200;

export async function actorFor(store: Store, email: string | undefined): Promise<NonNullable<Actor>> {
  const member = email === undefined ? await firstAdministrator(store) : await getByEmail(store, email);
  if (!member) {
    throw new Problem(
      'not-found',
      'There is no active administrator yet. Make one with `coppice member add EMAIL --name NAME --admin`.',
    );
  }
  if (!member.isActive) throw new Problem('not-permitted', `${member.name} is deactivated.`);
  return actorOf(member);
}

async function firstAdministrator(store: Store): Promise<Member | undefined> {
  for (let offset = 0; ; offset += batchSize) {
    const { members, total } = await store.members.list({ limit: batchSize, offset });
    const found = members.find((member) => member.isAdmin && member.isActive);
    if (found || offset + batchSize >= total) return found;
  }
}
