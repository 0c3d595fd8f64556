/** Reads `world.txt`: `@ Title < Parent | Type | lat,lon | key=value; …`, then the page's text, parents before children. */
import { readFileSync } from 'node:fs';
import type { PageInput } from '#domain/page-input.ts';
import { slugOf } from '#domain/path.ts';

/** A page with its bodies from the oldest to the newest. */
export interface DemoPage extends PageInput {
  title: string;
  path: string;
  drafts: string[];
  hasPictures: boolean;
}

interface Entry {
  title: string;
  path: string;
  parent: string;
  type: string;
  at: [number, number] | undefined;
  facts: Record<string, string>;
  text: string;
}

const wanted = ['Alder Quern', 'Ashby Stile', 'Cold Fold', 'Snow lantern', 'Bread Survey', 'Widow’s Sluice'];
const moreWanted = ['Ropewalk', 'Hundred Steps', 'Fog Choir', 'Otter Count', 'Lost Mile', 'Second Ferry'];
const templates = [
  template('Place', '! kind\n| {{{kind|}}}\n{{#if: {{{people|}}} |{{!}}-\n! people\n{{!}} {{{people}}} }}'),
  template('Person', '! work\n| {{{job|}}}\n|-\n! at home in\n| [[{{{home|Wending}}}]]'),
  template('Made', '! where\n| [[{{{home|Wending}}}]]'),
];

/** Every page but the front page, which comes last so that its being there says that all is. */
export function readWorld(): DemoPage[] {
  const entries = readEntries(readFileSync(new URL('./world.txt', import.meta.url), 'utf8'));
  const shelf = page('Templates', '/templates', undefined, ['What pages share.\n\n{{Children}}']);
  const along = page('Along the Alder', '/templates/along-the-alder', '/templates', [
    "----\n''Along the [[Alder]]:'' [[Upper Dale]] · [[Middle Vale]] · [[Low Country]] · [[People]] · [[Guilds]] · [[Crafts]] · [[Calendar]] · [[Legends]]",
  ]);
  const home = page('Home', '/home', undefined, [front]);
  return [
    shelf,
    along,
    ...templates,
    ...entries.map((entry, index) => written(entry, index, entries)),
    ...extras,
    home,
  ];
}

const front = `Welcome to the '''Alder Valley''', an invented country of woods, mills and mud.

[[File:/alder-valley/alder/alder-1.png|thumb|300px|alt=Hills behind hills|The valley at [[Goldmonth]]]]
* '''Where:''' [[Alder Valley]], its [[Upper Dale]], [[Middle Vale]] and [[Low Country]]
* '''Who:''' [[People]] and [[Guilds]]
* '''What:''' [[Crafts]], [[Kitchen]], [[Living things]]
* '''When:''' [[Calendar]] and [[Legends]]
== On the map ==
{{Map|limit=60}}
== The mills ==
{{Tagged|kind=Mill}}
== New ==
{{Recent|limit=8}}`;

const extras: DemoPage[] = [
  {
    ...page('How to write here', '/how-to-write-here', undefined, [
      '# Plainly\n\nThis page is in **Markdown**, and so may yours be.\n\n- One thought, one sentence.\n- Say who told you.\n- Leave a gate as you found it.',
    ]),
    format: 'markdown',
  },
  {
    ...page('Walking the Alder', '/walking-the-alder', undefined, [
      'Nine days from the tarn to the sea.\n\n| day | to |\n|---|---|\n| 1 | Hollin |\n| 4 | Wending |\n| 9 | Saltmouth |\n',
    ]),
    format: 'markdown',
  },
  {
    ...page('Feast committee', '/feast-committee', undefined, [
      'For members: who brings the ladder to [[Candlenight]]?',
    ]),
    permissions: 770,
  },
  {
    ...page('Minutes of the feast', '/feast-committee/minutes', '/feast-committee', [
      'The ladder was not brought.',
    ]),
    permissions: 770,
  },
  {
    ...page('A surprise for Nell', '/a-surprise-for-nell', undefined, ['For me alone: a clock.']),
    permissions: 700,
  },
];

