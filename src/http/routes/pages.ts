/** Creating, editing and reading pages. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { integer } from '#core/operations/fields.ts';
import { pageCreation, pageEdit } from '#core/pages/operations.ts';
import { viewSaved } from '#core/pages/page-view.ts';
import { pageByPath, pageReading } from '#core/pages/reading-operations.ts';
import type { HistoryWanted, Reader } from '#core/ports/reader.ts';
import type { Costs } from '../costs.ts';
import { matchedChanges, pageTag } from '../etag.ts';
import { encoded } from '../long-text.ts';
import { formatField, frontMatterField, markdownType, prefersMarkdown, sendMarkdown } from '../markdown.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { grantsJson, pageJson, type WikiFacts } from '../page-json.ts';
import { urlOf } from '../page-paths.ts';
import {
  includedJson,
  pick,
  type Selection,
  selectedJson,
  selectionFields,
  selectionOf,
} from '../page-selection.ts';
import { maxTextBytes, pageInputOf, registerPageBodies } from '../request-body/page.ts';
import { savedHeaders, sendSaved, setLocation } from '../saved-page.ts';
import { NewPage, PageEdit } from '../schemas/input.ts';
import { EditedPage, historyField, movedAnswer, Page, pathParameter, ReadPage } from '../schemas/output.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Pages'];

/** Response fields besides the page; if `fields` names neither, the body is not rendered. */
const bodyFields = ['markup', 'displayTitle'];
const readable = ['children', 'backlinks', 'files'] as const;

/** CPU time of loading and parsing an older version, besides rendering it. */
const versionMs = 2;

