/** Decoders for bytes of files in JSON, working on the stream: a base64 string, or a list of numbers. */

/**
 * Decodes base64 (RFC 4648 §4 and §5, with or without padding) within a JSON string, ignoring white space. Both methods return
 * undefined for invalid input and must not be called afterwards.
 */
export class Base64Decoder {
  /** Characters of an incomplete group of four. */
  #rest = '';
  /** Beginning of an incomplete escape. */
  #escape = '';
  #isPadded = false;

  /** `piece`: raw JSON, cut at any position. */
  decode(piece: Buffer): Buffer | undefined {
    const text = this.#rest + this.#unescape(this.#escape + piece.toString('latin1'));
    return (this.#isPadded ? undefined : this.#groupsOf(text)) ?? this.#decodeLoose(text);
  }

  /** Returns the last bytes. */
  end(): Buffer | undefined {
    if (!this.#decodeLoose(this.#rest)) return undefined;
    const bytes = Buffer.from(this.#rest, 'base64');
    const isWhole = this.#escape === '' && this.#rest.length !== 1;
    return isWhole && bytes.length === Math.floor((this.#rest.length * 3) / 4) ? bytes : undefined;
  }

  #unescape(text: string): string {
    this.#escape = '';
    if (!text.includes('\\')) return text;
    this.#escape = /\\(?:u[\da-f]{0,3})?$/i.exec(text)?.[0] ?? '';
    return (
      text
        .slice(0, text.length - this.#escape.length)
        // PHP escapes slashes.
        .replaceAll('\\/', '/')
        .replace(/\\[nrt]/g, ' ')
        // Decoded here, because Buffer would use only the lower byte of a wider character.
        .replace(/\\u00([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    );
  }

  /** Returns undefined if `text` contains other characters, which Buffer would skip or stop at, returning fewer bytes. */
  #groupsOf(text: string): Buffer | undefined {
    const length = text.length - (text.length % 4);
    const bytes = Buffer.from(text.slice(0, length), 'base64');
    if (bytes.length !== (length / 4) * 3) return undefined;
    this.#rest = text.slice(length);
    return bytes;
  }

  #decodeLoose(text: string): Buffer | undefined {
    const dense = text.replace(/[ \t\r\n]+/g, '');
    let length = dense.length;
    while (dense[length - 1] === '=') length--;
    const unpadded = dense.slice(0, length);
    if (this.#isPadded && unpadded !== this.#rest) return undefined;
    this.#isPadded ||= unpadded !== dense;
    return this.#groupsOf(unpadded);
  }
}

const comma = ','.charCodeAt(0);
const zero = '0'.charCodeAt(0);
const nine = '9'.charCodeAt(0);
const bracket = ']'.charCodeAt(0);
const blanks = new Set(Buffer.from(' \t\r\n'));

/** Decodes numbers from 0 to 255 within a JSON array, from after its opening bracket to the closing one. */
export class NumbersDecoder {
  #number = 0;
  /** Summary of the tokens read so far, which restricts the next one: `1` stands for a number. */
  read: '' | '1,' | '1' | '1 ' | 'all' = '';

  /** `end`: position of the first other character, or the end of the array if `read` is `all`. */
  decode(piece: Buffer, from: number): { bytes: Buffer; end: number } {
    // All but the last number take two characters, and one may have started before.
    const bytes = Buffer.allocUnsafe((piece.length - from) / 2 + 2);
    let [end, count] = [from, 0];
    for (; end < piece.length; end++) {
      const byte = piece[end] as number;
      const isNumberOver = this.read === '1' || this.read === '1 ';
      if (byte >= zero && byte <= nine) {
        const begun = this.read === '1' ? this.#number : undefined;
        const number = (begun ?? 0) * 10 + byte - zero;
        if (this.read === '1 ' || begun === 0 || number > 255) break;
        [this.#number, this.read] = [number, '1'];
      } else if (byte === comma && isNumberOver) {
        bytes[count++] = this.#number;
        this.read = '1,';
      } else if (byte === bracket && this.read !== '1,') {
        if (isNumberOver) bytes[count++] = this.#number;
        this.read = 'all';
        break;
      } else if (!blanks.has(byte)) break;
      else if (this.read === '1') this.read = '1 ';
    }
    return { bytes: bytes.subarray(0, count), end };
  }
}
