/**
 * Checks the sources against ARCHITECTURE.md: allowed imports, no cycles, named exports, engine-specific words, file length.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/**
 * Folder → what it may import: folders of the repository, `node:`, and packages, where `*` stands for any rest of a name.
 * ARCHITECTURE.md shows this table.
 */
const mayImport: Record<string, string[]> = {
  'packages/wikitext': ['parse5'],
  'packages/scribunto': ['packages/wikitext', 'node:'],
  'packages/markdown': [
    'packages/wikitext',
    'markdown-it*',
    'yaml',
    'smol-toml',
    'mdast',
    'hast',
    'mdast-util-*',
    'hast-util-to-mdast',
  ],
  'packages/client': ['packages/api'],
  'src/cache': [],
  'src/html': [],
  'src/words': ['src/html', 'node:', '@formatjs/icu-messageformat-parser'],
  'src/scheduling': ['node:'],
  // Libraries that only compute: no files, no network, no clock.
  'src/core': [
    'src/html',
    'src/words',
    'packages/wikitext',
    'packages/markdown',
    'packages/scribunto',
    'src/cache',
    'diff',
    'geographiclib-geodesic',
    'typebox*',
    '@orama/*',
  ],
  'src/markup': [
    'packages/wikitext',
    'packages/scribunto',
    'src/core',
    'src/words',
    'src/scheduling',
    'node:',
    'highlight.js*',
    'temml',
  ],
  'src/store': ['src/core', 'src/words', 'src/html', 'src/cache', 'src/scheduling', 'node:', 'kysely', 'pg'],
  'src/files': [
    'src/core',
    'src/words',
    'src/cache',
    'src/scheduling',
    'node:',
    'file-type',
    'sharp',
    'unpdf',
    'yauzl',
    '@aws-sdk/client-s3',
    '@aws-sdk/lib-storage',
  ],
  'src/copies': ['src/core', 'src/store', 'node:', 'age-encryption'],
  'src/auth': [
    'src/html',
    'src/words',
    'src/core',
    'src/cache',
    'src/scheduling',
    'node:',
    'jose*',
    '@node-rs/argon2',
    'openid-client',
    'otpauth',
    '@simplewebauthn/server*',
    'altcha-lib*',
  ],
  'src/mail': ['src/core', 'src/html', 'src/words', 'node:', 'nodemailer'],
  'src/outgoing': ['src/core', 'src/html', 'src/words', 'node:', 'ipaddr.js'],
  'src/http': [
    'src/core',
    'src/words',
    'src/export',
    'src/import',
    'src/cache',
    'src/html',
    'src/scheduling',
    'packages/wikitext',
    'node:',
    'fastify*',
    '@fastify/*',
    'typebox*',
    'content-disposition',
    '@modelcontextprotocol/server',
    'prom-client',
    'pino',
    'pino-pretty',
  ],
  'src/web': [
    'src/core',
    'src/words',
    'src/export',
    'src/import',
    'src/cache',
    'src/html',
    'packages/wikitext',
    'src/http',
    'node:',
    'fastify*',
    '@fastify/*',
    'typebox*',
    'uqr',
    'esbuild',
  ],
  // Runs in the browser: nothing of Node, and of the server only what computes.
  'src/web/islands': [
    'src/core',
    'src/html',
    'src/words',
    'src/web',
    'packages/wikitext',
    'packages/markdown',
    '@codemirror/*',
    '@lezer/highlight',
    'prosemirror-*',
    'altcha-lib*',
    'hast*',
    'mathml-to-latex',
  ],
  'src/import': [
    'src/core',
    'src/words',
    'src/html',
    'packages/wikitext',
    'packages/markdown',
    'node:',
    'saxes',
    'unbzip2-stream',
    'yauzl',
    'yaml',
    'smol-toml',
    'mammoth',
    'tar-stream',
    'typebox*',
    'hast*',
    'mdast*',
    'mathml-to-latex',
  ],
  'src/export': [
    'src/core',
    'src/import',
    'src/html',
    'src/words',
    'packages/wikitext',
    'packages/markdown',
    'node:',
    'yaml',
    'yazl',
    'hast*',
    'xast*',
  ],
  'src/cli': [
    'src/core',
    'src/import',
    'src/export',
    'src/words',
    'src/cache',
    'node:',
    'cli-progress',
    'tar-stream',
  ],
  // Settings refer to every configurable part.
  'src/config': ['*'],
  'src/run': ['*'],
};

