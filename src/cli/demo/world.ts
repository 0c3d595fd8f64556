/**
 * The demo wiki as edits by its authors, page by page. Its text is in `world.txt`, parents before children:
 *
 *     @ Title < Parent | Type | lat,lon | box=…; … | tag=…; …
 *     > Description
 *     Text, in which {a mistake->its correction|what the one who corrected it said} tells of an edit.
 */
import { readFileSync } from 'node:fs';
import type { PageInput } from '#core/model/page-input.ts';
import { slugOf } from '#core/model/path.ts';
import { landscape, sketch } from './pictures.ts';

/** A change of a page's text: a new text, or a revert of the last one. */
type Step =
  | {
      msg: string;
      body: string;
      /** Based on the change before the last one, so that it is merged. */
      isLate?: true;
    }
  | { msg: string; isUndone: true };

export interface DemoPage extends Omit<PageInput, 'parent'> {
  title: string;
  /** Final path. */
  path: string;
  parent: string | undefined;
  /** Path until the last change, if it differs. */
  firstParent?: string;
  /** The first step creates the page. */
  steps: [Step & { body: string }, ...Step[]];
  /** Rendered on demand. */
  pictures: { filename: string; bytes(): Buffer }[];
}

interface Entry {
  title: string;
  path: string;
  parent: string;
  type: string;
  at: [number, number] | undefined;
  box: Record<string, string>;
  tags: Record<string, string>;
  description: string | undefined;
  text: string;
}

const moved: Record<string, string> = {
  'School boat': '/alder-valley/low-country/saltmouth',
  'Counting sheep': '/legends',
  'Ewe Bridge': '/alder-valley/upper-dale/fellgate',
};
const countries = ['Upper Dale', 'Middle Vale', 'Low Country'];
const openings = ['First words', 'What I know so far', 'A beginning', 'From the notebook'];

/** All pages except the front page, which is created last to mark completion. */
export function readWorld(): DemoPage[] {
  const entries = readEntries(readFileSync(new URL('./world.txt', import.meta.url), 'utf8'));
  const shelf = {
    ...page('Templates', '/templates', undefined, 'What pages share.\n\n{{Children}}'),
    type: 'Template',
  };
  const along = template(
    'Along the Alder',
    "----\n''Along the [[Alder]]:'' [[Upper Dale]] · [[Middle Vale]] · [[Low Country]] · [[People]] · [[Guilds]] · [[Crafts]] · [[Calendar]] · [[Legends]]",
  );
  const written = entries.map((entry, index) => pageOf(entry, index, entries));
  return [shelf, along, ...templates, ...written, ...extras, page('Home', '/home', undefined, front)];
}

const templates = [
  infobox('Place', ['kind', 'people', 'country']),
  infobox('Person', ['work', 'home']),
  infobox('Made', ['home']),
];

const front = `'''Welcome to the Alder Valley''', an invented country of woods, mills and mud along one river. Everybody who lives here may write about it.

[[File:/alder-valley/alder-valley-map.svg|thumb|360x180px|alt=A sketch of the river with its towns, villages and lakes|From the fells to the sea]]
; Where : the [[Upper Dale]], the [[Middle Vale]] and the [[Low Country]], from [[Hoar Tarn]] to [[Saltmouth]]
; Who : [[People]], living and told of, and their [[Guilds]]
; What : [[Crafts]], [[Kitchen]] and [[Living things]]
; When : the [[Calendar]], its feasts, and the [[Legends]] told at them

New here? Read [[How to write here]], then write what is wanted.

== Worth reading ==
* [[The Long Winter]], and what became of the road
* [[Great Coppice]], which is a clock
* [[Charter of Waters]], signed by a trout
* [[Arithmetic of the ell]], for those who like sums
* A traveller’s letter, [[رسالة من وادي جار الماء]]

== Mills ==
{{Tagged|trade=milling}}`;

