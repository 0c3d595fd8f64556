/** Addresses of VitePress and VuePress, with rewrites of the settings. */
import { textIn } from './settings.ts';
import { type SiteDocument, withIndex } from './site-address.ts';

export function vitepressAddresses({ path, facts }: SiteDocument, rewrites: readonly Rewrite[]): string[] {
  const own = withIndex(path, /^(?:index|readme)$/i);
  const permalink = textIn(facts, 'permalink');
  const moved = rewrites.flatMap((rewrite) => rewritten(path, rewrite) ?? []);
  const all = [...moved.map((one) => withIndex(one, /^index$/i)), own].map((one) => `${one}.html`);
  return permalink === undefined ? all : [permalink.replace(/^\//, ''), ...all];
}

interface Rewrite {
  from: string;
  to: string;
}

export function rewritesIn(program: string): Rewrite[] {
  const [, block = ''] = /\brewrites\s*:\s*\{([^{}]{0,20000})\}/.exec(program) ?? [];
  return [...block.matchAll(/(["'])([^"'\n]{1,300})\1\s*:\s*(["'])([^"'\n]{1,300})\3/g)].map(
    ([, , from = '', , to = '']) => ({ from, to }),
  );
}

/** `packages/:name/docs/(.*)` by `:name/:rest*`: parts of a path that have names or stand in brackets. */
function rewritten(path: string, { from, to }: Rewrite): string | undefined {
  const names: string[] = [];
  const pattern = from.replace(
    /:(\w+)(\(\.\*\)|\*)?|\(\.\*\)|[.*+?^${}()|[\]\\]/g,
    (whole, name?: string, many?: string) => {
      if (name === undefined && whole !== '(.*)') return `\\${whole}`;
      names.push(name ?? String(names.length));
      return many || name === undefined ? '(.*)' : '([^/]+)';
    },
  );
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (!match) return undefined;
  return to.replace(/:(\w+)\*?|\$(\d)/g, (whole, name?: string, number?: string) => {
    const at = name === undefined ? Number(number) - 1 : names.indexOf(name);
    return match[at + 1] ?? whole;
  });
}
