/**
 * Functions about languages, and links to other wikis.
 *
 *   {{#language: de | en}}   German        {{#dir: ar}}   rtl        {{#bcp47: simple}}   en-simple
 *   {{#interwikilink: w | Oak | oaks}}     [[:w:Oak|oaks]]           {{#interlanguagelink: fr | Chêne}}   [[fr:Chêne]]
 */
import type { Call, Functions } from './call.ts';

export const language: Functions = {
  '#language': (call) =>
    call.expander.budget.maySpend() ? languageName(call.text(0), call.text(1)) : call.text(0),
  '#dir': (call) => (isRightToLeft(call.text(0) || ownLanguage(call)) ? 'rtl' : 'ltr'),
  '#bcp47': (call) => standardCode(call.text(0) || ownLanguage(call)),
  '#interwikilink': (call) => {
    const [, , label] = call.arguments;
    return `[[:${call.text(0)}:${call.text(1)}${label ? `|${call.text(2)}` : ''}]]`;
  },
  '#interlanguagelink': (call) => `[[${call.text(0)}:${call.text(1)}]]`,
};

function ownLanguage(call: Call): string {
  return call.expander.rules.language ?? 'en';
}

function languageName(written: string, inLanguage: string): string {
  const code = written.toLowerCase();
  for (const language of [inLanguage, code]) {
    if (language === '') continue;
    try {
      return (
        new Intl.DisplayNames([language], { type: 'language' }).of(
          code === 'no' ? code : standardCode(code),
        ) ?? code
      );
    } catch {
      // One of the two codes is invalid. The name in the language itself is tried next; the last resort is the code.
    }
  }
  return code;
}

function isRightToLeft(code: string): boolean {
  const [, named, script] = /^([a-z]+)(?:-([a-z]{4})\b)?/i.exec(code) ?? [];
  return script
    ? /^(?:adlm|arab|aran|hebr|mand|nkoo|rohg|samr|syrc|thaa)$/i.test(script)
    : /^(?:aeb|ar|arc|ary|arz|azb|bal|bgn|bqi|ckb|dv|fa|glk|he|khw|ks|lrc|luz|mnw|mzn|nqo|pnb|ps|sd|skr|syc|ug|ur|uzs|ydd|yi)$/i.test(
        named ?? '',
      );
}

/** Codes that MediaWiki's wikis use instead of the standard ones. */
const otherCodes: Readonly<Record<string, string>> = {
  als: 'gsw',
  'bat-smg': 'sgs',
  'be-x-old': 'be-tarask',
  'fiu-vro': 'vro',
  no: 'nb',
  'roa-rup': 'rup',
  simple: 'en-simple',
  'zh-classical': 'lzh',
  'zh-min-nan': 'nan',
  'zh-yue': 'yue',
};

function standardCode(written: string): string {
  const code = written.toLowerCase();
  if (Object.hasOwn(otherCodes, code)) return otherCodes[code] ?? code;
  // Codes of scripts have one capital letter, those of countries two.
  return code.replace(/-(?:[a-z]{4}|[a-z]{2})(?=-|$)/g, (part) =>
    part.length === 3 ? part.toUpperCase() : `-${part.charAt(1).toUpperCase()}${part.slice(2)}`,
  );
}
