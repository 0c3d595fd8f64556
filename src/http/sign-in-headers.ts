/** Response headers of a sign-in that warn about attempts by others. */
import type { SignInWarnings } from '#core/sign-in/sign-in-warnings.ts';

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
      'Number of failed sign-ins to this account since the website last informed the member, and time of the first (RFC 9651, seconds since 1970). Absent if there were none.',
    example: '3;since=@1773480413',
  },
  'Passphrase-Resets': {
    description:
      'Number of reset links of this account that were used within the last 30 days, and time of the latest use (RFC 9651, seconds since 1970). Absent if there were none.',
    example: '1;last=@1773480413',
  },
} as const;

function date(at: number): string {
  return `@${Math.floor(at / 1000)}`;
}