const guide = `# Plainly

This page is in **Markdown**, and so may yours be; most here are in wikitext. Choose under *Language and data*.

1. One thought, one sentence.
2. Say who told you.[^1]
3. Leave a gate as you found it.

| To say | In wikitext | In Markdown |
|:--|:--|:--|
| a link | \`[[Wending]]\` | \`[[Wending]]\` |
| emphasis | \`''so''\` | \`*so*\` |
| a heading | \`== So ==\` | \`## So\` |

- [x] Give every mill a page
- [ ] Give every miller one
- [ ] Ask [[Edda Fell]] how many

> If it is not written down, it happened to somebody else.
> — [[Lambert Quill]]

[^1]: “People say” is nobody.
`;

const oxenfordBridge = 'There should be a bridge. There should have been a bridge for forty years.\n';

const extras: DemoPage[] = [
  { ...page('How to write here', '/how-to-write-here', undefined, guide), format: 'markdown' },
  {
    ...page(
      'Walking the Alder',
      '/walking-the-alder',
      undefined,
      'Nine days from the tarn to the sea, downhill.\n\n| day | to | km | sleep |\n|--:|---|--:|---|\n| 1 | [[Hollin]] | 31 | in the school |\n| 2 | [[Ewe Bridge]] | 27 | on the dry side |\n| 3 | [[Oxenford]] | 30 | at the inn, with arguments |\n| 4 | [[Wending]] | 40 | on the bridge |\n| 5 | [[Great Coppice]] | 22 | not at all, in [[Leafmonth]] |\n| 6 | [[Quarrel Weir]] | 21 | on either bank |\n| 7 | [[Reedham]] | 38 | under swallows |\n| 8 | [[Eelpie]] | 31 | on stilts |\n| 9 | [[Saltmouth]] | 18 | as long as you like |\n',
    ),
    format: 'markdown',
  },
  {
    ...page(
      'Feast committee',
      '/feast-committee',
      undefined,
      'For members: who brings the ladder to [[Candlenight]]?',
    ),
    permissions: 770,
  },
  {
    ...page(
      'Minutes of the feast',
      '/feast-committee/minutes',
      '/feast-committee',
      'The ladder was not brought.',
    ),
    permissions: 770,
  },
  {
    ...page(
      'A surprise for Nell',
      '/a-surprise-for-nell',
      undefined,
      'For me alone: a clock for [[Nell Quay]].',
    ),
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
      const [names = '', type = '', at = '', box = '', tags = ''] = head
        .split('|')
        .map((part) => part.trim());
      const [title = '', above = ''] = names.split('<').map((part) => part.trim());
      const parent = paths.get(above);
      if (parent === undefined) throw new Error(`world.txt: ${title} stands before its parent ${above}.`);
      const path = `${parent}/${slugOf(title)}`;
      paths.set(title, path);
      const [lat, lon] = at.split(',').map(Number);
      const description = lines[0]?.startsWith('> ') ? lines.shift()?.slice(2) : undefined;
      return {
        title,
        path,
        parent,
        type,
        description,
        text: lines.join('\n'),
        box: pairsOf(box),
        tags: pairsOf(tags),
        at: lat !== undefined && lon !== undefined ? [lat, lon] : undefined,
      };
    });
}

function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(';').flatMap((pair) => (pair.includes('=') ? [pair.trim().split('=')] : [])),
  );
}

