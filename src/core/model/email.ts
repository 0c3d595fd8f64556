/** The one rule for addresses of mail: of members, of the wiki itself, and in files that an import reads. */
import { say } from '#words/say.ts';
import { invalid } from './problem.ts';

/** RFC 5321 §4.5.3.1.3 allows a path of 256 octets, brackets included. */
const maxEmailLength = 254;

/** Returns the address as it is stored. Refuses `invalid` at `/email`. */
export function checkEmail(text: string): string {
  const email = text.normalize('NFC').trim();
  if (!isEmail(email)) throw invalid('/email', noEmail);
  return email;
}

export const noEmail = say('problem.thisIsNotAnEMailAddress');

/**
 * RFC 5322 §3.2.3: an address without quotes has none of its special characters, such as those around `<a@b.c>`, and dots only between
 * others. The domain has letters, digits and hyphens (RFC 5321 §2.3.5), also of other scripts. Programs that read `=?` as the beginning
 * of an encoded word (RFC 2047) would send mail elsewhere.
 */
export function isEmail(text: string): boolean {
  const isAddress =
    /^[^\s@\p{C}()<>[\]:;,\\".]+(?:\.[^\s@\p{C}()<>[\]:;,\\".]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u.test(
      text,
    );
  return isAddress && !text.includes('=?') && text.length <= maxEmailLength && text.isWellFormed();
}
