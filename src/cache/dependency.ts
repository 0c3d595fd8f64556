/**
 * Cache dependencies as integers. Responses record what they depend on; writes record what they invalidate. A page's own
 * content, place and facts are its ID; everything else is a negative number. Hash collisions cause extra invalidation,
 * never stale responses.
 */
export type Dependency = number;

/** Facts of this page that pages beneath it show in their lineage: all but its content. */
export function factsOf(id: number): Dependency {
  return numberOf(`facts of ${id}`);
}

/** Which page the title or path of this key (`titleKey`) leads to, and that page's title and path. */
export function leadsTo(key: string): Dependency {
  return numberOf(`leads to ${key}`);
}

/** Which pages name it in links and template calls, and the titles and paths of these. */
export function linksTo(key: string): Dependency {
  return numberOf(`links to ${key}`);
}

/** The list of the pages directly beneath a page, or of the root pages. */
export function childrenOf(parentId: number | null): Dependency {
  return numberOf(`children of ${parentId ?? 'none'}`);
}

/** The list of those, and the one that tells whether there are any. `trail`: all above them, root first. */
export function childrenBeneath(trail: readonly number[]): Dependency[] {
  const [parent, ...above] = trail.toReversed();
  return parent === undefined ? [childrenOf(null)] : [childrenOf(parent), childrenOf(above[0] ?? null)];
}

/** Which links lead nowhere, how they are written, and who asks for them. */
export const requestedLinks = numberOf('requested links');

/** Titles of pages that are there, and who may see them: what orders and bounds every list. */
export const namesOfPages = numberOf('names of pages');

/** Which pages there are. */
export const newPages = numberOf('new pages');

/** Content of any page, and when it was last changed. */
export const anyContent = numberOf('any content');

/** Which pages are of the type. */
export function typed(type: string): Dependency {
  return numberOf(`typed ${type}`);
}

/** Which pages have a tag of that value, as it is indexed. */
export function tagged(valueKey: string): Dependency {
  return numberOf(`tagged ${valueKey}`);
}

/** Which pages have a tag of that name. */
export function tagNamed(key: string): Dependency {
  return numberOf(`tag named ${key}`);
}

/** Which pages have paths that begin with these segments. */
export function pathsBeneath(segments: string): Dependency {
  return numberOf(`paths beneath ${segments}`);
}

/** All such that a page at this path is among. */
export function pathsAbove(path: string): Dependency[] {
  const dependencies: Dependency[] = [];
  for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1))
    dependencies.push(pathsBeneath(path.slice(0, end)));
  return dependencies;
}

/** Which pages lie beneath it, at any depth. */
export function descendantsOf(id: number): Dependency {
  return numberOf(`descendants of ${id}`);
}

/** Titles, paths and locations of the places as far north as this one, by whole degrees. */
export function placesAt(location: { lat: number }): Dependency {
  return numberOf(`places at ${Math.floor(location.lat)}`);
}

/** Dependencies of all places that may lie within the radius. */
export function placesAround({ lat }: { lat: number }, radiusMetres: number): Dependency[] {
  // A degree of latitude is 110,574 m or more on WGS 84. What lies beyond a pole is nearer to it than the point is.
  const degrees = radiusMetres / 110_500;
  return placesBetween(Math.max(-90, lat - degrees), Math.min(90, lat + degrees));
}

/** Dependencies of all places between two latitudes. */
export function placesBetween(south: number, north: number): Dependency[] {
  const [first, last] = [Math.floor(south), Math.floor(north)];
  return Array.from({ length: last - first + 1 }, (_, i) => placesAt({ lat: first + i }));
}

/** FNV-1a over code units, its highest bit set: a small integer to the engine that runs this. */
function numberOf(name: string): Dependency {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash | 0x80000000;
}
