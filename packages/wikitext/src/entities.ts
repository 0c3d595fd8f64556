/**
 * Decodes character references. A reference must end in a semicolon; unknown names stay as written.
 */
import { char, isDigit, isLetter } from './characters.ts';

/** Names of characters in order. A number is the code of the next one; a dash is a character without a name. */
const list =
  '9 Tab NewLine 33 excl QUOT num dollar percnt AMP apos lpar rpar ast plus comma - period sol 58 colon semi LT equals GT quest commat 91 lsqb bsol rsqb Hat lowbar grave 123 lcub vert rcub 160 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml Amacr amacr Abreve abreve Aogon aogon Cacute cacute 268 Ccaron ccaron Dcaron dcaron Dstrok dstrok Emacr emacr 280 Eogon eogon Ecaron ecaron - - Gbreve gbreve 298 Imacr imacr 304 Idot imath 321 Lstrok lstrok Nacute nacute - - Ncaron ncaron 332 Omacr omacr - - Odblac odblac OElig oelig 344 Rcaron rcaron Sacute sacute - - Scedil scedil Scaron scaron - - Tcaron tcaron 362 Umacr umacr - - Uring uring Udblac udblac 376 Yuml Zacute zacute Zdot zdot Zcaron zcaron 402 fnof 710 circ 732 tilde 913 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega 945 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega 977 thetasym upsih 982 piv 8194 ensp emsp 8199 numsp puncsp thinsp hairsp - zwnj zwj lrm rlm hyphen - - ndash mdash 8216 lsquo rsquo sbquo - ldquo rdquo bdquo - dagger Dagger bull 8230 hellip 8240 permil - prime Prime 8249 lsaquo rsaquo 8254 oline 8260 frasl 8288 NoBreak 8364 euro 8465 image 8472 weierp 8476 real 8482 TRADE 8501 alefsym 8592 larr uarr rarr darr harr varr nwarr nearr searr swarr 8629 crarr 8656 lArr uArr rArr dArr hArr vArr 8704 forall - part exist - empty - nabla isin notin - ni 8719 prod - sum minus 8727 lowast - - radic - - prop infin - ang 8743 and or cap cup int 8756 there4 8764 sim 8773 cong - - asymp 8800 ne equiv - - le ge 8834 sub sup nsub - sube supe 8853 oplus - otimes 8869 perp 8901 sdot 8968 lceil rceil lfloor rfloor 9001 lang rang 9674 loz 9733 starf star 9742 phone 9792 female - male 9824 spades - - clubs - hearts diams 9837 flat natural sharp 10003 check 10007 cross 34 quot 38 amp 60 lt - gt 91 lbrack - rbrack 123 lbrace verbar rbrace 160 NonBreakingSpace 169 COPY 174 REG 189 half 247 div 305 inodot 8482 trade 8804 leq geq';

let names: Map<string, string> | undefined;

function table(): Map<string, string> {
  if (names) return names;
  names = new Map();
  let code = 0;
  for (const part of list.split(' ')) {
    if (/^\d/.test(part)) code = Number(part);
    else names.set(part, String.fromCodePoint(code++));
  }
  return names;
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
