/** Encryption to a recipient in the format of age (https://age-encryption.org/v1): its secret need not be on this machine. */
import { Decrypter, Encrypter } from 'age-encryption';

export function encryptTo(recipient: string, bytes: Uint8Array): Promise<Uint8Array> {
  return encrypterTo(recipient).encrypt(bytes);
}

/** Encrypts without holding more than a piece in memory. */
export async function encryptStreamTo(
  recipient: string,
  bytes: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  return encrypterTo(recipient).encrypt(bytes);
}

/** `identities`: the content of an identity file, one secret a line and comments. Throws if none of them fits. */
export function decryptWith(identities: string, bytes: Uint8Array): Promise<Uint8Array> {
  return decrypterWith(identities).decrypt(bytes);
}

function encrypterTo(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter;
}

function decrypterWith(identities: string): Decrypter {
  const decrypter = new Decrypter();
  for (const line of identities.split('\n')) if (/^AGE-/.test(line)) decrypter.addIdentity(line.trim());
  return decrypter;
}
