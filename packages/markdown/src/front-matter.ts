/**
 * Front matter: facts about a page at the very beginning, in YAML between two lines of hyphens or in TOML between two lines of
 * plus signs. It is never shown. `type`,
 * `location` and `tags` mean what the markers of that name mean, `description` describes the page, and all other keys are data.
 */
import type { MarkerNode } from '@coppice/wikitext';
import { parse as parseToml, TomlDate } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** Longest front matter in characters; anything longer is page text. */
const maxLength = 20_000;
const maxTags = 200;
const yamlBlock = /(?<![\s\S])\uFEFF?---[ \t\r]*\n([\s\S]*?)^(?:---|\.\.\.)[ \t\r]*(?:\n|$)/m;
const tomlBlock = /(?<![\s\S])\uFEFF?\+\+\+[ \t\r]*\n([\s\S]*?)^\+\+\+[ \t\r]*(?:\n|$)/m;

export type FrontMatter = {
  /** Offset of the first character after the front matter. */
  end: number;
  markers: MarkerNode[];
  description: string | undefined;
  /** All facts as they are written. */
  facts: Readonly<Record<string, unknown>>;
  /** All other facts, including `title` and `aliases`. */
  data: Readonly<Record<string, unknown>>;
};

/** Returns undefined if the page has no front matter, or if the text between its two lines is no set of facts. */
export function readFrontMatter(source: string): FrontMatter | undefined {
  const found = blockAt(source);
  const facts = found && (found.isToml ? tomlFacts(found.text) : yamlFacts(found.text));
  if (!facts) return undefined;
  const { description, type, location, tags, ...data } = facts;
  const { end } = found;
  const marker = (key: string, value: string): MarkerNode => ({ type: 'marker', key, value, start: 0, end });
  const markers = listOf(tags)
    .slice(0, maxTags)
    .map((tag) => marker('tag', tag));
  if (isText(type)) markers.push(marker('type', String(type)));
  const place = placeOf(location);
  if (place) markers.push(marker('location', place));
  return { end, markers, facts, description: isText(description) ? String(description) : undefined, data };
}

/** Returns the text with blanks in place of its front matter, so that offsets stay valid. */
export function withoutFacts(source: string, end = readFrontMatter(source)?.end ?? 0): string {
  return end === 0 ? source : source.slice(0, end).replace(/[^\n]/g, ' ') + source.slice(end);
}

/** Returns the text after the front matter. */
export function afterFacts(source: string): string {
  return source.slice(readFrontMatter(source)?.end ?? 0);
}

function blockAt(source: string): { text: string; end: number; isToml: boolean } | undefined {
  const isToml = /^\uFEFF?\+\+\+/.test(source);
  if (!isToml && !/^\uFEFF?---/.test(source)) return undefined;
  const match = (isToml ? tomlBlock : yamlBlock).exec(source.slice(0, maxLength));
  return match?.index === 0 ? { text: match[1] ?? '', end: match[0].length, isToml } : undefined;
}

function tomlFacts(toml: string): Record<string, unknown> | undefined {
  try {
    return asJson(parseToml(toml)) as Record<string, unknown>;
  } catch {
    // Invalid TOML: the plus signs and what stands between them are text.
    return undefined;
  }
}

/** Writes dates as text, because data is JSON. */
function asJson(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
}

function yamlFacts(yaml: string): Record<string, unknown> | undefined {
  if (yaml.trim() === '') return {};
  try {
    const facts: unknown = parseYaml(yaml, { maxAliasCount: 20, prettyErrors: false, logLevel: 'error' });
    return typeof facts === 'object' && facts !== null && !Array.isArray(facts) ? { ...facts } : undefined;
  } catch {
    // Invalid YAML: the hyphens are read as a horizontal rule and the rest as text.
    return undefined;
  }
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

/** Reads a list, or words separated by commas or spaces. Obsidian's tags may begin with a number sign. */
function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,\s]+/) : [];
  return list
    .filter(isText)
    .map((tag) => String(tag).trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
}

/** Reads `51.7, -1.2`, `[51.7, -1.2]`, or `{lat, lon}`. */
function placeOf(value: unknown): string | undefined {
  if (isText(value)) return String(value);
  if (Array.isArray(value) && value.length === 2) return value.join(', ');
  if (typeof value !== 'object' || value === null) return undefined;
  const { lat, lon, lng } = value as Record<string, unknown>;
  return isText(lat) && isText(lon ?? lng) ? `${lat}, ${lon ?? lng}` : undefined;
}
