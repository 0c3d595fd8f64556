import { parse, render } from '@coppice/wikitext';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../src/machine.ts';
import { Modules } from '../src/modules.ts';
import { citation, citationModules } from './citations.ts';
import { wikiModules } from './fixtures.ts';
import { say, show } from './wiki.ts';

const nothing = { pages: new Map(), files: new Map(), page: { path: '/start', title: 'Start' } };

describe('modules in the manner of large wikis', () => {
  test('an infobox uses its arguments and those of the template around it', () => {
    const body =
      '{{Infobox|title=Oak|above= The ash |data2=20 m|label2=Height|label10=Age|data10=  |data3=x}}';
    expect(show(body, wikiModules).text).toBe(
      '<table class="infobox vcard" style="width:22em"><caption>Oak</caption><tr><th colspan="2">The ash</th></tr><tr><th scope="row">Height</th><td>\n20 m</td></tr><tr><td colspan="2">\nx</td></tr></table>',
    );
  });

  test('a navigation box looks up which of its pages exist', () => {
    const body = '{{Navbox|list1=Oak; Ash ;Elm|group1=Trees|plain=Yes}}';
    const { text, asked, rounds } = show(body, { ...wikiModules, Oak: '', Elm: '' });
    expect(text).toBe(
      `<div class="navbox plain" role="navigation"><div class="navbox-title">[[Start]]</div><div class="odd"><b>Trees</b>[[Oak]], ''Ash'' and [[Elm]]</div></div>`,
    );
    expect(asked).toEqual(expect.arrayContaining(['Module:Arguments', 'Module:Yesno', 'Oak', 'Ash', 'Elm']));
    // Rounds: the template, its module, required modules, the pages, and the result.
    expect(rounds).toBeLessThanOrEqual(5);
  });

  test('coordinates with data, an address and a reference', () => {
    expect(show('{{#invoke:Coordinates|coord|48.2082|-16.3738}}', wikiModules).text).toBe(
      '[https://maps.example.org/at?lat=48.2082&lon=-16.3738 48°12′N 16°22′W]<ref name="place">From a survey</ref>',
    );
  });

  test('a citation with its error messages', () => {
    const body =
      '{{Cite|author=Brown|first=A.|last2=Green|last3=Grey|jahr=1999|title=Trees|isbn=123|shade=dark}}';
    expect(show(body, wikiModules).text).toBe(
      `<cite class="citation">Brown, A.; Green et al. (1999). ''Trees''. ISBN 123.<small>invalid ISBN</small><small>unknown parameter shade</small></cite>`,
    );
  });
});

describe('errors are marked for readers and explained to writers', () => {
  const pages = {
    'Module:Broken': 'local x = = 1',
    'Module:Fails':
      'return { main = function() error("the well is dry") end, table = function() error({}) end, n = 7 }',
    'Module:Text': 'return "text"',
    'Module:Needs': 'local nowhere = require("Module:Nowhere")',
    'Module:Inner':
      'return { main = function() local function deep() return nil .. "x" end return deep() end }',
  };
  test.each([
    ['Nowhere|main', 'there is no module [[:Module:Nowhere]]', undefined],
    ['Fails|other', 'in Module:Fails', 'Module:Fails: The function "other" does not exist.'],
    ['Fails|n', 'in Module:Fails', 'Module:Fails: "n" is not a function.'],
    ['Fails|main', 'in Module:Fails', 'Module:Fails:1: the well is dry'],
    ['Fails|table', 'in Module:Fails', 'Module:Fails: table'],
    ['Broken|main', 'in Module:Broken', "Module:Broken:1: unexpected symbol near '='"],
    [
      'Text|main',
      'in Module:Text',
      'Module:Text: The module returned a string. It is supposed to return an export table.',
    ],
    ['Needs|main', 'in Module:Needs', "Module:Needs:1: module 'Module:Nowhere' not found"],
    ['Inner|main', 'in Module:Inner', 'Module:Inner:1: attempt to concatenate a nil value'],
  ])('%s', (call, mark, problem) => {
    const { text, problems } = show(`a {{#invoke:${call}}} b`, pages);
    expect(text).toBe(`a <strong class="error">Script error: ${mark}</strong> b`);
    expect(problems).toEqual(problem === undefined ? [] : [problem]);
  });

  test('an invalid call stays as it is written, and #iferror detects the error', () => {
    expect(show('{{#invoke:|main}} {{#invoke:a[b|main}}', {}).text).toBe(
      '{{#invoke:|main}} {{#invoke:a[b|main}}',
    );
    expect(show('{{#iferror:{{#invoke:Fails|main}}|caught}}', pages).text).toBe('caught');
  });

  test('error messages are few and short', () => {
    const long = `return { main = function(frame) error(('x'):rep(5000) .. frame.args[1]) end }`;
    const body = Array.from(
      { length: 100 },
      (_, i) => `{{#invoke:Long|main|${i}}}{{#invoke:Fails|f${i}}}`,
    ).join('');
    const { problems } = show(body, { ...pages, 'Module:Long': long });
    expect(problems).toHaveLength(20);
    for (const problem of problems) expect(problem.length).toBeLessThanOrEqual(300);
  });
});

