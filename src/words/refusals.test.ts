/** Refusals that people meet on the site are messages of the catalogues, so that each reads them in their own language. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Rooms whose refusals only programs and operators read: those of the API's own protocol, the command line and maintenance. */
const english =
  /^src\/(cli|config|copies|http|import|run)\/|^src\/store\/(maintenance\/|migrate)|^src\/store\/sqlite\/handle|^src\/features\/[^/]*\/(cli|mcp)\.ts$|\.test\.ts$/;

/** A refusal whose sentence is text in the code. */
const written =
  /(?:new Problem|\binvalid|\bfieldError|\btooManyRequests)\(\s*(?:(?:[^(),'`]|'[^']*'|`[^`]*`)+,\s*)?(?:'[^'\n]* [^'\n]*'|`[^`]* [^`]*`)/g;

test('refusals in the core, the features, the store and the site are said', () => {
  const found = globSync('src/**/*.ts')
    .filter((path) => !english.test(path))
    .flatMap((path) => {
      const code = readFileSync(path, 'utf8');
      return [...code.matchAll(written)]
        .filter(({ index }) => !/onSite/.test(code.slice(index, index + 400)))
        .map(([text]) => `${path}: ${text}`);
    });
  expect(found).toEqual([]);
});
