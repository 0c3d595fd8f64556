/** Modules that try to break out, never end, or leave something behind: each ends, and the next page renders normally. */

import { expand } from '@coppice/wikitext';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../src/machine.ts';
import { Modules } from '../src/modules.ts';
import { say, show } from './wiki.ts';

/** Ends by instructions what would otherwise take seconds. */
const modules = new Modules({ limits: { ...defaultLimits, instructions: 400_000_000 } });
/** The same with lower time limits. */
const impatient = new Modules({ limits: { ...defaultLimits, instructions: 6_000_000, cpuMs: 800 } });

function run(code: string, body = '{{#invoke:Test|main}}', machine = modules) {
  return show(body, { 'Module:Test': `return { main = function(frame) ${code} end }` }, machine);
}

const tooMuch = /^Module:Test: The modules of this page (?:compute too long|need too much memory)\.$/;

describe('endless programs are ended, cannot catch it by pcall, and the next page renders', () => {
  test.each([
    ['a loop', 'while true do end'],
    ['a loop that catches its end', 'while true do pcall(function() while true do end end) end'],
    [
      'a loop in the handler of its error',
      'xpcall(function() error("a") end, function() while true do end end)',
    ],
    [
      'a loop in a handler of the limit',
      'while true do xpcall(function() while true do end end, function() while true do end end) end',
    ],
    ['errors without end', 'while true do pcall(error, {}) end'],
    [
      'a metamethod that calls itself',
      'local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) while true do pcall(function() return t[1] end) end',
    ],
    [
      'a sort with a changing order',
      'local t = {} for i = 1, 20000 do t[i] = i end while true do pcall(table.sort, t, function() return true end) end',
    ],
    ['texts that grow', 'local s = "x" while true do pcall(function() s = s .. s end) end'],
    [
      'tables that grow',
      'local t = {} while true do pcall(function() for i = 1, 1e9 do t[#t + 1] = { i } end end) end',
    ],
    [
      'joined tables',
      'local t = {} for i = 1, 1e5 do t[i] = ("x"):rep(1000) end while true do pcall(table.concat, t) end',
    ],
    ['repeats within repeats', 'return ("a"):rep(30000):find("(.-)(.-)(.-)b")'],
    ['a replacement in repeats', 'return (("a"):rep(100000):gsub("a*a*a*b", ""))'],
    ['matches of it', 'for _ in ("a"):rep(100000):gmatch("a-a-b") do end'],
    ['the same over characters', 'return mw.ustring.find(("ä"):rep(30000), "(.-)(.-)(.-)b")'],
    ['long texts handed over', 'local s = ("ä"):rep(200000) while true do mw.ustring.upper(s) end'],
    ['wikitext without end', 'while true do frame:preprocess("{{lc:A}}") end'],
  ])('%s', (_name, code) => {
    const invoke = '{{#invoke:Test|main}}';
    const { problems, text } = run(code, invoke, impatient);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(tooMuch);
    expect(text).not.toContain('well');
    expect(run('return "well"', invoke, impatient).text).toBe('well');
  });
});

describe('asking for too much is an error of the module', () => {
  test.each([
    ['a text that is repeated', 'return ("x"):rep(1e9)', 'the text would be too long'],
    [
      'many frames',
      'while true do frame:newChild{ args = { ("x"):rep(1000) } } end',
      'newChild: too many frames',
    ],
    ['deep recursion', 'local function f() return 1 + f() end return f()', 'stack overflow'],
    ['texts that double', 'local s = "x" while true do s = s .. s end', 'need too much memory'],
    ['a long list of results', 'return unpack({}, 1, 1e7)', 'too many results'],
    [
      'a pattern without end',
      'return mw.ustring.find(("ä"):rep(500), ("ä?"):rep(400))',
      'pattern too complex',
    ],
    ['nested expressions', 'return require("Module:Deep")', 'too many syntax levels'],
    [
      'looking up pages',
      'for i = 1, 1000 do local _ = mw.title.new("Page " .. i).exists end',
      'look up more than 500 pages',
    ],
  ])('%s', (_name, code, message) => {
    const deep = `return ${'('.repeat(5000)}1${')'.repeat(5000)}`;
    const { problems } = show(
      '{{#invoke:Test|main}}',
      { 'Module:Test': `return { main = function(frame) ${code} end }`, 'Module:Deep': deep },
      modules,
    );
    expect(problems.join()).toContain(message);
    expect(run('return "well"').text).toBe('well');
  });
});

test('a pattern longer than the stack of the interpreter is ended, and the next page renders', () => {
  expect(run('return ("a"):rep(30000):find(("a?"):rep(20000) .. "b")').text).toContain('Script error');
  expect(
    run('local function g(n) return (("a"):gsub("a", function() return g(n + 1) end)) end return g(1)').text,
  ).toContain('Script error');
  expect(run('return "well"').text).toBe('well');
});

test('modules that call each other through wikitext end at a depth limit', () => {
  const { text, problems } = run('return frame:preprocess("{{#invoke:Test|main}}")');
  expect(text).toContain('Script error');
  expect(problems.join()).toMatch(/more than 15 deep/);
  expect(run('return "well"').text).toBe('well');
});

test('once a page has used up its instructions, its other modules fail at once and none starts', () => {
  const { text } = run('while true do end', '{{#invoke:Test|main}}'.repeat(200), impatient);
  expect(text.match(/Script error/g)).toHaveLength(200);
});

test('waiting for other modules does not restore used instructions', () => {
  const burn = 'for i = 1, 3e6 do end';
  const pages: Record<string, string> = {};
  for (let i = 0; i < 30; i++) {
    pages[`Module:M${i}`] = `return { main = function() ${burn} return require('Module:' .. 'N${i}') end }`;
    pages[`Module:N${i}`] = 'return "n"';
  }
  const body = Array.from({ length: 30 }, (_, i) => `{{#invoke:M${i}|main}}`).join('');
  const { problems } = show(body, pages, impatient);
  expect(problems.join()).toContain('compute too long');
});

