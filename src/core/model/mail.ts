/**
 * Mail that the wiki sends, by subject. A queued mail contains no secret and no finished text: links are created when it is
 * sent (`write-letter.ts`).
 */

/** Mail with a link that acts on an account. Without a mail server, an administrator passes the link on. */
export type LinkMail =
  /** A forgotten passphrase for this address, which may not belong to a member. */
  | { kind: 'passphrase-forgotten'; address: string }
  | { kind: 'invitation'; address: string; invitationId: number }
  /** A sign-up with this address, which may already belong to a member. */
  | { kind: 'sign-up'; address: string }
  /** Sent to the new address. */
  | { kind: 'address-confirmation'; address: string; changeId: number };

/** Notices about a member's account. Without a mail server they are not sent. */
export type Notice =
  | { kind: 'passphrase-changed'; address: string }
  /** Sent to the old address. */
  | { kind: 'address-changed'; address: string; newAddress: string }
  | { kind: 'new-sign-in'; address: string; at: number; userAgent: string | null; from: string }
  | { kind: 'provider-linked'; address: string; provider: string }
  | { kind: 'provider-unlinked'; address: string; provider: string }
  | { kind: 'sign-up-approved'; address: string }
  /** Sent to an address without an account: `name` is the requested display name. */
  | { kind: 'sign-up-refused'; address: string; name: string }
  /** Sent to an administrator. */
  | { kind: 'sign-ups-wait'; address: string }
  /** Sent to a moderator. */
  | { kind: 'submissions-wait'; address: string }
  | { kind: 'blocked'; address: string; reason: string; until: number | null }
  | { kind: 'second-factor-added' | 'second-factor-ended' | 'second-factor-reset'; address: string }
  | { kind: 'passkey-added' | 'passkey-removed'; address: string; name: string }
  /** Wrong passphrases from one IP address have used up its attempts. */
  | { kind: 'guesses-limited'; address: string; at: number }
  /** Wrong codes of the second factor came with the right passphrase. */
  | { kind: 'codes-guessed'; address: string; at: number };

/** Tells a member about events that matched their watches. */
export interface WatchMail {
  kind: 'watched-now' | 'watched-daily' | 'watched-weekly';
  address: string;
  memberId: number;
}

export type Mail = LinkMail | Notice | WatchMail | { kind: 'test'; address: string };

/** Kinds that are queued even without a mail server. */
const linkKinds = ['passphrase-forgotten', 'invitation', 'sign-up', 'address-confirmation'] as const;

/** Whether the mail contains a one-time link, whose token is made when it is sent. */
export function hasLink(mail: Mail): mail is LinkMail {
  return (linkKinds as readonly string[]).includes(mail.kind);
}

/** Whether the mail reports events to somebody who watches. */
export function isWatchMail(mail: Mail): mail is WatchMail {
  return mail.kind.startsWith('watched-');
}

/** Kinds that people who are not signed in can cause. */
export const strangersKinds: readonly Mail['kind'][] = ['passphrase-forgotten', 'sign-up', 'guesses-limited'];
/** Maximum number of queued mails of each of these kinds. */
export const maxCausedByStrangers = 1000;

const hour = 60 * 60_000;
const day = 24 * hour;

/** Time after queueing within which each kind of mail is still worth sending. */
export const usefulForMs: Record<Mail['kind'], number> = {
  'passphrase-forgotten': hour,
  invitation: 7 * day,
  'sign-up': day,
  'sign-up-approved': 3 * day,
  'sign-up-refused': 3 * day,
  'sign-ups-wait': 3 * day,
  'submissions-wait': 3 * day,
  'address-confirmation': day,
  'passphrase-changed': 3 * day,
  'address-changed': 3 * day,
  'new-sign-in': 3 * day,
  'provider-linked': 3 * day,
  'provider-unlinked': 3 * day,
  'second-factor-added': 3 * day,
  'second-factor-ended': 3 * day,
  'second-factor-reset': 3 * day,
  blocked: 3 * day,
  'passkey-added': 3 * day,
  'passkey-removed': 3 * day,
  'guesses-limited': day,
  'codes-guessed': 3 * day,
  'watched-now': 3 * day,
  'watched-daily': 4 * day,
  'watched-weekly': 10 * day,
  test: hour,
};

/** Failed mails stay listed for this long. */
export const shownForMs = 30 * day;
