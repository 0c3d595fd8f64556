/**
 * Switches the exports of a package between its TypeScript sources and its build.
 *
 *   node ../manifest.ts build     "./src/index.ts" → { "types": "./dist/index.d.ts", "default": "./dist/index.js" }
 *   node ../manifest.ts sources   and back
 *
 * In the repository everything runs from the sources, without a build. A packed package holds only the build, because Node
 * strips no types within `node_modules`. `npm pack` and `npm publish` run the first as `prepack` and the second as `postpack`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Target = string | { types: string; default: string };

const [form] = process.argv.slice(2);
if (form !== 'build' && form !== 'sources')
  throw new Error(`Run "node ../manifest.ts build" or "node ../manifest.ts sources", not "${form ?? ''}".`);
const manifest: { exports: Record<string, Target>; main?: string; types?: string } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
for (const [entry, target] of Object.entries(manifest.exports)) {
  const source = typeof target === 'string' ? target : target.types;
  const name = /^\.\/(?:src|dist)\/(.+?)(?:\.d)?\.ts$/.exec(source)?.[1];
  // `./package.json` stays as it is.
  if (name === undefined) continue;
  manifest.exports[entry] =
    form === 'sources' ? `./src/${name}.ts` : { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` };
}
// For tools that do not read `exports`.
const entry = manifest.exports['.'];
delete manifest.main;
delete manifest.types;
if (typeof entry === 'object') Object.assign(manifest, { main: entry.default, types: entry.types });
writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