describe('frames', () => {
  test('arguments by position and name, white space kept without a name', () => {
    const code =
      'return table.concat({ "[" .. frame.args[1] .. "]", frame.args["2"], frame.args.k, tostring(frame.args[3]) }, ",")';
    expect(say(code, {}, '{{#invoke:Test|main| a |2=b| k = c }}')).toBe('[ a ],b,c,nil');
  });

  test('pairs in the order written, ipairs up to the first gap', () => {
    const code = `
      local all, listed = {}, {}
      for key, value in pairs(frame.args) do all[#all + 1] = type(key) .. ':' .. tostring(key) .. '=' .. value end
      for i, value in ipairs(frame.args) do listed[#listed + 1] = i .. value end
      for key, value in frame:argumentPairs() do all[#all + 1] = value end
      return table.concat(all, ' ') .. '|' .. table.concat(listed)`;
    expect(say(code, {}, '{{#invoke:Test|main|a|x=1|b|5=e|x=2}}')).toBe(
      'number:1=a string:x=2 number:2=b number:5=e a 2 b e|1a2b',
    );
  });

  test('the frame around a call is the template, then the page', () => {
    const code =
      'local p = frame:getParent() return frame:getTitle() .. "/" .. p:getTitle() .. "/" .. tostring(p.args[1]) .. tostring(p:getParent())';
    expect(say(code, { Box: '{{#invoke:Test|main}}' }, '{{Box|in}}')).toBe('Module:Test/Template:Box/innil');
    expect(say(code, { Box: '{{#invoke:Test|main}}' }, '{{:Box|in}}')).toBe('Module:Test/Box/innil');
    expect(say(code, { Box: '<ref>{{#invoke:Test|main}}</ref>' }, '{{Box|in}}')).toContain('/Template:Box/');
    expect(say(code)).toBe('Module:Test/Start/nilnil');
  });

  test('wikitext, templates, functions and tags are expanded', () => {
    const pages = { Box: '<{{{1}}}{{{k|}}}>' };
    expect(
      say('return frame:preprocess("{{Box|{{{1}}}}} {{lc:ABC}}")', pages, '{{#invoke:Test|main|x}}'),
    ).toBe('<x> abc');
    expect(say('return frame:preprocess{ text = "{{{1|none}}}" }', {}, '{{#invoke:Test|main}}')).toBe('none');
    expect(
      say(
        'return frame:getParent():preprocess("{{{1}}}")',
        { Box2: '{{#invoke:Test|main}}' },
        '{{Box2|outer}}',
      ),
    ).toBe('outer');
    expect(say('return frame:expandTemplate{ title = "Box", args = { "a|b", k = "=" } }', pages)).toBe(
      '<a|b=>',
    );
    expect(say('return frame:callParserFunction("padleft", { "7", 3 })')).toBe('007');
    expect(say('return frame:callParserFunction{ name = "#if", args = { "", "a", "b" } }')).toBe('b');
    expect(say('return frame:callParserFunction("lc", "ABC")')).toBe('abc');
    expect(say('return frame:extensionTag("nowiki", "[[x]]")')).toBe('<nowiki>[[x]]</nowiki>');
    expect(say('return frame:extensionTag{ name = "ref", content = "x", args = { name = "a" } }')).toBe(
      '<ref name="a">x</ref>',
    );
    expect(
      say(
        'local child = frame:newChild{ title = "Child", args = { "z" } } return child:getTitle() .. child:preprocess("{{{1}}}") .. child:getParent():getTitle()',
      ),
    ).toBe('ChildzModule:Test');
    expect(say('return frame:callParserFunction("#if:x", "a", "b")')).toBe('a');
  });

  test.each([
    ['a <b>c</b>', '<b>c</b>'],
    ['a <i>c</i> <span>d</span>', '<span>d</span>'],
    ['<nowiki><b></nowiki>', '&lt;b&gt;'],
    ['<math>x</math>', 'x'],
  ])('tags within a note of a module stay whole: %s', (note, html) => {
    for (const code of [
      `return frame:extensionTag("ref", "${note}")`,
      `return frame:callParserFunction("#tag", { "ref", "${note}" })`,
      `return frame:preprocess(frame:extensionTag("ref", "${note}"))`,
      `return frame:preprocess("<ref>${note}</ref>")`,
      `return frame:preprocess("{{#tag:ref|${note}}}")`,
    ]) {
      const shown = render(parse(say(code), { expanded: true }), nothing).html;
      expect(shown).toContain(html);
      expect(shown).not.toMatch(/[\u0001\uFFFD]/);
    }
  });

  test('a page of 300 citations is shown whole, and drawing it again runs none of them', () => {
    // Without the bound of time, which a busy machine uses up: the one of instructions stays.
    const limits = { ...defaultLimits, cpuMs: 60_000 };
    const modules = new Modules({ limits });
    const body = Array.from({ length: 300 }, (_, i) => `<ref>${citation(i)}</ref>`).join('\n');
    const first = show(body, citationModules, modules);
    expect(first.problems).toEqual([]);
    expect(first.text.split('<cite class="citation web">')).toHaveLength(301);
    expect(first.text).not.toContain('Script error');
    const started = process.threadCpuUsage();
    expect(show(body, citationModules, modules).text).toBe(first.text);
    const again = process.threadCpuUsage(started);
    const fresh = process.threadCpuUsage();
    show(body, citationModules, new Modules({ limits }));
    const whole = process.threadCpuUsage(fresh);
    expect(again.user + again.system).toBeLessThan((whole.user + whole.system) / 2);
  });

  test('a module cannot forge markers', () => {
    expect(say('return "a" .. string.char(1) .. "b" .. string.char(1) .. "e"')).toBe('a\uFFFDb\uFFFDe');
  });

  test('a missing function is an error that can be caught', () => {
    expect(say('return select(2, pcall(frame.expandTemplate, frame, { title = "Nowhere" }))')).toBe(
      'expandTemplate: template "Nowhere" does not exist',
    );
    expect(say('return tostring((pcall(frame.callParserFunction, frame, "nothing", "x")))')).toBe('false');
    expect(say('return tostring((pcall(frame.expandTemplate, frame, { title = "a[b" })))')).toBe('false');
    expect(say('return tostring((pcall(frame.preprocess, "x")))')).toBe('false');
  });

  test('a template that calls itself through a module is a loop', () => {
    const text = say(
      'return frame:expandTemplate{ title = "Box" }',
      { Box: '{{#invoke:Test|main}}' },
      '{{Box}}',
    );
    expect(text).toContain('Template loop detected');
  });

  test('mw.getCurrentFrame and the frame of a call within a call', () => {
    const code =
      'local inner = frame.args[1] ~= "in" and frame:preprocess("{{#invoke:Test|main|in}}") or "" return mw.getCurrentFrame().args[1] .. inner';
    expect(say(code, {}, '{{#invoke:Test|main|out}}')).toBe('outin');
  });
});

