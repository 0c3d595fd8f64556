/**
 * Turns a queued mail into a letter: looks up the recipient's current data and creates the link. Links are created here and not
 * when the mail is queued, so that no secret is stored in the database, and a resent letter has a valid link. Letters to an address
 * that nobody has confirmed leave out the name of whoever gave it, which could be an advertisement.
 */

import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { dayWords, momentWords } from '../model/date-words.ts';
import type { LinkMail, Mail, Notice } from '../model/mail.ts';
import { hasLink, isWatchMail } from '../model/mail.ts';
import { actorOf } from '../model/member.ts';
import { isStanding } from '../model/one-time-links.ts';
import { visibilityOf } from '../model/permission.ts';
import type { Letter } from '../ports/mail.ts';
import type { LetterWriter } from './letter-writer.ts';
import { to } from './recipient.ts';
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
  if (mail.kind === 'test') return testLetter(writer, mail.address);
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
      ...to(wiki, member),
      subject: say('mail.newPassphraseFor', { wiki: wiki.name }),
      paragraphs: [
        say('mail.hello', { name: member.name }),
        say('mail.somebodyAskedForPassphrase', { wiki: wiki.name }),
      ],
      link: { label: say('mail.choosePassphrase'), url: `${wiki.url}/login/reset/${secret}` },
      reason: say('mail.ignoreForgotten'),
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
      language: wiki.language,
      subject: say('mail.invitationTo', { wiki: wiki.name }),
      paragraphs: [
        say('mail.helloNobody'),
        say('mail.invites', {
          who: invitation.inviter?.name ?? say('mail.theAdministrator'),
          role: invitation.role,
          wiki: wiki.name,
          day: dayWords(invitation.expiresAt),
        }),
      ],
      link: { label: say('mail.acceptInvitation'), url: `${wiki.url}/invite/${secret}` },
      reason: say('mail.whyInvited'),
    }
  );
}

/** For a member's address, the letter says that they already have an account. */
async function signUpLetter(
  { store, secrets, wiki }: LetterWriter,
  address: string,
  now: number,
): Promise<Letter | undefined> {
  const reason = say('mail.somebodySignedUp', { wiki: wiki.name });
  const member = await store.members.findByEmail(address);
  if (member) {
    return {
      ...to(wiki, member),
      subject: say('mail.youHaveAnAccount', { wiki: wiki.name }),
      paragraphs: [say('mail.hello', { name: member.name }), say('mail.signedUpAgain', { wiki: wiki.name })],
      link: { label: say('mail.signIn'), url: `${wiki.url}/login` },
      reason,
    };
  }
  const { secret, hash } = secrets.make();
  const asked = await store.signUps.setToken(address, hash, now);
  return (
    asked && {
      to: { address: asked.email },
      language: wiki.language,
      subject: say('mail.confirmAddressAt', { wiki: wiki.name }),
      paragraphs: [
        say('mail.helloNobody'),
        say('mail.confirmSignUp', { wiki: wiki.name, time: momentWords(asked.expiresAt) }),
      ],
      link: { label: say('mail.confirmThisAddress'), url: `${wiki.url}/login/confirm/${secret}` },
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
      to: { address: found.change.email },
      language: found.member.language ?? wiki.language,
      subject: say('mail.confirmAddressAt', { wiki: wiki.name }),
      paragraphs: [say('mail.helloNobody'), say('mail.confirmAddress', { wiki: wiki.name })],
      link: { label: say('mail.confirmThisAddress'), url: `${wiki.url}/account/email/${secret}` },
      reason: say('mail.noAccountThere'),
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
      language: wiki.language,
      subject: say('mail.yourRequest', { wiki: wiki.name }),
      paragraphs: [say('mail.hello', { name: notice.name }), say('mail.requestRefused', { wiki: wiki.name })],
      reason: say('mail.youAskedToJoin', { wiki: wiki.name }),
    };
  }
  // The old address no longer belongs to a member, so the new one is looked up.
  const owner = notice.kind === 'address-changed' ? notice.newAddress : notice.address;
  const member = await store.members.findByEmail(owner);
  if (!member) return undefined;
  if (notice.kind === 'sign-ups-wait') {
    const { total } = await store.signUps.waiting(now);
    if (total === 0 || !member.isAdmin || !member.isActive) return undefined;
    return {
      ...to(wiki, member),
      subject: say('mail.signUpRequests', { wiki: wiki.name }),
      paragraphs: [say('mail.hello', { name: member.name }), say('mail.peopleWait', { total })],
      link: { label: say('mail.whoWaits'), url: `${wiki.url}/members/waiting` },
      reason: say('mail.youAreAdministrator', { wiki: wiki.name }),
    };
  }
  if (notice.kind === 'submissions-wait') {
    const { total } = await store.submissions.list(visibilityOf(actorOf(member), store), {
      limit: 1,
      offset: 0,
    });
    const isModerator = member.isAdmin || member.role === 'moderator';
    if (total === 0 || !isModerator || !member.isActive) return undefined;
    return {
      ...to(wiki, member),
      subject: say('mail.submissions', { wiki: wiki.name }),
      paragraphs: [say('mail.hello', { name: member.name }), say('mail.submissionsWait', { total })],
      link: { label: say('mail.lookAtThem'), url: `${wiki.url}/members/submissions` },
      reason: say('mail.youAreModerator', { wiki: wiki.name }),
    };
  }
  return {
    ...to(wiki, member, notice.address),
    subject: say('mail.subjectOfNotice', { kind: notice.kind.replaceAll('-', '_'), wiki: wiki.name }),
    paragraphs: [say('mail.hello', { name: member.name }), sentenceOf(notice), adviceFor(notice)],
    link: { label: say('mail.yourAccount'), url: `${wiki.url}/account` },
    reason: say('mail.concernsYourAccount', { wiki: wiki.name }),
  };
}

