/**
 * Turns a queued mail into a letter: looks up the recipient's current data and creates the link. Links are created here and not
 * when the mail is queued, so that no secret is stored in the database, and a resent letter has a valid link.
 */

import { dayWords, momentWords } from '../model/date-words.ts';
import type { LinkMail, Mail, Notice } from '../model/mail.ts';
import { hasLink, isWatchMail } from '../model/mail.ts';
import type { Role } from '../model/member.ts';
import { isStanding } from '../model/one-time-links.ts';
import type { Letter } from '../ports/mail.ts';
import type { LetterHead, LetterWriter } from './letter-writer.ts';
import { watchLetter } from './watch-letter.ts';

/** A mailed link to choose a new passphrase works for this long. */
const forgottenLinkLifetimeMs = 60 * 60 * 1000;

/**
 * Returns undefined if there is no recipient or the reason for the mail is gone. Stores the hash of a new link. `id`: ID of the
 * queued mail, with which its notifications are marked.
 */
export async function writeLetter(
  writer: LetterWriter,
  mail: Mail,
  now: number,
  id = 0,
): Promise<Letter | undefined> {
  if (mail.kind === 'test') return testLetter(writer.wiki, mail.address);
  if (isWatchMail(mail)) return watchLetter(writer, mail, id);
  return hasLink(mail) ? letterWithLink(writer, mail, now) : noticeLetter(writer, mail, now);
}

function letterWithLink(writer: LetterWriter, mail: LinkMail, now: number): Promise<Letter | undefined> {
  switch (mail.kind) {
    case 'passphrase-forgotten':
      return forgottenLetter(writer, mail.address, now);
    case 'invitation':
      return invitationLetter(writer, mail, now);
    case 'sign-up':
      return signUpLetter(writer, mail.address, now);
    case 'address-confirmation':
      return confirmationLetter(writer, mail, now);
  }
}

async function forgottenLetter(
  { store, secrets, wiki }: LetterWriter,
  address: string,
  now: number,
): Promise<Letter | undefined> {
  const { secret, hash } = secrets.make();
  const member = await store.transact(async (store) => {
    const found = await store.members.findByEmail(address);
    const member = found?.isActive && !found.isBot ? found : undefined;
    // Also without a member, so that the load of the server does not reveal which addresses are known.
    await store.members.insertResetLink({
      tokenHash: hash,
      memberId: member?.id ?? 0,
      memberEpoch: member?.epoch ?? 0,
      maker: null,
      createdAt: now,
      expiresAt: now + forgottenLinkLifetimeMs,
    });
    return member;
  });
  return (
    member && {
      to: { name: member.name, address: member.email },
      subject: `Choose a new passphrase for ${wiki.name}`,
      paragraphs: [
        `Hello ${member.name},`,
        `somebody asked for a new passphrase for your account at ${wiki.name}. If it was you, choose one with this link, which works once, within an hour:`,
      ],
      link: { label: 'Choose a new passphrase', url: `${wiki.url}/login/reset/${secret}` },
      reason: 'If it was not you, ignore this mail. Your passphrase stays as it is.',
    }
  );
}

async function invitationLetter(
  { store, secrets, wiki }: LetterWriter,
  { address, invitationId }: { address: string; invitationId: number },
  now: number,
): Promise<Letter | undefined> {
  const { secret, hash } = secrets.make();
  const invitation = await store.transact(async (store) => {
    const invitation = await store.members.findInvitationById(invitationId);
    const isOpen = invitation && invitation.expiresAt > now;
    if (!isOpen || (invitation.inviter && !isStanding(invitation.inviter))) return undefined;
    await store.members.setInvitationToken(invitationId, hash);
    return invitation;
  });
  return (
    invitation && {
      to: { address },
      subject: `Invitation to ${wiki.name}`,
      paragraphs: [
        'Hello,',
        `${invitation.inviter?.name ?? 'The administrator of the wiki'} invites you to become ${invitedAs(invitation.role)} of ${wiki.name}. The link works once, until ${dayWords(invitation.expiresAt)}:`,
      ],
      link: { label: 'Accept the invitation', url: `${wiki.url}/invite/${secret}` },
      reason:
        'If you do not know why you got this mail, ignore it. Nothing happens unless you open the link.',
    }
  );
}

