/**
 * A finished call does not run again while the host answers the same; it does as soon as one answer differs. Runs are counted
 * by a limit: each call takes most of the instructions of a page.
 */
import { expand } from '@coppice/wikitext';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../src/machine.ts';
import { Modules } from '../src/modules.ts';

const burn = 'for i = 1, 400000 do end';

interface World {
  pages?: Record<string, string | null>;
  exists?: Record<string, boolean>;
  now?: number;
  title?: string;
  siteName?: string;
}

/** A page drawn by one machine that can afford two runs of `burn`, but not three. */
class Page {
  readonly #modules = new Modules({ limits: { ...defaultLimits, instructions: 1_000_000 } });
  draw(
    body: string,
    { pages = {}, exists = {}, now = 0, title = 'Start', siteName = 'Valley' }: World,
  ): string {
    const run = this.#modules.begin();
    const { text } = expand(body, {
      page: { title, path: '/start', id: 7 },
      templates: new Map(Object.entries({ Missing: null, ...pages })),
      exists: new Map(Object.entries(exists)),
      listings: new Map(),
      now,
      siteName,
      functions: new Map([['#invoke', run.invoke]]),
    });
    return [text, ...run.problems()].join(' ! ');
  }
}

function moduleOf(code: string): Record<string, string> {
  return { 'Module:Test': `return { main = function(frame) ${code} end }` };
}

const call = '{{#invoke:Test|main|a|b=c}}';

test('a call runs once on a page, however often the page is rendered', () => {
  const pages = moduleOf(`${burn} return frame.args[1] .. frame.args.b`);
  const page = new Page();
  expect(page.draw(call.repeat(20), { pages })).toBe('ac'.repeat(20));
  expect(page.draw(call.repeat(20), { pages })).toBe('ac'.repeat(20));
  // Three calls that differ are too many in one drawing, so the limit counts what it should.
  const different = ['x', 'y', 'z'].map((one) => `{{#invoke:Test|main|${one}|b=c}}`).join('');
  expect(new Page().draw(different, { pages })).toContain('compute too long');
  expect(page.draw(`{{#invoke:Test|main|x|b=c}}${call}`, { pages })).toBe('xcac');
  expect(page.draw(`{{#invoke:Test|main|y|b=c}}${call}`, { pages })).toBe('ycac');
  expect(page.draw(different, { pages })).toBe('xcyczc');
});