/** Rooms of `src/core` with rules of their own, and what they may import. They form no cycle. */
const roomsOfCore: Record<string, string[]> = {
  'src/core/model': ['src/core/model', 'src/cache', 'src/html', 'src/words', 'packages/wikitext', '@orama/*'],
  'src/core/ports': ['src/core/ports', 'src/core/model', 'src/html', 'src/cache', 'packages/wikitext'],
};

/**
 * Files of a feature → what they may import besides files of their own folder. `store.ts` and its parts, such as `store-matches.ts`,
 * are imported by `features.ts` alone, and features never import each other, except in the pairs named here. Faces get no store: they reach the wiki by operations.
 */
const partsOfFeature: Record<string, string[]> = {
  'src/features/*/*.ts': ['src/core', 'src/html', 'src/words', 'packages/wikitext', 'typebox*'],
  'src/features/*/loop.ts': ['src/core', 'src/words', 'src/scheduling', 'node:'],
  'src/features/*/store*.ts': ['src/core', 'src/store', 'src/words', 'kysely'],
  'src/features/*/http.ts': ['src/core', 'src/http'],
  'src/features/*/mcp.ts': ['src/core', 'src/http', 'typebox*'],
  'src/features/*/web*.ts': ['src/core', 'src/web', 'src/html', 'src/words'],
  'src/features/*/cli.ts': ['src/core', 'src/cli'],
  // Its approval makes comments and proposals.
  'src/features/strangers/operations.ts': [
    ...['src/core', 'src/features/comments', 'src/features/proposals', 'src/words', 'typebox*'],
  ],
  // Names of actions in proposals.
  'src/features/strangers/web.ts': [
    ...['src/core', 'src/features/proposals', 'src/html', 'src/web', 'src/words'],
  ],
};

/** Engine-specific words, and the files that may contain them. */
const engineWords =
  /\b(sqlite|postgres(ql)?|node:sqlite|pragma|fts5|tsvector|tsquery|pg_trgm|jsonb|serializable|begin immediate)\b/i;
const seam = /^src\/store\/(engine\.ts$|sqlite\/|postgres\/|migrations\/)/;

interface Source {
  path: string;
  folder: string;
  text: string;
  /** Source without comments, which may mention what code may not. */
  code: string;
  imports: string[];
}

const sources = [
  ...filesIn('src'),
  ...filesIn('packages/wikitext/src'),
  ...filesIn('packages/markdown/src'),
  ...filesIn('packages/scribunto/src'),
  ...filesIn('packages/client/src'),
].map(read);

const everything = [...sources, ...[...filesIn('bench'), ...filesIn('test')].map(read)];

test('every folder is in the import table', () => {
  const unknown = sources.filter(({ path, folder }) => !allowedTo(path, folder) && folder !== 'src');
  expect(unknown.map(({ path }) => path)).toEqual([]);
});

test('folders import only what the import table allows', () => {
  const wrong = sources.flatMap((source) => {
    const allowed = allowedTo(source.path, source.folder);
    if (!allowed || isTest(source.path)) return [];
    return source.imports
      .map((specifier) => placeOf(source.path, specifier))
      .filter((place) => place !== source.folder && !allowed.some((rule) => matches(rule, place)))
      .map((place) => `${source.path} imports ${place}`);
  });
  expect(wrong).toEqual([]);
});

test('folders of the core import only what they may, and form no cycle', () => {
  const roomOf = (path: string) => /^src\/core\/[\w-]+/.exec(path)?.[0] ?? path;
  const wrong: string[] = [];
  const edges: Edges = new Map();
  for (const { path, folder, imports } of sources) {
    if (folder !== 'src/core' || isTest(path)) continue;
    const room = roomOf(path);
    for (const specifier of imports) {
      const place =
        placeOf(path, specifier) === 'src/core' ? roomOf(fileOf(path, specifier)) : placeOf(path, specifier);
      if (roomsOfCore[room]?.some((rule) => matches(rule, place)) === false)
        wrong.push(`${path} imports ${place}`);
      if (place !== room) addEdge(edges, room, place);
    }
  }
  expect([...wrong, ...circlesOf(edges)]).toEqual([]);
});