/** The role with its article. Writers are members like others. */
const invitedAs = (role: Role) =>
  role === 'writer' ? 'a member' : `${role === 'administrator' ? 'an' : 'a'} ${role}`;

/** For a member's address, the letter says that they already have an account. */
async function signUpLetter(
  { store, secrets, wiki }: LetterWriter,
  address: string,
  now: number,
): Promise<Letter | undefined> {
  const reason = `Somebody used this address to sign up at ${wiki.name}. If it was not you, ignore this mail. Nothing happens unless you confirm.`;
  const member = await store.members.findByEmail(address);
  if (member) {
    return {
      to: { name: member.name, address: member.email },
      subject: `You have an account at ${wiki.name}`,
      paragraphs: [
        `Hello ${member.name},`,
        `somebody signed up at ${wiki.name} with this address, which already belongs to your account. If it was you, sign in. If you have forgotten your passphrase, you can choose a new one there.`,
      ],
      link: { label: 'Sign in', url: `${wiki.url}/login` },
      reason,
    };
  }
  const { secret, hash } = secrets.make();
  const asked = await store.signUps.setToken(address, hash, now);
  return (
    asked && {
      to: { name: asked.name, address: asked.email },
      subject: `Confirm your address at ${wiki.name}`,
      paragraphs: [
        `Hello ${asked.name},`,
        `open this link and enter the passphrase that you chose when you signed up at ${wiki.name}. The link works once, until ${momentWords(asked.expiresAt)}:`,
      ],
      link: { label: 'Confirm this address', url: `${wiki.url}/login/confirm/${secret}` },
      reason,
    }
  );
}

async function confirmationLetter(
  { store, secrets, wiki }: LetterWriter,
  { changeId }: { changeId: number },
  now: number,
): Promise<Letter | undefined> {
  const { secret, hash } = secrets.make();
  const found = await store.transact(async (store) => {
    const change = await store.mails.findAddressChange(changeId);
    const member = change && (await store.members.findById(change.memberId));
    if (!member?.isActive || member.epoch !== change?.memberEpoch || change.expiresAt <= now)
      return undefined;
    await store.mails.setAddressToken(changeId, hash);
    return { change, member };
  });
  return (
    found && {
      to: { name: found.member.name, address: found.change.email },
      subject: `Confirm your address at ${wiki.name}`,
      paragraphs: [
        `Hello ${found.member.name},`,
        `confirm that you want to use this address for your account at ${wiki.name}. The link works once, within a day:`,
      ],
      link: { label: 'Confirm this address', url: `${wiki.url}/account/email/${secret}` },
      reason: 'If you have no account there, ignore this mail. Nothing happens unless you open the link.',
    }
  );
}

async function noticeLetter(
  { store, wiki }: LetterWriter,
  notice: Notice,
  now: number,
): Promise<Letter | undefined> {
  if (notice.kind === 'sign-up-refused') {
    return {
      to: { name: notice.name, address: notice.address },
      subject: `Your request to join ${wiki.name}`,
      paragraphs: [
        `Hello ${notice.name},`,
        `an administrator of ${wiki.name} has refused your request to join.`,
      ],
      reason: `You get this mail because you asked to join ${wiki.name}. The data of your request has been deleted.`,
    };
  }
  // The old address no longer belongs to a member, so the new one is looked up.
  const owner = notice.kind === 'address-changed' ? notice.newAddress : notice.address;
  const member = await store.members.findByEmail(owner);
  if (!member) return undefined;
  if (notice.kind === 'sign-ups-wait') {
    const { total } = await store.signUps.waiting(now);
    if (total === 0 || !member.isAdmin || !member.isActive) return undefined;
    const who = total === 1 ? 'somebody waits' : `${total} people wait`;
    return {
      to: { name: member.name, address: member.email },
      subject: `Sign-up requests at ${wiki.name}`,
      paragraphs: [`Hello ${member.name},`, `${who} for an administrator’s approval.`],
      link: { label: 'Who waits', url: `${wiki.url}/members/waiting` },
      reason: `You get this mail because you are an administrator of ${wiki.name}. It is sent at most once a day while requests are waiting.`,
    };
  }
  const { subject, sentence } = noticeTexts(notice);
  return {
    to: { name: member.name, address: notice.address },
    subject: `${subject} at ${wiki.name}`,
    paragraphs: [`Hello ${member.name},`, sentence, adviceFor(notice)],
    link: { label: 'Your account', url: `${wiki.url}/account` },
    reason: `You get this mail because it concerns your account at ${wiki.name}.`,
  };
}