function pageOf(entry: Entry, index: number, entries: Entry[]): DemoPage {
  const { title, path, parent, type, at, box, text, description } = entry;
  const country = countries.find((name) => path.includes(`/${slugOf(name)}/`));
  const tags = { ...(at && country ? { country } : {}), ...entry.tags };
  const marks = [
    `[[Type: ${type}]]`,
    ...(at ? [`[[Location: ${at.join(', ')}]]`] : []),
    ...Object.entries(tags).map(([key, value]) => `[[${key}: ${value}]]`),
  ].join(' ');
  const pictures = at && type !== 'Region' ? picturesOf(title, index) : [];
  const [first, ...others] = pictures;
  const facts = {
    ...(first ? { picture: first.filename } : {}),
    ...(at ? { kind: type.toLowerCase(), ...(country ? { country } : {}) } : {}),
    ...box,
  };
  const kind =
    type === 'Region'
      ? undefined
      : at
        ? 'Place'
        : type === 'Person'
          ? 'Person'
          : box.home
            ? 'Made'
            : undefined;
  const named = Object.entries(facts).map(([key, value]) => `|${key}=${value}`);
  const side = kind ? `{{${kind}${named.join('')}}}\n` : '';
  const gallery =
    others.length > 0
      ? `\n\n== Pictures ==\n<gallery widths="190px" heights="119px">\n${others
          .map(
            ({ filename }, number) =>
              `${filename}|${title}, ${['seen from the hill', 'towards evening', 'in the first frost'][number]}`,
          )
          .join('\n')}\n</gallery>`
      : '';
  const lists = type === 'Index' ? '\n\n{{Children}}' : '';
  const notes = (body: string) => (body.includes('<ref') ? '\n\n== Notes ==\n<references/>' : '');
  const frame = (body: string, isLast: boolean) =>
    `${isLast ? side : ''}${body}${isLast ? gallery : ''}${notes(body)}${lists}\n\n${at || lists ? '{{Along the Alder}}\n' : ''}${marks}`;
  const { title: _, ...whole } = page(title, path, parent || undefined, '');
  const sketched = title === 'Alder Valley' ? [valleyMap(entries)] : [];
  const firstParent = moved[title];
  return {
    ...whole,
    title,
    ...(description ? { description } : {}),
    ...(firstParent ? { firstParent } : {}),
    pictures: [...sketched, ...pictures],
    steps: stepsOf(title, text, index, frame),
  };
}

/** Versions of a growing page: a beginning, more sections, infobox and pictures, then corrections. */
function stepsOf(
  title: string,
  text: string,
  index: number,
  frame: (body: string, isLast: boolean) => string,
): DemoPage['steps'] {
  const correction = /\{([^{}|\n]+?)->([^{}|\n]+?)\|([^{}|\n]+)\}/g;
  const corrections = [...text.matchAll(correction)].map(([, , , msg = '']) => msg);
  const asOf = (done: number) => {
    let seen = 0;
    return text.replace(correction, (_, before: string, after: string) => (seen++ < done ? after : before));
  };
  const sections = asOf(0).split(/\n+(?=== )/);
  const begun = sections[0] ?? '';
  const opening = openings[index % openings.length] ?? '';
  const steps: DemoPage['steps'] = [{ msg: opening, body: frame(begun, false) }];
  for (let count = 2; count <= sections.length; count++) {
    const heading = /^== (.*) ==/.exec(sections[count - 1] ?? '')?.[1] ?? '';
    steps.push({ msg: `Add ‘${heading}’`, body: frame(sections.slice(0, count).join('\n\n'), false) });
  }
  const whole = sections.join('\n\n');
  if (frame(whole, true) !== frame(whole, false)) {
    const isStub = sections.length === 1 && index % 3 > 0;
    const last = { msg: isStub ? opening : 'Put the box at the side', body: frame(whole, true) };
    if (isStub) steps[0] = last;
    else steps.push(last);
  }
  for (const [done, msg] of corrections.entries())
    steps.push({
      msg,
      body: frame(
        asOf(done + 1)
          .split(/\n+(?=== )/)
          .join('\n\n'),
        true,
      ),
    });
  return [...steps, ...happenings(title, frame(whole, true))] as DemoPage['steps'];
}