test('features keep their rows out of other files, and their faces use operations only', () => {
  const inFeatures = sources.filter(({ path }) => path.startsWith('src/features/') && !isTest(path));
  const knowing = inFeatures.filter(
    ({ path, imports }) => !/\/store[^/]*$/.test(path) && imports.some((one) => /^\.\/store\b/.test(one)),
  );
  const faces = inFeatures.filter(({ path }) => /\/(http|web(-[a-z-]+)?|cli|mcp)\.ts$/.test(path));
  const reaching = faces.filter(({ code }) =>
    /\b(store|service|transact)\b/.test(code.replace(/^import [^;]*;$/gm, '')),
  );
  expect([...knowing, ...reaching].map(({ path }) => path)).toEqual([]);
});

test('ARCHITECTURE.md shows the import table', () => {
  const cell = (names: string[]) => names.map((name) => `\`${name}\``).join(', ') || 'nothing';
  const rows = Object.entries({ ...mayImport, ...roomsOfCore, ...partsOfFeature })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, allowed]) => `| \`${folder}\` | ${allowed.includes('*') ? 'anything' : cell(allowed)} |`);
  expect(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')).toContain(rows.join('\n'));
});

test('imports between folders form no cycle', () => {
  const edges: Edges = new Map();
  for (const source of sources) {
    if (isTest(source.path) || source.folder === 'src') continue;
    for (const specifier of source.imports) {
      const place = placeOf(source.path, specifier);
      if (place in mayImport && place !== source.folder) addEdge(edges, source.folder, place);
    }
  }
  expect(circlesOf(edges)).toEqual([]);
});

test('imports between files form no cycle', () => {
  const known = new Set(everything.map(({ path }) => path));
  const edges: Edges = new Map();
  for (const { path, imports } of everything) {
    for (const specifier of imports) {
      const next = fileOf(path, specifier);
      if (known.has(next)) addEdge(edges, path, next);
    }
  }
  expect(circlesOf(edges)).toEqual([]);
});

test('within a folder imports are relative, across folders they name the folder', () => {
  const wrong = sources.flatMap(({ path, folder, imports }) => {
    if (folder === 'src' || folder === 'packages/wikitext') return [];
    return imports
      .filter((specifier) => specifier.startsWith('.') !== (placeOf(path, specifier) === folder))
      .filter((specifier) => /^[.#]/.test(specifier))
      .map((specifier) => `${path} imports ${specifier}`);
  });
  expect(wrong).toEqual([]);
});

test('every value that src exports is named in another file', () => {
  const namedBy = new Map<string, number>();
  for (const { code } of everything)
    for (const name of new Set(code.match(/\b[a-z]\w{3,}\b/gi)))
      namedBy.set(name, (namedBy.get(name) ?? 0) + 1);
  const wrong = sources
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, code }) =>
      [...code.matchAll(/^export (?:const|class|(?:async )?function\*?) (\w{4,})\b/gm)]
        .filter(([, name = '']) => namedBy.get(name) === 1)
        .map(([, name]) => `${path}: ${name}`),
    );
  expect(wrong).toEqual([]);
});

