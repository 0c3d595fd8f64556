/** Export of everything that the wiki knows about the caller. */
import { Type } from 'typebox';
import { getOwnAccount } from '../members/change-account.ts';
import { exportOwnData } from '../members/own-data.ts';
import { answer, operation } from '../operations/operation.ts';

/** Answers pieces of the text of one JSON object. */
export const ownDataExport = operation({
  name: 'exportOwnData',
  summary: 'Export my data',
  description:
    'Everything that the wiki knows about the caller, as one JSON object that is sent while it is made: account, sign-ins, tokens without secrets, linked accounts, groups, watches, likes, favourites, changes with those texts that the caller can still read, unsaved drafts, comments, proposals, and entries of the audit log. A response that breaks off is not valid JSON. Limited to five exports in ten minutes for each address.',
  access: 'self',
  scope: 'none',
  input: Type.Object({}),
  output: answer<AsyncIterable<string>>(),
  problems: ['too-many-requests'],
  writes: 'itself',
  audit: ['data-exported'],
  ports: ['store'],
  run: async ({ store }, { by, now }) => exportOwnData(store, await getOwnAccount(store, by), now),
});
