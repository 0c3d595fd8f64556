/** A software authenticator: it makes passkeys and signs with them as WebAuthn says, for tests without a browser's own. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Options = Record<string, unknown>;
interface Credential {
  id: string;
  privateKey: KeyObject;
  userHandle: string;
  counter: number;
}

interface Authenticator {
  /** Makes a passkey for these options and uses it from now on. */
  create(options: Options, lies?: Lies): Options;
  /** Response to options for signing in, signed by the latest passkey. */
  get(options: Options, lies?: Lies): Options;
  credential(): Credential;
}

/** Ways in which a response differs from a valid one. */
interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isVerified?: boolean;
  userHandle?: string;
  /** Whether the attestation contains certificates. */
  x5c?: boolean;
}

const flags = { present: 1, verified: 4, canSync: 8, attested: 64 };

/** `counts`: whether the authenticator counts its signatures, as security keys do. */
export function createAuthenticator(origin: string, { counts = false } = {}): Authenticator {
  let last: Credential | undefined;
  const current = () => {
    if (!last) throw new Error('It has no passkey.');
    return last;
  };
  const clientData = (type: string, options: Options, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? options.challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  /** WebAuthn §6.1 */
  const authenticatorData = (rpId: string, more: number, lies: Lies, rest = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(current().counter);
    const bits = flags.present | (lies.isVerified === false ? 0 : flags.verified) | flags.canSync | more;
    return Buffer.concat([hash(lies.rpId ?? rpId), Buffer.from([bits]), counter, rest]);
  };
  const answer = (response: Options) => ({
    ...{ id: current().id, rawId: current().id, type: 'public-key', clientExtensionResults: {} },
    response,
  });

  return {
    credential: current,
    create(options, lies = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(16);
      const user = options.user as { id: string };
      last = {
        ...{ id: id.toString('base64url'), privateKey, userHandle: user.id },
        counter: counts ? 1 : 0,
      };
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // RFC 9053 §7.1.1
      const key = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, key.bytes]);
      const rpId = (options.rp as { id: string }).id;
      const attestation = cborMap([
        ['fmt', lies.x5c ? 'packed' : 'none'],
        ['attStmt', lies.x5c ? cborMap([['x5c', Buffer.from('a certificate')]]) : cborMap([])],
        ['authData', authenticatorData(rpId, flags.attested, lies, attested)],
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', options, lies).toString('base64url'),
        attestationObject: attestation.bytes.toString('base64url'),
      });
    },
    get(options, lies = {}) {
      const { privateKey, userHandle } = current();
      if (counts) current().counter++;
      const data = authenticatorData(options.rpId as string, 0, lies);
      const client = clientData('webauthn.get', options, lies);
      const signature = sign('sha256', Buffer.concat([data, hash(client)]), privateKey);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: lies.userHandle ?? userHandle,
      });
    },
  };
}

function hash(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

interface Encoded {
  bytes: Buffer;
}
type Value = number | string | Buffer | Encoded;

/** CBOR (RFC 8949), as far as needed here: lengths up to 65,535. */
function cborMap(entries: [number | string, Value][]): Encoded {
  return { bytes: Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)]) };
}

function cbor(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if ('bytes' in value) return value.bytes;
  return Buffer.concat([head(2, value.length), value]);
}

function head(major: number, length: number): Buffer {
  const type = major << 5;
  if (length < 24) return Buffer.from([type | length]);
  if (length < 256) return Buffer.from([type | 24, length]);
  return Buffer.from([type | 25, length >> 8, length & 255]);
}
