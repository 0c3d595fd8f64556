/** The part of the library that copies and backups use. */
declare module 'age-encryption' {
  export class Encrypter {
    addRecipient(recipient: string): void;
    encrypt(bytes: Uint8Array): Promise<Uint8Array>;
    encrypt(bytes: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  }
  export class Decrypter {
    addIdentity(identity: string): void;
    decrypt(bytes: Uint8Array): Promise<Uint8Array>;
    decrypt(bytes: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  }
  export function generateX25519Identity(): Promise<string>;
  export function identityToRecipient(identity: string): Promise<string>;
}
