/**
 * A wiki generated from a seed. Each page is computed on its own, so a million pages need no memory, and page 7 is the same in
 * a small world and in a large one, except for the targets of its links.
 *
 * The tree has up to 6 levels. Each page has three changes of about 2 kB of wikitext, words by Zipf's law, headings, lists,
 * five links of which one has no target, tags, and in two of three cases a type. One page in ten is a place: the first 10,000
 * places are in towns of forty within 350 km of one point, further ones in towns anywhere on Earth. One page in twenty is
 * private to its owner.
 */
import { type Chance, chance, zipf } from './random.ts';
import { capital, headings, nameOf, words } from './words.ts';

export interface WorldOptions {
  pages: number;
  seed: number;
}

export interface WorldPage {
  title: string;
  slug: string;
  path: string;
  /** Number of the parent page, or -1 for a root page. */
  parent: number;
  depth: number;
  /** Members are numbered from 1. */
  owner: number;
  permissions: number;
  type: string | null;
  tags: [key: string, value: string][];
  location: { lat: number; lon: number } | null;
  /** Changes, oldest first. Times are milliseconds since the epoch. */
  changes: { body: string; msg: string; at: number; editor: number }[];
}

export interface World {
  readonly size: number;
  /** Returns page `number`, from 0 to size - 1. Parents come before their children. */
  page(number: number): WorldPage;
  title(number: number): string;
  path(number: number): string;
  parent(number: number): number;
  depth(number: number): number;
  isPrivate(number: number): boolean;
  typeOf(number: number): string | null;
  tagsOf(number: number): [key: string, value: string][];
  locationOf(number: number): { lat: number; lon: number } | null;
}

export const centre = { lat: 52.5, lon: 13.4 };
export const memberCount = 50;
const maxDepth = 6;
const changesPerPage = 3;
const firstAt = Date.UTC(2024, 0, 1);
const lastAt = Date.UTC(2026, 9, 1);
const townSize = 40;
const placesNearCentre = 10_000;

const types = ['Article', 'Person', 'Event', 'Recipe', 'Organisation', 'Book', 'Species', 'Term'];
const seasons = ['spring', 'summer', 'autumn', 'winter'];
const rankOfWord = zipf(words.length, 1.05);
const rankOfTopic = zipf(300, 0.8);
const rankOfType = zipf(types.length, 1);

export function createWorld({ pages: size, seed }: WorldOptions): World {
  const { parents, depths } = growTree(size, seed);
  const rankOfLinked = zipf(size, 0.7);
  const wantedTitles = Math.max(10, size >> 1);
  const rankOfWanted = zipf(wantedTitles, 0.5);

  const title = (number: number): string => {
    const c = chance(seed, number, 1);
    const kind = words[100 + c.integer(400)] as string;
    const first = capital(words[500 + c.integer(3000)] as string);
    const accented = c.next() < 0.1 ? `É${first.toLowerCase()}` : first;
    return c.next() < 0.5 ? `${accented} ${kind} of ${nameOf(number)}` : `${nameOf(number)} ${kind}`;
  };
  const path = (number: number): string => {
    const parent = parents[number] as number;
    return `${parent < 0 ? '' : path(parent)}/${slugOf(title(number))}`;
  };
  const isPrivate = (number: number) => chance(seed, number, 2).next() < 0.05;
  const isPlace = (number: number) => number % 10 === 7;
  const locationOf = (number: number) => (isPlace(number) ? placeOf((number - 7) / 10, seed) : null);
  const typeOf = (number: number): string | null => {
    if (isPlace(number)) return 'Place';
    const c = chance(seed, number, 3);
    return c.next() < 0.65 ? (types[rankOfType(c)] as string) : null;
  };
  const tagsOf = (number: number): [string, string][] => {
    const c = chance(seed, number, 4);
    const tags: [string, string][] = [['topic', topicOf(rankOfTopic(c))]];
    if (c.next() < 0.5) tags.push(['season', c.pick(seasons)]);
    if (c.next() < 0.4) tags.push(['topic', topicOf(rankOfTopic(c))]);
    if (c.next() < 0.3) tags.push(['year', String(1700 + c.integer(326))]);
    return tags;
  };
  const linksOf = (number: number): string[] => {
    const c = chance(seed, number, 5);
    const links: string[] = [];
    for (let i = 0; i < 4; i++) {
      // Spreads popular pages over the tree, so that they are not all near its root.
      const to = (rankOfLinked(c) * 7919 + 13) % size;
      links.push(c.next() < 0.25 ? path(to) : title(to));
    }
    links.push(`Lost ${nameOf(50_000_000 + rankOfWanted(c))}`);
    return links;
  };

  return {
    size,
    title,
    path,
    isPrivate,
    typeOf,
    tagsOf,
    locationOf,
    parent: (number) => parents[number] as number,
    depth: (number) => depths[number] as number,
    page(number) {
      const c = chance(seed, number, 6);
      const page = { title: title(number), tags: tagsOf(number), links: linksOf(number) };
      const type = typeOf(number);
      const location = locationOf(number);
      const at = firstAt + c.next() * (lastAt - firstAt);
      const changes = Array.from({ length: changesPerPage }, (_, version) => ({
        body: bodyOf(seed, number, version, page, location ? null : type, location),
        msg: version === 0 ? '' : sentence(chance(seed, number, 7, version), 3, 6),
        at: Math.floor(at + (version * (lastAt - at) * c.next()) / changesPerPage),
        editor: 1 + c.integer(memberCount),
      }));
      changes.sort((a, b) => a.at - b.at);
      return {
        title: page.title,
        slug: slugOf(page.title),
        path: path(number),
        parent: parents[number] as number,
        depth: depths[number] as number,
        owner: changes[0]?.editor ?? 1,
        permissions: isPrivate(number) ? 700 : 774,
        type,
        tags: page.tags,
        location,
        changes,
      };
    },
  };
}

