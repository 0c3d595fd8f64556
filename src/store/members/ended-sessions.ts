/** Ends sessions and API tokens as part of a transaction that revokes what they depend on. */
import type { SignInMethod } from '#core/ports/credentials.ts';
import type { Database } from '../engine.ts';

/** Ends the sessions of a member, or only those started by this credential. */
export async function endSessionsOf(
  db: Database,
  memberId: number,
  by: { method?: SignInMethod['method']; provider?: string; credential?: string | null } = {},
): Promise<void> {
  let ended = db.deleteFrom('sessions').where('member_id', '=', memberId);
  for (const [column, value] of Object.entries(by))
    ended = ended.where(column as 'method', '=', value as never);
  await ended.execute();
}

/** Value of the column of this name. Issuers contain no space. */
export function credentialOf(by: SignInMethod): string | null {
  switch (by.method) {
    case 'passphrase':
      return null;
    case 'handle':
      return by.handleHash;
    case 'provider':
      return `${by.issuer} ${by.subject}`;
    case 'passkey':
      return by.credentialId;
  }
}

export async function revokeTokensOf(db: Database, memberId: number): Promise<void> {
  await db.deleteFrom('api_tokens').where('member_id', '=', memberId).execute();
}
