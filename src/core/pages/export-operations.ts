/** Exports of everything that the caller may read. Faces run the order, for as long as the file is sent. */
import { Type } from 'typebox';
import { say } from '#words/say.ts';
import type { Page } from '../model/page.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import { optionalText } from '../operations/fields.ts';
import { answer, operation } from '../operations/operation.ts';
import { findReadable } from '../reading/find-page.ts';

interface ExportRights {
  reader: Actor;
  /** The page that is exported with all pages beneath it; null for the whole wiki. */
  top: Page | null;
  now: number;
}

export const wikiExport = operation({
  name: 'export',
  summary: 'Export the wiki',
  description:
    'Exports every page that the caller may read, with its files, in one of several formats; folders are sent as a zip. `jsonl` and `mediawiki-xml` contain the changes that each page shows to the caller. Each caller can run two exports at a time.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({
    ancestor: optionalText('Path of a page, to export this page and all pages beneath it.', '/garden'),
  }),
  output: answer<ExportRights>(),
  problems: ['not-found', 'too-many-requests', 'unavailable'],
  ports: ['reader'],
  async run({ reader }, { input: { ancestor }, now }) {
    const top = ancestor === undefined ? null : await findReadable(reader, ancestor);
    if (top === undefined) throw new Problem('not-found', say('problem.noPageExistsAtThePathIn2'));
    return { reader: reader.actor, top, now };
  },
});
