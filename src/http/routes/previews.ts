/** Previews of a body before it is saved, and of a move. Neither changes anything. */
import { Type } from 'typebox';
import { component, integer, objects, optionalText, text, textOrNull } from '#core/operations/fields.ts';
import { bodyPreview, movePreview } from '#core/pages/preview-operations.ts';
import type { Costs } from '../costs.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { Markup, movedAnswer, pathParameter } from '../schemas/output.ts';
import { Format, Location } from '../schemas/page-fields.ts';
import type { Server, Service } from '../service.ts';

const maxPreviewBytes = 2_000_000;

const Preview = component('Preview', 'Rendering and metadata of a body.', {
  markup: Markup,
  type: textOrNull('Type that the body defines.', 'Place'),
  tags: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Tags that the body defines.',
    examples: [{ season: ['summer'] }],
  }),
  location: Type.Union([Location, Type.Literal(false)], {
    description: 'Location that the body defines, or `false`.',
    examples: [false],
  }),
  links: objects('Targets of the links.', {
    target: text('Target that the link names.', 'Pruning'),
    path: textOrNull(
      'Path of the page that the link leads to. Null if there is no such page yet.',
      '/garden/pruning',
    ),
    title: text('Title of that page, or the target.', 'Pruning'),
  }),
  notices: Type.Array(Type.String(), {
    description: 'Warnings for the writer, such as an unreadable location or a limit that was reached.',
    examples: [['The latitude must lie between -90 and 90.']],
  }),
});

const MovePreview = component('MovePreview', 'Effect of moving a page.', {
  moves: objects('Pages whose path would change, the page itself first; at most 1,000.', {
    id: integer('Page ID.', 12, { minimum: 1 }),
    from: text('Path now.', '/garden/roses'),
    to: text('Path after the move.', '/park/roses'),
  }),
  taken: Type.Array(Type.String(), {
    description: 'Targets that other pages already use. If there are any, the move is refused.',
    examples: [[]],
  }),
  freePath: optionalText('The next free path for the page, if its target is already used.', '/park/roses-2'),
});

export async function previewRoutes(server: Server, service: Service, costs: Costs): Promise<void> {
  server.post(
    '/v1/preview',
    {
      bodyLimit: maxPreviewBytes,
      config: { ...limitsOf(bodyPreview), audit: [], strangersMs: 1 },
      schema: {
        ...descriptionOf(bodyPreview),
        tags: ['Pages'],
        body: component('PreviewRequest', 'A body to preview.', {
          body: text('Content to preview.', 'Roses need [[Pruning]].'),
          path: optionalText(
            'Path of the page that the body is for. Files and page name are taken from there.',
            '/garden/roses',
          ),
          title: optionalText('Title of the page that the body is for.', 'Roses'),
          format: Type.Optional(Format),
        }),
        response: { 200: Preview },
      },
    },
    async (request) => {
      const renderer = costs.rendererFor(request, request.actor, true);
      const preview = await carryFor(service, request, renderer)(bodyPreview, request.body);
      const { markup, type, tags, location, links, notices } = preview;
      return { markup, type, tags, location: location ?? (false as const), links, notices };
    },
  );

  server.get(
    '/v1/moves/*',
    {
      config: limitsOf(movePreview),
      schema: {
        ...descriptionOf(movePreview),
        tags: ['Pages'],
        params: pathParameter(),
        querystring: Type.Object({
          to: text('New path of the page.', '/park/roses'),
          parent: optionalText(
            'Path of its new parent, empty for the root. Without it, the page keeps its parent.',
            '/park',
          ),
        }),
        response: { 200: MovePreview },
        others: movedAnswer,
      },
    },
    (request) => carryFor(service, request)(movePreview, { ...request.params, ...request.query }),
  );
}
