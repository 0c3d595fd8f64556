/** Renders an unsaved body, together with the data that would be derived from it: type, tags, place, links. */
import type { References } from '@coppice/wikitext';
import type { Format, Location } from '../model/page.ts';
import { normaliseSource } from '../model/page-fields.ts';
import { readPath } from '../model/path.ts';
import { invalid } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import { findReadable } from '../reading/find-page.ts';
import { renderBody } from './cached-rendering.ts';
import { groupTags } from './derive.ts';
import { refuseExcess } from './derive-ahead.ts';
import { isModule, shownBody } from './module-body.ts';
import type { Renderer } from './render.ts';
import { substituted } from './substitute.ts';

export interface Preview {
  markup: string;
  type: string | null;
  tags: Record<string, string[]>;
  location: Location | null;
  /** Target of each link; `path` is null if the page does not exist. */
  links: { target: string; path: string | null; title: string }[];
  /** Sentences for the author: an unreadable location, text that became a tag, a limit that was reached. */
  notices: string[];
}

/** Refuses `too-large` as saving does. `path` provides the page's files, relative links and name; it need not exist. */
export async function previewPage(
  reader: Reader,
  renderer: Renderer,
  input: { body: string; path?: string; title?: string; format?: Format },
  now: number,
): Promise<Preview> {
  const read = input.path ? readPath(input.path) : { path: '/preview' };
  if ('problem' in read) throw invalid('/path', read.problem);
  const page = input.path ? await findReadable(reader, read.path) : undefined;
  const title = input.title ?? page?.title ?? 'Preview';
  const format = input.format ?? page?.content.format ?? 'wikitext';
  const facts = {
    title,
    path: read.path,
    ...(page ? { id: page.id, type: page.type } : {}),
  };
  const type = page?.content.type;
  const written = normaliseSource(input.body);
  const saved = {
    body: written,
    format,
    page: { ...facts, ...(reader.actor ? { author: reader.actor.name } : {}) },
  };
  const body = isModule({ title, type }) ? written : await substituted(reader, renderer, saved, now);
  const rendered = await renderBody(
    reader,
    renderer,
    {
      page: facts,
      body: shownBody({ title, type, body, format }),
      format,
      language: page?.language ?? null,
      isUntitled: input.title === undefined && !page,
    },
    now,
  );
  const { references: named, targets } = rendered;
  refuseExcess(named);
  const location = named.location ?? null;
  return {
    markup: rendered.html,
    type: named.type ?? (location ? 'Place' : null),
    tags: groupTags(named.tags),
    location,
    links: named.links.map(({ target }) => ({
      target,
      path: targets.get(target)?.path ?? null,
      title: targets.get(target)?.title ?? target,
    })),
    notices: [
      ...(named.locationProblem ? [named.locationProblem] : []),
      ...tagsNotice(named),
      ...rendered.notices,
    ],
  };
}

const maxTagsNamed = 20;

/** Warns that a supposed link became a tag, which shows nothing. */
function tagsNotice({ tags }: References): string[] {
  const others = tags.filter(({ key }) => key !== 'category');
  const written = [...new Set(others.map(({ key, value }) => `[[${key}:${value}]]`))];
  const [first] = written;
  if (first === undefined) return [];
  const more = written.length > maxTagsNamed ? ` and ${written.length - maxTagsNamed} more` : '';
  const named = `${written.slice(0, maxTagsNamed).join(', ')}${more}`;
  const what = written.length === 1 ? 'This is a tag and shows' : 'These are tags and show';
  return [
    `${what} nothing: ${named}. To link to a page with such a title, begin with a colon: ${first.replace('[[', '[[:')}.`,
  ];
}