describe('a call runs again if something that it read has changed', () => {
  test.each<[string, string, World, World, string, string]>([
    ['its source', 'return "old"', {}, { pages: moduleOf('return "new"') }, 'old', 'new'],
    ['the time', 'return os.time()', { now: 1000 }, { now: 5000 }, '1', '5'],
    ['the date', 'return os.date("%Y")', { now: 0 }, { now: 4e10 }, '1970', '1971'],
    [
      'a formatted date',
      'return mw.getContentLanguage():formatDate("Y")',
      { now: 0 },
      { now: 4e10 },
      '1970',
      '1971',
    ],
    [
      'whether a page exists',
      'return tostring(mw.title.new("Oak").exists)',
      { exists: { Oak: false } },
      { exists: { Oak: true } },
      'false',
      'true',
    ],
    [
      'the text of a page',
      'return tostring(mw.title.new("Oak"):getContent())',
      { pages: { Oak: 'tree' } },
      { pages: { Oak: 'wood' } },
      'tree',
      'wood',
    ],
    [
      'a template',
      'return frame:expandTemplate{ title = "T" }',
      { pages: { T: 'one' } },
      { pages: { T: 'two' } },
      'one',
      'two',
    ],
    [
      'wikitext of a frame of its own',
      'return frame:newChild{ args = { "x" } }:preprocess("{{{1}}}{{T}}")',
      { pages: { T: 'one' } },
      { pages: { T: 'two' } },
      'xone',
      'xtwo',
    ],
    [
      'another module',
      'return require("Module:Other")',
      { pages: { 'Module:Other': 'return "one"' } },
      { pages: { 'Module:Other': 'return "two"' } },
      'one',
      'two',
    ],
    [
      'data',
      'return mw.loadData("Module:Other").x',
      { pages: { 'Module:Other': 'return { x = "one" }' } },
      { pages: { 'Module:Other': 'return { x = "two" }' } },
      'one',
      'two',
    ],
    [
      'a module that data loads',
      'return mw.loadData("Module:Other").x',
      { pages: { 'Module:Other': 'return { x = require("Module:Deep") }', 'Module:Deep': 'return "one"' } },
      { pages: { 'Module:Other': 'return { x = require("Module:Deep") }', 'Module:Deep': 'return "two"' } },
      'one',
      'two',
    ],
    [
      'the time that data looks at',
      'return mw.loadData("Module:Other").x',
      { pages: { 'Module:Other': 'return { x = os.time() }' }, now: 1000 },
      { pages: { 'Module:Other': 'return { x = os.time() }' }, now: 2000 },
      '1',
      '2',
    ],
    [
      'data in JSON',
      'return mw.loadJsonData("Data").x',
      { pages: { Data: '{"x":1}' } },
      { pages: { Data: '{"x":2}' } },
      '1',
      '2',
    ],
    [
      'the title of the page',
      'return mw.title.getCurrentTitle().text',
      { title: 'One' },
      { title: 'Two' },
      'One',
      'Two',
    ],
    [
      'the name of the wiki',
      'return mw.site.siteName',
      { siteName: 'One' },
      { siteName: 'Two' },
      'One',
      'Two',
    ],
    [
      'a module that did not exist',
      'return tostring((pcall(require, "Module:" .. "Missing")))',
      { pages: { 'Module:Missing': null } },
      { pages: { 'Module:Missing': 'return 1' } },
      'false',
      'true',
    ],
  ])('%s', (_name, code, before, after, first, second) => {
    const page = new Page();
    const worldOf = ({ pages, ...others }: World) => ({ ...others, pages: { ...moduleOf(code), ...pages } });
    for (const [world, text] of [
      [before, first],
      [before, first],
      [after, second],
      [before, first],
    ] as const)
      expect(page.draw(call, worldOf(world))).toBe(text);
  });

  test('arguments of the template around it, if the call reads them', () => {
    const pages = {
      ...moduleOf(`${burn} return frame:getParent().args[1] or "none"`),
      Box: call,
      'Module:Own': `return { main = function(frame) ${burn} return "own" end }`,
      Other: '{{#invoke:Own|main}}',
    };
    const page = new Page();
    expect(page.draw('{{Box|x}}{{Box|y}}', { pages })).toBe('xy');
    expect(page.draw('{{Box|x}}{{Box|y}}{{Box|z}}', { pages })).toBe('xyz');
    expect(new Page().draw('{{Other|x}}{{Other|y}}{{Other|z}}', { pages })).toBe('ownownown');
  });

  test('the template around it, by name', () => {
    const pages = { ...moduleOf('return frame:getParent():getTitle()'), A: call, B: call };
    expect(new Page().draw('{{A}} {{B}}', { pages })).toBe('Template:A Template:B');
  });
});

describe('side effects of a call happen each time', () => {
  test('warnings and lookups of pages', () => {
    const pages = moduleOf('mw.addWarning("careful") return "x"');
    const page = new Page();
    for (let i = 0; i < 3; i++) expect(page.draw(call, { pages })).toBe('x ! careful');
  });

  test('missing pages are looked up again', () => {
    const modules = new Modules();
    const needs = () => {
      const run = modules.begin();
      return expand(call, {
        page: { title: 'Start', path: '/start' },
        templates: new Map(
          Object.entries(
            moduleOf('return frame:preprocess("{{T}}") .. tostring(mw.title.new("Oak").exists)'),
          ),
        ),
        exists: new Map(),
        listings: new Map(),
        now: 0,
        functions: new Map([['#invoke', run.invoke]]),
      }).needs;
    };
    const first = needs();
    expect(first).toMatchObject({ templates: ['T'], exists: ['Oak'] });
    expect(needs()).toEqual(first);
  });

  test('random numbers are the same whether data is loaded before them or was loaded by another call', () => {
    const pages = {
      ...moduleOf('local a = mw.loadData("Module:Dice").x return a .. " " .. math.random(1000000)'),
      'Module:Dice': 'return { x = math.random(1000000) }',
    };
    const other = call.replace('|a', '|other');
    const [first, second] = new Page().draw(`${call};${other}`, { pages }).split(';');
    expect(first).toBe(second);
  });

  test('random numbers are the same whether a call within runs or has finished before', () => {
    const pages = (name: string) => ({
      ...moduleOf(`return frame:preprocess("{{#invoke:Dice|main}}") .. " ${name} " .. math.random(1000000)`),
      'Module:Dice': 'return { main = function() return math.random(1000000) end }',
    });
    const page = new Page();
    const first = page.draw(call, { pages: pages('x') });
    expect(page.draw(call, { pages: pages('y') })).toBe(first.replace('x', 'y'));
  });

  test('errors are reported each time', () => {
    const page = new Page();
    const pages = moduleOf('error("dry")');
    for (let i = 0; i < 2; i++) expect(page.draw(call, { pages })).toContain('Module:Test:1: dry');
  });
});

