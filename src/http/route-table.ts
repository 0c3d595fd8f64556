/** Table of URL patterns and methods, used for `Allow`, reserved paths and the reference. */
import type { RouteOptions } from 'fastify';

export interface RouteTable {
  add(route: RouteOptions): void;
  /**
   * Methods available at this URL, including OPTIONS; empty if there are none. For pages the answer does not depend on whether
   * they exist.
   */
  methodsAt(url: string): string[];
  /** First segments of all patterns, without parameters, which page paths must not begin with. */
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
      // Catch-all routes are skipped; the site's own one serves pages.
      if (route.url === '/*') ofPages.push(route);
      else if (route.url !== '*' && !route.config?.isCatchAll) routes.push(route);
    },
    methodsAt(url) {
      const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
      // Existence is not checked, because that would reveal private pages.
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

/** A parameter may restrict its segment by a regular expression in parentheses. */
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