function readEntries(source: string): Entry[] {
  const paths = new Map([['', '']]);
  return source
    .split(/^@ /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.trim().split('\n');
      const [names = '', type = '', at = '', facts = ''] = head.split('|').map((part) => part.trim());
      const [title = '', above = ''] = names.split('<').map((part) => part.trim());
      const parent = paths.get(above);
      if (parent === undefined) throw new Error(`world.txt: ${title} stands before its parent ${above}.`);
      const path = `${parent}/${slugOf(title)}`;
      paths.set(title, path);
      const [lat, lon] = at.split(',').map(Number);
      return {
        ...{ title, path, parent, type, text: lines.join('\n') },
        at: lat !== undefined && lon !== undefined ? [lat, lon] : undefined,
        facts: Object.fromEntries(
          facts.split(';').flatMap((fact) => (fact.includes('=') ? [fact.trim().split('=')] : [])),
        ),
      };
    });
}

function written(entry: Entry, index: number, entries: Entry[]): DemoPage {
  const { title, path, parent, type, at, facts, text } = entry;
  const marks = `[[Type: ${type}]] [[Kind: ${type}]]${at ? ` [[Location: ${at.join(', ')}]]` : ''}`;
  const named = Object.entries(facts)
    .map(([key, value]) => `|${key}=${value}`)
    .join('');
  const box = at
    ? `{{Place|kind=${type}${named}}}\n`
    : type === 'Person'
      ? `{{Person${named}}}\n`
      : facts.home
        ? `{{Made${named}}}\n`
        : '';
  const hasChildren = entries.some((other) => other.parent === path);
  const hasPictures = at !== undefined && index % 3 === 1;
  const pictures = hasPictures
    ? `\n== Pictures ==\n<gallery>\n${[1, 2].map((n) => `${slugOf(title)}-${n}.png|${title}, ${n === 1 ? 'morning' : 'evening'}`).join('\n')}\n</gallery>`
    : '';
  const wish =
    index % 12 === 5
      ? `\n\nSomebody should write about the [[${[...wanted, ...moreWanted][Math.floor(index / 12) % 12]}]] as well.`
      : '';
  const full = `${box}${text}${wish}${neighbours(entry, entries)}${pictures}${hasChildren ? '\n== Here ==\n{{Children}}' : ''}\n\n{{Along the Alder}}\n${marks}`;
  const drafts =
    index % 3 > 0 ? [full] : [`${text.split('\n')[0]}\n${marks}`, `${text}\n${marks}`, full].slice(index % 2);
  return { ...page(title, path, parent || undefined, drafts), hasPictures };
}

/** The two nearest places, with distance and direction as a walker would say them. */
function neighbours({ at, title }: Entry, entries: Entry[]): string {
  if (!at) return '';
  const near = entries.flatMap((other) => {
    if (!other.at || other.title === title || /Region|River/.test(other.type)) return [];
    const north = (other.at[0] - at[0]) * 111;
    const east = (other.at[1] - at[1]) * 111 * Math.cos((at[0] * Math.PI) / 180);
    const way =
      Math.abs(north) > Math.abs(east) ? (north > 0 ? 'north' : 'south') : east > 0 ? 'east' : 'west';
    return [{ km: Math.max(1, Math.round(Math.hypot(north, east))), way, name: other.title }];
  });
  const [one, two] = near.sort((a, b) => a.km - b.km);
  return one && two
    ? `\n== Nearby ==\n[[${one.name}]] lies ${one.km} km to the ${one.way}, [[${two.name}]] ${two.km} km to the ${two.way}.`
    : '';
}

function template(title: string, rows: string): DemoPage {
  const body = `<includeonly>{| class="wikitable" style="float: right"\n|+ {{PAGENAME}}\n|-\n${rows}\n|}</includeonly><noinclude>A box at the side of a page.</noinclude>`;
  return page(title, `/templates/${slugOf(title)}`, '/templates', [body]);
}

function page(title: string, path: string, parent: string | undefined, drafts: string[]): DemoPage {
  return { title, path, drafts, hasPictures: false, ...(parent ? { parent } : {}) };
}
