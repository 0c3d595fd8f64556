/**
 * A failed sign-in is shown to the member at the next sign-in, and to administrators in the audit log. Strangers can cause
 * these entries, so their number is limited: one for each account and address per hour, and a few hundred per hour in total.
 */
import type { FailedSignIn } from '../ports/audit-store.ts';
import type { Store } from '../ports/store.ts';

const maxEntriesPerHour = 200;

/** `email` is undefined if the sign-in named no account. The typed text is not stored, because it may be a passphrase. */
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