describe('other modules', () => {
  test('are loaded once for a call, at any distance, with one round for each level', () => {
    const pages = {
      'Module:A': 'return { n = require("Module:B").n + require("Module:C").n }',
      'Module:B': 'count = (count or 0) + 1 return { n = require("Module:D").n, count = count }',
      'Module:C': "return { n = require 'Module:D'.n }",
      'Module:D': 'loads = (loads or 0) + 1 return { n = loads }',
    };
    expect(say('return require("Module:A").n .. require("Module:B").count .. tostring(loads)', pages)).toBe(
      '211',
    );
    const { rounds } = show('{{#invoke:Test|main}}', {
      ...pages,
      'Module:Test': 'local a = require("Module:A") return { main = function() return a.n end }',
    });
    expect(rounds).toBe(5);
  });

  test('are found by names in another language and with underscores', () => {
    expect(say('return require("Modul:Rest_room").n', { 'Module:Rest room': 'return { n = 5 }' })).toBe('5');
  });

  test('data is read-only, copied by mw.clone, and checked', () => {
    const pages = {
      'Module:Data': 'return { a = { b = { "x", "y" } }, n = 1 }',
      'Module:Bad': 'return { f = print or function() end }',
      'Module:Text': 'return "x"',
    };
    expect(say('local d = mw.loadData("Module:Data") return d.a.b[2] .. d.n', pages)).toBe('y1');
    expect(say('mw.loadData("Module:Data").a.b[1] = "z"', pages)).toContain('read-only');
    expect(
      say('local d = mw.clone(mw.loadData("Module:Data")) d.a.b[1] = "z" return d.a.b[1] .. #d.a.b', pages),
    ).toBe('z2');
    expect(
      say('local n = 0 for i, v in ipairs(mw.loadData("Module:Data").a.b) do n = n + i end return n', pages),
    ).toBe('3');
    expect(say('mw.loadData("Module:Bad")', pages)).toContain("unsupported data type 'function'");
    expect(say('mw.loadData("Module:Text")', pages)).toContain('returned string, table expected');
    expect(say('return mw.loadJsonData("Numbers").list[2]', { Numbers: '{"list":[1,2]}' })).toBe('2');
  });

  test('each load of data returns its own view', () => {
    const pages = { 'Module:Data': 'local t = { s = "x" } t.t = t return t' };
    const code = `
      local a, b = mw.loadData('Module:Data'), mw.loadData('Module:Data')
      rawset(a, 's', 'spoilt')
      return b.s .. mw.loadData('Module:Data').s .. tostring(b == b.t) .. tostring((pcall(setmetatable, b, {})))`;
    expect(say(code, pages)).toBe('xxtruefalse');
  });

  test('copies have their own metatables', () => {
    const code = `
      local x = setmetatable({}, { __index = { n = 1 } })
      local y = mw.clone(x)
      getmetatable(y).__index.n = 2
      return x.n .. y.n .. tostring(getmetatable(x) == getmetatable(y)) .. tostring(mw.clone(mw.html.create('b')):wikitext('z'))`;
    expect(say(code)).toBe('12false<b>z</b>');
  });

  test('environments can be set, but not those of the library', () => {
    expect(say('local function f() setfenv(1, { a = 5 }) return a end return f()')).toBe('5');
    expect(say('local function f() return b end return setfenv(f, { b = 6 })()')).toBe('6');
    for (const call of [
      '0, {}',
      '1000, {}',
      '2, {}',
      '4, {}',
      '5, {}',
      '9, {}',
      'mw.clone, {}',
      'string.rep, {}',
      '{}, {}',
    ])
      expect(say(`return tostring((pcall(function() setfenv(${call}) end)))`), call).toBe('false');
  });

  test('bundled libraries are loaded by name', () => {
    expect(
      say('require("strict") local ok, problem = pcall(function() return nothing end) return problem'),
    ).toContain("variable 'nothing' is not declared");
    expect(
      say('return require("bit32").band(6, 3) .. require("bit32").lshift(1, 4) .. require("bit32").bnot(0)'),
    ).toBe('2164294967295');
    expect(say('require("libraryUtil").checkType("f", 1, 2, "string")')).toContain(
      "bad argument #1 to 'f' (string expected, got number)",
    );
  });
});

