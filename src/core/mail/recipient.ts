/** Recipients of letters. */
import type { Member } from '../model/member.ts';
import type { Letter } from '../ports/mail.ts';
import type { LetterHead } from './letter-writer.ts';

/** Recipient and language of a letter to a member, at another address than their own if it is given. */
export function to(
  { language }: LetterHead,
  member: Pick<Member, 'name' | 'email' | 'language'>,
  address = member.email,
): Pick<Letter, 'to' | 'language'> {
  return { to: { name: member.name, address }, language: member.language ?? language };
}