export function topicOf(rank: number): string {
  return words[150 + rank] as string;
}

/** Returns a text of about `bytes` for pages that the bench itself creates. */
export function someBody(c: Chance, bytes: number): string {
  let text = '';
  while (text.length < bytes) text += `${paragraph(c)}\n\n`;
  return `${text}[[Topic:${topicOf(rankOfTopic(c))}]]`;
}

function growTree(size: number, seed: number): { parents: Int32Array; depths: Uint8Array } {
  const parents = new Int32Array(size);
  const depths = new Uint8Array(size);
  for (let number = 0; number < size; number++) {
    const c = chance(seed, number, 0);
    if (number < 20 || c.next() < 0.001) {
      parents[number] = -1;
      continue;
    }
    // Older pages have more descendants.
    let parent = Math.floor(number * c.next() ** 2);
    while ((depths[parent] as number) >= maxDepth) parent = parents[parent] as number;
    parents[number] = parent;
    depths[number] = (depths[parent] as number) + 1;
  }
  return { parents, depths };
}

function bodyOf(
  seed: number,
  number: number,
  version: number,
  page: { title: string; tags: [string, string][]; links: string[] },
  type: string | null,
  location: { lat: number; lon: number } | null,
): string {
  const shape = chance(seed, number, 8);
  const bytes = 1400 + shape.integer(1000);
  const parts: string[] = [];
  let length = 0;
  const add = (part: string) => {
    parts.push(part);
    length += part.length + 2;
  };
  const links = [...page.links];
  for (let i = 0; length < bytes; i++) {
    // Each later version rewrites every third paragraph.
    const written = version > 0 && i % 3 === version % 3 ? version : 0;
    const c = chance(seed, number, 9, i, written);
    if (i > 0 && i % 2 === 1) add(`== ${headings[(number + i) % headings.length]} ==`);
    if (i % 4 === 2) {
      const items = Array.from(
        { length: 3 + c.integer(3) },
        () => `* ${linked(c, links)}${sentence(c, 4, 10)}`,
      );
      add(items.join('\n'));
    } else {
      const text = `${linked(c, links)}${paragraph(c)}`;
      add(i === 0 ? `'''${page.title}''' ${text}` : text);
    }
  }
  if (links.length > 0) add(links.map((link) => `* [[${link}]]`).join('\n'));
  for (const marker of markersOf(page.tags, type, location)) add(marker);
  return parts.join('\n\n');
}

function markersOf(
  tags: [string, string][],
  type: string | null,
  location: { lat: number; lon: number } | null,
): string[] {
  return [
    ...(tags.length > 0 ? [tags.map(([key, value]) => `[[${capital(key)}:${value}]]`).join(' ')] : []),
    ...(type ? [`[[Type:${type}]]`] : []),
    ...(location ? [`[[Location:${location.lat}, ${location.lon}]]`] : []),
  ];
}

function linked(c: Chance, links: string[]): string {
  const target = links.shift();
  if (target === undefined) return '';
  return c.next() < 0.3 ? `[[${target}|${sentence(c, 1, 3).slice(0, -1)}]] ` : `[[${target}]] `;
}

function paragraph(c: Chance): string {
  return Array.from({ length: 2 + c.integer(4) }, () => sentence(c, 6, 18)).join(' ');
}

function sentence(c: Chance, least: number, most: number): string {
  const count = least + c.integer(most - least + 1);
  const text: string[] = [];
  for (let i = 0; i < count; i++) {
    const word = words[rankOfWord(c)] as string;
    text.push(c.next() < 0.01 ? `''${word}''` : word);
  }
  return `${capital(text.join(' '))}.`;
}

function placeOf(place: number, seed: number): { lat: number; lon: number } {
  const town = Math.floor(place / townSize);
  const t = chance(seed, town, 10);
  const c = chance(seed, place, 11);
  const isNear = place < placesNearCentre;
  const at = isNear
    ? displaced(centre, 350 * Math.sqrt(t.next()), 2 * Math.PI * t.next())
    : { lat: (Math.asin(2 * t.next() - 1) * 180) / Math.PI, lon: 360 * t.next() - 180 };
  const spread = displaced(at, Math.abs(8 * c.normal()), 2 * Math.PI * c.next());
  return { lat: rounded(Math.max(-90, Math.min(90, spread.lat))), lon: rounded(wrapped(spread.lon)) };
}

function displaced(from: { lat: number; lon: number }, km: number, bearing: number) {
  const lat = from.lat + (km / 111.2) * Math.cos(bearing);
  const shrink = Math.max(0.01, Math.cos((from.lat * Math.PI) / 180));
  return { lat, lon: from.lon + ((km / 111.2) * Math.sin(bearing)) / shrink };
}

function wrapped(lon: number): number {
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-');
}
