/**
 * Language and links of comments, documents, messages and test names: unclear openings and phrases, length of decisions, and links,
 * paths and names that no longer exist.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const comments = commentsOf(
  ['src', 'packages', 'bench', 'test'].flatMap(sourcesIn).concat('vitest.config.ts'),
);
const decisions = filesIn('docs/decisions');
const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md'],
  ...['packages/wikitext', 'packages/markdown', 'packages/client'].flatMap((folder) => [
    `${folder}/README.md`,
    `${folder}/CHANGELOG.md`,
  ]),
  'packages/scribunto/README.md',
  ...['docs', 'bench/notes'].flatMap(filesIn).filter((path) => path.endsWith('.md')),
];

test('comments begin with a noun or a verb', () => {
  const riddles = /^(Of|What|Where|Those|Whoever|As|In the place of) /;
  expect(comments.length).toBeGreaterThan(1000);
  expect(
    comments.filter(({ text }) => riddles.test(text)).map(({ path, text }) => `${path}: ${text}`),
  ).toEqual([]);
});

test('everything that packages export has a docstring', () => {
  const silent: string[] = [];
  const packages = ['wikitext', 'markdown', 'scribunto', 'client'];
  for (const folder of packages.map((name) => `packages/${name}`)) {
    const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    for (const entry of Object.values<string>(exports).filter((path) => path.endsWith('.ts')))
      silent.push(...undocumented(join(root, folder, entry)));
  }
  expect([...new Set(silent)].sort()).toEqual([]);
});

test('every function that the core exports has a docstring', () => {
  const silent = sourcesIn('src/core').flatMap((path) => {
    if (/\.test\.ts$/.test(path)) return [];
    const lines = read(path).split('\n');
    // Only the first signature of several has one.
    const names = new Set<string>();
    return lines.flatMap((line, at) => {
      const [, name] = /^export (?:async )?function\*? (\w+)/.exec(line) ?? [];
      if (name === undefined || names.has(name)) return [];
      names.add(name);
      return lines[at - 1]?.endsWith('*/') ? [] : [`${path}: ${name}`];
    });
  });
  expect(silent).toEqual([]);
});

/** Exports of a file without a docstring: all of them, or those with these names. */
function undocumented(path: string, names?: readonly string[]): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const own = lines.flatMap((line, at) => {
    const [, name] = /^export (?:async )?(?:function\*?|class|const|type|interface) (\w+)/.exec(line) ?? [];
    const isAsked = name !== undefined && (!names || names.includes(name));
    return isAsked && !lines[at - 1]?.endsWith('*/') ? [`${relative(root, path)}: ${name}`] : [];
  });
  const others = [...lines.join('\n').matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)];
  const passedOn = others.flatMap(([, listed = '', from = '']) => {
    const passed = listed.split(',').map((one) =>
      one
        .trim()
        .replace(/^type /, '')
        .split(' as '),
    );
    const asked = passed.filter((pair) => !names || names.includes(pair.at(-1) ?? ''));
    return undocumented(
      join(dirname(path), from),
      asked.map(([name = '']) => name),
    );
  });
  return [...own, ...passedOn];
}

test('sentences that users, operators and agents read are plain', () => {
  const sources = sourcesIn('src').filter((path) => !/\.test\.ts$|\/demo\/|\.css$/.test(path));
  const sentences = sources.flatMap((path) => sentencesIn(path));
  expect(sentences.length).toBeGreaterThan(2000);
  const openings = /^(?:Of|What|Those|Whoever|Whom|Whose|As (?:what|who|one|it|they)) .*\.$/;
  expect(sentences.filter(({ text }) => openings.test(text) || isRiddle(text))).toEqual([]);
});

