/**
 * Decodes character references. A reference must end in a semicolon; unknown names stay as written.
 */
import { char, isDigit, isLetter } from './characters.ts';

/**
 * Names of characters in the order of their codes. A number skips as many codes, back if it is negative. Behind `+n`, a name with
 * capitals is also, in small letters, that of the character n places on: `+32 Alpha`, `+1 Amacr`.
 */
const list =
  '9 Tab NewLine 22 excl QUOT num dollar percnt AMP apos lpar rpar ast plus comma 1 period sol 10 colon semi LT equals GT quest commat 26 lsqb bsol rsqb Hat lowbar grave 26 lcub vert rcub 34 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest +32 Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig 23 divide 7 yuml +1 Amacr Abreve Aogon Cacute 4 Ccaron Dcaron Dstrok Emacr 4 Eogon Ecaron 2 Gbreve 10 Imacr +0 4 Idot imath +1 15 Lstrok Nacute 2 Ncaron 3 Omacr 2 Odblac OElig 4 Rcaron Sacute 2 Scedil Scaron 2 Tcaron 4 Umacr 2 Uring Udblac +0 6 Yuml +1 Zacute Zdot Zcaron 19 fnof 307 circ 21 tilde +32 180 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho 1 Sigma Tau Upsilon Phi Chi Psi Omega 24 sigmaf 14 thetasym upsih 3 piv 7211 ensp emsp 3 numsp puncsp thinsp hairsp 1 zwnj zwj lrm rlm hyphen 2 ndash mdash 3 lsquo rsquo sbquo 1 ldquo rdquo bdquo 1 dagger +0 Dagger bull 3 hellip 9 permil 1 prime Prime 5 lsaquo rsaquo 3 oline 5 frasl 27 NoBreak 75 euro 100 image 6 weierp 3 real 5 TRADE 18 alefsym 90 larr uarr rarr darr harr varr nwarr nearr searr swarr 27 crarr 26 lArr uArr rArr dArr hArr vArr 42 forall 1 part exist 1 empty 1 nabla isin notin 1 ni 3 prod 1 sum minus 4 lowast 2 radic 2 prop infin 1 ang 6 and or cap cup int 8 there4 7 sim 8 cong 2 asymp 23 ne equiv 2 le ge 28 sub sup nsub 1 sube supe 13 oplus 1 otimes 13 perp 31 sdot 66 lceil rceil lfloor rfloor 29 lang rang 671 loz 58 starf star 7 phone 49 female 1 male 29 spades 2 clubs 1 hearts diams 6 flat natural sharp 163 check 3 cross -9974 quot 3 amp 21 lt 1 gt 28 lbrack 1 rbrack 29 lbrace verbar rbrace 34 NonBreakingSpace 8 COPY 4 REG 14 half 57 div 57 inodot 8176 trade 321 leq geq';

let names: Map<string, string> | undefined;

function table(): Map<string, string> {
  if (names) return names;
  names = new Map();
  let code = 0;
  let step = 0;
  for (const part of list.split(' ')) {
    const number = Number(part);
    if (part[0] === '+') step = number;
    else if (number) code += number;
    else {
      names.set(part, String.fromCodePoint(code++));
      const small = part.toLowerCase();
      if (step && small !== part) names.set(small, String.fromCodePoint(code - 1 + step));
      // Capitals and small letters alternate.
      if (step === 1 && small !== part) code++;
    }
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
