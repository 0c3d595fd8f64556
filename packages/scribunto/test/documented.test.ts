/** Everything in Scribunto's reference manual exists and behaves as documented. */
import { describe, expect, it } from 'vitest';
import { say } from './wiki.ts';

/** Functions by library; after `:`, methods and values of the expression's result. */
const documented: Record<string, string> = {
  mw: 'addWarning allToString clone getCurrentFrame incrementExpensiveFunctionCount isSubsting loadData loadJsonData dumpObject log logObject getLanguage getContentLanguage',
  'mw.getCurrentFrame()':
    'args callParserFunction expandTemplate extensionTag getParent getTitle newChild preprocess getArgument newParserValue newTemplateParserValue argumentPairs',
  'mw.hash': 'hashValue listAlgorithms',
  'mw.html': 'create',
  'mw.html.create()': 'node wikitext newline tag attr getAttr addClass css cssText done allDone',
  'mw.language':
    'fetchLanguageName fetchLanguageNames getContentLanguage getFallbacksFor isKnownLanguageTag isSupportedLanguage isValidBuiltInCode isValidCode new',
  'mw.language.new("en")':
    'getCode toBcp47Code getFallbackLanguages isRTL lc lcfirst uc ucfirst caseFold formatNum formatDate formatDuration parseFormattedNumber convertPlural plural convertGrammar grammar gender getArrow getDir getDirMark getDirMarkEntity getDurationIntervals',
  'mw.message': 'new newFallbackSequence newRawMessage rawParam numParam getDefaultLanguage',
  'mw.message.new("x")': 'params rawParams numParams inLanguage useDatabase plain exists isBlank isDisabled',
  'mw.site':
    'currentVersion scriptPath server siteName stylePath namespaces contentNamespaces subjectNamespaces talkNamespaces stats interwikiMap',
  'mw.site.stats':
    'pages articles files edits users activeUsers admins pagesInCategory pagesInNamespace usersInGroup',
  'mw.site.namespaces[10]':
    'id name canonicalName displayName hasSubpages isCapitalized isContent isIncludable isSubject isTalk aliases subject talk associated',
  'mw.text':
    'decode encode jsonDecode jsonEncode JSON_PRESERVE_KEYS JSON_TRY_FIXING JSON_PRETTY killMarkers listToText nowiki split gsplit tag trim truncate unstripNoWiki unstrip',
  'mw.title': 'equals compare getCurrentTitle new makeTitle newBatch',
  'mw.title.new("Talk:A/b")':
    'id interwiki namespace fragment nsText subjectNsText talkNsText text prefixedText fullText rootText baseText subpageText canTalk exists isContentPage isExternal isLocal isRedirect isSpecialPage isSubpage isTalkPage isSubpageOf inNamespace inNamespaces hasSubjectNamespace contentModel basePageTitle rootPageTitle talkPageTitle subjectPageTitle redirectTarget protectionLevels cascadingProtection pageLanguage categories partialUrl fullUrl localUrl canonicalUrl getContent subPageTitle',
  'mw.title.new("File:a.png")': 'file',
  'mw.uri':
    'encode decode anchorEncode buildQueryString parseQueryString canonicalUrl fullUrl localUrl new validate',
  'mw.uri.new("//a:b@c:1/d?e#f")':
    'user password host port path query fragment userInfo hostPort authority queryString relativePath parse clone extend',
  'mw.ustring':
    'maxPatternLength maxStringLength byteoffset char codepoint find format gcodepoint gmatch gsub isutf8 len lower match rep sub toNFC toNFD toNFKC toNFKD upper',
  'require("bit32")': 'band bnot bor btest bxor extract replace lshift rshift arshift lrotate rrotate',
  'require("libraryUtil")':
    'checkType checkTypeMulti checkTypeForIndex checkTypeForNamedArg makeCheckSelfFunction',
  'require("luabit.bit")': 'bnot band bor bxor brshift blshift blogic_rshift tobits tonumb',
  'require("luabit.hex")': 'to_hex to_dec',
};

describe('exists', () => {
  it.each(Object.entries(documented))('%s', (holder, names) => {
    const list = names.split(' ').map((name) => `'${name}'`);
    const code = `local holder, missing = ${holder}, {}
      for _, name in ipairs({ ${list.join(', ')} }) do if holder[name] == nil then table.insert(missing, name) end end
      return table.concat(missing, ' ')`;
    expect(say(code)).toBe('');
  });
});

