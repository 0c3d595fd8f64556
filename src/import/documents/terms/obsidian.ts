/**
 * Obsidian: queries and programs of its plug-ins, and boards, which only it carries out. They stay as they are written, and are
 * named:
 *
 *   ```dataview … ```   `= this.file.name`   ![[Board.canvas]]   ![[Books.base]]   <% tp.date.now() %>
 */
import type { Approximation } from '../../source.ts';

const fence =
  /^[ \t>]*(?:`{3,}|~{3,})[ \t]*(dataview(?:js)?|tasks|query|base|kanban|button|meta-bind[\w-]*|templater|chart|tracker)\b.*$/gm;
const within =
  /`(?:=|\$=)[^`\n]{1,500}`|<%[^%]{1,1000}%>|!?\[\[[^[\]\n]{1,500}\.(?:canvas|base)(?:[#|][^[\]\n]{0,500})?\]\]/g;
const most = 1000;

export function namedPlugins(body: string, approximated: Approximation[]): string {
  for (const [before, name = ''] of body.matchAll(fence))
    approximated.push({
      construct: `query or program “${name}”, which stays as it is written`,
      before,
      after: before,
    });
  for (const [before] of Array.from(body.matchAll(within)).slice(0, most)) {
    const board = /\.(canvas|base)/.exec(before)?.[1];
    const construct =
      board && before.includes('[[')
        ? `${board} of Obsidian, which stays as it is written`
        : 'expression of a plug-in, which stays as it is written';
    approximated.push({ construct, before, after: before });
  }
  return body;
}
