/** The history of a page: its changes, the difference between two, and going back to one. */
import { Type } from 'typebox';
import { diffHtml } from '#core/content/diff-html.ts';
import type { AttachedFile } from '#core/model/page.ts';
import {
  component,
  count,
  idField,
  integer,
  objects,
  oneOf,
  optionalText,
  orNull,
  text,
  time,
} from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { MemberName } from '#core/operations/schemas.ts';
import type { PageDiff } from '#core/pages/diff-page.ts';
import { pageRollback } from '#core/pages/operations.ts';
import { viewSaved } from '#core/pages/page-view.ts';
import { pageDiff, pageHistory } from '#core/pages/reading-operations.ts';
import type { Costs } from '../costs.ts';
import { matchedChanges } from '../etag.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { changeJson, fileJson } from '../page-json.ts';
import { savedHeaders, sendSaved } from '../saved-page.ts';
import { Change, EditedPage, historyField, movedAnswer, PageFile, pathParameter } from '../schemas/output.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['History'];

const kind = oneOf(
  ['same', 'removed', 'added'],
  'Whether both versions have the line, only the older, or only the newer.',
  'added',
);

const lineNumber = (side: string) =>
  orNull(Type.Integer(), `Line number in the ${side} body, from 1. Null if it lacks the line.`, 3);

const ComparedChange = component('ComparedChange', 'A change, without its content.', {
  id: idField('Change ID.', 41),
  timestamp: time('When'),
  msg: text('Commit message.', 'More about pruning'),
  editor: MemberName,
});

const Diff = component('Diff', 'The difference between two changes of a page, by lines and words.', {
  from: orNull(ComparedChange, 'The older change. Null if there is none before the newer.', null),
  to: ComparedChange,
  fields: objects('Fields other than the body that differ.', {
    field: text('Name of the field.', 'title'),
    from: Type.Unknown({ description: 'Older value of the field.', examples: ['Rose'] }),
    to: Type.Unknown({ description: 'Newer value of the field.', examples: ['Roses'] }),
  }),
  body: objects('Parts where the bodies differ. Between them the lines are the same.', {
    lines: objects('Differing lines, with some lines around them.', {
      kind,
      fromLine: lineNumber('older'),
      toLine: lineNumber('newer'),
      text: text('The line.', 'Roses need [[Pruning]].'),
      words: Type.Optional(
        objects('Words of a changed line that were kept, removed or added.', {
          kind,
          text: text('The words.', 'Pruning'),
        }),
      ),
    }),
  }),
  linesLeftOut: count(
    'Number of lines of `body` that are left out at its end, because it would have more than 2,500 lines or 400,000 characters.',
    0,
  ),
  files: Type.Array(PageFile, {
    description:
      'Files that the page has after the newer change but not after the older one: new files and replacements, at most 1,000.',
  }),
  filesBefore: Type.Array(PageFile, {
    description:
      'Files that the page has after the older change but not after the newer one, at most 1,000: files that were removed, or replaced by files with the same `filename` in `files`.',
  }),
  html: text('The same as HTML, which is safe to embed in a page.', '<table class="diff">…</table>'),
});

export async function changeRoutes(
  server: Server,
  service: Service,
  settings: HttpSettings,
  costs: Costs,
): Promise<void> {
  const { store, renderer, clock } = service;
  const shown = (file: AttachedFile) => fileJson(file, settings.baseUrl);

  server.get(
    '/v1/history/*',
    {
      config: { ...limitsOf(pageHistory), isShared: true, strangersMs: 2 },
      schema: {
        ...descriptionOf(pageHistory),
        tags,
        params: pathParameter(),
        querystring: Type.Object(rangeFields(50)),
        response: { 200: Type.Array(Change, { description: 'The changes.' }) },
        headersOut: pagingHeaders,
        others: movedAnswer,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 50);
      const { path } = request.params;
      const { changes, total } = await carryFor(service, request)(pageHistory, { path, ...range });
      setPaging({ request, reply }, range, total, changes.length || range.limit);
      return changes.map(changeJson);
    },
  );

  server.get(
    '/v1/diff/*',
    {
      config: { ...limitsOf(pageDiff), isShared: true, strangersMs: 2 },
      schema: {
        ...descriptionOf(pageDiff),
        tags,
        params: pathParameter(),
        querystring: Type.Object({
          from: Type.Optional(
            integer('ID of the older change; by default the one before `to`.', 40, { minimum: 1 }),
          ),
          to: Type.Optional(
            integer('ID of the newer change; by default the current one.', 41, { minimum: 1 }),
          ),
        }),
        response: { 200: Diff },
        others: movedAnswer,
      },
    },
    async (request) => {
      const { path } = request.params;
      const { from, to, fields, body, files } = await carryFor(
        service,
        request,
        costs.rendererFor(request, request.actor, true),
      )(pageDiff, { path, between: request.query });
      return {
        from: from && compared(from),
        to: compared(to),
        fields,
        body: body.hunks,
        linesLeftOut: body.linesLeftOut,
        files: [...files.attached, ...files.replaced.map(({ after }) => after)].map(shown),
        filesBefore: [...files.replaced.map(({ before }) => before), ...files.taken].map(shown),
        html: diffHtml(fields, body, files),
      };
    },
  );

  server.post(
    '/v1/rollback/*',
    {
      config: limitsOf(pageRollback),
      schema: {
        ...descriptionOf(pageRollback),
        tags,
        params: pathParameter(),
        querystring: Type.Object({ history: historyField }),
        body: component('Rollback', 'The change to restore.', {
          to: idField('ID of the change to restore.', 40),
          msg: optionalText('Commit message.', 'Undo vandalism'),
        }),
        response: { 200: EditedPage },
        headersIn: {
          'If-Match': {
            description:
              'ETags of the page, or `"<change id>"`. If none of them names its latest change, nothing is done and the status is 412. `*` matches every change.',
            example: '"41"',
          },
        },
        headersOut: savedHeaders,
      },
    },
    async (request, reply) => {
      const change = { ...request.body, matches: matchedChanges(request.headers['if-match']) };
      const { path } = request.params;
      const { history = 'all' } = request.query;
      const saved = await carryFor(service, request)(pageRollback, { path, change, history });
      const view = await viewSaved(store.readAs(request.actor), renderer, saved, clock());
      return sendSaved(request, reply, view, settings.baseUrl);
    },
  );
}

function compared({ id, at, content, editor }: PageDiff['to']) {
  return {
    id,
    timestamp: new Date(at).toISOString(),
    msg: content.msg,
    editor: { id: editor.id, name: editor.name },
  };
}