describe('behaves as documented', () => {
  it.each([
    [
      'mw.hash.hashValue("md5", "abc") .. #mw.hash.hashValue("sha256", "\\255")',
      '900150983cd24fb0d6963f7d28e17f7264',
    ],
    ['tostring(pcall(mw.hash.hashValue, "crc0", "a"))', 'false'],
    ['tostring(mw.uri.new("https://a:b@c.org:81/d?e=f#g"))', 'https://a:b@c.org:81/d?e=f#g'],
    ['mw.uri.new("//a@c").userInfo .. mw.uri.new("//c:81/").authority', 'ac:81'],
    ['tostring(mw.uri.new("//a/b?c=d"):clone():extend({ e = "f" }):parse("//x/y"))', '//x/y?c=d&e=f'],
    ['tostring(mw.uri.validate({ protocol = "https", host = "a", path = "/b" }))', 'true'],
    [
      'select(2, mw.uri.validate({ port = "x", host = "a", path = "b" }))',
      '.port must be an integer, not string; invalid .path',
    ],
    [
      'tostring(mw.title.new("Old").redirectTarget) .. tostring(mw.title.new("Plain").isRedirect)',
      'New placefalse',
    ],
    ['mw.title.new("Plain").content', 'text'],
    ['tostring(mw.title.newBatch({ "Plain", "<" }):lookupExistence():getTitles()[1].exists)', 'true'],
    ['tostring(mw.title.new("File:a.png").file.exists)', 'false'],
    ['mw.site.namespaces[11].associated.name .. mw.site.namespaces[10].associated.id', 'Template11'],
    ['tostring(mw.site.stats.pages) .. mw.site.stats.pagesInCategory("x", "*").all', '00'],
    ['mw.language.fetchLanguageNames("en").de .. mw.language.new("ar"):getDirMarkEntity()', 'German&rlm;'],
    ['table.concat(mw.language.new("de-at"):getFallbackLanguages(), ",")', 'de,en'],
    [
      'require("luabit.bit").tonumb(require("luabit.bit").tobits(10)) .. require("luabit.bit").blshift(1, 4)',
      '1016',
    ],
    [
      'mw.text.jsonEncode({ a = {}, b = { 1, { c = 2 } } }, mw.text.JSON_PRETTY)',
      '{\n    "a": [],\n    "b": [\n        1,\n        {\n            "c": 2\n        }\n    ]\n}',
    ],
    [
      'mw.text.jsonEncode({ [0] = "a", "b" }) .. mw.text.jsonEncode({ "a" }, mw.text.JSON_PRESERVE_KEYS)',
      '["a","b"]{"1":"a"}',
    ],
    ['mw.text.jsonDecode(\'{"0":"a","1":"b",}\', mw.text.JSON_TRY_FIXING)[2]', 'b'],
    ['mw.text.jsonDecode(\'{"0":"a","1":"b"}\', mw.text.JSON_PRESERVE_KEYS)[1]', 'b'],
    [
      'select(2, pcall(mw.text.jsonEncode, { [{}] = 1 }))',
      "mw.text.jsonEncode: Cannot use type 'table' as a table key",
    ],
    ['mw.text.nowiki("ISBN 1")', 'ISBN&#32;1'],
    [
      'mw.text.killMarkers("a<ref name=x>b</ref>c<nowiki>d</nowiki>e") .. mw.text.unstripNoWiki("<nowiki>f</nowiki>")',
      'acef',
    ],
    ['mw.text.truncate("abcdef", 5)', 'abcdef'],
    [
      'mw.language.new("de"):parseFormattedNumber("1.234,5") .. mw.language.new("pl"):formatNum(1234)',
      '1234.51234',
    ],
    ['mw.language.new("ru"):plural(5, "a", "b", "c") .. mw.language.new("tr"):ucfirst("i")', 'cİ'],
    [
      'mw.language.new("en"):gender("female", "he", "she", "they") .. mw.language.new("ar"):getArrow("forwards")',
      'she←',
    ],
    [
      'mw.message.newRawMessage("$1 $2"):numParams(12345):rawParams("x"):inLanguage("de"):plain()',
      '12.345 x',
    ],
    ['mw.uri.buildQueryString(mw.uri.parseQueryString("?a=1&a=2&b", 2))', 'a=1&a=2&b'],
    ['mw.hash.hashValue("crc32b", "a") .. mw.ustring.lower("ΑΣ")', 'e8b7be43ασ'],
    [
      'tostring(mw.html.create("td"):css("width", "5px; x: é"):wikitext("a", nil, "b"))',
      '<td style="width:5px\\3B  x\\3A  \\E9 ">a</td>',
    ],
    ['select(2, pcall(mw.html.create, "a b"))', "invalid tag name 'a b'"],
    ['require("luabit.hex").to_hex(255) .. require("luabit.hex").to_dec("0x1f")', '0xFF31'],
  ])('%s', (code, result) =>
    expect(say(`return ${code}`, { Old: '#REDIRECT [[new place#x|y]]', Plain: 'text' })).toBe(result),
  );
});