test('calls with too large results run again, and the page stays right', () => {
  const pages = moduleOf('return frame.args[1]:rep(300000)');
  const page = new Page();
  for (let i = 0; i < 2; i++)
    expect(page.draw('{{#invoke:Test|main|a}}', { pages })).toBe('a'.repeat(300_000));
});

describe('for any content of a page', () => {
  const parts = [
    'mw.title.new("Oak").exists',
    'mw.title.new("Oak"):getContent()',
    'frame:preprocess("{{T}}{{{1|}}}")',
    'frame:preprocess("<ref>{{T}}</ref>")',
    'frame:getParent():preprocess("{{{1|}}}{{T}}")',
    'frame:getParent().args[1]',
    'frame:expandTemplate{ title = "Box", args = { "in" } }',
    'frame:newChild{ args = { "x" } }:newChild{ args = { "y" } }:preprocess("{{{1}}}{{T}}")',
    'frame:callParserFunction("#ifexist", "Oak", "yes", "no")',
    'frame:extensionTag("ref", "note", { name = "n" })',
    'mw.loadData("Module:Data").x',
    'mw.loadData("Module:Data").t',
    'pcall(require, "Module:Some" .. "times")',
    'require("Module:Other")()',
    'os.time()',
    'math.random(1000)',
    'mw.addWarning("w" .. #frame.args)',
    'mw.site.siteName',
    'mw.title.getCurrentTitle().text',
    'frame:preprocess("{{#invoke:Inner|main|" .. frame.args[1] .. "}}")',
    'pcall(error, "x")',
    'error(frame.args[1])',
  ];
  const world = fc.record({
    oak: fc.constantFrom(undefined, null, 'tree', 'wood'),
    t: fc.constantFrom(undefined, 'one', '[[two]]'),
    data: fc.constantFrom('return { x = 1, t = os.time() }', 'return { x = require("Module:Other")() }'),
    other: fc.constantFrom('return function() return "o" end', 'return function() return math.random(9) end'),
    sometimes: fc.constantFrom(undefined, null, 'return 1'),
    now: fc.constantFrom(1000, 2000),
    title: fc.constantFrom('One', 'Two'),
  });
  const body = fc.array(
    fc.constantFrom(
      '{{#invoke:Test|main|a}}',
      '{{#invoke:Test|main|b}}',
      '{{Call|x}}',
      '{{Call|y}}',
      '{{#invoke:Inner|main|z}}',
    ),
    { minLength: 1, maxLength: 4 },
  );

  test('the result equals that of a page that was never rendered before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(world, body), { minLength: 2, maxLength: 4 }),
        (expressions, drawings) => {
          const code = expressions.map((one) => `out[#out + 1] = tostring((${one}))`).join('\n');
          const test = `return { main = function(frame) local out = {} ${code} return table.concat(out, ";") end }`;
          const shared = new Modules();
          const draw = (
            modules: Modules,
            { oak, t, data, other, sometimes, now, title }: Drawn,
            text: string,
          ) => {
            const run = modules.begin();
            const known = {
              Oak: oak,
              T: t,
              'Module:Sometimes': sometimes,
              'Module:Data': data,
              'Module:Other': other,
            };
            const fixed = {
              'Module:Test': test,
              'Module:Inner':
                'return { main = function(frame) return frame.args[1] .. mw.loadData("Module:Data").x .. math.random(99) end }',
              Call: '{{#invoke:Test|main|c}}',
              Box: '({{{1}}}{{T}})',
            };
            const templates = Object.entries({ ...known, ...fixed }).filter(
              (entry): entry is [string, string | null] => entry[1] !== undefined,
            );
            let usedTime = false;
            const expanded = expand(text, {
              page: { title, path: '/start', id: 7 },
              templates: new Map(templates),
              exists: new Map(oak === undefined ? [] : [['Oak', oak !== null]]),
              listings: new Map(),
              get now() {
                usedTime = true;
                return now;
              },
              siteName: 'Valley',
              functions: new Map([['#invoke', run.invoke]]),
            });
            // The order in which pages are asked for says nothing.
            for (const names of Object.values(expanded.needs)) if (Array.isArray(names)) names.sort();
            return { ...expanded, problems: run.problems(), usedTime };
          };
          for (const [drawn, calls] of drawings) {
            const text = calls.join(' ');
            expect(draw(shared, drawn, text)).toEqual(draw(new Modules(), drawn, text));
          }
        },
      ),
      { numRuns: effort },
    );
  });
});

/** Each run starts several machines, which takes some ten milliseconds. */
const effort = process.env.COPPICE_TESTS === 'thorough' ? 500 : 12;

type Drawn = {
  oak: string | null | undefined;
  t: string | undefined;
  data: string;
  other: string;
  sometimes: string | null | undefined;
  now: number;
  title: string;
};