describe('titles', () => {
  test('have namespace, text, fragment, base and subpage as fields', () => {
    const code = `local t = mw.title.new('Template:a b_c/d#e')
      return table.concat({ t.nsText, t.text, t.fragment, t.prefixedText, t.fullText, t.baseText, t.subpageText, t.namespace, tostring(t) }, ';')`;
    expect(say(code)).toBe(
      'Template;A b c/d;e;Template:A b c/d;Template:A b c/d#e;A b c;d;10;Template:A b c/d',
    );
  });

  test('which pages exist, and their content', () => {
    const pages = { Oak: 'A tree.', Box: 'boxed', 'Module:M': 'return 1' };
    expect(
      say('return tostring(mw.title.new("Oak").exists) .. tostring(mw.title.new("Ash").exists)', pages),
    ).toBe('truefalse');
    expect(
      say('return mw.title.new("Oak"):getContent() .. tostring(mw.title.new("Ash"):getContent())', pages),
    ).toBe('A tree.nil');
    expect(
      say(
        'return mw.title.new("Box", "Template"):getContent() .. tostring(mw.title.new("Module:M").exists)',
        pages,
      ),
    ).toBe('boxedtrue');
    expect(say('return tostring(mw.title.new("a[b")) .. tostring(mw.title.new(""))')).toBe('nilnil');
    expect(say('return mw.title.getCurrentTitle().text .. mw.title.getCurrentTitle().id')).toBe('Start7');
    expect(
      say('return tostring(mw.title.new("A") == mw.title.new("A")) .. mw.title.new("A b"):localUrl()'),
    ).toBe('true/A%20b');
  });
});