test('names of tests are claims in plain English', () => {
  const tests = ['test', 'src', 'packages'].flatMap(sourcesIn).filter((path) => /\.test\.ts$/.test(path));
  const names = tests.flatMap((path) =>
    [...read(path).matchAll(/^\s*(?:test|describe)(?:\.\w+\([^()\n]*\))?\(\s*(['"`])(.+?)\1,/gm)].map(
      ([, , text = '']) => ({ path, text }),
    ),
  );
  expect(names.length).toBeGreaterThan(1000);
  const openings = /^(?:what|where|whoever|whom|those|as) (?!.*\?$)/;
  expect(names.filter(({ text }) => openings.test(text) || isRiddle(text))).toEqual([]);
});

test('a decision has a topic, context, decision and consequences, in at most 350 words', () => {
  expect(decisions.length).toBeGreaterThan(30);
  for (const path of decisions) {
    const text = read(path);
    expect(text.split(/\s+/).filter(Boolean).length, path).toBeLessThanOrEqual(350);
    expect(text, path).toMatch(new RegExp(`^# ${basename(path).slice(0, 4)}: \\w`));
    expect(
      [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
      path,
    ).toEqual(['Context', 'Decision', 'Consequences']);
  }
});

test('links of the documents lead to files that exist', () => {
  const dead = documents.flatMap((path) => {
    const prose = read(path)
      .replace(/^(```+|~~~+)[\s\S]*?^\1/gm, '')
      .replace(/`[^`\n]*`/g, '');
    return [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path}: ${target}`);
  });
  expect(dead).toEqual([]);
});

test('paths that documents and comments name exist', () => {
  const path = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|css|md|lua))`/g;
  const written = [...documents.map((path) => ({ path, text: read(path) })), ...comments];
  const dead = written.flatMap((place) =>
    [...place.text.matchAll(path)]
      .map(([, named = '']) => named)
      .filter((named) =>
        ['', 'src', dirname(place.path), dirname(dirname(place.path)), folderOf(place.path)].every(
          (folder) => !existsSync(join(root, folder, named)),
        ),
      )
      .map((named) => `${place.path}: ${named}`),
  );
  expect(dead).toEqual([]);
});

test('files and names in ARCHITECTURE.md exist in the code', () => {
  const text = read('ARCHITECTURE.md');
  const sources = ['src', 'packages', 'test'].flatMap(sourcesIn);
  const names = new Set(sources.map((path) => basename(path)));
  const files = [...text.matchAll(/[\w-]+(?:\.test)?\.ts\b/g)].map(([name]) => name);
  expect(files.filter((name) => !names.has(name))).toEqual([]);

  const words = new Set(sources.flatMap((path) => withoutComments(read(path)).match(/\w+/g) ?? []));
  // Matches a name or a call: `PageView`, `viewPage(store, path)`.
  const named = [...text.matchAll(/`([A-Za-z_]\w*)(?:\([^`]*\))?`/g)].map(([, name = '']) => name);
  expect(named).toContain('viewPage');
  expect(named.filter((name) => !words.has(name))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(node_modules|dist|vendor)\//.test(path))
    .sort();
}

function sourcesIn(folder: string): string[] {
  return filesIn(folder).filter(
    (path) => ['.ts', '.css'].includes(extname(path)) && !/\.d\.ts$|client\/src\/api\.ts$/.test(path),
  );
}

/** Package or folder of `src/` that contains the file. */
function folderOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

/** Block comments, and consecutive `//` lines as one comment. */
function commentsOf(paths: string[]): { path: string; text: string }[] {
  const comment = /(?:^|[\s({,;])\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=[\s;,{}()\]])\/\/ .*$/gm;
  return paths.flatMap((path) =>
    [...read(path).matchAll(comment)].map(([whole]) => ({
      path,
      text: whole
        .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/\s*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    })),
  );
}

/** Sentences within string and template literals, between tags; each begins with a capital and has three words or more. */
function sentencesIn(path: string): { path: string; text: string }[] {
  const literal =
    /\/\*[\s\S]*?\*\/|(?<![:'"`\\\w])\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return [...read(path).matchAll(literal)]
    .filter(([whole]) => !whole.startsWith('/'))
    .flatMap(([whole]) => whole.slice(1, -1).split(/<[^>]*>|\n/))
    .flatMap((text) => text.trim().split(/(?<=[.!?]) (?=[A-Z“`])/))
    .filter((text) => /^[A-Z“]/.test(text) && (text.match(/[a-z’']{2,}/gi) ?? []).length >= 3)
    .map((text) => ({ path, text }));
}

/** Phrases that readers had to read twice, and four negations in one sentence. */
function isRiddle(text: string): boolean {
  const phrases = [
    /[;,:] null: /,
    /\b(?:works?|is|are|comes?|does) no more\b(?! than\b)/,
    /\bno more than\b.*\bunless\b/,
    /\bof no use\b|\botherwise than\b|\bcounts? for nothing\b|\bis never said\b|\bshall (?:be|become)\b/,
    /\b(?:tells?|told) of\b|\bgo(?:es|ne)? on with\b|\bfirst that came\b|\bbecomes? of (?:it|them|each)\b/,
    /\b(?:administrators|moderators|members|readers|owners?|tokens|invitation|programs) alone\b/,
    /\bthat of\b.*\btheirs\b/,
  ];
  const negations = text.match(/\b(?:no|not|none|never|nobody|nothing|neither|nor|without|cannot)\b/gi) ?? [];
  return negations.length > 3 || phrases.some((phrase) => phrase.test(text));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
