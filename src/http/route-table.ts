/** Which URL patterns exist and for which methods: for `Allow`, the reserved paths and the reference. */
import type { RouteOptions } from 'fastify';

export interface RouteTable {
  add(route: RouteOptions): void;
  /** Methods that work at this URL, OPTIONS among them; empty if there is nothing. */
  methodsAt(url: string): string[];
  /** The first segments of all patterns, without parameters: what no page may be called. */
  firstSegments(): Set<string>;
  routes: RouteOptions[];
}

export function createRouteTable(): RouteTable {
  const routes: RouteOptions[] = [];
  return {
    routes,
    add(route) {
      // Catch-alls answer for what does not exist; the site's own is for pages, which are no routes.
      if (route.url !== '*' && route.url !== '/*' && !route.config?.isCatchAll) routes.push(route);
    },
    methodsAt(url) {
      const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
      const methods = new Set<string>();
      for (const { url: pattern, method } of routes) {
        if (matches(segmentsOf(pattern), segments)) for (const one of [method].flat()) methods.add(one);
      }
      if (methods.size > 0) methods.add('OPTIONS');
      return [...methods].sort();
    },
    firstSegments() {
      const firsts = routes.map(({ url }) => segmentsOf(url)[0] ?? '');
      return new Set(firsts.filter((first) => first !== '' && !/^[:*]/.test(first)));
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
    if (segment === undefined || (segment !== part && !part.startsWith(':'))) return false;
  }
  return pattern.length === segments.length;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    isCatchAll?: boolean;
  }
}