describe('text', () => {
  test.each([
    ['mw.text.trim("  a b\\n")', 'a b'],
    ['mw.text.trim("xxaxx", "x")', 'a'],
    ['table.concat(mw.text.split("a,b,,c", ","), "|")', 'a|b||c'],
    ['table.concat(mw.text.split("äöü", ""), "|")', 'ä|ö|ü'],
    ['table.concat(mw.text.split("a  b", "%s*"), "|")', 'a||b'],
    ['mw.text.listToText({ 1, 2, 3 })', '1, 2 and 3'],
    ['mw.text.nowiki("[[a]] {{b}}")', '&#91;&#91;a&#93;&#93; &#123;&#123;b&#125;&#125;'],
    ['mw.text.encode("<a & b>")', '&lt;a &amp; b&gt;'],
    ['mw.text.decode("&lt;&eacute;", true)', '<é'],
    ['mw.text.tag("b", { class = "x" }, "y")', '<b class="x">y</b>'],
    ['mw.text.truncate("äöüßäöüß", 2)', 'äö...'],
    ['mw.text.jsonEncode({ 1, "a", { b = true } })', '[1,"a",{"b":true}]'],
    ['mw.text.jsonDecode(\'{"a":[1,{"b":null}],"c":"ü"}\').a[1]', '1'],
    ['mw.ustring.upper("äöß")', 'ÄÖSS'],
    ['mw.ustring.len("äö𝄞")', '3'],
    ['mw.ustring.sub("äöüß", 2, -2)', 'öü'],
    ['mw.ustring.find("aäb", "b")', '33'],
    ['mw.ustring.find("a.ä", ".ä", 1, true)', '23'],
    ['mw.ustring.match("Größe: 5", "(%a+): (%d)")', 'Größe5'],
    ['(mw.ustring.gsub("äöü", "[äü]", { ["ä"] = "ae" }))', 'aeöü'],
    ['(mw.ustring.gsub("ä-ö", "(.)-(.)", "%2-%1"))', 'ö-ä'],
    ['mw.ustring.codepoint("€") .. mw.ustring.char(8364, 228)', '8364€ä'],
    [
      'mw.ustring.byteoffset("fóo", 3) .. mw.ustring.byteoffset("fóo", 0, 3) .. tostring(mw.ustring.byteoffset("fóo", 4))',
      '42nil',
    ],
    [
      'mw.ustring.byteoffset("fóo", 1, -1) .. mw.ustring.byteoffset("foó", 0, -1) .. tostring(mw.ustring.byteoffset("foó", 1, -1))',
      '43nil',
    ],
    [
      'table.concat({ mw.ustring.find("¡a¡ ¡.¡", "()", 20) }, ",") .. mw.ustring.match("¡a¡", "()", -20)',
      '8,7,81',
    ],
    ['mw.ustring.toNFC("a\\204\\136")', 'ä'],
    ['tostring(mw.ustring.isutf8("\\255"))', 'false'],
    ['("x"):rep(3) .. ("abc"):upper():sub(2)', 'xxxBC'],
    [
      'mw.uri.encode("a b&ü") .. mw.uri.encode("a b", "WIKI") .. mw.uri.decode("a+b%20c")',
      'a+b%26%C3%BCa_ba b c',
    ],
    ['tostring(mw.uri.fullUrl("A b", { x = 1 }))', 'https://example.org/A%20b?x=1'],
    ['mw.uri.anchorEncode("a b")', 'a_b'],
    ['mw.getContentLanguage():formatNum(1234567.25)', '1,234,567.25'],
    ['mw.getContentLanguage():formatDate("j F Y", "2001-02-03")', '3 February 2001'],
    ['mw.language.fetchLanguageName("de", "en")', 'German'],
    [
      'mw.getContentLanguage():plural(1, "tree", "trees") .. mw.getContentLanguage():plural(3, "tree", "trees")',
      'treetrees',
    ],
    ['mw.getLanguage("ar"):getDir() .. mw.getContentLanguage():ucfirst("äa")', 'rtlÄa'],
    ['mw.message.newRawMessage("$1 and $2", "a", "b"):plain()', 'a and b'],
    ['tostring(mw.message.new("nothing"):exists())', 'false'],
    ['mw.site.siteName .. mw.site.namespaces[10].name .. mw.site.namespaces.Module.id', 'ValleyTemplate828'],
    [
      'os.date("%Y-%m-%d %H:%M", 86400) .. os.time{ year = 1970, month = 1, day = 2, hour = 0 }',
      '1970-01-02 00:0086400',
    ],
    ['os.date("!*t", 0).year .. os.date("!*t", 0).yday', '19701'],
    ['mw.dumpObject({ 1, a = "b" })', 'table#1 {\n    1,\n    ["a"] = "b",\n}'],
  ])('%s', (expression, expected) => {
    expect(say(`return ${expression}`)).toBe(expected);
  });
});

