/** Which URL patterns exist and for which methods: for `Allow`, the reserved paths and the reference. */
import type { RouteOptions } from 'fastify';

export interface RouteTable {
  add(route: RouteOptions): void;
  /** Methods that work at this URL, OPTIONS among them; empty if there is nothing. Pages are answered for unseen. */
  methodsAt(url: string): string[];
  /** The first segments of all patterns, without parameters: what no page may be called. */
  firstSegments(): Set<string>;
  routes: RouteOptions[];
}

export function createRouteTable(): RouteTable {
  const routes: RouteOptions[] = [];
  const ofPages: RouteOptions[] = [];
  const firstSegments = () => {
    const firsts = routes.map(({ url }) => segmentsOf(url)[0] ?? '');
    return new Set(firsts.filter((first) => first !== '' && !/^[:*]/.test(first)));
  };
  return {
    routes,
    firstSegments,
    add(route) {
      // Catch-alls answer for what does not exist; the site's own is for pages, which are no routes.
      if (route.url === '/*') ofPages.push(route);
      else if (route.url !== '*' && !route.config?.isCatchAll) routes.push(route);
    },
    methodsAt(url) {
      const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
      // Whether there is such a page is not looked at: that would tell of private ones.
      const isPage = !firstSegments().has(segments[0] ?? '');
      const matching = [...routes, ...(isPage ? ofPages : [])].filter(({ url: pattern }) =>
        matches(segmentsOf(pattern), segments),
      );
      const methods = new Set(matching.flatMap(({ method }) => method));
      if (methods.size > 0) methods.add('OPTIONS');
      return [...methods].sort();
    },
  };
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

function matches(pattern: string[], segments: string[]): boolean {
  for (const [index, part] of pattern.entries()) {
    if (part === '*') return segments.length > index;
    const segment = segments[index];
    if (segment === undefined || !matchesPart(part, segment)) return false;
  }
  return pattern.length === segments.length;
}

/** A parameter may say by a regular expression in brackets which segments it takes. */
function matchesPart(part: string, segment: string): boolean {
  if (!part.startsWith(':')) return segment === part;
  const expression = /\((.*)\)$/.exec(part)?.[1];
  return expression === undefined || new RegExp(expression).test(segment);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    isCatchAll?: boolean;
  }
}