function sentenceOf(
  notice: Exclude<Notice, { kind: 'sign-up-refused' | 'sign-ups-wait' | 'submissions-wait' }>,
): Words {
  switch (notice.kind) {
    case 'passphrase-changed':
      return say('mail.passphraseChanged');
    case 'address-changed':
      return say('mail.addressChanged', { address: notice.newAddress });
    case 'new-sign-in':
      return say('mail.newSignIn', {
        time: momentWords(notice.at),
        from: notice.from,
        browser: notice.userAgent ?? say('mail.nothing'),
      });
    case 'provider-linked':
      return say('mail.providerLinked', { provider: notice.provider });
    case 'provider-unlinked':
      return say('mail.providerUnlinked', { provider: notice.provider });
    case 'second-factor-added':
      return say('mail.secondFactorAdded');
    case 'second-factor-ended':
      return say('mail.secondFactorEnded');
    case 'second-factor-reset':
      return say('mail.secondFactorReset');
    case 'sign-up-approved':
      return say('mail.signUpApproved');
    case 'blocked':
      return say('mail.blocked', {
        until: notice.until === null ? 'none' : 'time',
        time: momentWords(notice.until ?? 0),
        reason: notice.reason,
      });
    case 'passkey-added':
      return say('mail.passkeyAdded', { name: notice.name });
    case 'passkey-removed':
      return say('mail.passkeyRemoved', { name: notice.name });
    case 'guesses-limited':
      return say('mail.guessesLimited', { time: momentWords(notice.at) });
    case 'codes-guessed':
      return say('mail.codesGuessed', { time: momentWords(notice.at) });
  }
}

function adviceFor({ kind }: Notice): Words {
  if (kind === 'sign-up-approved') return say('mail.welcome');
  if (kind === 'blocked') return say('mail.mistakenBlock');
  if (kind === 'second-factor-reset') return say('mail.contactAdministrator');
  return kind === 'guesses-limited' ? say('mail.guessesAreHarmless') : say('mail.changeAtOnce');
}

function testLetter({ wiki }: LetterWriter, address: string): Letter {
  return {
    to: { address },
    language: wiki.language,
    subject: say('mail.testFrom', { wiki: wiki.name }),
    paragraphs: [say('mail.helloNobody'), say('mail.mailWorks', { wiki: wiki.name })],
    reason: say('mail.testAsked'),
  };
}
