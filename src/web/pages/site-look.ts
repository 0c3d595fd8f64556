/** Style sheets and pictures of the wiki's own look. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#core/model/problem.ts';
import { isPicture } from '#core/model/settings.ts';
import { say } from '#words/say.ts';
import type { Site } from '../site.ts';
import type { SiteLook, SiteStyle } from '../site-look.ts';

/** An SVG that is opened by itself runs no scripts and loads nothing. */
const pictureHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

export function siteLookRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Params: { version: string; name: string } }>(
    '/assets/site/:version/:name',
    async ({ params }, reply) => {
      const look = site.look();
      const found = fileOf(look, params.name);
      if (!found) throw new Problem('not-found', say('siteLook.thereIsNothingAtThisAddress'));
      // The address of an earlier look must not be cached, because its hash belongs to other content.
      const isCurrent = params.version === look.version;
      return reply
        .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache')
        .headers(pictureHeaders)
        .type(found.type)
        .send(found.content);
    },
  );
}

function fileOf(
  { styles, settings }: SiteLook,
  name: string,
): { type: string; content: string | Buffer } | undefined {
  if (isPicture(name)) {
    const { [name]: picture } = settings;
    return picture ? { type: picture.type, content: Buffer.from(picture.data, 'base64') } : undefined;
  }
  const content = styles.get(name as SiteStyle);
  return content === undefined ? undefined : { type: 'text/css; charset=utf-8', content };
}
