/** Response headers of a sign-in that warn about attempts by others. */
import type { SignInWarnings } from '#core/members/sign-in-warnings.ts';

/** Warnings as integers and dates of RFC 9651. Empty if there are none. */
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