export async function pageRoutes(
  server: Server,
  service: Service,
  settings: HttpSettings,
  costs: Costs,
): Promise<void> {
  const { store, files, renderer, clock } = service;
  const { baseUrl, maxUploadBytes } = settings;
  /** Sends exactly the bytes from which the tag was made. Long ones are charged, as loading and encoding them takes CPU time. */
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, changeId: number, shown: object) => {
    const answer = await encoded(JSON.stringify(shown));
    if (typeof answer !== 'string') costs.spendBytes(request, request.actor, answer.length);
    reply.header('etag', pageTag(changeId, answer)).type('application/json; charset=utf-8');
    return reply.send(answer) as never;
  };
  const wikiOf = ({ reader }: FastifyRequest) => ({ baseUrl, language: reader.dialect.language });
  await registerPageBodies(server, files.store, maxUploadBytes);

  server.post(
    '/v1/pages',
    {
      bodyLimit: maxTextBytes,
      config: limitsOf(pageCreation),
      schema: {
        ...descriptionOf(pageCreation),
        tags,
        body: NewPage,
        response: { 200: Page },
        headersOut: savedHeaders,
        takesMultipart: true,
      },
    },
    async (request, reply) => {
      const page = await carryFor(service, request)(pageCreation, {
        page: pageInputOf(request, request.body),
        defaultFormat: settings.defaultFormat,
      });
      setLocation(reply, page);
      return pageJson(page, wikiOf(request));
    },
  );

  server.post(
    '/v1/pages/*',
    {
      bodyLimit: maxTextBytes,
      config: limitsOf(pageEdit),
      schema: {
        ...descriptionOf(pageEdit),
        tags,
        params: pathParameter(),
        querystring: Type.Object({ history: historyField }),
        body: PageEdit,
        response: { 200: EditedPage },
        headersIn: {
          'If-Match': {
            description:
              'ETags of the page, or `"<change id>"`. If none of them names its latest change, nothing is done and the status is 412. `*` matches every change. To merge the edit with later changes, send `base` instead.',
            example: '"41"',
          },
        },
        headersOut: savedHeaders,
        takesMultipart: true,
      },
    },
    async (request, reply) => {
      const { base } = request.body;
      const input = {
        ...pageInputOf(request, request.body),
        ...(base === undefined ? {} : { base }),
        matches: matchedChanges(request.headers['if-match']),
      };
      const { path } = request.params;
      const { history = 'all' } = request.query;
      const saved = await carryFor(service, request)(pageEdit, { path, edit: input, history });
      const view = await viewSaved(store.readAs(request.actor), renderer, saved, clock());
      return sendSaved(request, reply, view, baseUrl);
    },
  );

  server.get(
    '/v1/pages/*',
    {
      config: {
        ...limitsOf(pageReading),
        isShared: true,
        isSharedByMembers: true,
        isNegotiated: true,
      },
      schema: {
        ...descriptionOf(pageReading),
        tags,
        params: pathParameter(),
        querystring: Type.Object({
          version: Type.Optional(
            integer('ID of a change, to get the page as it was after that change.', 41, { minimum: 1 }),
          ),
          history: historyField,
          format: formatField,
          frontMatter: frontMatterField,
          ...selectionFields(bodyFields, readable),
        }),
        response: { 200: ReadPage },
        otherTypes: { [markdownType]: '# Roses\n\nRoses need pruning.\n' },
        headersIn: {
          Accept: {
            description: '`text/markdown` returns the page as Markdown.',
            example: 'application/json',
          },
          'If-None-Match': {
            description: 'ETag of an earlier response. The status is 304 if the response has not changed.',
            example: '"41-Zm9vYmFy"',
          },
        },
        headersOut: {
          ETag: {
            description: 'Changes whenever the response does. Send it as `If-Match` with an edit.',
            example: '"41-Zm9vYmFy"',
          },
        },
        others: {
          304: 'The response still has the ETag that `If-None-Match` names.',
          ...movedAnswer,
        },
      },
    },
    async (request, reply) => {
      const { version, history = 'all', format, frontMatter = false } = request.query;
      const selection = selectionOf(request.query, bodyFields, readable);
      const isMarkdown =
        format === undefined ? prefersMarkdown(request.headers.accept, 'application/json') : format === 'md';
      const wanted = { history, isMarkdown, frontMatter, ...(version === undefined ? {} : { version }) };
      if (version !== undefined) costs.admit(request, request.actor, versionMs);
      const rendererHere = costs.rendererFor(request, request.actor, version !== undefined);
      const { path } = request.params;
      const { fields, include } = selection;
      if (fields && version === undefined && !isMarkdown && !bodyFields.some((name) => fields.has(name))) {
        const found = await carryFor(service, request)(pageByPath, { path });
        const page =
          found && (await findSelected(request.reader, found, selection, { history, ...wikiOf(request) }));
        if (page) return sendPage(request, reply, page.changeId, { page: page.json });
      }
      const view = await carryFor(service, request, rendererHere)(pageReading, { path, wanted });
      if ('movedTo' in view) {
        const query = /\?.*$/.exec(request.url)?.[0] ?? '';
        return reply.redirect(urlOf('/v1/pages', view.movedTo) + query, 308);
      }
      if ('markdown' in view) return sendMarkdown(reply as never, view);
      const { page, markup, displayTitle } = view;
      const added = await includedJson(request.reader, [page.id], include, { baseUrl });
      // Others see the same without grants.
      if (page.content.grants) request.reader.trace.record([page.id], undefined);
      const json = { ...pageJson(page, wikiOf(request)), ...grantsJson(page, request.actor) };
      // Omitted if the title is shown as it is.
      const shown = { markup, displayTitle };
      return sendPage(request, reply, page.changeId, {
        page: { ...(fields ? pick(json, fields) : json), ...added.get(page.id) },
        ...(fields ? pick(shown, fields) : shown),
      });
    },
  );
}

/** A page with selected fields, loading only these. */
async function findSelected(
  reader: Reader,
  page: { id: number; changeId: number },
  { fields = new Set(), include }: Selection,
  settings: { history: HistoryWanted } & WikiFacts,
): Promise<{ changeId: number; json: object } | undefined> {
  const [pages, added] = await Promise.all([
    selectedJson(reader, [page.id], fields, settings),
    includedJson(reader, [page.id], include, settings),
  ]);
  const json = pages.get(page.id);
  return json && { changeId: page.changeId, json: { ...json, ...added.get(page.id) } };
}
