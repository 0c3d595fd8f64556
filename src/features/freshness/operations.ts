/** Verifying pages: somebody who may edit a page confirms that it is right, and sets the day of its next review. */
import { Type } from 'typebox';
import { dayOf } from '#core/model/date-words.ts';
import type { Page, WholePage } from '#core/model/page.ts';
import { component, idField, option, text, textOrNull } from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import type { Store } from '#core/ports/store.ts';
import { getReadable } from '#core/reading/find-page.ts';

const path = text('Path of the page.', '/garden/roses');

const Verified = component(
  'Verification',
  'When the page was last verified, and when its next review is due.',
  {
    path,
    verifiedOn: textOrNull(
      'Day on which somebody last confirmed that the page is correct. Null if nobody ever did.',
      '2025-11-27',
    ),
    reviewBy: textOrNull('Day when the next review is due. Null for none.', '2026-05-01'),
    responsible: idField(
      'ID of the member who is told when the review is due: the owner unless the page names another.',
    ),
    responsibleName: textOrNull('Name of that member. Null if the member does not exist.', 'Ada'),
  },
);

interface Shown {
  page: Pick<Page | WholePage, 'path' | 'title' | 'content' | 'owner'>;
  /** Null if the page names a member who does not exist. */
  responsibleName: string | null;
}

const verification = converted(Verified, ({ page: { path, content, owner }, responsibleName }: Shown) => ({
  path,
  verifiedOn: content.verifiedOn ?? null,
  reviewBy: content.reviewBy ?? null,
  responsible: content.responsible ?? owner.id,
  responsibleName,
}));

async function shown({ grants }: Pick<Store, 'grants'>, page: Shown['page']): Promise<Shown> {
  const { responsible } = page.content;
  if (!responsible) return { page, responsibleName: page.owner.name };
  const { members } = await grants.namesOf([{ member: responsible }]);
  return { page, responsibleName: members.get(responsible)?.name ?? null };
}

export const readVerification = operation({
  name: 'readVerification',
  summary: 'Read when a page was verified',
  description: 'The page object has the same fields once the page was verified or has a review date.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: verification,
  problems: ['not-found', 'gone'],
  ports: ['store', 'reader'],
  run: async ({ store, reader }, { input }): Promise<Shown> =>
    shown(store, await getReadable(reader, input.path)),
});

export const verifyPage = operation({
  name: 'verifyPage',
  summary: 'Verify a page',
  description:
    'For members who may edit the page. An edit that sets `verifiedOn` to today (UTC) and `reviewBy` to the given day; without one, the page is not to be reviewed any more. Members who watch the page are notified, as they are of other edits.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  writesPages: true,
  input: Type.Object({
    path,
    reviewBy: Type.Optional(textOrNull('Day of the next review, ISO 8601. Null for none.', '2026-05-01')),
    isResponsible: option('Whether the caller becomes the responsible member.', false),
  }),
  output: verification,
  problems: ['not-found', 'gone', 'not-permitted', 'protected', 'blocked'],
  writes: 'itself',
  audit: [],
  ports: ['store', 'files', 'reader'],
  async run(
    { store, files, reader },
    { input: { path, reviewBy = null, isResponsible = false }, by, now },
  ): Promise<Shown> {
    const page = await getReadable(reader, path);
    const responsible = isResponsible ? { responsible: by.memberId } : {};
    const edit = { verifiedOn: dayOf(now), reviewBy, ...responsible, msg: 'Verified' };
    return shown(store, (await saveEdit({ store, files, actor: by, now }, page.path, edit)).page);
  },
});
