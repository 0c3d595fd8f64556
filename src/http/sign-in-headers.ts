/** What the answer to a sign-in tells beside the token: that others may have tried to be this member. */
import type { SignInWarnings } from '#domain/members/sign-in-warnings.ts';

/** As RFC 9651 has integers and dates. Absent where there is nothing to tell. */
export function warningHeaders({ failed, resets }: SignInWarnings): Record<string, string> {
  return {
    ...(failed ? { 'failed-sign-ins': `${failed.count};since=${date(failed.since)}` } : {}),
    ...(resets ? { 'passphrase-resets': `${resets.count};last=${date(resets.lastAt)}` } : {}),
  };
}

export const warningHeadersOut = {
  'Failed-Sign-Ins': {
    description:
      'How many sign-ins to this account failed since the website last told the member of any, and since when (RFC 9651, seconds since 1970). Absent if none did.',
    example: '3;since=@1773480413',
  },
  'Passphrase-Resets': {
    description:
      'How many reset links of this account were used within the last 30 days, and when the latest was (RFC 9651, seconds since 1970). Absent if none was.',
    example: '1;last=@1773480413',
  },
} as const;

function date(at: number): string {
  return `@${Math.floor(at / 1000)}`;
}