function noticeTexts(notice: Exclude<Notice, { kind: 'sign-up-refused' | 'sign-ups-wait' }>): {
  subject: string;
  sentence: string;
} {
  switch (notice.kind) {
    case 'passphrase-changed':
      return {
        subject: 'New passphrase',
        sentence: 'the passphrase of your account was changed, and all devices were signed out.',
      };
    case 'address-changed':
      return {
        subject: 'New e-mail address',
        sentence: `the e-mail address of your account is now ${notice.newAddress}. Mail is no longer sent to this address.`,
      };
    case 'new-sign-in':
      return {
        subject: 'New sign-in',
        sentence: `somebody signed in to your account from a new browser on ${momentWords(notice.at)}, from the address ${notice.from}. The browser identifies itself as: ${notice.userAgent ?? 'nothing'}`,
      };
    case 'provider-linked':
      return {
        subject: 'Account linked',
        sentence: `an account at ${notice.provider} was linked to your account. It can now be used to sign in.`,
      };
    case 'provider-unlinked':
      return {
        subject: 'Account unlinked',
        sentence: `an account at ${notice.provider} was unlinked from your account. It can no longer be used to sign in.`,
      };
    case 'second-factor-added':
      return {
        subject: 'Second factor added',
        sentence: 'from now on, signing in to your account with the passphrase also requires a code.',
      };
    case 'second-factor-ended':
      return {
        subject: 'Second factor turned off',
        sentence: 'signing in to your account no longer requires a code. The passphrase is enough.',
      };
    case 'second-factor-reset':
      return {
        subject: 'Second factor reset',
        sentence:
          'an administrator removed your second factor and your passkeys and signed you out everywhere. Sign in with your passphrase, and add new ones.',
      };
    case 'sign-up-approved':
      return {
        subject: 'Your account is ready',
        sentence:
          'an administrator has approved your request to join. Sign in with this address and the passphrase that you chose.',
      };
    case 'blocked':
      return {
        subject: 'Your account is blocked',
        sentence: `your account was blocked ${notice.until === null ? 'until somebody lifts the block' : `until ${momentWords(notice.until)}`}. You can sign in and read, but not write. Reason: ${notice.reason}`,
      };
    case 'passkey-added':
      return {
        subject: 'Passkey added',
        sentence: `a passkey was added to your account: ${notice.name}. It can now be used to sign in.`,
      };
    case 'passkey-removed':
      return {
        subject: 'Passkey removed',
        sentence: `a passkey was removed from your account: ${notice.name}. It can no longer be used to sign in.`,
      };
    case 'guesses-limited':
      return {
        subject: 'Wrong passphrases',
        sentence: `too many wrong passphrases were tried for your account on ${momentWords(notice.at)}, so further attempts have to wait. Browsers in which you have signed in before are not affected.`,
      };
    case 'codes-guessed':
      return {
        subject: 'Wrong codes',
        sentence: `somebody signed in with your passphrase on ${momentWords(notice.at)} and gave several wrong codes of the second factor. Further attempts have to wait. Browsers in which you have given a code before, and your recovery codes, are not affected.`,
      };
  }
}

function adviceFor({ kind }: Notice): string {
  if (kind === 'sign-up-approved') return 'Welcome!';
  if (kind === 'blocked') return 'If you think that this is a mistake, contact a moderator of the wiki.';
  if (kind === 'second-factor-reset')
    return 'If you did not ask for it, contact an administrator of the wiki.';
  return kind === 'guesses-limited'
    ? 'If it was not you, you need not do anything. A passphrase that you use nowhere else stays safe.'
    : 'If it was not you, choose a new passphrase at once and contact an administrator of the wiki.';
}

function testLetter(wiki: LetterHead, address: string): Letter {
  return {
    to: { address },
    subject: `Test from ${wiki.name}`,
    paragraphs: ['Hello,', `mail from ${wiki.name} works.`],
    reason: 'An administrator of the wiki asked for this mail.',
  };
}