/** Further events of some pages. */
function happenings(title: string, body: string): Step[] {
  switch (title) {
    case 'Oxenford':
      return [
        { msg: 'There should be a bridge', body: oxenfordBridge },
        { msg: 'Bring back the page. The argument belongs under “Second Ferry”', isUndone: true },
      ];
    case 'Otter count':
      return [
        {
          msg: 'One more, asleep under the boat',
          body: body.replace('[[Edda Fell]] || 3', '[[Edda Fell]] || 4'),
        },
        {
          msg: 'Two by lantern, which counts',
          body: body.replace('[[Nell Quay]] || 9', '[[Nell Quay]] || 11'),
          isLate: true,
        },
      ];
    case 'Gauge book': {
      const rows = Array.from({ length: 52 }, (_, week) => {
        const metres = (1.35 + 0.75 * Math.sin((week - 8) / 8.3) + 0.2 * Math.sin(week * 2.1)).toFixed(2);
        const ice = week > 38 && week < 48;
        const reader = ['[[Mabel Oxley]]', '[[Hal Oxley]]', '[[Isa Vale]]', '[[Lambert Quill]]'][week % 4];
        const remark =
          Number(metres) > 2.1
            ? 'meadow under water'
            : ice
              ? 'ice'
              : week % 13 === 5
                ? 'otter on the staff'
                : '';
        return { metres, row: `|-\n| ${week + 1} || ${metres} m || ${reader} || ${remark}` };
      });
      const [before = '', after = ''] = body.split('\n\n{{Along the Alder}}', 2);
      const [text = '', marks = ''] = after === '' ? body.split(/\n\n(?=\[\[Type:)/, 2) : [before, after];
      return rows.map(({ metres }, week) => ({
        msg: `Week ${week + 1}: ${metres} m`,
        body: `${text}\n\n{| class="wikitable"\n! Week !! Water !! Read by !! Remarks\n${rows
          .slice(0, week + 1)
          .map(({ row }) => row)
          .join('\n')}\n|}\n\n${marks}`,
      }));
    }
    default:
      return [];
  }
}

function picturesOf(title: string, index: number): DemoPage['pictures'] {
  const count = { Wending: 4, 'Great Coppice': 4, Saltmouth: 4 }[title] ?? [0, 1, 0, 1, 3][index % 5] ?? 0;
  return Array.from({ length: count }, (_, number) => ({
    filename: `${slugOf(title)}-${number + 1}.png`,
    bytes: () => landscape(index + number * 7),
  }));
}

function valleyMap(entries: Entry[]): DemoPage['pictures'][number] {
  const course = ['Hoar Tarn', 'Hollin', 'Birch Tarn', 'Three Wheels', 'Wending', 'Quarrel Weir', 'Reedham'];
  const places = [...course, 'Saltmouth'].flatMap((title) => {
    const { at, type } = entries.find((entry) => entry.title === title) ?? {};
    return at ? [{ title, at, isLarge: type === 'Town' }] : [];
  });
  return { filename: 'alder-valley-map.svg', bytes: () => sketch(places) };
}

function infobox(title: string, rows: string[]): DemoPage {
  const lines = rows.map((row) => `|-\n{{#if: {{{${row}|}}} | ! ${row}\n{{!}} {{{${row}}}} }}\n`);
  const picture =
    '{{#if: {{{picture|}}} | {{!}} colspan="2" {{!}} [[File:{{{picture}}}{{!}}240px{{!}}alt=]] }}';
  const body = `<includeonly>{| class="infobox"\n|+ {{PAGENAME}}\n|-\n${picture}\n${lines.join('')}|}</includeonly><noinclude>A box at the side of a page.</noinclude>`;
  return template(title, body);
}

function template(title: string, body: string): DemoPage {
  return { ...page(title, `/templates/${slugOf(title)}`, '/templates', body), type: 'Template' };
}

function page(title: string, path: string, parent: string | undefined, body: string): DemoPage {
  return { title, path, parent, pictures: [], steps: [{ msg: 'First words', body }] };
}
