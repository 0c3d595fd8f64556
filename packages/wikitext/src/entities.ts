/**
 * Decodes character references. A reference must end in a semicolon; unknown names stay as written.
 */
import { char, isDigit, isLetter } from './characters.ts';

// Runs of names for consecutive characters, followed by single names.
const runs: [number, string][] = [
  [
    160,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
  ],
  [
    913,
    'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega',
  ],
  [
    945,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
  ],
  [8592, 'larr uarr rarr darr harr varr nwarr nearr searr swarr'],
  [8656, 'lArr uArr rArr dArr hArr vArr'],
];
const single =
  'QUOT34 AMP38 LT60 GT62 COPY169 REG174 TRADE8482 half189 div247 NonBreakingSpace160 quot34 amp38 apos39 lt60 gt62 OElig338 oelig339 Scaron352 scaron353 Yuml376 fnof402 circ710 tilde732 thetasym977 upsih978 piv982 ensp8194 emsp8195 numsp8199 puncsp8200 thinsp8201 hairsp8202 zwnj8204 zwj8205 lrm8206 rlm8207 hyphen8208 ndash8211 mdash8212 lsquo8216 rsquo8217 sbquo8218 ldquo8220 rdquo8221 bdquo8222 dagger8224 Dagger8225 bull8226 hellip8230 permil8240 prime8242 Prime8243 lsaquo8249 rsaquo8250 oline8254 frasl8260 NoBreak8288 euro8364 image8465 weierp8472 real8476 trade8482 alefsym8501 crarr8629 forall8704 part8706 exist8707 empty8709 nabla8711 isin8712 notin8713 ni8715 prod8719 sum8721 minus8722 lowast8727 radic8730 prop8733 infin8734 ang8736 and8743 or8744 cap8745 cup8746 int8747 there48756 sim8764 cong8773 asymp8776 ne8800 equiv8801 le8804 leq8804 ge8805 geq8805 sub8834 sup8835 nsub8836 sube8838 supe8839 oplus8853 otimes8855 perp8869 sdot8901 lceil8968 rceil8969 lfloor8970 rfloor8971 lang9001 rang9002 loz9674 spades9824 clubs9827 hearts9829 diams9830 check10003 cross10007 star9734 starf9733 phone9742 female9792 male9794 flat9837 natural9838 sharp9839 lsqb91 rsqb93 lbrack91 rbrack93 lcub123 rcub125 lbrace123 rbrace125 lpar40 rpar41 vert124 verbar124 num35 percnt37 equals61 ast42 colon58 semi59 comma44 period46 sol47 bsol92 lowbar95 grave96 excl33 quest63 dollar36 commat64 Hat94 plus43 Tab9 NewLine10 imath305 inodot305 Amacr256 amacr257 Abreve258 abreve259 Aogon260 aogon261 Cacute262 cacute263 Ccaron268 ccaron269 Dcaron270 dcaron271 Dstrok272 dstrok273 Emacr274 emacr275 Eogon280 eogon281 Ecaron282 ecaron283 Gbreve286 gbreve287 Imacr298 imacr299 Idot304 Lstrok321 lstrok322 Nacute323 nacute324 Ncaron327 ncaron328 Omacr332 omacr333 Odblac336 odblac337 Rcaron344 rcaron345 Sacute346 sacute347 Scedil350 scedil351 Tcaron356 tcaron357 Umacr362 umacr363 Uring366 uring367 Udblac368 udblac369 Zacute377 zacute378 Zdot379 zdot380 Zcaron381 zcaron382';

let names: Map<string, string> | undefined;

function table(): Map<string, string> {
  if (names) return names;
  const made = new Map<string, string>();
  for (const [first, list] of runs) {
    list.split(' ').forEach((name, index) => {
      if (name !== '-') made.set(name, String.fromCodePoint(first + index));
    });
  }
  for (const pair of single.split(' ')) {
    // `there4` is the only name that ends in a digit: in `there48756`, the number is 8756.
    const match = /^(there4|[A-Za-z]+)(\d+)$/.exec(pair);
    if (match?.[1] && match[2]) made.set(match[1], String.fromCodePoint(Number(match[2])));
  }
  names = made;
  return made;
}

/** Returns `text` with its character references decoded. */
export function decodeEntities(text: string): string {
  let at = text.indexOf('&');
  if (at < 0) return text;
  let out = '';
  let from = 0;
  while (at >= 0) {
    const end = referenceEnd(text, at);
    const decoded = end < 0 ? undefined : decodeReference(text.slice(at + 1, end));
    if (decoded !== undefined) {
      out += text.slice(from, at) + decoded;
      from = end + 1;
    }
    at = text.indexOf('&', decoded === undefined ? at + 1 : from);
  }
  return out + text.slice(from);
}

function referenceEnd(text: string, at: number): number {
  for (let end = at + 1; end < at + 34; end++) {
    const code = text.charCodeAt(end);
    if (code === char.semicolon) return end > at + 1 ? end : -1;
    const isWord = isLetter(code) || isDigit(code) || code === char.hash;
    if (!isWord) return -1;
  }
  return -1;
}

function decodeReference(name: string): string | undefined {
  if (!name.startsWith('#')) return table().get(name);
  const isHex = name[1] === 'x' || name[1] === 'X';
  const digits = name.slice(isHex ? 2 : 1);
  if (!(isHex ? /^0*[0-9a-f]{1,6}$/i : /^0*[0-9]{1,7}$/).test(digits)) return undefined;
  const code = Number.parseInt(digits, isHex ? 16 : 10);
  const isAllowed =
    code === char.tab ||
    code === char.newline ||
    (code >= 32 && code <= 126) ||
    (code >= 160 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= char.replacement) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isAllowed ? String.fromCodePoint(code) : undefined;
}

/** Decodes percent-encoded characters: `%C3%A9`. Invalid sequences stay. */
export function decodePercent(written: string): string {
  if (!written.includes('%')) return written;
  return written.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
