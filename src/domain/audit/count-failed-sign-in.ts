/**
 * A failed sign-in is told to the member at their next one, and to administrators by the audit log. Strangers cause these entries, so
 * there are at most so many of them: one for each account and address in an hour, and in all a few hundred an hour.
 */
import type { FailedSignIn } from '../ports/audit-store.ts';
import type { Store } from '../ports/store.ts';

const maxEntriesPerHour = 200;

/** `email`: undefined where the sign-in named no account. What was typed is not kept: it may be a passphrase. */
export async function countFailedSignIn(
  store: Store,
  { email, ...failure }: Omit<FailedSignIn, 'memberId'> & { email?: string | undefined },
): Promise<void> {
  await store.transact(async (store) => {
    const member = email === undefined ? undefined : await store.members.findByEmail(email);
    if (email !== undefined) await store.members.countFailedSignIn(email, failure.at);
    await store.audit.countFailure({ ...failure, memberId: member?.id ?? null }, maxEntriesPerHour);
  });
}