test('exports are named', () => {
  const wrong = sources.filter(({ code }) => /^export default\b|^export \* from\b/m.test(code));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('nothing is cast to any, and no type error is suppressed', () => {
  const wrong = sources.filter(
    ({ code, text, path }) =>
      !isTest(path) && (/\bas any\b/.test(code) || /@ts-(ignore|nocheck|expect-error)/.test(text)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('words of a database engine occur only in the seam', () => {
  const wrong = sources
    .filter(({ path, folder }) => folder === 'src/store' && !seam.test(path) && !isTest(path))
    .flatMap(({ path, code }) =>
      code
        .split('\n')
        .filter((line) => engineWords.test(line))
        // Lines of `store.ts` that choose the engine.
        .filter(
          (line) => !(path === 'src/store/store.ts' && /kind|import|openSqlite|openPostgres/.test(line)),
        )
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(wrong).toEqual([]);
});

test('only the files listed here open outgoing connections', () => {
  const allowed = [
    // Hosts from the settings: identity providers, object storage, mail server, database.
    'src/auth/oauth-fetch.ts',
    // Only the socket of the server in the data folder.
    'src/cli/restart.ts',
    'src/outgoing/outgoing.ts',
    'src/outgoing/purge.ts',
  ];
  const opens =
    /(?<![.\w'"`-])fetch\(|from 'undici'|\b(http|https|net|tls)Request\(|\bimport\b[^;]*\b(request|get|connect|createConnection|Socket|Agent)\b[^;]*from 'node:(http|https|http2|net|tls|dns)/;
  // Scripts in the browser reach what the policy of the page permits: the wiki itself.
  const found = sources.filter(
    ({ path, folder, code }) =>
      path.startsWith('src/') && folder !== 'src/web/islands' && !isTest(path) && opens.test(code),
  );
  const types = /^import type [^;]*;$/gm;
  expect(found.filter(({ code }) => opens.test(code.replace(types, ''))).map(({ path }) => path)).toEqual(
    allowed,
  );
});

test('every file begins with a comment about its purpose', () => {
  const silent = sources.filter(({ path, text }) => !isTest(path) && !/^(#!.*\n)?\/\*\*/.test(text));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('a file of more than 400 lines gives the reason at its top', () => {
  const long = sources.filter(({ text, path }) => text.split('\n').length > 401 && !isTest(path));
  const unexplained = long.filter(({ text }) => {
    const head = text.slice(0, text.indexOf('*/'));
    return !/\b(one (long )?file|in one place|together|400 lines)\b/i.test(head);
  });
  expect(unexplained.map(({ path, text }) => `${path}: ${text.split('\n').length} lines`)).toEqual([]);
});

test('no line is longer than 200 characters, except for one sentence or one pattern', () => {
  const alone =
    /^\s*(?:[\w$]+: |[\w$ ]+ = |return )?(?:'(?:[^'\\]|\\.)*'|`[^`<]*`|\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*)[,;.)\w(]*$/;
  const wrong = sources
    .filter(({ path }) => path.startsWith('src/') && !isTest(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (line.length > 200 && !alone.test(line) ? [`${path}:${at + 1}`] : [])),
    );
  expect(wrong).toEqual([]);
});

test('no literal is spread into another, where its members could stand', () => {
  const wrong = sources.flatMap(({ path, code }) => {
    const spread = [...code.matchAll(/(?<=[{,(]\s*)\.\.\.\{(?! *\.\.\.)[^{}?]*\}(?=\s*[,})])/g)];
    return isTest(path) ? [] : spread.map(([found]) => `${path}: ${found}`);
  });
  expect(wrong).toEqual([]);
});

test('meaningless names are not used', () => {
  const vague = sources.filter(({ path }) =>
    /(^|[/-])(utils?|helpers?|manager|common|misc)(\.|-|\/)/.test(path),
  );
  expect(vague.map(({ path }) => path)).toEqual([]);
});

/** Addresses of all modules that these load. */
function loadedBy(...modules: string[]): string[] {
  const script = `import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    for (const one of ${JSON.stringify(modules)}) await import(one);
    console.log(JSON.stringify(loaded));`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 10_000_000 }),
  );
}

test('a start does not load modules that only some requests need', () => {
  const packages = new Set(
    loadedBy('./src/run/serve.ts').flatMap(
      (url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [],
    ),
  );
  expect(packages).toContain('fastify');
  const idle = ['highlight.js', 'temml', 'file-type', 'sharp', 'esbuild', 'pg', 'pino-pretty'];
  expect(idle.filter((name) => packages.has(name))).toEqual([]);
  expect([...packages].filter((name) => /^@aws-sdk|^@modelcontext|^ajv|compiler/.test(name))).toEqual([]);
});

test('a command that reads no texts does not load the languages', () => {
  const loaded = loadedBy(
    './src/run/command-context.ts',
    './src/cli/member.ts',
    './src/features/groups/cli.ts',
  );
  expect(loaded.some((url) => url.includes('/kysely/'))).toBe(true);
  expect(loaded.filter((url) => /\/packages\/\w+\/src\/(index|parse)|markdown-it/.test(url))).toEqual([]);
});

test('only the first start loads the type stripper', () => {
  const told = encodeURIComponent('process.on("exit", () => console.error(process.moduleLoadList.join()))');
  const builtInsOf = () =>
    spawnSync('bin/coppice', ['openapi'], {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_OPTIONS: `--import=data:text/javascript,${told}` },
      encoding: 'utf8',
      maxBuffer: 10_000_000,
    }).stderr;
  builtInsOf();
  const second = builtInsOf();
  expect(second).toContain('NativeModule internal/modules/');
  expect(second).not.toContain('amaro');
});

test('npm start, the image and the unit start the server alike', () => {
  for (const [path, command] of [
    ['package.json', '"start": "exec bin/coppice serve"'],
    ['Dockerfile', 'CMD ["bin/coppice", "serve"]'],
    ['deploy/coppice.service', 'ExecStart=/opt/coppice/bin/coppice serve'],
  ] as const) {
    const text = readFileSync(join(root, path), 'utf8');
    expect(text, path).toContain(command);
    expect(text, path).not.toMatch(/MALLOC_|--memory-saver-mode/);
  }
});

test('dates are formatted in one place for the site, and in one for letters and exports', () => {
  const formats = /toLocale(Date|Time)?String\(|DateTimeFormat\(|toISOString\(\)\s*\.(slice|split)/;
  expect(
    sources
      .filter(
        ({ path, code }) =>
          /^src\/(web|core|export|http)\//.test(path) && !isTest(path) && formats.test(code),
      )
      .map(({ path }) => path),
  ).toEqual(['src/core/model/date-words.ts', 'src/web/time-words.ts']);
});

/** Folders or files, and those that each imports. */
type Edges = Map<string, Set<string>>;

function addEdge(edges: Edges, from: string, to: string): void {
  edges.set(from, (edges.get(from) ?? new Set()).add(to));
}

function circlesOf(edges: Edges): string[] {
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (from: string, trail: string[]) => {
    if (trail.includes(from)) circles.push([...trail.slice(trail.indexOf(from)), from].join(' → '));
    if (finished.has(from) || trail.includes(from)) return;
    for (const next of edges.get(from) ?? []) visit(next, [...trail, from]);
    finished.add(from);
  };
  for (const from of edges.keys()) visit(from, []);
  return circles;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !/\/(node_modules|vendor|static)\//.test(path))
    .sort();
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/^\s*\/\/.*$/gm, '');
  const imports = [
    ...code.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import '([^']+)'/g,
    ),
  ];
  return {
    path,
    folder: folderOf(path),
    text,
    code,
    imports: imports.map(([, from, lazy, bare]) => from ?? lazy ?? bare ?? ''),
  };
}

function folderOf(path: string): string {
  const segments = path.split('/');
  if (segments[0] === 'packages') return segments.slice(0, 2).join('/');
  if (path.startsWith('src/web/islands/')) return 'src/web/islands';
  if (path.startsWith('src/features/')) return segments.slice(0, 3).join('/');
  return segments.length > 2 ? segments.slice(0, 2).join('/') : 'src';
}

function allowedTo(path: string, folder: string): string[] | undefined {
  if (!path.startsWith('src/features/')) return mayImport[folder];
  const part = `src/features/*/${path.split('/').at(-1)}`.replace(/(store|web)(-[a-z-]+)?\.ts$/, '$1*.ts');
  return partsOfFeature[path] ?? partsOfFeature[part] ?? partsOfFeature['src/features/*/*.ts'];
}

/** Returns the file that a local import refers to; package names are returned unchanged. */
function fileOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
  if (specifier.startsWith('#')) return specifier.replace(/^#(src|test)\//, '$1/').replace(/^#/, 'src/');
  return specifier;
}

/** Target of an import: a folder of the repository, `node:`, or a package name. */
function placeOf(path: string, specifier: string): string {
  if (/^[.#]/.test(specifier)) return folderOf(fileOf(path, specifier));
  const [, language] = /^@coppice\/(\w+)/.exec(specifier) ?? [];
  if (language) return `packages/${language}`;
  if (specifier.startsWith('node:')) return 'node:';
  return specifier;
}

function matches(rule: string, place: string): boolean {
  return rule.endsWith('*') ? place.startsWith(rule.slice(0, -1)) : rule === place;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}
