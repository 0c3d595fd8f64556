/** Settings of site generators that decide where pages lie and which addresses they have. Programs are read, never run. */
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { Problem } from '#core/model/problem.ts';
import type { Kind } from '../source.ts';
import { type FileTree, textOf } from './file-tree.ts';

export type Facts = Readonly<Record<string, unknown>>;

export interface SiteSettings {
  /** Parsed settings; empty if there are none, or if they are a program. */
  facts: Facts;
  /** Text of settings that are a program. */
  program: string;
}

const files: Partial<Record<Kind, RegExp>> = {
  mkdocs: /^mkdocs\.ya?ml$/,
  mdbook: /^book\.toml$/,
  gitbook: /^(?:\.gitbook\.ya?ml|book\.json)$/,
  hugo: /^(?:(?:hugo|config)\.(?:toml|ya?ml|json)|config\/_default\/(?:hugo|config)\.(?:toml|ya?ml|json))$/,
  zola: /^config\.toml$/,
  jekyll: /^_config\.ya?ml$/,
  logseq: /^logseq\/config\.edn$/,
  docusaurus: /^docusaurus\.config\.\w+$/,
  eleventy: /^(?:\.eleventy|eleventy\.config)\.[cm]?js$/,
  vitepress: /^\.(?:vitepress|vuepress)\/config\.\w+$/,
};

export async function readSettings(tree: FileTree, kind: Kind, base: string): Promise<SiteSettings> {
  const pattern = files[kind];
  const path =
    pattern &&
    [...tree.paths, ...tree.hidden].find(
      (path) => path.startsWith(base) && pattern.test(path.slice(base.length)),
    );
  if (path === undefined) return { facts: {}, program: '' };
  const text = await readable(tree, path);
  if (/\.(?:toml|ya?ml|json)$/.test(path)) {
    const facts = factsIn(text, path.endsWith('.toml')) ?? {};
    return {
      facts: kind === 'hugo' ? { ...(await hugoLanguages(tree, base)), ...facts } : facts,
      program: '',
    };
  }
  // Comments would hide or invent settings.
  return { facts: {}, program: text.replace(/^\s*(?:\/\/|;).*$/gm, '') };
}

async function readable(tree: FileTree, path: string): Promise<string> {
  return textOf(tree, path).catch((error) => {
    if (error instanceof Problem) return '';
    throw error;
  });
}

/** Languages that Hugo has in a file of their own. */
async function hugoLanguages(tree: FileTree, base: string): Promise<Facts> {
  const name = `${base}config/_default/languages.`;
  const path = tree.paths.find((path) => path.startsWith(name) && /\.(?:toml|ya?ml|json)$/.test(path));
  const languages = path && factsIn(await readable(tree, path), path.endsWith('.toml'));
  return languages ? { languages } : {};
}

/** Undefined if the text is no set of facts. */
export function factsIn(text: string, isToml: boolean): Facts | undefined {
  try {
    const facts: unknown = isToml
      ? parseToml(text)
      : parseYaml(text, { maxAliasCount: 20, prettyErrors: false, logLevel: 'error' });
    return isFacts(facts) ? facts : undefined;
  } catch {
    // Settings with mistakes or tags of a program: the defaults of the program apply.
    return undefined;
  }
}

export function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function textIn(facts: Facts, name: string): string | undefined {
  const value = facts[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function listIn(facts: Facts, name: string): string[] {
  return [facts[name]].flat().filter((one): one is string => typeof one === 'string' && one.trim() !== '');
}

/** Text that a program assigns to a property: `path: '../docs'`. */
export function assigned(program: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*:\\s*(["'\`])([^"'\`\\n]{0,300})\\1`).exec(program)?.[2];
}

/** The first of these facts that is a time, in milliseconds. */
export function timeIn(
  facts: Readonly<Record<string, unknown>>,
  names: readonly string[],
): number | undefined {
  for (const name of names) {
    const value = facts[name];
    const at =
      typeof value === 'string' ? Date.parse(value) : value instanceof Date ? value.getTime() : Number.NaN;
    if (Number.isFinite(at) && at > 0) return at;
  }
  return undefined;
}