describe('time', () => {
  test('only results that use it are short-lived', () => {
    const test = (code: string) =>
      show('{{#invoke:Test|main}}', { 'Module:Test': `return { main = function(frame) ${code} end }` });
    expect(test('return os.time()')).toMatchObject({ text: '1777773660', usedTime: true });
    expect(test('return os.date("%Y")')).toMatchObject({ text: '2026', usedTime: true });
    expect(test('return mw.getContentLanguage():formatDate("Y")')).toMatchObject({
      text: '2026',
      usedTime: true,
    });
    expect(test('return os.date("%Y", 0) .. os.clock() .. math.random()').usedTime).toBe(false);
  });
});

describe('Lua as Scribunto has it', () => {
  const safely = (code: string) =>
    say(`local ok, problem = pcall(function() ${code} end) return tostring(problem)`);

  test('a missing value is nil, not nothing', () => {
    const finds = ['mw.ustring.find("é", "x+")', 'mw.ustring.match("é", "x+")', 'string.find("e", "x+")'];
    for (const find of finds) expect(say(`return tostring(${find})`)).toBe('nil');
  });

  test('more values than the stack holds are refused before they are allocated', () => {
    expect(say('return select("#", unpack({}, -2, 0)) .. select("#", unpack({}, 1, 7000))')).toBe('37000');
    for (const last of ['8001', '2^31 - 1', '2^43'])
      expect(safely(`unpack({}, 1, ${last})`)).toContain('too many results to unpack');
  });

  test('iterators of tables with their own iteration return three values', () => {
    const own = (name: string) => `setmetatable({}, { ${name} = function() return 1, 2, 3, 4 end })`;
    expect(
      say(`return select("#", pairs(${own('__pairs')})) .. select("#", ipairs(${own('__ipairs')}))`),
    ).toBe('33');
  });

  test('loaded modules are listed, and shared globals cannot be reached', () => {
    expect(say('return tostring(package.loaded._G == _G and package.loaded.package == package)')).toBe(
      'true',
    );
    expect(safely('return getfenv(0)')).toContain("'getfenv' cannot get the global environment");
  });

  test('data of JSON says its format and its request', () => {
    const pages = { 'Data.json': '{"a": [1]}' };
    const change =
      'local ok, problem = pcall(function() mw.loadJsonData("Data.json").a = 2 end) return problem';
    expect(say(change, pages)).toContain('table from mw.loadJsonData is read-only');
    expect(safely('mw.loadJsonData(0)')).toContain("to 'mw.loadJsonData' (string expected, got number)");
  });
});
