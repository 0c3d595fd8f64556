/**
 * Front matter: facts about a page in YAML, between two lines of hyphens at the very beginning. It is never shown. `type`,
 * `location` and `tags` mean what the markers of that name mean, `description` describes the page, and all other keys are data.
 */
import type { MarkerNode } from '@coppice/wikitext';
import { parse } from 'yaml';

/** Longest front matter in characters; anything longer is page text. */
const maxLength = 20_000;
const maxTags = 200;
const block = /^---[ \t]*\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\n|$)/m;

export type FrontMatter = {
  /** Offset of the first character after the front matter. */
  end: number;
  markers: MarkerNode[];
  description: string | undefined;
  /** All other facts, including `title` and `aliases`. */
  data: Readonly<Record<string, unknown>>;
};

/** Returns undefined if the page has no front matter, or if the text between the hyphens is no set of facts. */
export function readFrontMatter(source: string): FrontMatter | undefined {
  if (!source.startsWith('---')) return undefined;
  const match = block.exec(source.slice(0, maxLength));
  if (match?.index !== 0) return undefined;
  const facts = factsIn(match[1] ?? '');
  if (!facts) return undefined;
  const { description, type, location, tags, ...data } = facts;
  const end = match[0].length;
  const marker = (key: string, value: string): MarkerNode => ({ type: 'marker', key, value, start: 0, end });
  const markers = listOf(tags)
    .slice(0, maxTags)
    .map((tag) => marker('tag', tag));
  if (isText(type)) markers.push(marker('type', String(type)));
  const place = placeOf(location);
  if (place) markers.push(marker('location', place));
  return { end, markers, description: isText(description) ? String(description) : undefined, data };
}

function factsIn(yaml: string): Record<string, unknown> | undefined {
  try {
    const facts: unknown = parse(yaml, { maxAliasCount: 20, prettyErrors: false, logLevel: 'error' });
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
