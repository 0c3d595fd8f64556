/** Copying a page, or a page with everything beneath it that the caller may read. */
import { type Static, Type } from 'typebox';
import { refuseUnlessWriter } from '#core/model/may-write.ts';
import type { PageName, WholePage } from '#core/model/page.ts';
import { component, count, option, optionalText, text } from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { findFreePath, offeringFreePath } from '#core/pages/free-path.ts';
import { getReadable, getSaved, getWhole } from '#core/reading/find-page.ts';
import { copyPages, pagesToCopy } from './copy.ts';

const path = text('Path of the page to copy.', '/garden');
const subtree = Type.Optional(option('Whether the pages beneath it are copied as well.'));

const Plan = component('CopyPlan', 'Size of a copy, and a free address for it.', {
  to: text('A free address beside the page.', '/garden-2'),
  pages: count(
    'How many pages would be copied with all that lies beneath the page, as far as the caller may read it.',
    12,
  ),
});

export interface CopyPlan extends Static<typeof Plan> {
  page: PageName;
}

export const planCopy = operation({
  name: 'planCopy',
  summary: 'Ask what a copy would take',
  description: 'For members. Changes nothing.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: converted(Plan, ({ to, pages }: CopyPlan) => ({ to, pages })),
  problems: ['not-found', 'gone', 'too-large'],
  ports: ['reader'],
  async run({ reader }, { input }) {
    const page = await getReadable(reader, input.path);
    const to = (await findFreePath(reader, page.path, { withSubtree: true })) ?? page.path;
    return { page, to, pages: (await pagesToCopy(reader, page, true)).length };
  },
});

const Input = component('CopyInput', 'The copy to be made.', {
  to: text('Address of the copy. Its parent is the nearest page above its path.', '/garden-2'),
  title: optionalText('Title of the copy. The default is the title of the page.', 'A second garden'),
  subtree,
  dryRun: Type.Optional(option('Checks everything and changes nothing.')),
});

export interface Copy {
  page: WholePage | null;
  pages: number;
  /** The input, by which a form is shown again. */
  asked: Omit<Static<typeof Input>, 'dryRun'>;
}

const answer = Type.Unsafe<Copy>({ title: 'Copy' });

export const copyPage = operation({
  name: 'copyPage',
  summary: 'Copy a page',
  description:
    'For members who may write. Pages that the caller may not read are left out and not counted; at most 500 are copied at once. Files come along, links within the copy lead to the copy, and its history begins with the message “Copied from …”. Permissions are those of a new page there, or those of the copied page where fewer people may read it.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  input: Type.Object({ path, ...Input.properties }),
  output: answer,
  problems: [
    'not-found',
    'gone',
    'path-taken',
    'path-reserved',
    'protected',
    'too-large',
    'not-permitted',
    'blocked',
  ],
  writes: 'itself',
  audit: [],
  ports: ['store', 'reader', 'language'],
  async run({ store, reader, language }, { input: { path, ...input }, by, now }): Promise<Copy> {
    refuseUnlessWriter(by);
    const { id } = await getReadable(reader, path);
    const page = await getWhole(reader, id, 'none');
    const copy = () => copyPages({ store, language, by, now }, page, input);
    const made = await offeringFreePath(store, by, copy, { withSubtree: true });
    const copied = made.id === undefined ? null : await getSaved(store, by, made.id);
    return { page: copied, pages: made.pages, asked: input };
  },
});
