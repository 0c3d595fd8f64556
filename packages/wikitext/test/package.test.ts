/**
 * The packages as others install them: packed, installed offline into an empty project, run by each available Node and bundled
 * for browsers. README examples run there, too: `expression; // → value` states the value.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'coppice-package-'));
const project = join(folder, 'project');
const packages = ['wikitext', 'markdown'] as const;

/** Node of this repository, and the first one on the PATH. */
const nodes = [
  process.execPath,
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .filter((place) => !place.includes('node_modules'))
    .map((place) => join(place, 'node'))
    .filter((file) => existsSync(file))
    .slice(0, 1),
];

beforeAll(async () => {
  // A copy, because packing rewrites the manifest that the service runs from.
  const copy = join(folder, 'repository');
  const ignored = /\/(?:dist|test|node_modules)$/;
  cpSync(join(root, 'packages'), join(copy, 'packages'), {
    recursive: true,
    filter: (from) => !ignored.test(from),
  });
  cpSync(join(root, 'tsconfig.json'), join(copy, 'tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await Promise.all(
    packages.map((name) =>
      run('npm', ['pack', '--pack-destination', folder], { cwd: join(copy, 'packages', name) }),
    ),
  );
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball('wikitext')], {
    cwd: project,
  });
  // `@coppice/markdown` has dependencies, which are taken from here instead of a registry.
  const installed = join(project, 'node_modules/@coppice/markdown');
  mkdirSync(installed);
  await run('tar', ['-xzf', tarball('markdown'), '-C', installed, '--strip-components=1']);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== '@coppice')
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tarball(name: (typeof packages)[number]): string {
  return join(folder, `coppice-${name}-0.1.0.tgz`);
}

function manifest(name: string): { exports: Record<string, string | { types: string; default: string }> } {
  return JSON.parse(readFileSync(join(project, 'node_modules/@coppice', name, 'package.json'), 'utf8'));
}

/** Every entry point of both packages, as an import. */
function entries(): string[] {
  return packages.flatMap((name) =>
    Object.entries(manifest(name).exports)
      .filter(([, target]) => typeof target !== 'string')
      .map(([entry]) => `@coppice/${name}${entry.slice(1)}`),
  );
}

describe('a packed package', () => {
  it('contains JavaScript and types, and no sources', async () => {
    for (const name of packages) {
      const { stdout } = await run('tar', ['-tzf', tarball(name)]);
      const files = stdout.trim().split('\n');
      expect(files.filter((file) => /\/src\/|(?<!\.d)\.ts$/.test(file))).toEqual([]);
      for (const file of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'])
        expect(files).toContain(`package/${file}`);
      if (name === 'wikitext') expect(files).toContain('package/EDITING.md');
      for (const target of Object.values(manifest(name).exports)) {
        if (typeof target === 'string') continue;
        for (const file of Object.values(target)) expect(files).toContain(`package/${file.slice(2)}`);
      }
    }
  });

  it('leaves the manifest of the repository as it was', () => {
    for (const name of packages) {
      const file = join('packages', name, 'package.json');
      expect(readFileSync(join(folder, 'repository', file), 'utf8')).toBe(
        readFileSync(join(root, file), 'utf8'),
      );
    }
  });

  it('has types that a compiler accepts', async () => {
    const file = join(project, 'types.ts');
    writeFileSync(
      file,
      `${entries()
        .map((entry, index) => `import * as e${index} from '${entry}';`)
        .join('\n')}
import { parse, type Tree } from '@coppice/wikitext';
const tree: Tree = parse('text');
export const wrong: number = tree.source;
export const all = [${entries().map((_, index) => `e${index}`)}];
`,
    );
    const { stdout } = await run(
      join(root, 'node_modules/.bin/tsc'),
      ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', file],
      { cwd: project },
    ).catch((error: { stdout: string }) => error);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringContaining("TS2322: Type 'string' is not assignable to type 'number'"),
    ]);
  });

  it('runs in a browser when it is bundled', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `${entries()
          .map((entry) => `import '${entry}';`)
          .join('\n')}
          import { parse, render } from '@coppice/wikitext';
          console.log(render(parse("''a''"), { pages: new Map(), files: new Map(), page: { path: '/', title: '' } }).html);`,
        resolveDir: project,
      },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      ignoreAnnotations: true,
      // Stub of the browser's `document`: a bundled library creates an element on load.
      banner: { js: 'globalThis.document = { createElement: () => ({}) };' },
      write: false,
    });
    const file = join(folder, 'bundle.mjs');
    writeFileSync(file, outputFiles[0]?.contents ?? '');
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout.trim()).toBe('<p><i>a</i>\n</p>');
  });

  describe.each(nodes)('%s', (node) => {
    it('imports every entry point', async () => {
      const text = entries()
        .map((entry) => `await import('${entry}');`)
        .join('\n');
      const { stdout } = await run(node, ['--input-type=module', '-e', `${text}\nconsole.log('all');`], {
        cwd: project,
      });
      expect(stdout.trim()).toBe('all');
    });

    it.each(packages)('runs the examples of the README of %s', async (name) => {
      const examples = readExamples(readFileSync(join(root, 'packages', name, 'README.md'), 'utf8'));
      expect(examples.reduce((sum, { claims }) => sum + claims, 0)).toBeGreaterThan(0);
      for (const [index, { code }] of examples.entries()) {
        const file = join(project, `readme-${name}-${index}.mjs`);
        writeFileSync(file, (await transform(code, { loader: 'ts' })).code);
        await run(node, [file], { cwd: project });
      }
    });
  });
});

/** TypeScript blocks, with the values after `// →` as assertions. */
function readExamples(markdown: string): { code: string; claims: number }[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => {
    let claims = 0;
    const code = block.replace(
      /^(?!\/\/)(\S.*); +\/\/ → (.+)$/gm,
      (_all, expression: string, value: string) => {
        claims++;
        const declared = /^(?:const|let) (\w+) = /.exec(expression);
        const named = declared ? `${expression}; ` : '';
        return `${named}deepEqual(${declared?.[1] ?? expression}, ${value});`;
      },
    );
    return { code: `import { deepStrictEqual as deepEqual } from 'node:assert';\n${code}`, claims };
  });
}
