/** Calls do what Scribunto's reference manual says, and refuse in Scribunto's words. */
import { describe, expect, it } from 'vitest';
import { cases, pages } from './manual-cases.ts';
import { furtherCases, furtherPages } from './manual-further-cases.ts';
import { say } from './wiki.ts';

const between = '\n¦¦\n';

/** Results of all expressions, in one call of a module. */
function resultsOf(expressions: readonly string[]): string[] {
  const functions = expressions.map((one) => `function() local all = pack(${one}) return all end`);
  const code = `
    local function pack(...) return { n = select('#', ...), ... } end
    local out = {}
    for i, f in ipairs { ${functions.join(',\n')} } do
      local ok, all = pcall(f)
      if ok then
        for at = 1, all.n do all[at] = tostring(all[at]) end
        out[i] = table.concat(all, ' | ')
      else out[i] = 'error: ' .. tostring(all):gsub('^%S+:%d+: ', '') end
    end
    return table.concat(out, '${between.replaceAll('\n', '\\n')}')`;
  return say(code, { ...pages, ...furtherPages }).split(between);
}

describe.each(Object.entries({ ...cases, ...furtherCases }))('%s', (_library, group) => {
  const results = resultsOf(group.map(([expression]) => expression));
  it.each(group.map(([expression, result], at) => [expression, result, results[at]]))(
    '%s',
    (_expression, expected, result) => {
      expect(result).toBe(expected);
    },
  );
});