test.each([
  'io',
  'load',
  'loadstring',
  'loadfile',
  'dofile',
  'print',
  'collectgarbage',
  'newproxy',
  'coroutine',
  'module',
  'gcinfo',
  'string.dump',
  'os.execute',
  'os.exit',
  'os.getenv',
  'os.remove',
  'os.rename',
  'os.tmpname',
  'os.setlocale',
  'package.loadlib',
  'debug.getinfo',
  'debug.getregistry',
  'debug.sethook',
  'debug.getupvalue',
  'debug.setmetatable',
  'debug.getmetatable',
])('%s is not available', (name) => {
  expect(say(`return tostring(${name})`)).toBe('nil');
});

test('shared objects cannot be changed', () => {
  expect(say('return tostring(getmetatable(""))')).toBe('nil');
  expect(
    say(
      'return tostring((pcall(getfenv, 0))) .. tostring(getfenv(mw.clone)) .. tostring(getfenv(string.rep))',
    ),
  ).toBe('falsenilnil');
  expect(
    say('return tostring((pcall(setfenv, mw.clone, {}))) .. tostring((pcall(setfenv, string.rep, {})))'),
  ).toBe('falsefalse');
  expect(say('return tostring((pcall(setfenv, 0, {})))')).toBe('false');
  expect(
    say(
      'return tostring(getmetatable(mw.html.create("b"))) .. tostring(getmetatable(mw.language.new("en")))',
    ),
  ).toBe('falsefalse');
  expect(
    say('return tostring(getmetatable(mw.title.new("A"))) .. tostring(getmetatable(mw.uri.new("/a")))'),
  ).toBe('falsefalse');
});

test('changes by one call are not visible to another, on the same page or the next', () => {
  const spoil = `
    string.rep = nil; string.format = function() return 'spoilt' end; mw.text.trim = nil; table.concat = nil; math.floor = nil
    mw.html.create = nil; _G.left = 1; package.loaded.left = 1; mw.title = nil; os.date = nil; math.randomseed(99)
    pcall(function() getmetatable('').__index.upper = nil end)
    local data = mw.loadData('Module:Data')
    pcall(function() data.a = 2 end); pcall(rawset, data, 'a', 2); pcall(rawset, data.list, 1, 'spoilt')
    pcall(function() getmetatable(data).__index = function() return 'spoilt' end end)
    for _, inner in pairs(data) do if type(inner) == 'table' then pcall(rawset, inner, 2, 'spoilt') end end
    return 'spoilt;'`;
  const look = `
    local data = mw.loadData('Module:Data')
    return table.concat({ ('x'):rep(2), string.format('%d', 3), mw.text.trim(' t '), tostring(left), tostring(package.loaded.left),
      ('u'):upper(), tostring(mw.html.create('b')), tostring(data.a), data.list[1], data.list[2], tostring(data.list[3]),
      tostring(mw.title.new('A')), os.date('%Y', 0), tostring(math.random(1000)) }, ' ')`;
  const pages = {
    'Module:Spoil': `return { main = function(frame) ${spoil} end }`,
    'Module:Look': `return { main = function(frame) ${look} end }`,
    'Module:Data': 'return { a = 1, list = { "one", "two" } }',
  };
  const clean = show('{{#invoke:Look|main}}', pages, new Modules()).text;
  expect(clean).toMatch(/^xx 3 t nil nil U <b><\/b> 1 one two nil A 1970 \d+$/);
  expect(show('{{#invoke:Spoil|main}}{{#invoke:Look|main}}', pages, modules).text).toBe(`spoilt;${clean}`);
  expect(show('{{#invoke:Look|main}}', pages, modules).text).toBe(clean);
});

test('the same page has the same result each time, whatever ran before it', () => {
  const code = `
    local t = {} for i = 1, 50 do t['key' .. i] = i end
    local out = {} for key in pairs(t) do out[#out + 1] = key end
    return table.concat(out) .. math.random() .. tostring({}) .. tostring(print) .. os.clock()`;
  const first = run(code).text;
  run('for i = 1, 1e6 do local t = { i } end while true do end');
  expect(run(code).text).toBe(first);
  expect(
    show('{{#invoke:Test|main}}', { 'Module:Test': `return { main = function(frame) ${code} end }` }).text,
  ).toBe(first);
});

test('a compiled program is refused', () => {
  const compiled = '\u001bLuaQ\0\u0001\u0004\u0004\u0004\b\0';
  expect(show('{{#invoke:Test|main}}', { 'Module:Test': compiled }).problems).toEqual([
    'Module:Test: module Module:Test is no text',
  ]);
});

test('endless template calls of a module count as calls of the page', () => {
  const pages = {
    'Module:Test':
      'return { main = function(frame) for i = 1, 2e5 do frame:expandTemplate{ title = "T" .. i } end end }',
  };
  const run = modules.begin();
  const { needs, notices } = expand('{{#invoke:Test|main}}', {
    page: { title: 'Start', path: '/start' },
    templates: new Map(Object.entries(pages)),
    exists: new Map(),
    listings: new Map(),
    now: 0,
    bounds: { expandedLength: 100_000, calls: 1000 },
    functions: new Map([['#invoke', run.invoke]]),
  });
  expect(needs.templates).toHaveLength(999);
  expect(notices.join()).toContain('more than 1000 calls');
});

test('a module cannot forge the engine’s own markers', () => {
  expect(run('return "a\\0b\\1c"').text).toBe('a\uFFFDb\uFFFDc');
});
