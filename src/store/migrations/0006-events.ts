/** Events: what happened to pages, in order, for programs that follow the wiki. */
import type { SchemaWords } from '../engine.ts';

export const name = '0006-events';

export function statements({ id, integer, text, rows, commitOrder }: SchemaWords): string[] {
  return [
    `create table events (
      id ${id},
      position ${integer},
      kind ${text} not null,
      at ${integer} not null,
      page_id ${integer} not null,
      change_id ${integer} not null,
      path ${text} not null,
      title ${text} not null,
      trail ${text} not null,
      audience ${integer} not null,
      lost_audience ${integer},
      owner_id ${integer} not null,
      editor_id ${integer} not null,
      msg ${text} not null,
      facts ${integer} not null default 1,
      from_path ${text},
      from_title ${text},
      from_trail ${text}
    )${rows}`,
    ...commitOrder('events').indexes,
    eventsFromChanges,
  ];
}

/**
 * Events of changes before there were any, so that whoever begins at the beginning learns of every page: under the names
 * that the pages have now, as where they lay before was not noted, and without messages.
 */
export const eventsFromChanges = `insert into events
    (kind, at, page_id, change_id, path, title, trail, audience, owner_id, editor_id, msg)
  select case when c.id = (select min(f.id) from changes f where f.page_id = c.page_id) then 'created' else 'edited' end,
    c.at, p.id, c.id, p.path, p.title, p.trail, p.audience, p.owner_id, c.editor_id, ''
  from changes c join pages p on p.id = c.page_id order by c.id`;
